//! `payment_instrument` of a create request: with what it is paid at once (specification, native payments; wire contract
//! 1.1.5).

use alloc::format;

use serde_json::value::RawValue;

use super::field::Fields;
use super::members::Members;
use super::native::read_payload;
use crate::gateway::profile::Wallet;
use crate::payment::instrument::Instrument;
use crate::violation::{Rule, Violation};

/// The name of the field.
const FIELD: &str = "payment_instrument";

/// Reads the field: an object of `instrument_type` and `payload`, which stays as it is written.
///
/// # Errors
/// Every violation, by the path from the top of the body.
pub fn read(raw: &RawValue) -> Result<Instrument, alloc::vec::Vec<Violation>> {
    let Ok(members) = serde_json::from_str::<Members<'_>>(raw.get()) else {
        return Err([Violation::new(FIELD, Rule::NotObject)].into());
    };
    let mut fields = Fields::default();
    let wallet = fields.required("instrument_type", members.get("instrument_type"), |f, p, raw| {
        f.word(p, raw, Wallet::WORDS, Wallet::parse)
    });
    let payload = fields.required("payload", members.get("payload"), |f, _, raw| match wallet {
        Some(wallet) => read_payload(f, wallet, raw),
        // What it must hold is not known.
        None => None,
    });
    let found = fields.finish();
    match (wallet, payload) {
        (Some(wallet), Some(payload)) if found.is_empty() => Ok(Instrument::Wallet(wallet, payload)),
        _ => {
            let under =
                |violation: Violation| Violation::new(format!("{FIELD}.{}", violation.path), violation.rule);
            Err(found.into_iter().map(under).collect())
        }
    }
}
