//! What is learned about an attempt after its success: the success stays, whatever comes.

use crate::attempt::Attempt;
use crate::attempt::stage::{Fact, Stage};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::gateway::dispute::Dispute;
use crate::gateway::instrument::FormOfPayment;
use crate::record::attention::{Concern, Reason};
use crate::record::facts::{FactCode, Facts};
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// Why a person looks at a payment that the gateway took back after its success.
pub(super) fn taken_back(message: Option<&str>) -> Concern {
    let said = message.unwrap_or("it gave no reason");
    let detail = Facts::default().and(FactCode::MoneyTakenBack, &[said]);
    Concern { reason: Reason::TakenBack, detail }
}

/// What a dispute says about a payment that succeeded, unless that is known or something later is: the payment stays as it is,
/// and a person looks at what is new. What only says the same later is noted, and nobody looks.
pub(super) fn disputed(
    transaction: &Transaction,
    attempt: &Attempt,
    dispute: &Dispute,
    now: Timestamp,
) -> Option<Change> {
    let known = Dispute::of(&attempt.params);
    if attempt.stage != Stage::Success || known.as_ref().is_some_and(|known| !dispute.follows(known)) {
        return None;
    }
    let is_news = known.is_none_or(|known| !dispute.repeats(&known));
    let params = dispute.stored_in(attempt.params.clone());
    let next = Attempt { params, updated_at: now, ..attempt.clone() };
    let concern = Concern { reason: Reason::Disputed, detail: dispute.facts() };
    let entry = is_news.then(|| next.attention(concern, now));
    let mut change = Change::of(transaction.clone(), EventKind::AttemptNoted, now)
        .with_attempt(AttemptWrite::Update { from: attempt.stage, attempt: next });
    change.attention.extend(entry);
    Some(change)
}

/// The id of the payment, if a repeated success is the first one that names it: what is captured, refunded and voided is
/// found by it. Until a payer on a page has paid, only the page has an id. So has a payment that a person approved, until the
/// gateway gives its data. Any other id is that of a second payment. `next` has what the report says.
pub(super) fn name(
    transaction: &Transaction,
    attempt: &Attempt,
    next: &Attempt,
    fact: Fact,
) -> Option<Change> {
    let is_repeated = attempt.stage == Stage::Success && fact == Fact::Approved;
    let has_data = !attempt.params.is_empty();
    let is_of_page = attempt.form_of_payment == FormOfPayment::Redirect && !has_data;
    let may_name = attempt.gateway_id.is_none() || is_of_page;
    if !is_repeated || !may_name || next.gateway_id == attempt.gateway_id {
        return None;
    }
    let now = next.updated_at;
    let known = if has_data { attempt } else { next };
    let named = Attempt {
        gateway_id: next.gateway_id.clone(),
        params: known.params.clone(),
        response: known.response.clone(),
        updated_at: now,
        ..attempt.clone()
    };
    let write = AttemptWrite::Update { from: attempt.stage, attempt: named };
    Some(Change::of(transaction.clone(), EventKind::AttemptNoted, now).with_attempt(write))
}
