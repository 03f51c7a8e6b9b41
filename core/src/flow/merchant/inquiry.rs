//! A merchant asks about the state of a payment.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use futures_util::future::join_all;

use crate::access::Caller;
use crate::answer::payload::{Additions, Cause, payload};
use crate::answer::token::ShownCard;
use crate::api::inquiry::{InquiryRequest, Notify, NotifyRequest};
use crate::api::target::Target;
use crate::attempt::Attempt;
use crate::change::{Change, EventKind};
use crate::flow::commit::notify::receiver;
use crate::flow::commit::{Decision, commit, decide_and_commit};
use crate::flow::exchange::connect::signature_key;
use crate::flow::find::books_of;
use crate::flow::find::card::of_attempt;
use crate::flow::inquire::{Question, ask};
use crate::flow::settle::{AttemptReport, settle};
use crate::flow::{Failure, find};
use crate::payment::apply::{AttemptResult, ReportOccasion, expire};
use crate::payment::inquiry::{
    AnswerSource, DAY, MAX_A_MINUTE, MINUTE, described, is_due, may_have_charged, source, untried,
};
use crate::port::{PortError, Record, Store, World};
use crate::record::audit::{Actor, ActorKind};
use crate::record::outbox::{MessageContent, MessageKind, Recipient};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// How many gateways are asked at once.
const MAX_AT_ONCE: usize = 5;
/// How long an inquiry begins new questions. The last of them may take as long as a gateway is allowed to
/// take.
const BUDGET: Duration = Duration::from_secs(10);

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InquiryAnswer {
    /// The JSON body, that of a payment notification.
    pub body: String,
    /// The notifications to be delivered after the answer.
    pub deliveries: Vec<DeliveryId>,
}

/// Answers an inquiry:
///
/// 1. read the body, reporting every wrong field;
/// 2. find the transaction; another merchant's transaction is answered like one that does not exist;
/// 3. if the outcome may have changed, ask the gateways of all attempts that could have charged, and store
///    what they say; if one does not answer, what is stored stays;
/// 4. describe the attempt that brought the money, otherwise the latest, as a notification does;
/// 5. record the same bytes for the receiver, if that is requested.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn inquire(world: &impl World, caller: &Caller, body: &[u8]) -> Result<InquiryAnswer, Failure> {
    // 1
    let asked = InquiryRequest::parse(body, world.installation())?;
    let asking = Asking { caller, by: caller.actor(), sources: InquirySources::Gateways };
    answer(world, &asking, &asked).await
}

/// Notifies a receiver of what is known of a payment, as the merchant's staff want it: the receiver of the transaction, or an
/// address under the rules of every other. No gateway is asked.
///
/// Decision: a notification says who the payer is, so that only who may see that names an address.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn notify_now(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
    body: &[u8],
) -> Result<InquiryAnswer, Failure> {
    let wanted = NotifyRequest::parse(body, world.installation())?;
    if wanted.address.is_some() && !caller.sees_personal_data() {
        return Err(Rejection::PermissionMissing.into());
    }
    let asked = InquiryRequest {
        target: Target::Session(session_id.as_str().into()),
        notify: wanted.address.map_or(Notify::Receiver, Notify::Address),
    };
    let asking = Asking { caller, by: caller.actor(), sources: InquirySources::Store };
    answer(world, &asking, &asked).await
}

/// Who may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flow) enum InquirySources {
    /// The gateways, if the outcome may have changed.
    Gateways,
    /// The store alone.
    Store,
}

/// Who inquires.
pub(in crate::flow) struct Asking<'a> {
    /// For whom, and as what.
    pub(in crate::flow) caller: &'a Caller,
    /// As the history of the transaction names them.
    pub(in crate::flow) by: Actor,
    /// Who may be asked.
    pub(in crate::flow) sources: InquirySources,
}

/// Steps 2 to 5 of [`inquire`].
pub(in crate::flow) async fn answer(
    world: &impl World,
    asking: &Asking<'_>,
    asked: &InquiryRequest,
) -> Result<InquiryAnswer, Failure> {
    let caller = asking.caller;
    let mut situation = caller.situation.clone();
    // 2
    let transaction = find(world, caller.merchant(), &asked.target, situation.now).await?;
    let attempts = world.ledger(&transaction.session_id).attempts(&transaction.session_id).await?;
    // 3
    let mut scene = InquiryContext { transaction, attempts, deliveries: Vec::new() };
    let source = source(scene.state(situation.now), !scene.attempts.is_empty());
    if source.map_err(|refused| refused.during("inquiry"))? == AnswerSource::Gateways
        && asking.sources == InquirySources::Gateways
        && may_ask(world, asking, &mut scene).await?
    {
        ask_gateways(world, &situation, &mut scene).await?;
        situation = situation.later(world);
    }
    // 4
    let (reference, body) = describe(world, &situation, &scene).await?;
    // 5
    let wanted = Requested { notify: &asked.notify, reference, body: &body, by: &asking.by };
    notify(world, &situation, &mut scene, wanted).await?;
    Ok(InquiryAnswer { body, deliveries: scene.deliveries })
}

/// What is known about the transaction while the gateways are asked.
struct InquiryContext {
    transaction: Transaction,
    attempts: Vec<Attempt>,
    deliveries: Vec<DeliveryId>,
}

impl InquiryContext {
    fn state(&self, now: Timestamp) -> State {
        let has_open = self.attempts.iter().any(Attempt::is_open);
        self.transaction.state_at(now, has_open)
    }

    async fn reload(&mut self, world: &impl World) -> Result<(), Failure> {
        let session_id = self.transaction.session_id.clone();
        self.transaction =
            world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?.transaction;
        self.attempts = world.ledger(&session_id).attempts(&session_id).await?;
        Ok(())
    }
}

async fn find(
    world: &impl World,
    merchant: &MerchantId,
    target: &Target,
    now: Timestamp,
) -> Result<Transaction, Failure> {
    let found = match target {
        Target::Session(text) | Target::Both { session_id: text, .. } => {
            find::by_session_id(world, merchant, text).await?
        }
        Target::Order(order_no) => match find::newest_of_order(world, merchant, order_no, now).await? {
            Some(session_id) => world.ledger(&session_id).load(&session_id).await?,
            None => None,
        },
    };
    let transaction = found.ok_or(Rejection::NotFound)?.transaction;
    find::check_names(target, &transaction)?;
    Ok(transaction)
}

/// Whether the gateways may be asked. An inquiry that counts, because those of the merchant are limited, or that a person makes
/// is recorded first: of two that count and come at once, one asks and the other answers with what is stored.
async fn may_ask(
    world: &impl World,
    asking: &Asking<'_>,
    scene: &mut InquiryContext,
) -> Result<bool, Failure> {
    let Situation { settings, now, .. } = &asking.caller.situation;
    if !settings.throttles_inquiries && asking.by.kind == ActorKind::Key {
        return Ok(true);
    }
    if settings.throttles_inquiries && !is_below_limits(world, &scene.transaction, *now).await? {
        return Ok(false);
    }
    let mut change = Change::of(scene.transaction.clone(), EventKind::Inquired, *now).by(asking.by.clone());
    let is_first = commit(world, &mut change).await?;
    if is_first {
        scene.transaction = change.transaction;
    } else {
        scene.reload(world).await?;
    }
    Ok(is_first || !settings.throttles_inquiries)
}

/// Whether one more inquiry is within the limits of a merchant.
async fn is_below_limits(
    world: &impl World,
    transaction: &Transaction,
    now: Timestamp,
) -> Result<bool, Failure> {
    let Transaction { session_id, merchant, created_at, .. } = transaction;
    let earlier = world.ledger(session_id).inquired_at(session_id, now.minus(DAY)).await?;
    let about_all = world.ledger(merchant).inquiries_of(merchant, now.minus(MINUTE)).await?;
    Ok(about_all < MAX_A_MINUTE && is_due(*created_at, &earlier, now))
}

async fn ask_gateways(
    world: &impl World,
    situation: &Situation,
    scene: &mut InquiryContext,
) -> Result<(), Failure> {
    let until = situation.now.plus(BUDGET);
    // The newest first, in case the time runs out.
    let questions: Vec<Attempt> =
        scene.attempts.iter().rev().filter(|attempt| may_have_charged(attempt)).cloned().collect();
    for group in questions.chunks(MAX_AT_ONCE) {
        let situation = &situation.later(world);
        if situation.now >= until {
            break;
        }
        let asked = group.iter().map(|attempt| ask(world, situation, attempt, Question::Inquire(None)));
        for (attempt, learned) in group.iter().zip(join_all(asked).await) {
            // A question that cannot be asked must not prevent the answer.
            let learned = learned.unwrap_or(AttemptResult::AnswerLost);
            let attempt_report = AttemptReport::of(learned, ReportOccasion::Inquiry, Cause::Other);
            record(world, situation, scene, ReportedAttempt { attempt: attempt.clone(), attempt_report })
                .await?;
        }
    }
    scene.reload(world).await
}

/// What was learned about one attempt.
struct ReportedAttempt {
    attempt: Attempt,
    attempt_report: AttemptReport,
}

/// Stores what was learned about one attempt. A race that was lost five times is left to the sweep.
async fn record(
    world: &impl World,
    situation: &Situation,
    scene: &mut InquiryContext,
    reported: ReportedAttempt,
) -> Result<(), Failure> {
    let record = Record { transaction: scene.transaction.clone(), attempt: Some(reported.attempt) };
    match settle(world, record, &situation.later(world), reported.attempt_report).await {
        Ok(settled) => {
            scene.transaction = settled.record.transaction;
            scene.deliveries.extend(settled.delivery);
            Ok(())
        }
        Err(Failure::Refused(_)) => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// The reference of the attempt that the answer is about, and the answer.
async fn describe(
    world: &impl World,
    situation: &Situation,
    scene: &InquiryContext,
) -> Result<(ReferenceNumber, String), Failure> {
    let now = situation.now;
    let hmac_key = signature_key(world, situation)?;
    let open = scene.attempts.iter().find(|attempt| attempt.is_open());
    let expired = expire(&scene.transaction, open.or(scene.attempts.last()), now);
    let version = scene.transaction.version;
    // An end that is not stored yet has no event: another one may get the next number.
    let transaction = expired
        .map_or_else(|| scene.transaction.clone(), |change| Transaction { version, ..change.transaction });
    let books = books_of(world, &scene.transaction).await?;
    let settled = books.as_ref().and_then(|books| books.settled.as_ref());
    let described = subject(situation, scene, settled)?;
    let saved = of_attempt(world, &transaction, &described).await?;
    let card = saved.as_ref().map(|saved| ShownCard::of(saved, &situation.settings, now));
    let additions = Additions { books: books.as_ref(), card, ..Additions::of(Cause::Other) };
    let body = payload(&transaction, &described, additions, &hmac_key)?;
    Ok((described.reference, body))
}

/// The attempt that the answer describes.
fn subject(
    situation: &Situation,
    scene: &InquiryContext,
    settled: Option<&Attempt>,
) -> Result<Attempt, Failure> {
    let transaction = &scene.transaction;
    let attempt = described(transaction.state, &scene.attempts, settled).cloned();
    let attempt = attempt.or_else(|| untried(transaction, situation));
    Ok(attempt.ok_or_else(|| {
        let session_id: &SessionId = &transaction.session_id;
        PortError { port: "store", detail: alloc::format!("{session_id} has no gateway") }
    })?)
}

/// The notification that the inquiry requests.
struct Requested<'a> {
    notify: &'a Notify,
    reference: ReferenceNumber,
    body: &'a str,
    by: &'a Actor,
}

/// Records the notification that the inquiry requests. If the outcome itself has already notified the
/// receiver of the same, nothing more is recorded.
async fn notify(
    world: &impl World,
    situation: &Situation,
    scene: &mut InquiryContext,
    wanted: Requested<'_>,
) -> Result<(), Failure> {
    let recipient = match wanted.notify {
        Notify::Nobody => return Ok(()),
        Notify::Receiver if !scene.deliveries.is_empty() => return Ok(()),
        Notify::Receiver => receiver(&scene.transaction, &situation.settings),
        Notify::Address(address) => Some(Recipient::to(address)),
    };
    let Some(recipient) = recipient else { return Ok(()) };
    let (kind, reference) = (MessageKind::RequestedWebhook, wanted.reference);
    let content = MessageContent { kind, reference, body: wanted.body.into() };
    let session_id = scene.transaction.session_id.clone();
    let load = async || {
        let record = world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?;
        Ok(record.transaction)
    };
    let given = Some(Box::new(scene.transaction.clone()));
    let decided = decide_and_commit(world, given, load, async |transaction: Box<Transaction>| {
        let mut change = Change::of(*transaction, EventKind::Notified, situation.now).by(wanted.by.clone());
        change.add_messages(&content, [recipient.clone()]);
        Ok(Decision::Commit(Box::new(change), ()))
    });
    if let Some(change) = decided.await?.change {
        scene.deliveries.extend(change.message_ids());
    }
    Ok(())
}
