//! The errors of Tap: a list with codes, or one message.

use alloc::string::String;

use serde_json::value::RawValue;

use crate::gateway::exchange::Incoming;
use crate::gateway::text::words;
use crate::wire::json::items;
use crate::wire::object::Object;

/// The codes of errors that do not say that nothing was done: the source of a payment was used before, perhaps by this very
/// request; an acquirer timed out; Tap is down, overloaded or at fault itself.
const UNCERTAIN: [&str; 4] = ["1126", "1151", "2101", "9999"];

/// A request that Tap certainly did not carry out.
pub(super) struct TapRefusal {
    /// The words of Tap.
    pub(super) message: Option<String>,
}

impl TapRefusal {
    /// Whether it says that a list has no entries.
    pub(super) fn is_nothing_found(&self) -> bool {
        let message = self.message.as_deref().unwrap_or_default();
        ["Charges not found", "Authorizes not found", "Authorize not found", "Refunds not found"]
            .iter()
            .any(|known| message.trim_end_matches('.').eq_ignore_ascii_case(known))
    }
}

/// The refusal in an answer; `None` for an answer that is none. Only an error that Tap wrote about the request is one: anything
/// else that answers in its place does not say that nothing was done.
pub(super) fn refusal(answer: &Incoming) -> Option<TapRefusal> {
    if !matches!(answer.status, 400 | 401 | 403 | 404) {
        return None;
    }
    let is_uncertain = |error: &&RawValue| {
        let is_known = |code: &RawValue| UNCERTAIN.contains(&code.get().trim_matches('"'));
        Object::read(error.get(), |error| error.raw("code").is_some_and(is_known)).unwrap_or_default()
    };
    let described = |error: &&RawValue| Object::read(error.get(), |error| error.optional_text("description"));
    Object::read(&answer.body, |body| {
        let errors = body.raw("errors").and_then(items).unwrap_or_default();
        let first = errors.first().and_then(described);
        let message = body.optional_text("message");
        let is_error = (first.is_some() || message.is_some()) && !errors.iter().any(is_uncertain);
        is_error.then(|| TapRefusal { message: first.flatten().or(message).as_deref().and_then(words) })
    })?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gateway::answer;
    use alloc::string::ToString;

    #[test]
    fn only_an_error_of_tap_is_a_refusal() {
        let body =
            r#"{"errors":[{"code":"1216","description":"Agreement id is missing"}],"http_code":"400"}"#;
        let message = |status, body: &str| refusal(&answer(status, body)).map(|refusal| refusal.message);
        for status in [400, 401, 403, 404] {
            assert_eq!(message(status, body), Some(Some("Agreement id is missing".into())), "{status}");
        }
        for status in [0, 200, 402, 408, 409, 425, 429, 500, 502] {
            assert_eq!(message(status, body), None, "{status}");
        }
        for body in ["", "<html>", "{}", "[]", r#"{"errors":[]}"#, r#"{"errors":{}}"#] {
            assert_eq!(message(400, body), None, "{body}");
        }
        assert_eq!(message(400, r#"{"message":"No"}"#), Some(Some("No".into())));
        let card = r#"{"errors":[{"code":"1","description":"card 4508750015741019"}]}"#;
        assert_eq!(message(400, card), Some(None));
    }

    #[test]
    fn an_error_of_tap_itself_does_not_say_that_nothing_was_done() {
        for code in ["1126", "1151", "2101", "9999"] {
            for written in [alloc::format!("{code:?}"), code.to_string()] {
                let error = alloc::format!(r#"{{"code":{written},"description":"Gateway timed out"}}"#);
                for errors in [error.clone(), alloc::format!(r#"{{"code":"1216"}},{error}"#)] {
                    let body = alloc::format!(r#"{{"errors":[{errors}],"message":"No"}}"#);
                    assert!(refusal(&answer(400, body.as_str())).is_none(), "{body}");
                }
            }
        }
    }

    #[test]
    fn a_list_without_entries_is_no_fault() {
        let is_empty = |body: &str| refusal(&answer(400, body)).unwrap().is_nothing_found();
        assert!(is_empty(r#"{"errors":[{"code":"1128","description":"Charges not found"}]}"#));
        assert!(is_empty(r#"{"message":"Refunds not found."}"#));
        assert!(!is_empty(r#"{"message":"Charge not permitted"}"#));
    }
}
