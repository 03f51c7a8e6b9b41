//! Storing a change: everything is checked before anything is written.

use super::delivery::StoredDelivery;
use super::{AttemptEvent, Event, Fault, Rows, failed};
use crate::attempt::Attempt;
use crate::attempt::stage::{self, Stage};
use crate::change::{ApprovalWrite, AttemptWrite, Change, EventKind};
use crate::port::CommitError;
use crate::record::audit::Entry;
use crate::record::outbox::DeliveryState;
use crate::state;
use crate::transaction::Transaction;
use crate::value::id::SessionId;

impl Rows {
    pub(super) fn commit(&mut self, change: &Change) -> Result<(), CommitError> {
        if let Some(left) = self.races_to_lose.checked_sub(1) {
            self.races_to_lose = left;
            return Err(CommitError::Conflict);
        }
        let fault = self.next_fault();
        if fault == Some(Fault::BeforeStoring) {
            return Err(CommitError::Failed(failed("the change was not stored, as the test asked")));
        }
        self.check_caller()?;
        self.check_transaction(change)?;
        self.check_attempt(change)?;
        if let Some(write) = &change.child {
            self.check_child(write)?;
        }
        self.check_approval(change)?;
        self.check_refund(change)?;
        self.check_rest(change)?;
        self.check_attachments(change)?;
        self.check_card(change)?;
        self.check_cycle(change)?;
        self.check_payer(change)?;
        self.check_retry(change)?;
        self.write(change);
        match fault {
            Some(Fault::AfterStoring) => Err(CommitError::Failed(failed(
                "the answer about a stored change was lost, as the test asked",
            ))),
            Some(Fault::BeforeStoring) | None => Ok(()),
        }
    }

    pub(super) fn next_fault(&mut self) -> Option<Fault> {
        let (nth, fault) = self.fault.take()?;
        if nth <= 1 {
            return Some(fault);
        }
        self.fault = Some((nth.saturating_sub(1), fault));
        None
    }

    fn check_transaction(&self, change: &Change) -> Result<(), CommitError> {
        let next = &change.transaction;
        let stored = self.transactions.get(&next.session_id);
        if change.event == EventKind::Created {
            return if stored.is_none() { Ok(()) } else { Err(CommitError::Conflict) };
        }
        let before = next.version.saturating_sub(1);
        let stored = stored
            .filter(|stored| stored.version == before && stored.merchant == next.merchant)
            .ok_or(CommitError::Conflict)?;
        let (from, to) = (stored.state, next.state);
        if from != to && !state::legal_moves().any(|legal| legal == (from, to)) {
            return Err(CommitError::Failed(failed("illegal move of txn.state")));
        }
        Ok(())
    }

    fn check_attempt(&self, change: &Change) -> Result<(), CommitError> {
        match &change.attempt {
            None => Ok(()),
            Some(AttemptWrite::Open(attempt)) => self.check_opening(attempt),
            Some(AttemptWrite::Update { from, attempt }) => self.check_move(*from, attempt),
        }
    }

    fn check_opening(&self, attempt: &Attempt) -> Result<(), CommitError> {
        if self.attempts.contains_key(&attempt.reference) {
            return Err(CommitError::Failed(failed("the reference number is taken")));
        }
        let is_numbered =
            |other: &Attempt| other.session_id == attempt.session_id && other.number == attempt.number;
        let is_second = attempt.is_open() && self.open_attempt(&attempt.session_id).is_some();
        if is_second || self.attempts.values().any(is_numbered) {
            return Err(CommitError::Conflict);
        }
        Ok(())
    }

    fn check_move(&self, from: Stage, attempt: &Attempt) -> Result<(), CommitError> {
        self.attempts
            .get(&attempt.reference)
            .filter(|stored| stored.stage == from && stored.session_id == attempt.session_id)
            .ok_or(CommitError::Conflict)?;
        let to = attempt.stage;
        if from != to && !stage::legal_moves().any(|legal| legal == (from, to)) {
            return Err(CommitError::Failed(failed("illegal move of attempt.stage")));
        }
        Ok(())
    }

    fn check_rest(&self, change: &Change) -> Result<(), CommitError> {
        if change.messages.iter().any(|message| self.deliveries.contains_key(&message.id)) {
            return Err(CommitError::Failed(failed("the message is there already")));
        }
        let is_taken = change.answer.as_ref().is_some_and(|answer| {
            self.answers.contains_key(&(answer.merchant.clone(), answer.operation, answer.key.clone()))
        });
        if is_taken { Err(CommitError::KeyTaken) } else { Ok(()) }
    }

    /// Shows a deleted transaction again; whether there was one.
    pub(super) fn restore(&mut self, session_id: &SessionId, entry: &Entry) -> bool {
        let is_hidden = self.hidden.remove(session_id);
        let Some(stored) = self.transactions.get_mut(session_id).filter(|_| is_hidden) else { return false };
        stored.version = stored.version.saturating_add(1);
        self.events.push(Event {
            session_id: session_id.clone(),
            number: stored.version,
            at: entry.at,
            kind: EventKind::Restored,
            state: stored.state,
            attempt: None,
            operation: None,
            approval: None,
            actor: Some(entry.actor.clone()),
        });
        true
    }

    fn note_payment(&mut self, change: &Change) {
        let next = &change.transaction;
        if next.settlement.as_ref().is_some_and(|settlement| settlement.paid.is_some()) {
            self.paid_at.entry(next.session_id.clone()).or_insert(change.at);
        }
    }

    fn write(&mut self, change: &Change) {
        let next = &change.transaction;
        let attempt = change.attempt.as_ref().map(AttemptWrite::attempt);
        self.events.push(event_of(change));
        if change.event == EventKind::Erased {
            self.erase(change);
        }
        if change.event == EventKind::Deleted {
            self.hidden.insert(next.session_id.clone());
        }
        self.note_payment(change);
        self.write_terms(change);
        let created_at =
            self.transactions.get(&next.session_id).map_or(next.created_at, |stored| stored.created_at);
        self.transactions.insert(next.session_id.clone(), Transaction { created_at, ..next.clone() });
        if let Some(attempt) = attempt {
            let written = if let Some(frozen) = self.attempts.remove(&attempt.reference) {
                moved(frozen, attempt)
            } else {
                self.begin_reconciliation(attempt);
                attempt.clone()
            };
            self.lost.remove(&written.reference);
            self.attempts.insert(written.reference.clone(), written);
        }
        if let Some(write) = &change.child {
            self.write_child(write.child());
        }
        self.write_approval(change);
        for message in &change.messages {
            let is_disabled = self.is_disabled(&message.merchant, message.recipient.address());
            let state = if is_disabled { DeliveryState::Held } else { DeliveryState::Due };
            self.deliveries.insert(message.id.clone(), StoredDelivery::new(message.clone(), state));
        }
        self.write_attachments(change);
        self.write_card(change);
        self.write_cycle(change);
        self.write_ladder(change);
        self.write_hold(change);
        for entry in &change.attention {
            self.flag(entry);
        }
        if let Some(consent) = &change.consent {
            self.consents.push((change.transaction.session_id.clone(), consent.as_ref().clone()));
        }
        self.write_routing(change);
        self.write_payer(change);
        if let Some(answer) = &change.answer {
            let key = (answer.merchant.clone(), answer.operation, answer.key.clone());
            self.answers.insert(key, answer.clone());
        }
    }
}

/// The row of the event log.
fn event_of(change: &Change) -> Event {
    let next = &change.transaction;
    let attempt = change.attempt.as_ref().map(AttemptWrite::attempt);
    Event {
        session_id: next.session_id.clone(),
        number: next.version,
        at: change.at,
        kind: change.event,
        state: next.state,
        attempt: attempt
            .map(|attempt| AttemptEvent { reference: attempt.reference.clone(), stage: attempt.stage }),
        operation: change.child.as_ref().map(|write| (write.child().reference.clone(), write.child().stage)),
        approval: change
            .approval
            .as_deref()
            .map(ApprovalWrite::approval)
            .map(|approval| (approval.id.clone(), approval.state)),
        actor: change.actor.as_deref().cloned(),
    }
}

/// An attempt after a move: to whom it belongs and what it costs is frozen.
fn moved(frozen: Attempt, next: &Attempt) -> Attempt {
    let next = next.clone();
    Attempt {
        stage: next.stage,
        card: next.card,
        updated_at: next.updated_at,
        known_at: next.known_at,
        inquire_at: next.inquire_at,
        inquiries: next.inquiries,
        unknown_since: next.unknown_since,
        page_url: next.page_url,
        gateway_id: next.gateway_id,
        message: next.message,
        params: next.params,
        response: next.response,
        ..frozen
    }
}
