//! A transaction that a visitor makes with a form.

use checkout_core::flow::Failure;
use checkout_core::port::World;
use checkout_core::route::Route;
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;

use super::merchant::{self, Kind, WantedPage};
use crate::edge::Edge;
use crate::sandbox::SandboxReply;
use crate::sandbox::document::see_other;

/// The amount of a test payment.
pub(super) const AMOUNT: &str = "10.250";

/// What a form asks for. What it does not say is usual.
pub(super) fn wanted(form: &[(String, String)]) -> WantedPage<'_> {
    let value = |name: &str| {
        let found = form.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    };
    WantedPage {
        kind: value("kind").and_then(Kind::parse).unwrap_or_default(),
        amount: value("amount").unwrap_or(AMOUNT),
        method: value("method"),
        language: value("language").and_then(Language::parse).unwrap_or_default(),
    }
}

/// Makes a transaction for the demo merchant; `None` if there is no such merchant.
pub(super) async fn make(edge: &Edge, wanted: WantedPage<'_>) -> Result<Option<SessionId>, Failure> {
    let Some(situation) = merchant::find(edge).await? else { return Ok(None) };
    Ok(Some(merchant::make(edge, situation, wanted).await?))
}

/// The hosted page of a transaction.
pub(super) fn page_of(session_id: &SessionId) -> String {
    format!("{}?session_id={session_id}", Route::CheckoutPage.path())
}

/// Sends the browser to the hosted page.
pub(super) fn go_to(session_id: &SessionId) -> SandboxReply {
    see_other(page_of(session_id))
}

/// The origin of the installation.
pub(super) fn origin(edge: &Edge) -> &str {
    &edge.installation().public_url
}
