//! Stores a change as one batch, whole or not at all.
//!
//! The event comes before everything that changes, because its key decides the race: two changes of the same
//! version are the same number of an event. Its session id comes from a query that finds the transaction only
//! in the version, and its attempt only in the stage, from which the change was made, and only while the cycle
//! of an agreement that the change takes is free, its payer may try and its refund fits the day; if it finds nothing, the event has no session id and the
//! batch fails. So no later statement of the batch can miss its row.

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::change::{ApprovalWrite, AttemptWrite, Change, ChildWrite, EventKind};
use checkout_core::port::{CommitError, PortError};
use checkout_core::record::attention::Attention;
use checkout_core::record::idempotency::StoredAnswer;
use checkout_core::record::outbox::Message;
use checkout_core::strings::facts::say;
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;
use checkout_core::words::role::Role;

use super::approval;
use super::attachment::{insert_attachment, insert_short_link};
use super::card::{CYCLE_IS_FREE, cycle_values, insert_consent, write_card};
use super::child;
use super::counter::{PAYER_MAY_TRY, payer_values};
use super::decision;
use super::delivery_log;
use super::erasure;
use super::fault::commit_error;
use super::hold;
use super::ladder::{self, CARD_MAY_BE_TRIED, card_values};
use super::refund_day::{REFUND_FITS, refund_values};
use super::statement::{Columns, Db, Statement, Values, json};
use super::term;

type Bound = Result<Statement, PortError>;

/// Stores `change`.
pub(super) async fn commit(db: &Db, change: &Change) -> Result<(), CommitError> {
    let batch = statements(db, change).map_err(CommitError::Failed)?;
    db.batch(batch).await.map_err(|error| commit_error(&error))?;
    Ok(())
}

fn statements(db: &Db, change: &Change) -> Result<Vec<Statement>, PortError> {
    let transaction = &change.transaction;
    let mut batch = Vec::with_capacity(8);
    if change.event == EventKind::Created {
        batch.push(insert_transaction(db, change)?);
        batch.push(insert_event(db, change)?);
    } else {
        batch.push(insert_event(db, change)?);
        if change.event == EventKind::Erased {
            batch.extend(erasure::statements(db, &transaction.session_id)?);
        }
        batch.push(update_transaction(db, change)?);
    }
    batch.extend(term::write(db, change)?);
    match &change.attempt {
        Some(AttemptWrite::Open(attempt)) => {
            batch.push(insert_attempt(db, attempt, change)?);
        }
        Some(AttemptWrite::Update { from, attempt }) => batch.push(update_attempt(db, *from, attempt)?),
        None => {}
    }
    if let Some(consent) = &change.consent {
        batch.push(insert_consent(db, &transaction.session_id, consent)?);
    }
    if let Some(made) = &change.decision {
        batch.push(decision::insert(db, &transaction.session_id, made)?);
    }
    if let Some(write) = &change.health {
        batch.push(decision::write_health(db, &transaction.session_id, write)?);
    }
    if let Some(card) = &change.card {
        batch.extend(write_card(db, card, change.at)?);
    }
    if let Some(write) = &change.ladder {
        batch.extend(ladder::write(db, &transaction.session_id, write, change.at)?);
    }
    batch.extend(hold::write(db, change)?);
    if let Some(attachment) = &change.attachment {
        batch.push(insert_attachment(db, attachment)?);
    }
    for link in &change.short_links {
        batch.push(insert_short_link(db, link)?);
    }
    // Before the operation, which begins only while its request is approved.
    if let Some(write) = &change.approval {
        batch.push(approval::write(db, write)?);
    }
    if let Some(write) = &change.child {
        batch.push(child::write(db, write, change.maker())?);
    }
    for message in &change.messages {
        batch.push(insert_message(db, message)?);
    }
    for attention in &change.attention {
        batch.push(insert_attention(db, attention)?);
    }
    if let Some(answer) = &change.answer {
        batch.push(insert_answer(db, answer, &transaction.session_id)?);
    }
    Ok(batch)
}

/// The event, whose session id is guarded as the module says once the transaction exists.
fn insert_event(db: &Db, change: &Change) -> Bound {
    const INSERT: &str = "INSERT INTO txn_event (session_id, number, at, kind, state, reference, stage, actor_kind, actor, actor_name, role) VALUES (";
    const FACTS: &str = ", CAST(? AS INTEGER), CAST(? AS INTEGER), ?, ?, ?, ?, ?, ?, ?, ?)";
    let (source, guard) = session_id_of(change);
    let claim = change.cycle.as_ref().and_then(|claim| Some((&claim.key, claim.checked.as_ref()?)));
    let is_guarded =
        claim.is_some() || change.payer.is_some() || change.retry.is_some() || change.refund.is_some();
    let (mut pieces, mut guard) = (Vec::from([INSERT, source]), guard);
    if let Some(open) = source.strip_suffix(')').filter(|_| is_guarded) {
        pieces = Vec::from([INSERT, open]);
        if let Some((key, taken)) = claim {
            pieces.push(CYCLE_IS_FREE);
            guard = cycle_values(guard, key, taken);
        }
        if let Some(claim) = &change.payer {
            pieces.push(PAYER_MAY_TRY);
            guard = payer_values(guard, claim, &change.transaction.merchant);
        }
        if let Some(claim) = &change.retry {
            pieces.push(CARD_MAY_BE_TRIED);
            guard = card_values(guard, claim, &change.transaction.merchant);
        }
        if let Some(claim) = &change.refund {
            pieces.push(REFUND_FITS);
            guard = refund_values(guard, claim);
        }
        pieces.push(")");
    }
    pieces.push(FACTS);
    let attempt =
        change.attempt.as_ref().map(AttemptWrite::attempt).map(|a| (a.reference.as_str(), a.stage.as_str()));
    let child =
        change.child.as_ref().map(ChildWrite::child).map(|c| (c.reference.as_str(), c.stage.as_str()));
    let approval = change.approval.as_deref().map(ApprovalWrite::approval);
    let approval = approval.map(|a| (a.id.as_str(), a.state.as_str()));
    let subject = attempt.or(child).or(approval);
    let actor = change.actor.as_deref();
    guard
        .number(change.transaction.version)
        .number(change.at.millis())
        .text(change.event.as_str())
        .text(change.transaction.state.as_str())
        .optional_text(subject.map(|(reference, _)| reference))
        .optional_text(subject.map(|(_, stage)| stage))
        .optional_text(actor.map(|actor| actor.kind.as_str()))
        .optional_text(actor.map(|actor| actor.id.as_str()))
        .optional_text(actor.and_then(|actor| actor.name.as_deref()))
        .optional_text(actor.and_then(|actor| actor.role).map(Role::as_str))
        .bind(db, &pieces.concat())
}

/// An expression that is the session id if the change still fits what is stored, and NULL if it does not.
fn session_id_of(change: &Change) -> (&'static str, Values) {
    const OF_VERSION: &str = "(SELECT t.session_id FROM txn t \
         WHERE t.session_id = ? AND t.merchant_id = ? AND t.version = CAST(? AS INTEGER))";
    const OF_VERSION_AND_STAGE: &str = "(SELECT t.session_id FROM txn t \
         JOIN attempt a ON a.session_id = t.session_id \
         WHERE t.session_id = ? AND t.merchant_id = ? AND t.version = CAST(? AS INTEGER) \
         AND a.reference = ? AND a.stage = ?)";
    const OF_VERSION_AND_CHILD: &str = "(SELECT t.session_id FROM txn t \
         JOIN child c ON c.parent_id = t.session_id \
         WHERE t.session_id = ? AND t.merchant_id = ? AND t.version = CAST(? AS INTEGER) \
         AND c.reference = ? AND c.stage = ?)";
    const OF_VERSION_AND_APPROVAL: &str = "(SELECT t.session_id FROM txn t \
         JOIN approval p ON p.session_id = t.session_id \
         WHERE t.session_id = ? AND t.merchant_id = ? AND t.version = CAST(? AS INTEGER) \
         AND p.id = ? AND p.state = ? AND p.hash = ?)";
    let transaction = &change.transaction;
    let id = Values::default().text(transaction.session_id.as_str());
    if change.event == EventKind::Created {
        return ("?", id);
    }
    let of_version = id.text(transaction.merchant.as_str()).number(transaction.version.saturating_sub(1));
    match (&change.attempt, &change.child) {
        (Some(AttemptWrite::Update { from, attempt }), _) => {
            (OF_VERSION_AND_STAGE, of_version.text(attempt.reference.as_str()).text(from.as_str()))
        }
        (_, Some(ChildWrite::Update { from, child })) => {
            (OF_VERSION_AND_CHILD, of_version.text(child.reference.as_str()).text(from.as_str()))
        }
        (Some(AttemptWrite::Open(_)) | None, Some(ChildWrite::Open(_)) | None) => {
            match change.approval.as_deref() {
                Some(ApprovalWrite::Update { from, approval }) => (
                    OF_VERSION_AND_APPROVAL,
                    of_version.text(approval.id.as_str()).text(from.as_str()).text(&approval.hash),
                ),
                Some(ApprovalWrite::Open(_)) | None => (OF_VERSION, of_version),
            }
        }
    }
}

fn insert_transaction(db: &Db, change: &Change) -> Bound {
    let transaction = &change.transaction;
    let columns = Columns::default()
        .text("session_id", transaction.session_id.as_str())
        .text("merchant_id", transaction.merchant.as_str())
        .time("created_at", transaction.created_at)
        .optional_text("made_by", change.maker().map(|maker| maker.to_string()).as_deref());
    snapshot(change, columns)?.insert(db, "txn")
}

fn update_transaction(db: &Db, change: &Change) -> Bound {
    let transaction = &change.transaction;
    let id = Values::default().text(transaction.session_id.as_str());
    let columns = match change.event {
        EventKind::Deleted => Columns::default().time("hidden_at", change.at),
        EventKind::Created
        | EventKind::Updated
        | EventKind::Moved(_)
        | EventKind::AttemptNoted
        | EventKind::Inquired
        | EventKind::Notified
        | EventKind::ApprovalAsked
        | EventKind::ApprovalGiven
        | EventKind::ApprovalRejected
        | EventKind::ApprovalWithdrawn
        | EventKind::ApprovalExpired
        | EventKind::ApprovalFailed
        | EventKind::Erased
        | EventKind::Restored
        | EventKind::OperationOpened
        | EventKind::OperationNoted => Columns::default(),
    };
    let columns = columns.number("is_erased", change.event == EventKind::Erased);
    let is_paid = transaction.settlement.as_ref().is_some_and(|settlement| settlement.paid.is_some());
    let columns = if is_paid {
        let first = Values::default().number(change.at.millis());
        columns.expression("paid_at", "COALESCE(paid_at, CAST(? AS INTEGER))", first)
    } else {
        columns
    };
    snapshot(change, columns)?.update(db, "txn", "session_id = ?", id)
}

/// The columns that a change may write.
fn snapshot(change: &Change, columns: Columns) -> Result<Columns, PortError> {
    let transaction = &change.transaction;
    let settlement = transaction.settlement.as_ref();
    Ok(columns
        .number("version", transaction.version)
        .text("state", transaction.state.as_str())
        .text("plugin", transaction.plugin.as_str())
        .text("operation", transaction.operation.as_str())
        .money("amount", "currency", transaction.amount)
        .text("pg_codes", &json(&transaction.pg_codes, "txn.pg_codes")?)
        .time("expires_at", transaction.expires_at)
        .time("moved_at", transaction.moved_at)
        .optional_text("settled_by", settlement.map(|settlement| settlement.pg_code.as_str()))
        .optional_money("settled", "settled_currency", settlement.map(|settlement| settlement.settled))
        .optional_money("paid", "paid_currency", settlement.and_then(|settlement| settlement.paid))
        .optional_text("shown", transaction.shown.as_deref())
        .text("details", &json(&transaction.details, "txn.details")?))
}

fn insert_attempt(db: &Db, attempt: &Attempt, change: &Change) -> Bound {
    let agreement = change.cycle.as_ref().map(|claim| claim.key.digest());
    let columns = Columns::default()
        .text("reference", attempt.reference.as_str())
        .text("session_id", attempt.session_id.as_str())
        .text("merchant_id", attempt.merchant.as_str())
        .number("number", attempt.number)
        .text("pg_code", attempt.pg_code.as_str())
        .text("pg_name", &attempt.pg_name)
        .text("operation", attempt.operation.as_str())
        .text("form_of_payment", attempt.form_of_payment.as_str())
        .number("is_sandbox", attempt.is_sandbox)
        .number("permits_retry", attempt.permits_retry)
        .money("principal", "principal_currency", attempt.principal)
        .number("amount", attempt.quote.amount.minor())
        .number("fee", attempt.quote.fee.minor())
        .money("total", "currency", attempt.quote.total)
        .optional_text("exchange_rate", attempt.quote.rate.map(|rate| rate.to_string()).as_deref())
        .time("opened_at", attempt.opened_at)
        .optional_text("payer", change.payer.as_ref().map(|claim| claim.payer.as_str()))
        .optional_text("agreement", agreement.as_deref());
    progress(attempt, columns)?.insert(db, "attempt")
}

fn update_attempt(db: &Db, from: Stage, attempt: &Attempt) -> Bound {
    let of_stage = Values::default().text(attempt.reference.as_str()).text(from.as_str());
    progress(attempt, Columns::default())?.update(db, "attempt", "reference = ? AND stage = ?", of_stage)
}

/// The columns of an attempt that may change; the others are frozen.
fn progress(attempt: &Attempt, columns: Columns) -> Result<Columns, PortError> {
    Ok(columns
        .text("stage", attempt.stage.as_str())
        .text("card_use", &attempt.card.to_text())
        .time("updated_at", attempt.updated_at)
        .time("known_at", attempt.known_at)
        .optional_time("inquire_at", attempt.inquire_at)
        .number("inquiries", attempt.inquiries)
        .number("lost_inquiries", 0)
        .optional_time("unknown_since", attempt.unknown_since)
        .optional_text("page_url", attempt.page_url.as_deref())
        .optional_text("gateway_id", attempt.gateway_id.as_deref())
        .optional_text("message", attempt.message.as_deref())
        .text("params", &json(&attempt.params, "attempt.params")?)
        .optional_text("response", attempt.response.as_deref()))
}

/// A message.
pub(super) fn insert_message(db: &Db, message: &Message) -> Bound {
    delivery_log::with_state(Columns::default(), message)
        .text("id", message.id.as_str())
        .text("merchant_id", message.merchant.as_str())
        .text("kind", message.kind.as_str())
        .optional_text("session_id", message.subject.session_id.as_ref().map(SessionId::as_str))
        .number("number", message.id.number())
        .text("reference", message.subject.reference.as_str())
        .text("url", message.recipient.address())
        .text("body", &message.body)
        .time("due_at", message.due_at)
        .time("created_at", message.due_at)
        .insert(db, "delivery")
}

/// An entry that exists already stays as it is, open or closed, unless its reason goes on.
fn insert_attention(db: &Db, attention: &Attention) -> Bound {
    const SQL: &str = "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) \
         VALUES (?, ?, ?, ?, ?, CAST(? AS INTEGER)) ON CONFLICT DO NOTHING";
    if attention.reason.goes_on() {
        return flag_difference(db, attention);
    }
    attention_values(attention).bind(db, SQL)
}

/// A closed entry that is different now is open again.
pub(super) fn flag_difference(db: &Db, difference: &Attention) -> Bound {
    const SQL: &str = "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) \
         VALUES (?, ?, ?, ?, ?, CAST(? AS INTEGER)) ON CONFLICT (reference, reason) DO UPDATE \
         SET detail = excluded.detail, at = excluded.at, closed_at = NULL, how = NULL, note = NULL, \
         alerted_at = NULL, operators_alerted_at = NULL \
         WHERE attention.detail NOT IN (excluded.detail, ?)";
    // What was stored as a sentence is not different.
    attention_values(difference).text(&say(Language::En, &difference.detail)).bind(db, SQL)
}

/// The values of an entry, in the order of the columns above.
pub(super) fn attention_values(attention: &Attention) -> Values {
    Values::default()
        .text(attention.reference.as_str())
        .text(attention.reason.as_str())
        .text(attention.merchant.as_str())
        .optional_text(attention.session_id.as_ref().map(SessionId::as_str))
        .text(&attention.detail.stored())
        .number(attention.at.millis())
}

fn insert_answer(db: &Db, answer: &StoredAnswer, session_id: &SessionId) -> Bound {
    Columns::default()
        .text("session_id", session_id.as_str())
        .text("merchant_id", answer.merchant.as_str())
        .text("operation", answer.operation)
        .text("key", &answer.key)
        .text("fingerprint", &answer.fingerprint)
        .number("status", answer.status)
        .text("body", &answer.body)
        .time("stored_at", answer.at)
        .insert(db, "answer")
}
