//! `payment_instrument` of a create request: the instrument with which it is paid at once.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::native::read_payload;
use crate::gateway::instrument::WalletPayload;
use crate::violation::{Rule, Violation};
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::words::Wallet;

/// The instrument with which a transaction is paid in the call that creates it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentInstrument {
    /// A device wallet, with its token as it is written.
    Wallet(Wallet, WalletPayload),
    /// A saved card of the customer, by its token.
    Card(String),
}

/// What the word of `instrument_type` names.
#[derive(Clone, Copy)]
enum InstrumentKind {
    Wallet(Wallet),
    Card,
}

/// The words of `instrument_type`.
const KINDS: &[&str] = &["apple_pay", "google_pay", "token"];
/// The most characters of the token of a card.
const MAX_TOKEN: usize = 50;
/// The name of the field.
const FIELD: &str = "payment_instrument";

/// Reads the field: an object of `instrument_type` and `payload`, which stays as it is written.
///
/// # Errors
/// Every violation, by the path from the top of the body.
pub fn read(raw: &RawValue) -> Result<PaymentInstrument, Vec<Violation>> {
    let Some(members) = Members::of(raw) else {
        return Err([Violation::new(FIELD, Rule::NotObject)].into());
    };
    let mut fields = Fields::default();
    let kind = fields.required("instrument_type", members.get("instrument_type"), |f, p, raw| {
        f.word(p, raw, KINDS, |word| match word {
            "token" => Some(InstrumentKind::Card),
            word => Wallet::parse(word).map(InstrumentKind::Wallet),
        })
    });
    let instrument = fields.required("payload", members.get("payload"), |f, p, raw| match kind {
        Some(InstrumentKind::Wallet(wallet)) => {
            read_payload(f, p, wallet, raw).map(|payload| PaymentInstrument::Wallet(wallet, payload))
        }
        Some(InstrumentKind::Card) => read_token(f, p, raw).map(PaymentInstrument::Card),
        // What it must contain is not known.
        None => None,
    });
    let found = fields.finish();
    match instrument {
        Some(instrument) if found.is_empty() => Ok(instrument),
        _ => {
            let under =
                |violation: Violation| Violation::new(format!("{FIELD}.{}", violation.path), violation.rule);
            Err(found.into_iter().map(under).collect())
        }
    }
}

/// The token of a card. A security code that comes with it is refused by name.
fn read_token(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<String> {
    let Some(members) = Members::of(raw) else {
        return fields.refuse(path, Rule::NotObject);
    };
    if members.get("cvv").is_some() {
        fields.violation("payload.cvv", Rule::CardData);
    }
    fields.required("payload.token", members.get("token"), |f, p, raw| f.line(p, raw, MAX_TOKEN))
}
