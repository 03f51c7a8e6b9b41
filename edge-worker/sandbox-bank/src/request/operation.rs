//! The body that asks for a capture, refund or void.

use alloc::string::String;

use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::money::{Currency, Money};
use checkout_core::wire::object::Object;
use checkout_core::words::ChildOperation;

use crate::operation::OperationTerms;
use crate::reply::is_own;

/// What asks for an operation, as the protocol writes it.
struct OperationRequest {
    reference: String,
    operation: String,
    amount: String,
    currency: String,
    callback_url: String,
}

/// The operation that a body asks for, or what is wrong with it.
pub(super) fn read_operation(body: &[u8], public_url: &str) -> Result<OperationTerms, &'static str> {
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
    if !is_own(&request.callback_url, public_url) {
        return Err("callback_url must be an address of this installation");
    }
    Ok(OperationTerms {
        reference: request.reference,
        operation: ChildOperation::parse(&request.operation)
            .ok_or("operation must be capture, refund or void")?,
        amount,
        callback_url: request.callback_url,
    })
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn operations_that_cannot_be_read_are_refused() {
        let body = |name: &str, value: &str| -> Vec<u8> {
            let mut body = serde_json::json!({
                "reference": "R1", "operation": "refund", "amount": "1.000", "currency": "KWD",
                "callback_url": "https://pay.example/b/gw/v1/callback/R1/",
            });
            body[name] = value.into();
            body.to_string().into_bytes()
        };
        assert!(read_operation(&body("amount", "1.000"), "https://pay.example").is_ok());
        for (name, value) in [
            ("reference", ""),
            ("operation", "purchase"),
            ("amount", "0.000"),
            ("amount", "1e3"),
            ("currency", "XAU"),
            ("callback_url", "https://elsewhere.example/"),
        ] {
            assert!(read_operation(&body(name, value), "https://pay.example").is_err(), "{name} {value:?}");
        }
    }
}
