//! Whether a webhook that a receiver has is signed by its merchant, for the inboxes of the sandbox.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use crate::port::{PortError, Registry, World};
use crate::settings::MerchantSettings;
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;
use crate::webhook::standard::headers;

use crate::flow::exchange::receiver::signing_secrets;

/// The headers of a webhook that its signature covers, as they were received.
#[derive(Debug, Clone, Copy)]
pub struct ReceivedWebhook<'a> {
    /// `webhook-id`.
    pub id: &'a str,
    /// `webhook-timestamp`.
    pub timestamp: &'a str,
    /// `webhook-signature`.
    pub signature: &'a str,
    /// The body.
    pub body: &'a [u8],
}

/// Whether each signature is one that its merchant's present secrets give for the same id, time and bytes. The settings of
/// a merchant are loaded once.
///
/// # Errors
/// If the store or the vault fails.
pub async fn are_signed(
    world: &impl World,
    list: &[(&MerchantId, ReceivedWebhook<'_>)],
) -> Result<Vec<bool>, PortError> {
    let mut known: Vec<(&MerchantId, Option<Rc<MerchantSettings>>)> = Vec::new();
    let mut answers = Vec::with_capacity(list.len());
    for (merchant, received) in list {
        let found = known.iter().find(|(id, _)| id == merchant).map(|(_, settings)| settings.clone());
        let settings = if let Some(settings) = found {
            settings
        } else {
            let settings = world.directory().merchant(merchant).await?.map(|found| found.settings);
            known.push((merchant, settings.clone()));
            settings
        };
        answers.push(match settings {
            Some(settings) => is_signed(world, &settings, *received)?,
            None => false,
        });
    }
    Ok(answers)
}

fn is_signed(
    world: &impl World,
    settings: &MerchantSettings,
    received: ReceivedWebhook<'_>,
) -> Result<bool, PortError> {
    let seconds = received.timestamp.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1_000));
    let Some(at) = seconds.map(Timestamp::from_millis) else { return Ok(false) };
    let secrets = signing_secrets(world, settings, at)?;
    let [_, (_, time), (_, expected)] = headers(received.id, at, received.body, &secrets);
    let is_one = |given: &str| !given.is_empty() && expected.split(' ').any(|known| known == given);
    Ok(time == received.timestamp && received.signature.split(' ').any(is_one))
}

/// The headers of a webhook by name; `None` if one of them is missing.
#[must_use]
pub fn received<'a>(
    header: impl Fn(&str) -> Option<&'a String>,
    body: &'a [u8],
) -> Option<ReceivedWebhook<'a>> {
    Some(ReceivedWebhook {
        id: header("webhook-id")?,
        timestamp: header("webhook-timestamp")?,
        signature: header("webhook-signature")?,
        body,
    })
}
