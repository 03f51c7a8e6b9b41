//! The answer to a create request.

use alloc::string::String;
use alloc::vec::Vec;

use crate::route::Route;
use crate::value::id::{DeliveryId, SessionId};
use crate::wire::json;
use crate::wire::members::Members;

/// The status of the answer.
pub(super) const CREATED: u16 = 201;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The JSON body.
    pub body: String,
    /// The transaction; `None` for a replay, whose body names it.
    pub session_id: Option<SessionId>,
    /// Whether it is a stored answer, for the header `Idempotent-Replayed`.
    pub is_replayed: bool,
    /// The header `ETag`; `None` for a replay, because the transaction may have changed since.
    pub tag: Option<String>,
    /// The notifications to be delivered after the answer, if the transaction was charged at once.
    pub deliveries: Vec<DeliveryId>,
}

impl CreateAnswer {
    /// The header `Location`: the address at which the transaction can be retrieved.
    #[must_use]
    pub fn location(&self, public_url: &str) -> Option<String> {
        let path = Route::RetrieveTransaction(self.named()?).path();
        Some(alloc::format!("{public_url}{path}"))
    }

    /// The transaction, also of a replay.
    #[must_use]
    pub fn named(&self) -> Option<SessionId> {
        self.session_id.clone().or_else(|| named_in(&self.body))
    }
}

/// The transaction that an answer is about.
pub(super) fn named_in(body: &str) -> Option<SessionId> {
    let members = Members::read(body.as_bytes()).ok()?;
    SessionId::parse(&json::text_of(members.get("session_id")?)?)
}
