//! What an answer that is no success says for certain.

use alloc::string::String;

use crate::gateway::exchange::Incoming;
use crate::gateway::text::words;
use crate::wire::object::Object;

/// A request that Checkout.com certainly did not carry out.
pub(super) struct CkoRefusal {
    /// Its words.
    pub(super) message: Option<String>,
}

impl CkoRefusal {
    /// What an answer refuses; `None` for one that does not say so certainly: that of a proxy, and one after which the request
    /// may be carried out. 401, 403 and 404 may come without a body.
    pub(super) fn of(answer: &Incoming) -> Option<Self> {
        let said = ErrorBody::read(&answer.body);
        match (answer.status, said) {
            (422, Some(said)) if said.kind == "request_invalid" => Some(Self { message: said.words() }),
            (401 | 403 | 404, Some(said)) => Some(Self { message: said.words() }),
            (401, None) if answer.body.is_empty() => {
                Some(Self::because("Checkout.com does not accept the key"))
            }
            (403, None) if answer.body.is_empty() => Some(Self::because("Checkout.com does not permit this")),
            (404, None) if answer.body.is_empty() => {
                Some(Self::because("Checkout.com knows no such payment"))
            }
            _ => None,
        }
    }

    fn because(message: &str) -> Self {
        Self { message: Some(message.into()) }
    }
}

struct ErrorBody {
    kind: String,
    codes: alloc::vec::Vec<String>,
}

impl ErrorBody {
    fn read(body: &[u8]) -> Option<Self> {
        Object::read(body, |error| Self { kind: error.text("error_type"), codes: error.texts("error_codes") })
    }

    fn words(&self) -> Option<String> {
        let codes = self.codes.join(", ");
        let all = if codes.is_empty() { self.kind.clone() } else { [&self.kind, ": ", &codes].concat() };
        words(&all)
    }
}
