//! What a webhook says, for its heading. Its body is whatever someone posted.

use checkout_core::value::text::without_bidi_controls;
use checkout_core::wire::json::text_of;
use checkout_core::wire::members::Members;

/// The most characters that are shown of a member.
const MAX_CHARS: usize = 80;

/// The members of a webhook that its heading has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct InboxChange {
    /// The payment transaction, as written.
    pub(super) session_id: Option<String>,
    /// What was done, of a webhook about a capture, refund or void.
    pub(super) operation: Option<String>,
    /// The outcome.
    pub(super) result: Option<String>,
    /// The state of the transaction.
    pub(super) state: Option<String>,
    /// The merchant's order number.
    pub(super) order_no: Option<String>,
    /// The amount with its currency.
    pub(super) amount: Option<String>,
}

impl InboxChange {
    /// What a body says; nothing if it is not a JSON object.
    pub(super) fn of(body: &str) -> Self {
        let Ok(members) = Members::read(body.as_bytes()) else { return Self::default() };
        let text = |name: &str| {
            let text = members.get(name).and_then(text_of)?;
            let shown: String = without_bidi_controls(&text).chars().take(MAX_CHARS).collect();
            (!shown.is_empty()).then_some(shown)
        };
        let amount = text("amount").zip(text("currency_code"));
        Self {
            session_id: text("session_id"),
            operation: text("operation"),
            result: text("result"),
            state: text("state"),
            order_no: text("order_no"),
            amount: amount.map(|(amount, currency)| format!("{currency} {amount}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_of_a_heading_are_read_as_bounded_text() {
        let long = "x".repeat(200);
        let body = format!(
            r#"{{"state":"paid","result":"success","order_no":"\u202eA-1","amount":"1.000","currency_code":"KWD","session_id":"{long}","operation":7}}"#
        );
        let change = InboxChange::of(&body);
        assert_eq!((change.state.as_deref(), change.order_no.as_deref()), (Some("paid"), Some("A-1")));
        assert_eq!(change.amount.as_deref(), Some("KWD 1.000"));
        assert_eq!(change.session_id.map(|id| id.len()), Some(MAX_CHARS));
        assert_eq!(change.operation, None);
    }

    #[test]
    fn any_other_body_says_nothing() {
        for body in ["", "[]", "{", "<b>", "null"] {
            assert_eq!(InboxChange::of(body), InboxChange::default(), "{body}");
        }
    }
}
