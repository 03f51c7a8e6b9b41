//! What a provider of messages reports by itself: that a message arrived, came back, or was unwanted.

use alloc::string::String;

use crate::flow::Failure;
use crate::flow::exchange::messenger::{connect, report_url};
use crate::gateway::exchange::Incoming;
use crate::messenger::ReportRequest;
use crate::port::{Clock, Messages, Registry, World};
use crate::rejection::Rejection;
use crate::value::id::MerchantId;
use crate::words::message::Channel;

/// The most reports of one request.
const MAX_REPORTS: usize = 100;

/// Takes a report:
///
/// 1. find the merchant's account at the provider of the channel; who guesses one learns nothing about which exist;
/// 2. the provider may ask whether the address is ours: the answer is its question;
/// 3. the request must be the provider's, which its codec knows;
/// 4. note what became of each message; what names a message of another merchant is ignored.
///
/// # Errors
/// [`Rejection::SignatureInvalid`], or a failure of the world: then the provider reports again.
pub async fn report(
    world: &impl World,
    merchant: &MerchantId,
    channel: Channel,
    request: &Incoming,
) -> Result<String, Failure> {
    // 1
    let found = world.directory().merchant(merchant).await?.ok_or(Rejection::SignatureInvalid)?;
    let situation = found.at(world.clock().now());
    let settings = &situation.settings;
    let provided = settings.messages.of(channel).ok_or(Rejection::SignatureInvalid)?;
    let messenger = connect(world, settings, channel, provided)?;
    // 2
    if let Some(challenge) = messenger.challenge(request) {
        return Ok(challenge);
    }
    // 3
    let url = report_url(world.installation(), merchant, channel);
    let reported = ReportRequest { request, url: &url, now: situation.real_now() };
    let reports = messenger.read_reports(&reported).ok_or(Rejection::SignatureInvalid)?;
    // 4
    let at = situation.now;
    for report in reports.iter().take(MAX_REPORTS) {
        world.ledger(merchant).report_message(merchant, provided.provider, report, at).await?;
    }
    Ok(String::from("ok"))
}
