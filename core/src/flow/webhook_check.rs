//! Whether a webhook that a receiver has is signed by its merchant, for the inboxes of the sandbox.

use alloc::string::String;

use crate::port::{PortError, Registry, World};
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;
use crate::webhook::standard::headers;

use super::deliver::signing_secrets;

/// The headers of a webhook that its signature covers, as they were received.
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// `webhook-signature`.
    pub signature: &'a str,
    /// The body.
    pub body: &'a [u8],
}

/// Whether a signature is one that the merchant's present secrets give for the same id, time and bytes.
///
/// # Errors
/// If the store or the vault fails.
pub async fn is_signed(
    world: &impl World,
    merchant: &MerchantId,
    received: Received<'_>,
) -> Result<bool, PortError> {
    let Some(settings) = world.store().settings(merchant).await? else { return Ok(false) };
    let seconds = received.timestamp.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1_000));
    let Some(at) = seconds.map(Timestamp::from_millis) else { return Ok(false) };
    let secrets = signing_secrets(world, &settings, at)?;
    let [_, (_, time), (_, expected)] = headers(received.id, at, received.body, &secrets);
    let is_one = |given: &str| !given.is_empty() && expected.split(' ').any(|known| known == given);
    Ok(time == received.timestamp && received.signature.split(' ').any(is_one))
}

/// The headers of a webhook by name; `None` if one of them is missing.
#[must_use]
pub fn received<'a>(header: impl Fn(&str) -> Option<&'a String>, body: &'a [u8]) -> Option<Received<'a>> {
    Some(Received {
        id: header("webhook-id")?,
        timestamp: header("webhook-timestamp")?,
        signature: header("webhook-signature")?,
        body,
    })
}
