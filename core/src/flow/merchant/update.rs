//! Updating a payment transaction, fully or partially.

use alloc::boxed::Box;
use alloc::string::String;

use crate::access::{Caller, Codes, Particular};
use crate::answer::view::ViewOptions;
use crate::card::ladder::LadderWrite;
use crate::change::{Change, EventKind};
use crate::draft::Draft;
use crate::draft::flags::Flags;
use crate::draft::request::DraftRequest;
use crate::draft::writable::{entity_tag, is_matched, writable};
use crate::flow::Failure;
use crate::flow::account::image::refuse_unknown_options;
use crate::flow::caller::author;
use crate::flow::card::note;
use crate::flow::commit::attachment;
use crate::flow::commit::terms;
use crate::flow::commit::{Decided, Decision, decide_and_commit};
use crate::flow::merchant::shown::ShownOnce;
use crate::installation::Installation;
use crate::port::{Record, Store, World};
use crate::record::attachment::FilePart;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::{Details, Transaction};
use crate::value::id::SessionId;
use crate::violation::{Rule, Violation};
use crate::words::payment_type::PaymentType;

/// How much of a transaction a request gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// `PUT`: every field; one that is left out is removed.
    Full,
    /// `PATCH`: some fields; the others stay.
    Partial,
}

/// A request as it came in.
#[derive(Debug)]
pub struct UpdateInput<'a> {
    /// The caller, who may do this at all.
    pub caller: Caller,
    /// The transaction.
    pub session_id: SessionId,
    /// Full or partial.
    pub extent: Extent,
    /// The header `If-Match`.
    pub if_match: Option<&'a str>,
    /// The bytes of the body, limited in size.
    pub body: &'a [u8],
    /// The file in the part `attachment` of a multipart body.
    pub file: Option<FilePart<'a>>,
    /// What is wrong with the form itself.
    pub wrong: &'a [Violation],
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateAnswer {
    /// The JSON body: the transaction as it is now.
    pub body: String,
    /// The header `ETag`.
    pub tag: String,
}

/// Updates a payment transaction:
///
/// 1. the caller is known, and may update;
/// 2. load it; another merchant's id is answered like one that does not exist;
/// 3. an `If-Match` that names another version stops here;
/// 4. read the body, laid over what is stored if it is partial, reporting every wrong field;
/// 5. the transaction must still be payable, an open attempt keeps the data by which it is charged, and the
///    caller must be permitted to use its gateways;
/// 6. a file that was sent along is stored, and short links are generated;
/// 7. one batch; if someone else changed the transaction first, everything is decided again.
///
/// # Errors
/// The rejection, or a failure of the world. Nothing is changed then.
pub async fn update(world: &impl World, input: UpdateInput<'_>) -> Result<UpdateAnswer, Failure> {
    // 1
    let caller = input.caller;
    let now = caller.situation.now;
    let merchant = caller.merchant();
    let sent = attachment::check(world, merchant, input.file.as_ref())?;
    let mut attachment = None;
    // 2
    let load = async || {
        let record = world.ledger(&input.session_id).load(&input.session_id).await?;
        let own = record.filter(|record| record.transaction.merchant == *merchant);
        Ok(own.ok_or(Rejection::NotFound)?)
    };
    let decided = decide_and_commit(world, None, load, async |record: Box<Record>| {
        // 3
        let state = record.transaction.state_at(now, record.has_open_attempt());
        if let Some(if_match) = input.if_match {
            let tag = entity_tag(&record.transaction, state, caller.situation.settings.version)?;
            if !is_matched(if_match, &tag) {
                return Err(Rejection::PreconditionFailed.into());
            }
        }
        // 4, 5
        if !state.is_payable() {
            return Err(Rejection::NotUpdatable { state }.into());
        }
        let mut given = DraftRequest::from_json(input.body)?;
        given.wrong = input.wrong.to_vec();
        given.files = attachment::learn(world, merchant, &given, &sent, Some(&record.transaction)).await?;
        given.author = author(world, &caller, &given, Some(&record.transaction)).await?;
        let (mut next, flags) =
            decide(&record, given, input.extent, world.installation(), &caller.situation.settings)?;
        note(&mut next, Some(&record.transaction), &caller);
        let codes = Codes {
            stored: &record.transaction.pg_codes,
            given: &next.pg_codes,
            is_replaced: input.extent == Extent::Full,
        };
        caller.may(Particular::Update(record.transaction.plugin, codes))?;
        refuse_unknown_options(world, &next, Some(&record.transaction)).await?;
        // 6
        if let (None, Some(Ok(file)), Some(part)) = (&attachment, &sent, &input.file) {
            attachment = Some(attachment::put(world, merchant, file, part, now).await?);
        }
        let (asked, short_links) = attachment::shorten(world, &next, flags, false).await?;
        // 7
        let change = Change {
            contact: terms::contact(world, &next, &caller.situation.settings),
            attachment: attachment.clone(),
            short_links,
            ladder: leaves_agreement(&record.transaction, &next).then(|| Box::new(LadderWrite::End(None))),
            ..Change::of(next, EventKind::Updated, now).by(caller.actor())
        };
        Ok(Decision::Commit(Box::new(change), Updated { record, flags, asked }))
    });
    let Decided { change, basis: Updated { mut record, flags, asked } } = decided.await?;
    if let Some(change) = change {
        record.transaction = change.transaction;
    }
    let (transaction, latest) = (&record.transaction, record.attempt.as_ref());
    let shown = ShownOnce { transaction, latest, flags, asked, has_cards: caller.manages_cards() };
    let body = shown.body(world, &caller.situation).await?;
    let state = transaction.state_at(now, record.has_open_attempt());
    let tag = entity_tag(transaction, state, caller.situation.settings.version)?;
    Ok(UpdateAnswer { body, tag })
}

/// Whether it was debited under an agreement, and its payer is to pay it from now on: no debit is tried again then.
fn leaves_agreement(stored: &Transaction, next: &Transaction) -> bool {
    let is_debited = |transaction: &Transaction| transaction.details.payment_type == PaymentType::AutoDebit;
    is_debited(stored) && !is_debited(next)
}

/// A transaction that is updated, and what the response is to show only this once.
struct Updated {
    record: Box<Record>,
    flags: Flags,
    asked: ViewOptions,
}

/// The transaction as it will be, and what the response is to show only this once.
fn decide(
    record: &Record,
    given: DraftRequest<'_>,
    extent: Extent,
    installation: &Installation,
    settings: &MerchantSettings,
) -> Result<(Transaction, Flags), Failure> {
    let stored = &record.transaction;
    let written = writable(stored)?;
    let request = match extent {
        Extent::Full => given,
        Extent::Partial => given.or(&DraftRequest::from_json(written.as_bytes())?),
    };
    let draft = Draft::parse(&request, installation, settings).map_err(Rejection::Invalid)?;
    if draft.plugin != stored.plugin {
        return Err(Rejection::Invalid([Violation::new("type", Rule::Fixed)].into()).into());
    }
    let is_charged_otherwise = draft.amount != stored.amount
        || draft.pg_codes != stored.pg_codes
        || draft.details.payment_type != stored.details.payment_type;
    if record.has_open_attempt() && is_charged_otherwise {
        return Err(Rejection::AttemptInProgress.into());
    }
    let flags = draft.flags;
    let next = Transaction {
        operation: draft.operation,
        amount: draft.amount,
        // The period is counted from the creation, not from now.
        expires_at: draft.expires_at(stored.created_at),
        pg_codes: draft.pg_codes,
        details: Details { is_amount_editable: stored.details.is_amount_editable, ..draft.details },
        ..stored.clone()
    };
    Ok((next, flags))
}
