//! Which change causes messages to payers, to whom, and what there is to say.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::answer::view::checkout_url;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change, ChildWrite, EventKind};
use crate::gateway::decline;
use crate::record::outbox::{Message, MessageContent, MessageKind, Recipient};
use crate::record::short_link::LinkKind;
use crate::route::Route;
use crate::state::{Event, State};
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::value::money::{Currency, Money};
use crate::value::time::Timestamp;
use crate::wire::tree::Tree;
use crate::words::decline::DeclineReason;
use crate::words::message::{Channel, MessageOccasion};
use crate::words::{Language, Plugin};

/// What there is to say, to one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageFacts {
    /// What happened.
    pub occasion: MessageOccasion,
    /// To whom: an e-mail address, or a telephone number as the merchant gave it.
    pub to: String,
    /// In which language.
    pub language: Language,
    /// How much it is about.
    pub amount: Money,
    /// The merchant's order number.
    pub order_no: Option<String>,
    /// The reference number of the attempt, or of the capture, refund or void.
    pub reference: Option<String>,
    /// The address of the checkout page, which is the receipt afterwards.
    pub link: String,
    /// The address of the file that goes with it.
    pub attachment: Option<String>,
    /// Why it failed, if the bank said it.
    pub reason: Option<DeclineReason>,
    /// Until when it can be paid, or can be paid once more.
    pub until: Option<Timestamp>,
    /// Whether no money moved, because the gateway is a simulation.
    pub is_test: bool,
    /// How the page of this transaction looks, as JSON.
    pub branding: Option<String>,
}

impl MessageFacts {
    /// What a stored body says; `None` if it is erased, or no such body.
    #[must_use]
    pub fn read(body: &str) -> Option<Self> {
        let tree = Tree::parse(body)?;
        let text = |name: &str| tree.get(name).and_then(Tree::text);
        let owned = |name: &str| text(name).map(String::from);
        let currency = Currency::parse(text("currency")?)?;
        Some(Self {
            occasion: MessageOccasion::parse(text("event")?)?,
            to: owned("to")?,
            language: Language::parse(text("language")?)?,
            amount: Money::parse(text("amount")?, currency).ok()?,
            order_no: owned("order_no"),
            reference: owned("reference"),
            link: owned("link")?,
            attachment: owned("attachment"),
            reason: text("reason").and_then(DeclineReason::parse),
            until: text("until").and_then(Timestamp::parse),
            is_test: text("test").is_some(),
            branding: owned("branding"),
        })
    }

    /// The body, without what there is not.
    #[must_use]
    pub fn body(&self) -> String {
        let amount = self.amount.to_decimal().to_string();
        let until = self.until.map(|until| until.to_string());
        let members = [
            ("amount", Some(amount.as_str())),
            ("attachment", self.attachment.as_deref()),
            ("branding", self.branding.as_deref()),
            ("currency", Some(self.amount.currency().code())),
            ("event", Some(self.occasion.as_str())),
            ("language", Some(self.language.as_str())),
            ("link", Some(&self.link)),
            ("order_no", self.order_no.as_deref()),
            ("reason", self.reason.map(DeclineReason::as_str)),
            ("reference", self.reference.as_deref()),
            ("test", self.is_test.then_some("yes")),
            ("to", Some(&self.to)),
            ("until", until.as_deref()),
        ];
        let given =
            members.into_iter().filter_map(|(name, text)| Some((name.into(), Tree::Text(text?.into()))));
        Tree::Object(given.collect()).to_json()
    }
}

/// About what a change causes messages; `None` if about nothing.
#[must_use]
pub fn occasion(change: &Change) -> Option<MessageOccasion> {
    let state = change.transaction.state;
    match change.event {
        EventKind::Created => {
            (change.transaction.plugin == Plugin::PaymentRequest).then_some(MessageOccasion::Created)
        }
        EventKind::Moved(event) => match event {
            Event::AttemptSucceeded(_) => current(state).filter(|_| state.is_success()),
            Event::AttemptErred(_) => Some(current(state).unwrap_or(MessageOccasion::Failed)),
            Event::AttemptFailed(_) | Event::AttemptCanceled(_) | Event::Canceled | Event::Expired => {
                current(state)
            }
            Event::Captured => Some(MessageOccasion::Captured),
            Event::Refunded => Some(MessageOccasion::Refunded),
            Event::Voided => Some(MessageOccasion::Voided),
            Event::PageOpened | Event::AttemptOpened | Event::CashAcknowledged | Event::Invalided => None,
        },
        EventKind::Updated
        | EventKind::AttemptNoted
        | EventKind::Deleted
        | EventKind::Restored
        | EventKind::OperationOpened
        | EventKind::OperationNoted
        | EventKind::Inquired
        | EventKind::Notified
        | EventKind::ApprovalAsked
        | EventKind::ApprovalGiven
        | EventKind::ApprovalRejected
        | EventKind::ApprovalWithdrawn
        | EventKind::ApprovalExpired
        | EventKind::ApprovalFailed
        | EventKind::Erased => None,
    }
}

/// What a state says to a payer; `None` if nothing, as while the payment is in progress.
#[must_use]
pub const fn current(state: State) -> Option<MessageOccasion> {
    match state {
        State::Authorized => Some(MessageOccasion::Authorized),
        State::Paid => Some(MessageOccasion::Paid),
        State::Failed => Some(MessageOccasion::Failed),
        State::Canceled => Some(MessageOccasion::Canceled),
        State::Expired => Some(MessageOccasion::Expired),
        State::Refunded => Some(MessageOccasion::Refunded),
        State::Created | State::Pending | State::Attempted | State::Invalided | State::Cod => None,
    }
}

/// Adds to a change the messages that it causes: one for each channel that the merchant chose for it, and each recipient.
pub(crate) fn add_caused(change: &mut Change, public_url: &str) {
    let Some(occasion) = occasion(change) else { return };
    let attempt = change.attempt.as_ref().map(AttemptWrite::attempt);
    let child = change.child.as_ref().map(ChildWrite::child).filter(|_| occasion.is_operation());
    let short = |kind| change.short_links.iter().find(move |link| link.kind == kind);
    let short =
        |kind| short(kind).map(|link| [public_url, &Route::ShortLink(link.code.clone()).path()].concat());
    let mut facts = MessageFacts {
        reference: child
            .map(|child| &child.reference)
            .or(attempt.map(|attempt| &attempt.reference))
            .map(ToString::to_string),
        amount: child.map_or_else(|| amount(&change.transaction, attempt, occasion), |child| child.amount),
        reason: attempt
            .filter(|attempt| attempt.stage == Stage::Failed)
            .and_then(|attempt| decline::reason(&attempt.params)),
        is_test: child
            .map_or_else(|| attempt.is_some_and(|attempt| attempt.is_sandbox), |child| child.is_sandbox),
        ..of(&change.transaction, occasion, public_url)
    };
    if let Some(link) = short(LinkKind::Checkout) {
        facts.link = link;
    }
    if let Some(link) = short(LinkKind::Attachment) {
        facts.attachment = Some(link);
    }
    add(change, &facts, &Channel::ALL);
}

fn is_to_telephone(message: &Message) -> bool {
    matches!(message.kind.channel(), Some(Channel::Sms | Channel::Whatsapp))
}

/// Whether a change causes messages to telephones.
#[must_use]
pub(crate) fn goes_to_telephone(change: &Change) -> bool {
    change.messages.iter().any(is_to_telephone)
}

/// Puts the short address of the page into the messages to telephones that a change causes.
pub(crate) fn shorten(change: &mut Change, address: &str) {
    for message in change.messages.iter_mut().filter(|message| is_to_telephone(message)) {
        if let Some(facts) = MessageFacts::read(&message.body) {
            message.body = MessageFacts { link: address.into(), ..facts }.body();
        }
    }
}

/// What there is to say about a transaction, as far as it says it itself; the recipient is added for each message.
#[must_use]
pub fn of(transaction: &Transaction, occasion: MessageOccasion, public_url: &str) -> MessageFacts {
    let details = &transaction.details;
    let file = |name| [public_url, &Route::DownloadAttachment(name).path()].concat();
    MessageFacts {
        occasion,
        to: String::new(),
        language: details.language(),
        amount: transaction.amount,
        order_no: details.order_no.clone(),
        reference: None,
        link: checkout_url(public_url, &transaction.session_id),
        attachment: details.attachment.as_ref().map(|attached| file(attached.name.clone())),
        reason: None,
        until: transaction.state.is_payable().then_some(transaction.expires_at),
        is_test: false,
        branding: details.branding_options.as_ref().map(|options| options.get().into()),
    }
}

/// How much a change is about: with its fees if money moved or was held.
#[must_use]
pub fn amount(transaction: &Transaction, attempt: Option<&Attempt>, occasion: MessageOccasion) -> Money {
    let is_settled =
        matches!(occasion, MessageOccasion::Paid | MessageOccasion::Authorized | MessageOccasion::Failed);
    attempt.filter(|_| is_settled).map_or(transaction.amount, |attempt| attempt.quote.total)
}

/// Adds messages to a change, on the channels of these that the merchant chose for the occasion; how many.
pub fn add(change: &mut Change, facts: &MessageFacts, channels: &[Channel]) -> usize {
    let before = change.messages.len();
    let mut sent = Vec::new();
    for channel in Channel::ALL.into_iter().filter(|channel| channels.contains(channel)) {
        for to in recipients(&change.transaction, channel, facts.occasion) {
            sent.push((channel, MessageFacts { to, ..facts.clone() }.body()));
        }
    }
    let reference = subject(change, facts);
    for (channel, body) in sent {
        let content =
            MessageContent { kind: MessageKind::of_channel(channel), reference: reference.clone(), body };
        change.add_messages(&content, [Recipient::Provider(channel)]);
    }
    change.messages.len().saturating_sub(before)
}

/// To whom a message goes, each once; nobody if the merchant did not choose it.
#[must_use]
pub fn recipients(transaction: &Transaction, channel: Channel, occasion: MessageOccasion) -> Vec<String> {
    let details = &transaction.details;
    let is_chosen = details.notifications.as_ref().is_some_and(|chosen| chosen.has(channel, occasion));
    let is_known = occasion != MessageOccasion::Created || transaction.plugin == Plugin::PaymentRequest;
    if !is_chosen || !is_known {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    let (first, copies) = match channel {
        Channel::Email => (&details.customer_email, details.email_recipients.as_slice()),
        Channel::Sms | Channel::Whatsapp => (&details.customer_phone, &[][..]),
    };
    for to in first.iter().chain(copies) {
        if !found.iter().any(|known| known.eq_ignore_ascii_case(to)) {
            found.push(to.clone());
        }
    }
    found
}

/// The reference number under which the message is stored: a transaction that was never attempted is its own.
fn subject(change: &Change, facts: &MessageFacts) -> ReferenceNumber {
    let named = facts.reference.as_deref().and_then(ReferenceNumber::parse);
    named.unwrap_or_else(|| ReferenceNumber::of_session(&change.transaction.session_id))
}
