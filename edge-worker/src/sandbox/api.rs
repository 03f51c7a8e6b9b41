//! The bank's charge API (protocol in `docs/sandbox.md`): opens, shows, lists and cancels charges, and does
//! operations on them. No name server knows its host; only this installation's own requests get here.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{Method, Outgoing};
use checkout_core::gateway::sandbox::{ENDPOINT, callback_key};
use checkout_core::port::{PortError, Rng};
use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::text::check_line;
use checkout_core::wire::object::Object;
use checkout_core::words::Language;
use serde_json::value::RawValue;

use super::card::CARDS;
use super::charge::{Charge, Status, Step, Terms, pay_by_wallet, pay_saved};
use super::ledger::{self, Inquiry};
use super::reply::{is_own, json, refused};
use super::wallet::{Token, read_token};
use super::{MAX_BODY_BYTES, Sandbox, SimulatedAnswer, listing, operation, wallet_session};

/// The longest name of a merchant.
const MAX_MERCHANT_CHARS: usize = 200;
/// The longest address.
const MAX_URL_CHARS: usize = 2_000;
/// The longest key of the API, in bytes.
const MAX_KEY_BYTES: usize = 256;

/// Answers one request.
pub(super) async fn answer(
    sandbox: &Sandbox<'_>,
    rng: &impl Rng,
    request: &Outgoing,
) -> Result<SimulatedAnswer, PortError> {
    let Some(key) = key_of(request) else {
        return Ok(refused(401, "needs the header authorization: Bearer, with a key of the api"));
    };
    let account = callback_key(key);
    let target = request.url.strip_prefix(ENDPOINT).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    match (request.method, segments.as_slice()) {
        (Method::Post, ["v1", "charges"]) => open(sandbox, rng, &account, &request.body).await,
        (Method::Post, ["v1", "wallets", "apple-pay", "session"]) => {
            wallet_session::start(sandbox, rng, &request.body)
        }
        (Method::Get, ["v1", "charges"]) => listing::answer(sandbox, &account, query).await,
        (Method::Get, ["v1", "charges", reference]) => inquire(sandbox, &account, reference).await,
        (Method::Post, ["v1", "charges", reference, "cancel"]) => cancel(sandbox, &account, reference).await,
        (Method::Post, ["v1", "charges", charge, "operations"]) => {
            operation::operate(sandbox, rng, (&account, key), charge, &request.body).await
        }
        (Method::Get, ["v1", "charges", charge, "operations", reference]) => {
            operation::inquire(sandbox, &account, charge, reference).await
        }
        (Method::Get | Method::Post, _) => Ok(refused(404, "there is no such address")),
    }
}

/// Any key is valid here, and is a separate account. The bank stores only what is derived from it.
fn key_of(request: &Outgoing) -> Option<&str> {
    let (_, value) = request.headers.iter().find(|(name, _)| *name == "authorization")?;
    let key = value.strip_prefix("Bearer ")?;
    let is_key = (1..=MAX_KEY_BYTES).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    is_key.then_some(key)
}

async fn open(
    sandbox: &Sandbox<'_>,
    rng: &impl Rng,
    account: &str,
    body: &[u8],
) -> Result<SimulatedAnswer, PortError> {
    let (terms, token) = match read_terms(body, sandbox.public_url) {
        Ok(read) => read,
        Err(message) => return Ok(refused(400, message)),
    };
    let card = match read_card(body, account) {
        Ok(card) => card,
        Err(message) => return Ok(refused(400, message)),
    };
    let mut random = [0; 16];
    rng.fill(&mut random)?;
    let id = format!("ch_{}", hex::encode(random));
    let step = token.map(pay_by_wallet).or(card);
    let (charge, is_new) =
        ledger::open(sandbox.db, &id, account, (&terms, step.as_ref()), sandbox.now).await?;
    Ok(if is_new && step.is_some_and(|step| step.silent_inquiries > 0) {
        SimulatedAnswer::Hang
    } else if is_new && step.is_some_and(|step| step.failing_inquiries > 0) {
        refused(500, "the bank has a fault")
    } else if is_new {
        described(201, &charge, sandbox)
    } else if charge.terms == terms {
        described(200, &charge, sandbox)
    } else {
        refused(409, "the reference belongs to a charge with other fields")
    })
}

async fn inquire(
    sandbox: &Sandbox<'_>,
    account: &str,
    reference: &str,
) -> Result<SimulatedAnswer, PortError> {
    Ok(match ledger::inquire(sandbox.db, account, reference).await? {
        Some(Inquiry::Known(charge)) => described(200, &charge, sandbox),
        Some(Inquiry::Silent) => SimulatedAnswer::Hang,
        Some(Inquiry::Failing) => refused(500, "the bank has a fault"),
        None => unknown_reference(),
    })
}

async fn cancel(sandbox: &Sandbox<'_>, account: &str, reference: &str) -> Result<SimulatedAnswer, PortError> {
    let Some(charge) = ledger::withdraw(sandbox.db, account, reference, sandbox.now).await? else {
        return Ok(unknown_reference());
    };
    Ok(described(if charge.status == Status::Canceled { 200 } else { 409 }, &charge, sandbox))
}

/// What opens a charge, as the protocol writes it.
struct ChargeRequest<'a> {
    reference: String,
    amount: String,
    currency: String,
    operation: String,
    keep_card: bool,
    card: Option<CardRequest>,
    language: String,
    merchant: String,
    return_url: String,
    callback_url: String,
    wallet: Option<&'a RawValue>,
}

/// The saved card that is charged without a page. The members about the agreement are accepted as they are.
struct CardRequest {
    token: String,
    initiator: String,
}

impl<'a> ChargeRequest<'a> {
    fn read(body: &'a [u8]) -> Option<Self> {
        Object::read(body, |object| Self {
            reference: object.text("reference"),
            amount: object.text("amount"),
            currency: object.text("currency"),
            operation: object.text("operation"),
            keep_card: object.flag("keep_card").unwrap_or_default(),
            card: object.object("card", |card| CardRequest {
                token: card.text("token"),
                initiator: card.text("initiator"),
            }),
            language: object.text("language"),
            merchant: object.text("merchant"),
            return_url: object.text("return_url"),
            callback_url: object.text("callback_url"),
            wallet: object.raw("wallet"),
        })
    }
}

/// The saved card that a body wants to charge, as a step.
fn read_card(body: &[u8], account: &str) -> Result<Option<Step>, &'static str> {
    let Some(card) = ChargeRequest::read(body).and_then(|request| request.card) else { return Ok(None) };
    let found = CARDS.iter().find(|known| known.token(account) == card.token);
    let found = found.ok_or("card.token must be that of a card which the bank keeps")?;
    match card.initiator.as_str() {
        "payer" => Ok(Some(pay_saved(found, true))),
        "merchant" => Ok(Some(pay_saved(found, false))),
        _ => Err("card.initiator must be payer or merchant"),
    }
}

fn read_terms(body: &[u8], public_url: &str) -> Result<(Terms, Option<Token>), &'static str> {
    if body.len() > MAX_BODY_BYTES {
        return Err("the body must be at most 65536 bytes");
    }
    let request = ChargeRequest::read(body).ok_or(
        "the body must be a JSON object with the texts reference, amount, currency, operation, language, merchant, \
         return_url and callback_url",
    )?;
    ReferenceNumber::parse(&request.reference)
        .ok_or("reference must be 1 to 128 capitals, digits and hyphens")?;
    let currency = Currency::parse(&request.currency).ok_or("currency must be a code of ISO 4217")?;
    let operation = ChargeOperation::parse(&request.operation)
        .ok_or("operation must be purchase, authorize or verify")?;
    let amount = Money::parse(&request.amount, currency)
        .map_err(|_| "amount must be a decimal with at most the decimals of its currency")?;
    if amount.is_zero() != (operation == ChargeOperation::Verify) {
        return Err("amount must be zero to verify a card, and above zero for everything else");
    }
    check_line(&request.merchant, MAX_MERCHANT_CHARS)
        .map_err(|_| "merchant must be one line of at most 200 characters")?;
    for url in [&request.return_url, &request.callback_url] {
        if url.len() > MAX_URL_CHARS || !is_own(url, public_url) {
            return Err("return_url and callback_url must be addresses of this installation");
        }
    }
    let token = match request.wallet {
        Some(wallet) => Some(read_token(wallet).ok_or("wallet must have the members kind and payload")?),
        None => None,
    };
    let terms = Terms {
        reference: request.reference,
        amount,
        operation,
        keep_card: request.keep_card,
        language: Language::parse(&request.language).ok_or("language must be en or ar")?,
        merchant: request.merchant,
        return_url: request.return_url,
        callback_url: request.callback_url,
    };
    Ok((terms, token))
}

fn described(status: u16, charge: &Charge, sandbox: &Sandbox<'_>) -> SimulatedAnswer {
    json(status, charge.to_json(sandbox.public_url))
}

fn unknown_reference() -> SimulatedAnswer {
    refused(404, "there is no charge of this reference")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC_URL: &str = "https://pay.example";

    fn body(change: impl FnOnce(&mut serde_json::Value)) -> Vec<u8> {
        let mut body = serde_json::json!({
            "reference": "7H3K9M2P4Q5R", "amount": "10.250", "currency": "KWD", "operation": "purchase",
            "language": "en", "merchant": "Demo Store",
            "return_url": "https://pay.example/b/gw/v1/return/7H3K9M2P4Q5R/",
            "callback_url": "https://pay.example/b/gw/v1/callback/7H3K9M2P4Q5R/",
        });
        change(&mut body);
        body.to_string().into_bytes()
    }

    #[test]
    fn complete_terms_are_read() {
        let (terms, _) = read_terms(&body(|_| ()), PUBLIC_URL).unwrap();
        assert_eq!((terms.amount.minor(), terms.operation), (10_250, ChargeOperation::Purchase));
    }

    #[test]
    fn a_card_is_verified_over_zero_and_everything_else_above_it() {
        let with = |operation: &str, amount: &str| {
            read_terms(
                &body(|body| {
                    body["operation"] = operation.into();
                    body["amount"] = amount.into();
                }),
                PUBLIC_URL,
            )
        };
        assert_eq!(with("verify", "0.000").unwrap().0.operation, ChargeOperation::Verify);
        assert!(with("verify", "0.001").is_err());
        for operation in ["purchase", "authorize"] {
            assert!(with(operation, "0.001").is_ok() && with(operation, "0.000").is_err(), "{operation}");
        }
    }

    #[test]
    fn terms_that_cannot_be_met_are_refused() {
        for (name, value) in [
            ("reference", "a/b"),
            ("reference", ""),
            ("amount", "0.000"),
            ("amount", "-1"),
            ("amount", "10.2501"),
            ("amount", "1e3"),
            ("currency", "XAU"),
            ("operation", "refund"),
            ("language", "fr"),
            ("merchant", "two\nlines"),
            ("return_url", "https://elsewhere.example/"),
            ("return_url", "https://pay.example.evil.example/"),
            ("return_url", "https://pay.example@evil.example/"),
            ("return_url", "https://pay.example"),
            ("callback_url", "http://pay.example/"),
            ("callback_url", "https://pay.example/\r\nx"),
        ] {
            let refused = read_terms(&body(|body| body[name] = value.into()), PUBLIC_URL);
            assert!(refused.is_err(), "{name} {value:?}");
        }
        assert!(read_terms(&body(|body| body["amount"] = 10.into()), PUBLIC_URL).is_err());
        assert!(read_terms(b"", PUBLIC_URL).is_err());
        assert!(read_terms(b"[]", PUBLIC_URL).is_err());
    }

    #[test]
    fn a_bearer_is_one_word() {
        let key = |value: &str| {
            let request = Outgoing {
                method: Method::Get,
                url: String::new(),
                headers: vec![("authorization", value.into())],
                body: Vec::new(),
            };
            key_of(&request).map(String::from)
        };
        assert_eq!(key("Bearer k1").as_deref(), Some("k1"));
        for value in ["Bearer ", "Bearer", "bearer k1", "Basic k1", "Bearer k 1", ""] {
            assert_eq!(key(value), None, "{value:?}");
        }
    }
}
