//! Delivering one message to a payer, through the merchant's provider.
//!
//! A message reaches each recipient at most once: a provider that knows a repeated id gets it again after a try without an
//! answer, any other one does not, because the first try may have arrived.

use alloc::boxed::Box;
use alloc::string::String;
use core::time::Duration;

use super::flag::{Failing, flagged};
use super::tried::DeliveryTry;
use crate::answer::bought::Bought;
use crate::flow::exchange::messenger::{carrier, connect};
use crate::flow::payer::local;
use crate::flow::situation::situation_of;
use crate::message::alert::AlertLetter;
use crate::message::facts::MessageFacts;
use crate::message::render::{MessageScene, Unsendable, letter};
use crate::message::staff::StaffLetter;
use crate::messenger::letter::Letter;
use crate::messenger::provider::Provider;
use crate::messenger::{Messenger, ProviderAnswer, ProviderDeclaration};
use crate::port::{
    Clock, Http, MessageClaim, MessageNote, Messages, Next, PortError, Record, Rng, SendError, Store, Try,
    Vault, World,
};
use crate::record::outbox::Message;
use crate::record::receiver::{ReceiverEffect, TryError};
use crate::settings::message::ProviderAccount;
use crate::settings::situation::Situation;
use crate::value::email::is_email;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{AnswerEffect, SEND_TIMEOUT, next_try};
use crate::words::message::{Channel, Fate, MessageOccasion};

/// Why a message is not sent.
const NO_PROVIDER: &str = "the settings have no provider for this channel";
/// Why a message is not sent.
const TOO_LATE: &str = "the time to pay was over";
/// Why a message is not sent.
const OVERTAKEN: &str = "what it says is no longer so";
/// Why a message is not sent.
const ERASED: &str = "what identifies the payer was erased";
/// Why a message is not sent.
const NO_ALERT: &str = "it is about no transaction, and neither an alert nor a letter to the staff";
/// Why a message is not sent.
const NOT_OPENED: &str = "the address to which it leads can be opened no longer";
/// Why a message is not sent.
const NOT_TAKEN: &str = "the e-mail address is permitted, and none that providers of e-mail take";
/// Why a message of `WhatsApp` is not sent.
const NO_TEMPLATE: &str = "the settings have no template for this event and language";
/// What is said of a message that may have been sent.
const NO_ANSWER: &str = "the provider gave no answer, and would send the message twice if it were repeated";

/// Makes one try of a message that was claimed:
///
/// 1. a message of which the provider, or a report, said before that it arrived there is not sent again;
/// 2. find the provider, render the message, and open the account; what cannot be sent at all is given up, and what could not
///    be loaded is tried again later;
/// 3. note that it is about to be sent, for a provider that does not know a repeated id: who finds that noted knows that
///    another try may have arrived;
/// 4. send;
/// 5. note what the provider answered, and plan what follows: the message is accepted, due again, or given up.
///
/// # Errors
/// A failure of the world; the lease runs out and the message is tried again.
pub(super) async fn attempt(
    world: &impl World,
    claim: &MessageClaim,
    channel: Channel,
) -> Result<DeliveryTry, PortError> {
    let now = world.clock().now();
    let message = &claim.message;
    // 1
    let noted = noted(world, message).await?;
    let situation = situation_of(world, &message.merchant).await;
    let offset = situation.as_ref().map_or(Duration::ZERO, Situation::ahead);
    let ending = |answer, status, provider| EndedTry { answer, status, provider, at: now, offset };
    if noted.as_ref().is_some_and(|note| note.fate.has_left()) {
        return plan(world, claim, None, ending(ProviderAnswer::Accepted(None), None, None)).await;
    }
    // 2
    let prepared = match &situation {
        Ok(situation) => prepare(world, situation, message, channel).await,
        Err(_) => Err(ProviderAnswer::Again(None)),
    };
    let Prepared { provider, messenger, letter } = match prepared {
        Ok(prepared) => prepared,
        Err(answer) => return plan(world, claim, None, ending(answer, None, None)).await,
    };
    // 3
    let declaration = provider.declaration();
    let is_first = declaration.repeats_safely
        || world.ledger(&message.id).begin_message(&message.id, provider, now).await?;
    // 4
    let (answer, status) = if is_first {
        send(world, messenger.as_ref(), &letter, now).await
    } else {
        (ProviderAnswer::Unknown, None)
    };
    // 5
    plan(world, claim, Some(declaration), ending(answer, status, Some(provider))).await
}

/// How one try ended.
struct EndedTry {
    answer: ProviderAnswer,
    status: Option<u16>,
    /// The provider that was asked; `None` if none was.
    provider: Option<Provider>,
    /// When the try began, in real time.
    at: Timestamp,
    /// How far the merchant's time is ahead.
    offset: Duration,
}

/// What is known of a message since an earlier try.
async fn noted(world: &impl World, message: &Message) -> Result<Option<MessageNote>, PortError> {
    world.ledger(&message.id).message_note(&message.id).await
}

/// Everything that sending a message needs.
struct Prepared {
    provider: Provider,
    messenger: Box<dyn Messenger>,
    letter: Letter,
}

/// Prepares to send a message, or says why it is not sent: never, or not now because something could not be loaded.
async fn prepare(
    world: &impl World,
    situation: &Situation,
    message: &Message,
    channel: Channel,
) -> Result<Prepared, ProviderAnswer> {
    let settings = &situation.settings;
    let never = |why: &'static str| ProviderAnswer::Refused(why.into());
    let later = |_: PortError| ProviderAnswer::Again(None);
    let carrier = carrier(world, settings, channel).ok_or_else(|| never(NO_PROVIDER))?;
    let letter = match &message.subject.session_id {
        Some(session_id) => {
            let facts = MessageFacts::read(&message.body).ok_or_else(|| never(ERASED))?;
            let scene = scene(world, situation, &facts, channel, &carrier).map_err(never)?;
            let record = world.ledger(session_id).load(session_id).await.map_err(later)?;
            let current = record.filter(|record| is_current(facts.occasion, record, message));
            let record = current.ok_or_else(|| never(OVERTAKEN))?;
            let bought = Bought::of(&record.transaction, settings, facts.language);
            let scene = MessageScene { bought: Some(&bought), ..scene };
            let letter = letter(message.id.as_str(), &facts, channel, scene);
            let letter = letter.map_err(Unsendable::as_str).map_err(never)?;
            // A quoted name could be read as a list of addresses.
            if channel == Channel::Email && !is_email(&letter.to) {
                return Err(never(NOT_TAKEN));
            }
            letter
        }
        None => to_staff(world, message).map_err(never)?,
    };
    let messenger = connect(world, settings, channel, &carrier).map_err(later)?;
    Ok(Prepared { provider: carrier.provider, messenger, letter })
}

/// What goes to those who operate the shop: an alert, or a letter to one of them.
fn to_staff(world: &impl World, message: &Message) -> Result<Letter, &'static str> {
    let (id, body) = (message.id.as_str(), &message.body);
    if let Some(alert) = AlertLetter::read(body) {
        return Ok(alert.letter(id));
    }
    let letter = StaffLetter::read(body).ok_or(NO_ALERT)?;
    let opened = |link: &String| world.vault().open(&message.merchant, &Sealed::recognise(link)?).ok();
    let address = match &letter.link {
        Some(link) => Some(opened(link).ok_or(NOT_OPENED)?),
        None => None,
    };
    Ok(letter.letter(id, address.as_deref()))
}

/// Whether what a message says is still so: nobody is asked to pay what cannot be paid any more, and no attempt is called
/// failed after which another one began.
fn is_current(occasion: MessageOccasion, record: &Record, message: &Message) -> bool {
    match occasion {
        MessageOccasion::Created => record.transaction.state.is_payable(),
        MessageOccasion::Failed => {
            let latest = record.attempt.as_ref().map(|attempt| &attempt.reference);
            !record.transaction.state.is_success()
                && latest.is_none_or(|latest| *latest == message.subject.reference)
        }
        MessageOccasion::Paid
        | MessageOccasion::Authorized
        | MessageOccasion::Canceled
        | MessageOccasion::Expired
        | MessageOccasion::Captured
        | MessageOccasion::Refunded
        | MessageOccasion::Voided => true,
    }
}

/// What a message is rendered with, or why it is not sent.
fn scene<'a>(
    world: &'a impl World,
    situation: &'a Situation,
    facts: &MessageFacts,
    channel: Channel,
    carrier: &'a ProviderAccount,
) -> Result<MessageScene<'a>, &'static str> {
    let settings = &situation.settings;
    if facts.occasion == MessageOccasion::Created && facts.until.is_some_and(|until| until <= situation.now) {
        return Err(TOO_LATE);
    }
    let template = match (channel, carrier.provider) {
        (Channel::Whatsapp, provider) if provider != Provider::Sandbox => {
            carrier.template(facts.occasion, facts.language).ok_or(NO_TEMPLATE)?
        }
        (Channel::Whatsapp | Channel::Email | Channel::Sms, _) => "",
    };
    Ok(MessageScene {
        settings,
        public_url: &world.installation().public_url,
        bought: None,
        ahead: facts.until.map_or(0, |until| local::ahead(world, settings, until)),
        template,
    })
}

async fn send(
    world: &impl World,
    messenger: &dyn Messenger,
    letter: &Letter,
    now: Timestamp,
) -> (ProviderAnswer, Option<u16>) {
    match world.http().send(messenger.request(letter), SEND_TIMEOUT).await {
        Ok(answer) => (messenger.read(&answer, now), Some(answer.status)),
        Err(SendError::NotSent) => (ProviderAnswer::Again(None), None),
        Err(SendError::Unknown) => (ProviderAnswer::Unknown, None),
    }
}

/// Notes what the provider answered, and plans what follows.
async fn plan(
    world: &impl World,
    claim: &MessageClaim,
    declaration: Option<&ProviderDeclaration>,
    ended: EndedTry,
) -> Result<DeliveryTry, PortError> {
    let message = &claim.message;
    let EndedTry { answer, status, provider, at: now, offset } = ended;
    let after = world.clock().now();
    let at = now.plus(offset);
    let ends_at = after.plus(offset);
    let again = |wait| next(world, claim, ends_at, wait);
    let repeats_safely = declaration.is_some_and(|declaration| declaration.repeats_safely);
    let is_refused = matches!(answer, ProviderAnswer::Refused(_));
    let (fate, provider_id, detail, next) = match answer {
        ProviderAnswer::Accepted(provider_id) => (Fate::Accepted, provider_id, None, Next::Delivered),
        ProviderAnswer::Refused(why) => (Fate::Failed, None, Some(why), Next::GivenUp),
        ProviderAnswer::Again(wait) => (Fate::Waiting, None, None, again(wait)?),
        ProviderAnswer::Unknown if repeats_safely => (Fate::Waiting, None, None, again(None)?),
        ProviderAnswer::Unknown => (Fate::Unknown, None, Some(String::from(NO_ANSWER)), Next::GivenUp),
    };
    let is_exhausted = fate == Fate::Waiting && next == Next::GivenUp;
    let fate = if is_exhausted { Fate::Failed } else { fate };
    if provider.is_some() || is_refused || is_exhausted {
        let provider = provider.unwrap_or_default();
        let note = MessageNote { id: message.id.clone(), provider, provider_id, fate, detail, at };
        world.ledger(&note).note_message(&note).await?;
    }
    let took_ms = after.millis().saturating_sub(now.millis());
    let error = match (status, provider) {
        (Some(_), _) => None,
        (None, Some(_)) => Some(TryError::NoAnswer),
        (None, None) => Some(TryError::Internal),
    };
    let receiver = ReceiverEffect::Nothing;
    let done = Try { at, status, error, excerpt: None, took_ms, next, receiver };
    // A payer who cannot be reached is no matter for the operator; a provider that never takes anything is.
    let attention = if is_exhausted { flagged(message, &done, Failing::unheard()) } else { None };
    let effect = match next {
        Next::Delivered => AnswerEffect::Stay,
        Next::Again(_) => AnswerEffect::Retry,
        Next::GivenUp | Next::Held => AnswerEffect::Gone,
    };
    Ok(DeliveryTry::new(message.id.clone(), done, attention, effect, ends_at))
}

/// What follows a try that failed.
fn next(
    world: &impl World,
    claim: &MessageClaim,
    now: Timestamp,
    wait: Option<Duration>,
) -> Result<Next, PortError> {
    let mut jitter = [0; 1];
    world.rng().fill(&mut jitter)?;
    let [jitter] = jitter;
    let failed = claim.failed_tries.saturating_add(1);
    Ok(next_try(failed, now, jitter, wait).map_or(Next::GivenUp, Next::Again))
}
