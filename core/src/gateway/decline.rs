//! Why a payment was declined, among the normalised data of a charge.
//!
//! Each connector maps the codes of its gateway; a code that it does not know is [`DeclineReason::Other`], with the code itself,
//! so that the operator's log can count what is missing.

use alloc::string::{String, ToString};

use super::ConnectorKind;
use super::charge::PgParams;
use super::text::{is_in_the_clear, line};
use crate::value::id::PgCode;
pub use crate::words::decline::{Advice, DeclineReason};

/// The normalised reason, one of [`DeclineReason::WORDS`].
pub const REASON: &str = "decline_reason";
/// What to do about it, one of [`Advice::WORDS`].
pub const ADVICE: &str = "decline_advice";
/// The gateway's own code.
pub const CODE: &str = "decline_code";

/// Adds to the data of a decline why it was declined: the gateway's code, what it means, and the advice for that. A code that
/// may contain a card number is hidden.
pub fn note(params: &mut PgParams, reason: DeclineReason, code: &str) {
    if let Some(code) = line(code) {
        let code = if is_in_the_clear(&code) { HIDDEN.to_string() } else { code };
        params.insert(CODE.to_string(), code);
    }
    params.insert(REASON.to_string(), reason.as_str().to_string());
    params.insert(ADVICE.to_string(), reason.advice().as_str().to_string());
}

/// Why a payment was declined, as far as its gateway said it.
#[must_use]
pub fn reason(params: &PgParams) -> Option<DeclineReason> {
    params.get(REASON).and_then(|word| DeclineReason::parse(word))
}

/// Whether a payment was declined for a reason that `is_it`, and the bank does not say that it never wants to be asked again.
#[must_use]
pub(crate) fn is_for(params: &PgParams, is_it: fn(DeclineReason) -> bool) -> bool {
    let is_final = params.get(ADVICE).is_some_and(|advice| advice == Advice::Stop.as_str());
    !is_final && reason(params).is_some_and(is_it)
}

/// What is stored of a code that may contain a card number.
const HIDDEN: &str = "[hidden]";
/// The most characters of a code that an operator is shown.
const MAX_SHOWN: usize = 64;

/// A decline whose code is not in the connector's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmapped {
    /// The protocol.
    pub connector: ConnectorKind,
    /// The merchant's code of the gateway.
    pub pg_code: PgCode,
    /// The gateway's code: at most 64 letters, digits, spaces and `_-.:()`, with `?` for anything else. A code that may
    /// contain a card number is `[hidden]`.
    pub code: String,
}

impl Unmapped {
    /// What the data of a decline say, if they have a code that is not known.
    #[must_use]
    pub fn of(connector: ConnectorKind, pg_code: &PgCode, params: &PgParams) -> Option<Self> {
        let code = params.get(CODE).filter(|_| reason(params) == Some(DeclineReason::Other))?;
        if connector.declaration().codes_without_reason.contains(&code.as_str()) {
            return None;
        }
        Some(Self { connector, pg_code: pg_code.clone(), code: shown(code) })
    }
}

fn shown(code: &str) -> String {
    if code == HIDDEN {
        return HIDDEN.to_string();
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " _-.:()".contains(letter);
    code.chars().take(MAX_SHOWN).map(|letter| if is_plain(letter) { letter } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_may_contain_a_card_number_is_not_stored() {
        for (code, stored) in [("51", "51"), ("card 4111111111111111", HIDDEN)] {
            let mut params = PgParams::new();
            note(&mut params, DeclineReason::Other, code);
            assert_eq!(params.get(CODE).map(String::as_str), Some(stored));
            assert_eq!(params.get(REASON).map(String::as_str), Some("other"));
        }
    }

    fn unmapped(connector: ConnectorKind, reason: DeclineReason, code: &str) -> Option<String> {
        let mut params = PgParams::new();
        note(&mut params, reason, code);
        Unmapped::of(connector, &PgCode::parse("card")?, &params).map(|found| found.code)
    }

    #[test]
    fn a_code_without_a_reason_is_shown_unless_it_is_known() {
        let of = |reason, code| unmapped(ConnectorKind::Stripe, reason, code);
        assert_eq!(of(DeclineReason::Other, "new_code").as_deref(), Some("new_code"));
        assert_eq!(of(DeclineReason::Other, "duplicate_transaction"), None);
        assert_eq!(of(DeclineReason::DoNotHonor, "new_code"), None);
        assert_eq!(of(DeclineReason::Other, ""), None);
        let knet = unmapped(ConnectorKind::Knet, DeclineReason::Other, "duplicate_transaction");
        assert_eq!(knet.as_deref(), Some("duplicate_transaction"));
    }

    #[test]
    fn a_code_is_shown_on_one_short_line_without_a_card_number() {
        let of = |code: &str| unmapped(ConnectorKind::Mpgs, DeclineReason::Other, code);
        assert_eq!(of("Not so (at all): 7.1_x-y").as_deref(), Some("Not so (at all): 7.1_x-y"));
        assert_eq!(of("a\"b\\c<d>\u{202e}é").as_deref(), Some("a?b?c?d???"));
        assert_eq!(of(&"x".repeat(1_000)).map(|code| code.len()), Some(MAX_SHOWN));
        assert_eq!(of("card 4508 7500 1574 1019").as_deref(), Some("[hidden]"));
    }
}
