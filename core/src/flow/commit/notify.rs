//! The notifications about a payment: which change is notified, and to which address.

use crate::answer::payload::{Additions, Cause, payload};
use crate::answer::token::ShownCard;
use crate::attempt::Attempt;
use crate::change::{Change, EventKind};
use crate::flow::Failure;
use crate::flow::commit::generate;
use crate::flow::exchange::connect::signature_key;
use crate::operation::begin::Books;
use crate::payment::ending::notice;
use crate::port::{PortError, World};
use crate::record::outbox::{MessageContent, MessageKind, Recipient};
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::settings::webhooks::About;
use crate::state::Event;
use crate::transaction::Transaction;

/// What a notification says in addition to the attempt.
#[derive(Clone, Copy)]
pub(in crate::flow) struct Notice<'a> {
    /// Why it is sent.
    pub(in crate::flow) cause: Cause,
    /// The payment and everything that was done to it afterwards.
    pub(in crate::flow) books: Option<&'a Books>,
}

impl Notice<'_> {
    /// Nothing more.
    pub(in crate::flow) const PLAIN: Self = Self { cause: Cause::Other, books: None };
}

/// Adds the notification about a change's attempt, if the merchant has an address for it.
pub(in crate::flow) fn notify(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
    notice: Notice<'_>,
) -> Result<(), PortError> {
    let Some(attempt) = change.attempt.as_ref().map(|write| write.attempt().clone()) else { return Ok(()) };
    notify_about(world, change, &attempt, situation, notice)
}

/// Adds a notification about an attempt to a change, if the merchant has an address for it and its settings take it.
pub(in crate::flow) fn notify_about(
    world: &impl World,
    change: &mut Change,
    attempt: &Attempt,
    situation: &Situation,
    notice: Notice<'_>,
) -> Result<(), PortError> {
    let settings = &situation.settings;
    let Some(recipient) = receiver(&change.transaction, settings) else { return Ok(()) };
    let card = change.card.as_ref().map(|write| ShownCard::of(&write.saved, settings, change.at));
    let about = if card.is_some() { About::Card } else { About::Payment };
    let filter = settings.plugin(change.transaction.plugin).map(|plugin| &plugin.webhooks);
    if filter.is_some_and(|filter| !filter.takes_payment(about, change.transaction.state)) {
        return Ok(());
    }
    let additions = Additions { cause: notice.cause, card, books: notice.books };
    let hmac_key = signature_key(world, situation)?;
    let content = MessageContent {
        kind: if card.is_some() { MessageKind::CardWebhook } else { MessageKind::PaymentWebhook },
        reference: attempt.reference.clone(),
        body: payload(&change.transaction, attempt, additions, &hmac_key)?,
    };
    change.add_messages(&content, [recipient]);
    Ok(())
}

/// Where notifications of a transaction go: its own address, otherwise the plugin's.
pub(in crate::flow) fn receiver(transaction: &Transaction, settings: &MerchantSettings) -> Option<Recipient> {
    let of_plugin = || settings.plugin(transaction.plugin).and_then(|plugin| plugin.webhook_url.as_ref());
    transaction.details.webhook_url.as_ref().or_else(of_plugin).map(Recipient::to)
}

/// Adds the notification about the end of a transaction to its change: always for a cancellation, for the
/// others if the merchant wants it.
pub(in crate::flow) fn announce(
    world: &impl World,
    change: &mut Change,
    latest: Option<&Attempt>,
    situation: &Situation,
) -> Result<(), Failure> {
    let wanted = situation.settings.notified_ends;
    let is = |event| change.event == EventKind::Moved(event);
    let is_notified = is(Event::Canceled)
        || (wanted.expired && is(Event::Expired))
        || (wanted.invalided && is(Event::Invalided));
    if is_notified { notify_end(world, change, latest, situation) } else { Ok(()) }
}

fn notify_end(
    world: &impl World,
    change: &mut Change,
    latest: Option<&Attempt>,
    situation: &Situation,
) -> Result<(), Failure> {
    let reference = generate::reference(world, &situation.settings, &change.transaction.session_id)?;
    let described = notice(&change.transaction, latest, situation, reference, change.at);
    if let Some(described) = described {
        notify_about(world, change, &described, situation, Notice::PLAIN)?;
    }
    Ok(())
}
