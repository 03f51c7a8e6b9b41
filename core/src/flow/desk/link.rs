//! The link of a payment, for a person who gives it to the payer.

use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Caller;
use crate::answer::view::checkout_url;
use crate::desk::personal::seen_by;
use crate::flow::merchant::remind;
use crate::flow::{Failure, find};
use crate::message::facts;
use crate::message::masked::masked;
use crate::port::{Record, World};
use crate::transaction::Transaction;
use crate::value::id::SessionId;
use crate::value::phone::Phone;
use crate::words::message::Channel;

/// What is shown of it.
#[derive(Debug, Clone)]
pub struct PaymentLink {
    /// The payment.
    pub transaction: Transaction,
    /// The page on which it is paid.
    pub address: String,
    /// Whether it can be paid now.
    pub is_payable: bool,
    /// The payer's e-mail address for the person's own programs; `None` if the person may not see it.
    pub email: Option<String>,
    /// The payer's telephone number in E.164, likewise; `None` also for a text that names no subscriber.
    pub phone: Option<String>,
    /// By what the payer can be written to about its present state, and at which addresses.
    pub channels: Vec<(Channel, Vec<String>)>,
}

/// The link of a payment that the caller may see.
///
/// # Errors
/// [`Rejection::NotFound`](crate::rejection::Rejection::NotFound), a refusal, or a failure of the world.
pub async fn payment_link(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<PaymentLink, Failure> {
    let record = find::seen_by(world, caller, session_id).await?;
    let now = caller.situation.now;
    let address = checkout_url(&world.installation().public_url, session_id);
    let is_payable = record.transaction.state_at(now, record.has_open_attempt()).is_payable();
    let occasion = remind::present(world, &record, now).await?.map(|facts| facts.occasion);
    let Record { transaction, .. } = record;
    let sees = caller.sees_personal_data();
    let recipients = |channel| {
        let all = occasion.map_or_else(Vec::new, |about| facts::recipients(&transaction, channel, about));
        if sees { all } else { all.iter().map(|one| masked(one)).collect() }
    };
    let channels = Channel::ALL.into_iter().map(|channel| (channel, recipients(channel)));
    let channels = channels.filter(|(_, recipients)| !recipients.is_empty()).collect();
    let own = |given: &Option<String>| given.clone().filter(|_| sees);
    let (email, phone) = (own(&transaction.details.customer_email), own(&transaction.details.customer_phone));
    let country = &caller.situation.settings.country;
    let phone = phone.and_then(|phone| Phone::parse(&phone, country)).map(|phone| phone.e164());
    let transaction = seen_by(caller, transaction);
    Ok(PaymentLink { transaction, address, is_payable, email, phone, channels })
}
