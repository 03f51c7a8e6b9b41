//! Captures, refunds and voids at the bank (protocol in `docs/sandbox.md`). The amount decides what the bank
//! does, as a card decides the outcome of a charge.

use checkout_core::port::{PortError, Rng};
use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::money::{Currency, Money};
use checkout_core::wire::object::Object;
use checkout_core::words::ChildOperation;

use super::course::{Manner, Terms, course};
use super::operation_ledger::{self as ledger, Found};
use super::reply::{is_own, json, refused};
use super::{MAX_BODY_BYTES, Sandbox, SimulatedAnswer};

/// The longest address.
const MAX_URL_CHARS: usize = 2_000;
/// Refunds of an account whose key has this word are queued.
const QUEUED_KEY: &str = "queued";

/// Does an operation on a charge, once.
pub(super) async fn operate(
    sandbox: &Sandbox<'_>,
    rng: &impl Rng,
    (account, key): (&str, &str),
    charge: &str,
    body: &[u8],
) -> Result<SimulatedAnswer, PortError> {
    let terms = match read_terms(body, sandbox.public_url) {
        Ok(terms) => terms,
        Err(message) => return Ok(refused(400, message)),
    };
    let course = course(terms.operation, terms.amount, key.contains(QUEUED_KEY));
    match course.manner {
        Manner::Refused => return Ok(refused(422, "the issuer refused the operation")),
        Manner::Lost => return Ok(SimulatedAnswer::Hang),
        Manner::Reported | Manner::Failing | Manner::Silent => {}
    }
    let mut random = [0; 16];
    rng.fill(&mut random)?;
    let id = format!("op_{}", hex::encode(random));
    let answer = match ledger::operate(sandbox, &id, account, charge, (&terms, course)).await? {
        Found::NoCharge => return Ok(refused(404, "there is no charge of this reference")),
        Found::NotPermitted => {
            return Ok(refused(422, "the charge does not permit this operation with this amount"));
        }
        Found::Operation(operation) if operation.charge != charge || operation.terms != terms => {
            return Ok(refused(409, "the reference belongs to an operation with other fields"));
        }
        Found::Operation(operation) => json(if operation.id == id { 201 } else { 200 }, operation.to_json()),
    };
    Ok(match course.manner {
        Manner::Silent => SimulatedAnswer::Hang,
        Manner::Failing => refused(500, "the bank has a fault"),
        Manner::Reported | Manner::Lost | Manner::Refused => answer,
    })
}

/// Answers the state of an operation.
pub(super) async fn inquire(
    sandbox: &Sandbox<'_>,
    account: &str,
    charge: &str,
    reference: &str,
) -> Result<SimulatedAnswer, PortError> {
    let found = ledger::find(sandbox.db, account, reference).await?;
    Ok(match found.filter(|operation| operation.charge == charge) {
        Some(operation) => json(200, operation.to_json()),
        None => refused(404, "there is no operation of this reference"),
    })
}

/// What asks for an operation, as the protocol writes it.
struct OperationRequest {
    reference: String,
    operation: String,
    amount: String,
    currency: String,
    callback_url: String,
}

fn read_terms(body: &[u8], public_url: &str) -> Result<Terms, &'static str> {
    if body.len() > MAX_BODY_BYTES {
        return Err("the body must be at most 65536 bytes");
    }
    let request = Object::read(body, |object| OperationRequest {
        reference: object.text("reference"),
        operation: object.text("operation"),
        amount: object.text("amount"),
        currency: object.text("currency"),
        callback_url: object.text("callback_url"),
    });
    let request = request.ok_or(
        "the body must be a JSON object with the texts reference, operation, amount, currency and callback_url",
    )?;
    ReferenceNumber::parse(&request.reference)
        .ok_or("reference must be 1 to 128 capitals, digits and hyphens")?;
    let currency = Currency::parse(&request.currency).ok_or("currency must be a code of ISO 4217")?;
    let amount = Money::parse(&request.amount, currency)
        .ok()
        .filter(|amount| !amount.is_zero())
        .ok_or("amount must be a decimal above zero with at most the decimals of its currency")?;
    if request.callback_url.len() > MAX_URL_CHARS || !is_own(&request.callback_url, public_url) {
        return Err("callback_url must be an address of this installation");
    }
    Ok(Terms {
        reference: request.reference,
        operation: ChildOperation::parse(&request.operation)
            .ok_or("operation must be capture, refund or void")?,
        amount,
        callback_url: request.callback_url,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_that_cannot_be_read_are_refused() {
        let body = |name: &str, value: &str| {
            let mut body = serde_json::json!({
                "reference": "R1", "operation": "refund", "amount": "1.000", "currency": "KWD",
                "callback_url": "https://pay.example/b/gw/v1/callback/R1/",
            });
            body[name] = value.into();
            body.to_string().into_bytes()
        };
        assert!(read_terms(&body("amount", "1.000"), "https://pay.example").is_ok());
        for (name, value) in [
            ("reference", ""),
            ("operation", "purchase"),
            ("amount", "0.000"),
            ("amount", "1e3"),
            ("currency", "XAU"),
            ("callback_url", "https://elsewhere.example/"),
        ] {
            assert!(read_terms(&body(name, value), "https://pay.example").is_err(), "{name} {value:?}");
        }
    }
}
