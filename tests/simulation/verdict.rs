//! What must be true when everything has finished: about the true charges of the bank, the events, the
//! notifications.

use std::collections::BTreeMap;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::change::EventKind;
use checkout_core::child::{self, Child};
use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::state::{self, State, step};
use checkout_core::testing::store::{AttemptEvent, DeliveryState, Event, StoredDelivery};
use checkout_core::transaction::Transaction;
use checkout_core::words::ChildOperation;
use checkout_core::words::payment_type::PaymentType;
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::Value;

use crate::charge::Charge;
use crate::scene::{Order, Scene};
use crate::{debit, money};

/// Checks everything that is left of a run.
pub(crate) fn pronounce(scene: &Scene) {
    let transactions = scene.world.inner.store.transactions();
    let mut owners = BTreeMap::<String, usize>::new();
    for transaction in &transactions {
        let Some(order) = owner(scene, transaction) else {
            scene.weather.wrong(format!("{} is nobody's", transaction.session_id));
            continue;
        };
        let count = owners.entry(order.key.clone()).or_default();
        *count = count.saturating_add(1);
        let case = Case::new(scene, transaction, order);
        case.check_events();
        case.check_money();
        money::check(scene, transaction);
        debit::check(scene, transaction);
        case.check_saved_card();
        case.check_operations();
        case.check_rest();
        case.check_notifications();
    }
    for (key, count) in owners {
        scene.weather.holds(count == 1, || format!("{key} made {count} transactions"));
    }
    debit::check_cycles(scene);
    check_bank_is_known(scene);
    check_receivers(scene);
}

fn owner<'s>(scene: &'s Scene, transaction: &Transaction) -> Option<&'s Order> {
    let order_no = transaction.details.order_no.as_deref()?.strip_prefix("A-")?;
    scene.orders.iter().find(|order| order.key.strip_prefix("key-") == Some(order_no))
}

/// One transaction with all that belongs to it.
struct Case<'s> {
    scene: &'s Scene,
    transaction: &'s Transaction,
    order: &'s Order,
    events: Vec<Event>,
    attempts: Vec<Attempt>,
    deliveries: Vec<StoredDelivery>,
    children: Vec<Child>,
}

impl<'s> Case<'s> {
    fn new(scene: &'s Scene, transaction: &'s Transaction, order: &'s Order) -> Self {
        let store = &scene.world.inner.store;
        let session_id = &transaction.session_id;
        Self {
            scene,
            transaction,
            order,
            events: store.events(session_id),
            attempts: store.attempts(session_id),
            deliveries: store.deliveries(session_id),
            children: store.children(session_id),
        }
    }

    fn holds(&self, holds: bool, otherwise: impl FnOnce() -> String) {
        let session_id = &self.transaction.session_id;
        self.scene.weather.holds(holds, || format!("{session_id}: {}", otherwise()));
    }

    /// Events are numbered without a gap, every move is legal, and what is paid stays paid.
    fn check_events(&self) {
        let misplaced = (1..).zip(&self.events).find(|(number, event)| *number != event.number);
        self.holds(misplaced.is_none(), || format!("an event has the wrong number: {misplaced:?}"));
        self.holds(self.transaction.version == i64::try_from(self.events.len()).unwrap(), || {
            format!("version {} has {} events", self.transaction.version, self.events.len())
        });
        let (mut before, mut stages) = (None, BTreeMap::new());
        for event in &self.events {
            let is_end = matches!(
                event.kind,
                EventKind::Moved(state::Event::Expired | state::Event::Invalided | state::Event::Canceled)
            );
            stages.extend(event.attempt.clone().map(|attempt| (attempt.reference, attempt.stage)));
            self.holds(!is_end || !stages.values().any(|stage: &Stage| stage.is_open()), || {
                format!("event {} ended it under an open attempt", event.number)
            });
            let after = match (before, event.kind) {
                (None, EventKind::Created) => Some(State::Created),
                (None, _) | (Some(_), EventKind::Created) => None,
                (Some(before), EventKind::Moved(kind)) => step(before, kind).ok(),
                (
                    Some(before),
                    EventKind::AttemptNoted
                    | EventKind::Updated
                    | EventKind::Deleted
                    | EventKind::Restored
                    | EventKind::Erased
                    | EventKind::OperationOpened
                    | EventKind::OperationNoted
                    | EventKind::Inquired
                    | EventKind::Notified
                    | EventKind::ApprovalAsked
                    | EventKind::ApprovalGiven
                    | EventKind::ApprovalRejected
                    | EventKind::ApprovalWithdrawn
                    | EventKind::ApprovalExpired
                    | EventKind::ApprovalFailed,
                ) => Some(before),
            };
            self.holds(after == Some(event.state), || {
                format!("event {} is illegal: {event:?}", event.number)
            });
            self.holds(!before.is_some_and(State::is_success) || event.state.is_success(), || {
                format!("it was paid before event {}", event.number)
            });
            before = Some(event.state);
        }
        self.holds(before == Some(self.transaction.state), || "the state is not that of its events".into());
    }

    /// It is paid if and only if a success was applied; every further one waits for a person.
    fn check_money(&self) {
        let is_success =
            |event: &&Event| matches!(event.kind, EventKind::Moved(state::Event::AttemptSucceeded(_)));
        let applied: Vec<&Event> = self.events.iter().filter(is_success).collect();
        let state = self.transaction.state;
        self.holds(applied.len() <= 1, || format!("{} successes were applied", applied.len()));
        self.holds(matches!(state, State::Paid | State::Authorized) == !applied.is_empty(), || {
            format!("it is {state} after {} successes", applied.len())
        });
        let first = applied.first().and_then(|event| event.attempt.clone()).map(|attempt| attempt.reference);
        let charges = self.scene.bank.charges();
        for attempt in &self.attempts {
            let reference = attempt.reference.as_str();
            let flags = self.scene.flags(reference);
            let is_first = first.as_ref() == Some(&attempt.reference);
            let is_flagged = flags.contains(&"second_success") || flags.contains(&"late_success");
            self.holds((attempt.stage == Stage::Success) == (is_first || is_flagged), || {
                format!("{reference} is {} with {flags:?}, first: {is_first}", attempt.stage)
            });
            self.holds(!(is_first && is_flagged), || format!("{reference} is applied and flagged {flags:?}"));
            let is_held = self.scene.is_held(reference);
            let truth = charges.get(reference).map(|charge| (charge.status, charge.is_wrong));
            let is_gone = charges.get(reference).is_some_and(|charge| charge.has_lapsed && !charge.is_live());
            let is_undecided = flags.contains(&"outcome_unknown");
            let is_shown = match truth {
                // What was released before anyone asked is as if it had never been held.
                Some((ChargeStatus::Approved, false)) if is_gone && attempt.stage == Stage::Canceled => true,
                Some((ChargeStatus::Approved, false)) => {
                    attempt.stage == Stage::Success || (attempt.stage.is_open() && is_held) || is_undecided
                }
                Some((ChargeStatus::Approved, true)) => {
                    flags.contains(&"amount_mismatch") || (attempt.stage.is_open() && is_held) || is_undecided
                }
                Some(_) | None => attempt.stage != Stage::Success,
            };
            self.holds(is_shown, || {
                format!("{reference} is {} with {flags:?}, and the bank says {truth:?}", attempt.stage)
            });
        }
        let settled = self.transaction.settlement.as_ref().map(|settlement| settlement.settled);
        let settler =
            |attempt: &&Attempt| first.as_ref() == Some(&attempt.reference) || attempt.stage == Stage::Cod;
        let expected = self.attempts.iter().find(settler).map(|attempt| attempt.principal);
        self.holds(expected.is_some() == state.is_success(), || {
            format!("{expected:?} was paid, it is {state}")
        });
        self.holds(settled == expected, || format!("{settled:?} is settled, it is {state}"));
    }

    /// A card is saved without money: the bank is asked to verify it over zero, and nothing is paid.
    fn check_saved_card(&self) {
        let is_saved = self.transaction.details.payment_type == PaymentType::SaveCard;
        for attempt in &self.attempts {
            let is_free = attempt.operation == ChargeOperation::Verify && attempt.quote.total.is_zero();
            self.holds(is_free == is_saved, || {
                format!("{} asks for {:?} over {}", attempt.reference, attempt.operation, attempt.quote.total)
            });
        }
        let paid = self.transaction.settlement.as_ref().and_then(|settlement| settlement.paid);
        let is_right = !is_saved || (paid.is_none() && self.transaction.state != State::Authorized);
        self.holds(is_right, || {
            format!("{paid:?} was paid for a saved card, it is {}", self.transaction.state)
        });
    }

    /// The recorded operations are what the bank did, and never more money than there is.
    fn check_operations(&self) {
        let bank = self.scene.bank.operations();
        let charges = self.scene.bank.charges();
        for child in &self.children {
            let reference = child.reference.as_str();
            let is_held = self.scene.is_held(reference);
            self.holds(!child.stage.is_open() || (is_held && child.inquire_at.is_none()), || {
                format!("{reference} is {} with {:?}", child.stage, self.scene.flags(reference))
            });
            let is_done = child.stage == child::stage::OperationStage::Done;
            let charge = charges.get(child.attempt.as_str());
            let is_unnamed = match child.operation {
                ChildOperation::Void => charge.is_some_and(|charge| charge.is_released.is_some()),
                ChildOperation::Capture | ChildOperation::Refund => {
                    charge.is_some_and(|charge| charge.refunded.is_some())
                }
            };
            if is_unnamed {
                continue;
            }
            let truth = bank.get(reference).copied();
            self.holds(is_done == (truth == Some(operation::OperationStatus::Done)) || is_held, || {
                format!("{reference} is {}, and the bank says {truth:?}", child.stage)
            });
        }
        for attempt in &self.attempts {
            let done = |operation| {
                let is_it = |child: &&Child| {
                    child.operation == operation
                        && child.attempt == attempt.reference
                        && child.stage == child::stage::OperationStage::Done
                };
                self.children.iter().filter(is_it).map(|child| child.amount.minor()).sum::<i64>()
            };
            let (total, reference) = (attempt.quote.total.minor(), attempt.reference.as_str());
            let is_authorized = attempt.operation == ChargeOperation::Authorize;
            let (captured, refunded, voided) =
                (done(ChildOperation::Capture), done(ChildOperation::Refund), done(ChildOperation::Void));
            let taken = if is_authorized { captured } else { total };
            let truth = charges.get(reference).and_then(|charge| charge.refunded);
            let most = refunded.saturating_add(self.undecided(attempt));
            self.holds(truth.is_none_or(|truth| (refunded..=most).contains(&truth)), || {
                format!("{reference}: {refunded} to {most} refunded, and the bank says {truth:?}")
            });
            if let Some(charge) = charges.get(reference) {
                self.check_release(attempt, charge, voided > 0);
            }
            self.holds(captured <= total && refunded <= taken && (voided == 0 || captured == 0), || {
                format!("{reference} of {total}: {captured} captured, {refunded} refunded, {voided} voided")
            });
            let is_flagged = self.scene.flags(reference).iter().any(|flag| flag.ends_with("_success"));
            let is_reversed = self.children.iter().any(|child| child.attempt == attempt.reference);
            self.holds(!is_flagged || total == 0 || is_reversed, || {
                format!("{reference} is flagged, and nothing was opened to give it back")
            });
        }
    }

    /// Where one void does not differ from another: a charge that is voided was released, and one that was released is voided.
    fn check_release(&self, attempt: &Attempt, charge: &Charge, is_voided: bool) {
        let Some(is_released) = charge.is_released else { return };
        let is_open_void = |child: &Child| child.operation == ChildOperation::Void && child.stage.is_open();
        let mut own = self.children.iter().filter(|child| child.attempt == attempt.reference);
        let may_be = is_voided || charge.has_lapsed || own.any(is_open_void);
        self.holds(if is_released { may_be } else { !is_voided }, || {
            format!("{} is voided: {is_voided}, released: {is_released}", attempt.reference)
        });
    }

    /// What may have been given back of an attempt, because nobody knows.
    fn undecided(&self, attempt: &Attempt) -> i64 {
        let is_it = |child: &&Child| child.attempt == attempt.reference && child.stage.is_open();
        self.children.iter().filter(is_it).map(|child| child.amount.minor()).sum()
    }

    /// Nothing waits without a reason.
    fn check_rest(&self) {
        let open: Vec<&Attempt> = self.attempts.iter().filter(|attempt| attempt.stage.is_open()).collect();
        for attempt in &open {
            let reference = attempt.reference.as_str();
            self.holds(self.scene.is_held(reference) && attempt.inquire_at.is_none(), || {
                format!("{reference} is {} with {:?}", attempt.stage, self.scene.flags(reference))
            });
        }
        self.holds(!self.transaction.state.is_payable() || !open.is_empty(), || {
            format!("it is {} after its time", self.transaction.state)
        });
        let numbers: Vec<i64> = self.attempts.iter().map(|attempt| attempt.number).collect();
        let expected: Vec<i64> = (1..).take(numbers.len()).collect();
        self.holds(numbers == expected, || format!("the attempts are numbered {numbers:?}"));
    }

    /// Every result and every unknown outcome is notified once, and every notification says what was true at
    /// that moment.
    fn check_notifications(&self) {
        let mut stages = BTreeMap::new();
        for event in &self.events {
            let Some(AttemptEvent { reference, stage }) = &event.attempt else { continue };
            let before = stages.insert(reference.clone(), *stage);
            let is_news = before != Some(*stage) && !matches!(stage, Stage::Sending | Stage::Redirected);
            let notified = self.deliveries.iter().find(|row| row.message.id.number() == event.number);
            self.holds(!is_news || notified.is_some() == self.order.webhook_url.is_some(), || {
                format!(
                    "{reference} is {stage} since event {}, and notified: {}",
                    event.number,
                    notified.is_some()
                )
            });
            let Some(row) = notified else { continue };
            let body: Value = serde_json::from_str(&row.message.body).unwrap();
            let said = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let said = (said("reference_number"), said("result"), said("state"), said("session_id"));
            let session_id = self.transaction.session_id.to_string();
            let expected =
                (reference.to_string(), stage.result().into(), event.state.to_string(), session_id);
            self.holds(said == expected, || {
                format!("event {} is {expected:?}, notified: {said:?}", event.number)
            });
        }
        self.check_cancellation();
        for row in &self.deliveries {
            let (id, reference) = (&row.message.id, row.message.subject.reference.as_str());
            self.holds(Some(row.message.recipient.address()) == self.order.webhook_url.as_deref(), || {
                format!("{id} goes to {}", row.message.recipient.address())
            });
            let received = self.scene.receivers.received();
            let was_taken = |status: Option<u16>| matches!(status, Some(200 | 201));
            let is_taken = received.iter().any(|one| one.id == id.as_str() && was_taken(one.status));
            let is_given_up = self.scene.flags(reference).contains(&"delivery_given_up");
            let address = row.message.recipient.address();
            let is_shown = match row.state {
                DeliveryState::Delivered => is_taken,
                DeliveryState::GivenUp => is_given_up,
                DeliveryState::Held => self.scene.is_disabled(address),
                DeliveryState::Due => false,
            };
            self.holds(is_shown, || format!("{id} is {:?}, taken: {is_taken}", row.state));
        }
    }
}

impl Case<'_> {
    /// A cancellation is notified once: under the reference of the attempt that was withdrawn for it,
    /// otherwise under one that no attempt has.
    fn check_cancellation(&self) {
        let is_end = |event: &&Event| event.kind == EventKind::Moved(state::Event::Canceled);
        for event in self.events.iter().filter(is_end) {
            let notified = self.deliveries.iter().find(|row| row.message.id.number() == event.number);
            self.holds(notified.is_some() == self.order.webhook_url.is_some(), || {
                format!("event {} canceled it, and notified: {}", event.number, notified.is_some())
            });
            let Some(row) = notified else { continue };
            let body: Value = serde_json::from_str(&row.message.body).unwrap();
            let said = |name: &str| body.get(name).and_then(Value::as_str);
            self.holds((said("result"), said("state")) == (Some("canceled"), Some("canceled")), || {
                format!("event {} canceled it, notified: {body}", event.number)
            });
            let reference = &row.message.subject.reference;
            let withdrawn = event.attempt.as_ref().map(|attempt| &attempt.reference);
            let is_own = self.attempts.iter().all(|attempt| attempt.reference != *reference);
            self.holds(withdrawn.map_or(is_own, |withdrawn| withdrawn == reference), || {
                format!("the cancellation is notified as {reference}, withdrawn: {withdrawn:?}")
            });
        }
    }
}

/// The bank has no charge that the service does not know.
fn check_bank_is_known(scene: &Scene) {
    for (reference, charge) in scene.bank.charges() {
        scene.weather.holds(scene.attempt(&reference).is_some(), || {
            format!("the bank has {reference}, {:?}, and no attempt is stored", charge.status)
        });
    }
}

/// Every notification is sent with the same id, address and bytes each time, and is a stored one.
fn check_receivers(scene: &Scene) {
    let store = &scene.world.inner.store;
    let transactions = store.transactions();
    let stored = transactions.iter().flat_map(|found| store.deliveries(&found.session_id));
    let stored: BTreeMap<String, (String, String)> = stored
        .map(|row| row.message)
        .map(|message| (message.id.to_string(), (message.recipient.address().to_owned(), message.body)))
        .collect();
    for received in scene.receivers.received() {
        let sent = (received.url.clone(), received.body.clone());
        scene.weather.holds(stored.get(&received.id) == Some(&sent), || {
            format!("{} arrived at {} and is not what is stored", received.id, received.url)
        });
    }
}
