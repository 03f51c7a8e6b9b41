//! Creating a payment transaction.

mod answer;
mod one_step;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::{Caller, Particular};
use crate::api::payment_instrument::{self, PaymentInstrument};
use crate::change::{Change, EventKind};
use crate::draft::Draft;
use crate::draft::request::DraftRequest;
use crate::draft::writable::entity_tag;
use crate::flow::account::image::refuse_unknown_options;
use crate::flow::caller::author;
use crate::flow::card::note;
use crate::flow::commit::idempotency::{CLAIMED, Done, IdempotencyKey, act_once, do_once};
use crate::flow::commit::{attachment, generate, terms};
use crate::flow::merchant::shown::ShownOnce;
use crate::flow::{Failure, commit};
use crate::port::{Record, Store, World};
use crate::record::attachment::FilePart;
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::state::State;
use crate::transaction::{Details, Transaction};
use crate::value::id::SessionId;
use crate::value::slot::Slotted;
use crate::value::time::Timestamp;
use crate::violation::Violation;
pub use answer::CreateAnswer;
use answer::{CREATED, named_in};
use one_step::{AtOnce, OneStepClaim};

/// The name under which the answers of this operation are stored.
pub(crate) const OPERATION: &str = "create_transaction";

/// A request as it came in.
#[derive(Debug)]
pub struct CreateInput<'a> {
    /// The caller, who may do this at all.
    pub caller: Caller,
    /// The header `Idempotency-Key`.
    pub idempotency_key: Option<&'a str>,
    /// The bytes of the body, limited in size.
    pub body: &'a [u8],
    /// The file in the part `attachment` of a multipart body.
    pub file: Option<FilePart<'a>>,
    /// What is wrong with the form itself.
    pub wrong: &'a [Violation],
}

/// Creates a payment transaction:
///
/// 1. the caller is known, and may create;
/// 2. if a file would be stored: a known idempotency key repeats its answer, or is refused if the body differs; for a
///    request that charges at once it answers with the outcome of the payment, or continues where it stopped; a request that
///    is not known is refused while the merchant is paused;
/// 3. read the body and check it against the merchant's settings, reporting every wrong field, and check
///    whether the caller may use what it names, and the images that it names are the merchant's;
/// 4. a saved card that cannot pay is refused; a file that was sent along is stored, and short links are
///    generated;
/// 5. one batch stores transaction, event, the rows of both, and the answer;
/// 6. if the key was taken, or anything is refused, it may be known: as 2;
/// 7. a request with a payment instrument is charged, and answered with the outcome.
///
/// # Errors
/// The rejection, or a failure of the world. Nothing is stored then, except with a refusal that names the transaction.
pub async fn create(world: &impl World, input: CreateInput<'_>) -> Result<CreateAnswer, Failure> {
    // 1
    let caller = &input.caller;
    // 2, 6
    let key = IdempotencyKey::read(input.idempotency_key, OPERATION, input.body, input.file.as_ref())?;
    let find = async || match &key {
        Some(key) => key.stored(world, caller).await,
        None => Ok(None),
    };
    // 3 to 5
    let arrival = FirstRequest { input: &input, key: key.as_ref() };
    // Boxed: the future is large, and is awaited in either way.
    let act = async || Box::pin(store(world, caller, arrival)).await;
    // A file is stored before the key is taken; a new request without one need not look first.
    let done = if input.file.is_some() { do_once(find, act).await? } else { act_once(find, act).await? };
    let created = match done {
        Done::Before(stored) => {
            may_repeat(world, caller, &stored).await?;
            return replay(world, caller, stored, input.body).await;
        }
        Done::Now(created) => created,
    };
    // 7
    match created.at_once {
        Some(at_once) => pay_at_once(world, caller, at_once).await,
        None => Ok(CreateAnswer {
            status: CREATED,
            body: created.body,
            session_id: Some(created.session_id),
            is_replayed: false,
            tag: Some(created.tag),
            deliveries: Vec::new(),
        }),
    }
}

/// A request that was not known when it came.
struct FirstRequest<'a> {
    input: &'a CreateInput<'a>,
    key: Option<&'a IdempotencyKey<'a>>,
}

/// A transaction that was stored.
struct Created {
    body: String,
    session_id: SessionId,
    tag: String,
    /// How it is charged at once, if that is asked for.
    at_once: Option<AtOnce>,
}

/// Steps 3 to 5 of [`create`].
async fn store(world: &impl World, caller: &Caller, arrival: FirstRequest<'_>) -> Result<Created, Failure> {
    let FirstRequest { input, key } = arrival;
    let (now, at) = (caller.situation.now, caller.situation.real_now());
    caller.situation.settings.takes_payments()?;
    // 3
    let mut request = DraftRequest::from_json(input.body)?;
    request.wrong = input.wrong.to_vec();
    let merchant = caller.merchant();
    let sent = attachment::check(world, merchant, input.file.as_ref())?;
    request.files = attachment::learn(world, merchant, &request, &sent, None).await?;
    request.author = author(world, caller, &request, None).await?;
    let (draft, instrument) = read(&mut request, world, &caller.situation.settings)?;
    caller.may(Particular::Create(draft.plugin, &draft.pg_codes))?;
    // 4
    let flags = draft.flags;
    let transaction = open(world, caller, draft, now)?;
    refuse_unknown_options(world, &transaction, None).await?;
    one_step::check_card(world, caller, &transaction, instrument.as_ref()).await?;
    let attachment = match (&sent, &input.file) {
        (Some(Ok(file)), Some(part)) => Some(attachment::put(world, merchant, file, part, now).await?),
        _ => None,
    };
    let (asked, short_links) = attachment::shorten(world, &transaction, flags, true).await?;
    // 5
    let mut change = Change {
        contact: terms::contact(world, &transaction, &caller.situation.settings),
        attachment,
        short_links,
        ..Change::of(transaction, EventKind::Created, now).by(caller.actor())
    };
    let Change { transaction, .. } = &change;
    let has_cards = caller.manages_cards();
    let shown = ShownOnce { transaction, latest: None, flags, asked, has_cards };
    let body = shown.body(world, &caller.situation).await?;
    let tag = entity_tag(transaction, State::Created, caller.situation.settings.version)?;
    let session_id = change.transaction.session_id.clone();
    let claim = match &instrument {
        Some(_) => {
            let reference = generate::reference(world, &caller.situation.settings, &session_id)?;
            Some(OneStepClaim::new(session_id.clone(), reference))
        }
        None => None,
    };
    change.answer = key.map(|key| match &claim {
        Some(claim) => key.claim(caller, &claim.text(), at),
        None => key.answer(caller, CREATED, body.clone(), at),
    });
    commit::store(world, &mut change).await?;
    let record = Record { transaction: change.transaction, attempt: None };
    let at_once =
        claim.zip(instrument).map(|(claim, instrument)| AtOnce { claim, record: Some(record), instrument });
    Ok(Created { body, session_id, tag, at_once })
}

fn open(world: &impl World, caller: &Caller, draft: Draft, now: Timestamp) -> Result<Transaction, Failure> {
    let plugin = caller.situation.settings.plugin(draft.plugin);
    let is_amount_editable = plugin.is_some_and(|plugin| plugin.is_amount_editable);
    let mut transaction = Transaction {
        session_id: generate::session_id(world, caller.merchant().slot())?,
        merchant: caller.merchant().clone(),
        version: 0,
        state: State::Created,
        moved_at: now,
        plugin: draft.plugin,
        operation: draft.operation,
        amount: draft.amount,
        expires_at: draft.expires_at(now),
        pg_codes: draft.pg_codes,
        created_at: now,
        settlement: None,
        shown: None,
        details: Details { is_amount_editable, ..draft.details },
    };
    note(&mut transaction, None, caller);
    Ok(transaction)
}

/// The draft of a request, and the instrument with which it is charged at once; every violation of both is
/// reported.
fn read(
    request: &mut DraftRequest<'_>,
    world: &impl World,
    settings: &MerchantSettings,
) -> Result<(Draft, Option<PaymentInstrument>), Rejection> {
    let given = request.payment_instrument.take().map(payment_instrument::read);
    let draft = Draft::parse(request, world.installation(), settings);
    let (draft, instrument) = match (draft, given.transpose()) {
        (Ok(draft), Ok(instrument)) => (draft, instrument),
        (draft, instrument) => {
            let found = draft.err().into_iter().chain(instrument.err()).flatten();
            return Err(Rejection::Invalid(found.collect()));
        }
    };
    if let Some(instrument) = &instrument {
        one_step::check(&draft, settings, instrument).map_err(Rejection::Invalid)?;
    }
    Ok((draft, instrument))
}

async fn pay_at_once(world: &impl World, caller: &Caller, at_once: AtOnce) -> Result<CreateAnswer, Failure> {
    Box::pin(one_step::pay(world, caller, at_once)).await
}

/// The answer to a request that came before; one that charges at once continues where it stopped.
/// Who may not create a transaction is not answered with one that someone else created.
async fn may_repeat(world: &impl World, caller: &Caller, stored: &StoredAnswer) -> Result<(), Failure> {
    if caller.may_anything() {
        return Ok(());
    }
    let session_id = match OneStepClaim::parse(&stored.body).filter(|_| stored.status == CLAIMED) {
        Some(claim) => Some(claim.session_id),
        None => named_in(&stored.body),
    };
    let session_id = session_id.ok_or(Rejection::NotFound)?;
    let record = world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?;
    Ok(caller.may(Particular::Create(record.transaction.plugin, &record.transaction.pg_codes))?)
}

async fn replay(
    world: &impl World,
    caller: &Caller,
    stored: StoredAnswer,
    body: &[u8],
) -> Result<CreateAnswer, Failure> {
    let claim = if stored.status == CLAIMED { OneStepClaim::parse(&stored.body) } else { None };
    if let Some(claim) = claim {
        // The same body was valid when the key was claimed.
        let raw = DraftRequest::from_json(body)?.payment_instrument.ok_or(Rejection::MalformedBody)?;
        let instrument = payment_instrument::read(raw).map_err(Rejection::Invalid)?;
        return pay_at_once(world, caller, AtOnce { claim, record: None, instrument }).await;
    }
    let StoredAnswer { status, body, .. } = stored;
    Ok(CreateAnswer { status, body, session_id: None, is_replayed: true, tag: None, deliveries: Vec::new() })
}
