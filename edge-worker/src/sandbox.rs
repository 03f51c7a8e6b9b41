//! The simulated world that test mode needs: a bank with a charge API, payment pages and callbacks, an inbox
//! that receives webhooks, an inbox of the messages that payers get, and the page of a shop to which a payer is sent back (`docs/sandbox.md`).
//!
//! What the bank decides is in the crate `sandbox-bank`; here are its tables, its pages and its addresses. It is
//! not a part of the payment code: it knows only what Till sends it as bytes of its protocol. Nothing here sends.
//! What the bank wants to send is answered as [`Callback`]s, and a request that it leaves without an answer is a
//! [`Reply::Silence`].

mod bank;
pub(crate) mod card_text;
mod database;
pub(crate) mod document;
mod exchange;
mod inbox;
mod messages;
mod pay;
mod pay_page;
pub(crate) mod phrases;
mod records;
mod shop;

use checkout_core::flow::deliver::check::ReceivedWebhook;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::gateway::sandbox::ENDPOINT;
use checkout_core::port::{PortError, Rng};
use checkout_core::value::id::MerchantId;
pub(crate) use exchange::{MAX_BODY_BYTES, Sandbox, SandboxReply, SandboxRequest};
use sandbox_bank::callback::Callback;
use sandbox_bank::reply::Reply;

/// The first segment of every address of the simulated world.
pub(crate) const PATH: &str = "/sandbox/";

/// Whether an address is the simulated bank's.
pub(crate) fn is_bank(url: &str) -> bool {
    url.strip_prefix(ENDPOINT).is_some_and(|rest| rest.starts_with('/'))
}

/// The page of the shop as it is where nothing is known of the transaction: what the browser brought.
#[cfg(feature = "development")]
pub(crate) fn returned(request: &SandboxRequest<'_>) -> SandboxReply {
    shop::page(request)
}

impl Sandbox<'_> {
    /// What the bank's charge API answers to a request for an address under [`ENDPOINT`].
    ///
    /// # Errors
    /// If the database or the random numbers fail: the sender of the request gets no answer.
    pub(crate) async fn answer(&self, rng: &impl Rng, request: &Outgoing) -> Result<Reply, PortError> {
        bank::answer(self, rng, request).await
    }

    /// The page at an address under [`PATH`], and what posting to it does. `verify` says of webhooks whether each is signed by its
    /// merchant.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) async fn page(
        &self,
        request: &SandboxRequest<'_>,
        verify: impl AsyncFn(&[(&MerchantId, ReceivedWebhook<'_>)]) -> Result<Vec<bool>, PortError>,
    ) -> Result<SandboxReply, PortError> {
        if request.body.len() > MAX_BODY_BYTES {
            return Ok(document::plain(413, &format!("a body must be at most {MAX_BODY_BYTES} bytes")));
        }
        let path = request.path.strip_prefix(PATH).unwrap_or_default();
        let segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        match segments.as_slice() {
            ["bank", "pay", id] => pay::page(self, request, id).await,
            ["inbox", name] => inbox::page(self, request, name, verify).await,
            ["inbox", name, "answer"] => inbox::set_answer(self, request, name).await,
            ["messages", inbox] => messages::list(self, request, inbox).await,
            ["messages", inbox, id] => messages::detail(self, request, inbox, id).await,
            ["messages", inbox, id, "email"] => messages::email(self, inbox, id).await,
            ["shop"] => Ok(shop::page(request)),
            _ => Ok(document::plain(404, "there is no such page in the sandbox")),
        }
    }

    /// What the inbox `name` answers to a webhook that is delivered inside the Worker.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) async fn receive(
        &self,
        name: &str,
        headers: &[(String, String)],
        body: &[u8],
    ) -> Result<Reply, PortError> {
        inbox::receive(self, name, headers, body).await
    }

    /// What the inbox of messages to payers answers to one that is delivered inside the Worker.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) async fn take_message(&self, inbox: &str, body: &[u8]) -> Result<Reply, PortError> {
        messages::take(self, inbox, body).await
    }

    /// Lets the bank finish what it has delayed. Called at every run of the cron handler.
    ///
    /// # Errors
    /// If the database fails.
    pub(crate) async fn tick(&self) -> Result<Vec<Callback>, PortError> {
        bank::finish_due(self).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_host_of_the_bank_is_the_bank() {
        assert!(is_bank("https://bank.sandbox.invalid/v1/charges"));
        for url in [
            "https://bank.sandbox.invalid",
            "https://bank.sandbox.invalid.example.com/v1/charges",
            "https://bank.sandbox.invalid@example.com/",
            "http://bank.sandbox.invalid/v1/charges",
            "https://example.com/https://bank.sandbox.invalid/",
        ] {
            assert!(!is_bank(url), "{url}");
        }
    }
}
