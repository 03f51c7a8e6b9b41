//! The body that opens a charge.

use alloc::string::String;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::text::check_line;
use checkout_core::wire::object::Object;
use checkout_core::words::Language;
use serde_json::value::RawValue;

use crate::card::TestCard;
use crate::charge::{ChargeTerms, Means, Opening};
use crate::reply::is_own;
use crate::wallet::{Token, read_token};

/// The longest name of a merchant.
const MAX_MERCHANT_CHARS: usize = 200;

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

/// The opening that a body asks for, or what is wrong with it.
pub(super) fn read_opening(body: &[u8], public_url: &str, account: &str) -> Result<Opening, &'static str> {
    let request = ChargeRequest::read(body).ok_or(
        "the body must be a JSON object with the texts reference, amount, currency, operation, language, merchant, \
         return_url and callback_url",
    )?;
    ReferenceNumber::parse(&request.reference)
        .ok_or("reference must be 1 to 128 capitals, digits and hyphens")?;
    let amount = read_amount(&request)?;
    check_line(&request.merchant, MAX_MERCHANT_CHARS)
        .map_err(|_| "merchant must be one line of at most 200 characters")?;
    if [&request.return_url, &request.callback_url].iter().any(|url| !is_own(url, public_url)) {
        return Err("return_url and callback_url must be addresses of this installation");
    }
    let token = read_wallet(request.wallet)?;
    let terms = ChargeTerms {
        reference: request.reference,
        amount: amount.money,
        operation: amount.operation,
        saves_card: request.keep_card,
        language: Language::parse(&request.language).ok_or("language must be en or ar")?,
        merchant: request.merchant,
        return_url: request.return_url,
        callback_url: request.callback_url,
    };
    let card = request.card.map(|card| read_card(&card, account)).transpose()?;
    let means = token.map(Means::Wallet).or(card).unwrap_or(Means::Page);
    Ok(Opening { terms, means })
}

/// What is to be done with how much.
struct Amount {
    operation: ChargeOperation,
    money: Money,
}

fn read_amount(request: &ChargeRequest<'_>) -> Result<Amount, &'static str> {
    let currency = Currency::parse(&request.currency).ok_or("currency must be a code of ISO 4217")?;
    let operation = ChargeOperation::parse(&request.operation)
        .ok_or("operation must be purchase, authorize or verify")?;
    let money = Money::parse(&request.amount, currency)
        .map_err(|_| "amount must be a decimal with at most the decimals of its currency")?;
    if money.is_zero() != (operation == ChargeOperation::Verify) {
        return Err("amount must be zero to verify a card, and above zero for everything else");
    }
    Ok(Amount { operation, money })
}

fn read_wallet(wallet: Option<&RawValue>) -> Result<Option<Token>, &'static str> {
    let token =
        wallet.map(|wallet| read_token(wallet).ok_or("wallet must have the members kind and payload"));
    token.transpose()
}

fn read_card(card: &CardRequest, account: &str) -> Result<Means, &'static str> {
    let found = TestCard::of_token(account, &card.token);
    let found = found.ok_or("card.token must be that of a card that the bank has saved")?;
    match card.initiator.as_str() {
        "payer" => Ok(Means::SavedCard { card: found, is_payer_present: true }),
        "merchant" => Ok(Means::SavedCard { card: found, is_payer_present: false }),
        _ => Err("card.initiator must be payer or merchant"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

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

    fn read(body: &[u8]) -> Result<Opening, &'static str> {
        read_opening(body, PUBLIC_URL, "account")
    }

    #[test]
    fn complete_terms_are_read() {
        let Opening { terms, means } = read(&body(|_| ())).unwrap();
        assert_eq!((terms.amount.minor(), terms.operation), (10_250, ChargeOperation::Purchase));
        assert_eq!(means, Means::Page);
    }

    #[test]
    fn a_card_is_verified_over_zero_and_everything_else_above_it() {
        let with = |operation: &str, amount: &str| {
            read(&body(|body| {
                body["operation"] = operation.into();
                body["amount"] = amount.into();
            }))
        };
        assert_eq!(with("verify", "0.000").unwrap().terms.operation, ChargeOperation::Verify);
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
            let refused = read(&body(|body| body[name] = value.into()));
            assert!(refused.is_err(), "{name} {value:?}");
        }
        assert!(read(&body(|body| body["amount"] = 10.into())).is_err());
        assert!(read(b"").is_err());
        assert!(read(b"[]").is_err());
    }

    #[test]
    fn a_saved_card_is_known_by_its_token_and_says_who_asks() {
        let card = TestCard::find("visa-3ds").unwrap();
        let with = |token: &str, initiator: &str| {
            let card = serde_json::json!({"token": token, "initiator": initiator});
            read(&body(|body| body["card"] = card))
        };
        let token = card.token("account");
        let means = |is_payer_present| Ok(Means::SavedCard { card, is_payer_present });
        assert_eq!(with(&token, "payer").map(|opening| opening.means), means(true));
        assert_eq!(with(&token, "merchant").map(|opening| opening.means), means(false));
        assert!(with(&token, "bank").is_err());
        assert!(with(&card.token("other"), "payer").is_err());
    }
}
