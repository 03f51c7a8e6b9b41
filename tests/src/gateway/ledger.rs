//! The truth of a simulated gateway: its charges and what was done to them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::port::Clock;
use checkout_core::testing::clock::ManualClock;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::Value;

use super::number;

/// A charge.
#[derive(Debug, Clone)]
pub struct Charge {
    /// The number from which the gateway makes its ids.
    pub number: u32,
    /// The merchant's reference.
    pub reference: String,
    /// What the gateway was asked to take.
    pub asked: Money,
    /// Whether it takes, holds, or only confirms the card.
    pub operation: ChargeOperation,
    /// Where the charge is.
    pub status: ChargeStatus,
    /// What was taken or held, in minor units.
    pub taken: i64,
    /// How often the payer tried in vain.
    pub tries: u32,
    /// Whether the payer pays on a page.
    pub is_page: bool,
    /// Whether the card is saved with the payment.
    pub saves_card: bool,
    /// The saved card that was asked for: its token as the merchant stores it, who charges, and the agreement.
    pub card: Value,
    /// What the protocol remembers besides.
    pub memo: Value,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When its page closes.
    pub closes_at: Option<Timestamp>,
    /// When the bank decides, if the payer is done and it is not.
    pub due_at: Option<Timestamp>,
    /// When what is held ends by itself.
    pub lapses_at: Option<Timestamp>,
    /// Whether it did.
    pub has_lapsed: bool,
    /// When it ended, or last changed after that.
    pub ended_at: Option<Timestamp>,
}

impl Charge {
    /// A text that the protocol remembers.
    #[must_use]
    pub fn memo(&self, name: &str) -> &str {
        self.memo.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether the money is held first.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.operation == ChargeOperation::Authorize
    }
}

/// What a charge is opened with.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The merchant's reference.
    pub reference: String,
    /// What is to be taken.
    pub asked: Money,
    /// Whether it is taken, held, or only the card confirmed.
    pub operation: ChargeOperation,
    /// For how long the page waits; `None` if there is no page.
    pub page: Option<Duration>,
    /// Whether the card is saved.
    pub saves_card: bool,
    /// The saved card that is charged.
    pub card: Value,
    /// What the protocol remembers.
    pub memo: Value,
}

/// A capture, a refund or a void.
#[derive(Debug, Clone)]
pub struct Move {
    /// The number from which the gateway makes its id.
    pub number: u32,
    /// The merchant's reference.
    pub reference: String,
    /// The reference of the charge.
    pub charge: String,
    /// What it does.
    pub kind: ChildOperation,
    /// How much, in minor units.
    pub amount: i64,
    /// Where it is.
    pub status: operation::OperationStatus,
    /// When it was requested.
    pub made_at: Timestamp,
    /// When it is done, if it is queued.
    pub due_at: Option<Timestamp>,
}

/// The charges and operations of an account.
#[derive(Debug)]
pub struct Ledger {
    clock: ManualClock,
    charges: RefCell<BTreeMap<String, Charge>>,
    moves: RefCell<BTreeMap<String, Move>>,
    numbers: Cell<u32>,
    hidden_for: Cell<Duration>,
    held_for: Cell<Option<Duration>>,
    problems: RefCell<Vec<String>>,
    fresh: RefCell<Vec<String>>,
    /// Cards that were saved, by what the merchant charges them with, and their customers.
    pub cards: RefCell<BTreeMap<String, String>>,
    /// What was answered to requests that may be repeated: the request and the answer, by key.
    pub answers: RefCell<BTreeMap<String, (Vec<u8>, checkout_core::gateway::exchange::Incoming)>>,
}

impl Ledger {
    /// The empty ledger of the account with this name; the time is that of the clock. No two accounts have the same numbers,
    /// because a page is found by its address alone.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self {
            clock: clock.clone(),
            charges: RefCell::default(),
            moves: RefCell::default(),
            numbers: Cell::new(number(name).saturating_mul(100_000)),
            hidden_for: Cell::default(),
            held_for: Cell::default(),
            problems: RefCell::default(),
            fresh: RefCell::default(),
            cards: RefCell::default(),
            answers: RefCell::default(),
        }
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A number that was not used before.
    pub fn next(&self) -> u32 {
        self.numbers.set(self.numbers.get().checked_add(1).unwrap());
        self.numbers.get()
    }

    /// Notes a request that a gateway must never get.
    pub fn protest(&self, problem: String) {
        self.problems.borrow_mut().push(problem);
    }

    /// What was noted since the last call.
    #[must_use]
    pub fn take_problems(&self) -> Vec<String> {
        self.problems.take()
    }

    /// The references of the charges that were opened since the last call.
    #[must_use]
    pub fn take_fresh(&self) -> Vec<String> {
        self.fresh.take()
    }

    /// Inquiries do not find charges that are younger than this.
    pub fn hide(&self, age: Duration) {
        self.hidden_for.set(age);
    }

    /// What is held from now on ends by itself after this time.
    pub fn hold_for(&self, time: Duration) {
        self.held_for.set(Some(time));
    }

    /// Opens a charge. A second one of a reference is noted as a problem: its payer might pay twice.
    pub fn open(&self, opening: Opening) -> Charge {
        let (now, reference) = (self.now(), opening.reference.clone());
        let charge = Charge {
            number: self.next(),
            reference: opening.reference,
            asked: opening.asked,
            operation: opening.operation,
            status: ChargeStatus::Open,
            taken: 0,
            tries: 0,
            is_page: opening.page.is_some(),
            saves_card: opening.saves_card,
            card: opening.card,
            memo: opening.memo,
            opened_at: now,
            closes_at: opening.page.map(|page| now.plus(page)),
            due_at: None,
            lapses_at: None,
            has_lapsed: false,
            ended_at: None,
        };
        if self.charges.borrow_mut().insert(reference.clone(), charge.clone()).is_some() {
            self.protest(format!("{reference} is opened twice"));
        }
        self.fresh.borrow_mut().push(reference);
        charge
    }

    /// A charge by its reference.
    #[must_use]
    pub fn find(&self, reference: &str) -> Option<Charge> {
        self.charges.borrow().get(reference).cloned()
    }

    /// A charge by a test of its members.
    pub fn find_by(&self, is_it: impl Fn(&Charge) -> bool) -> Option<Charge> {
        self.charges.borrow().values().find(|charge| is_it(charge)).cloned()
    }

    /// A charge as an inquiry by the merchant's reference sees it.
    #[must_use]
    pub fn seen(&self, reference: &str) -> Option<Charge> {
        self.find(reference).filter(|charge| self.is_seen(charge))
    }

    /// Whether inquiries find a charge.
    #[must_use]
    pub fn is_seen(&self, charge: &Charge) -> bool {
        let hidden_for = self.hidden_for.get();
        hidden_for.is_zero() || self.now().since(charge.opened_at) > hidden_for
    }

    /// All charges, by reference.
    #[must_use]
    pub fn charges(&self) -> BTreeMap<String, Charge> {
        self.charges.borrow().clone()
    }

    /// All operations, by reference.
    #[must_use]
    pub fn moves(&self) -> BTreeMap<String, Move> {
        self.moves.borrow().clone()
    }

    /// Changes a charge; the charge afterwards.
    pub fn change(&self, reference: &str, change: impl FnOnce(&mut Charge)) -> Option<Charge> {
        let mut charges = self.charges.borrow_mut();
        let known = charges.get_mut(reference)?;
        change(known);
        Some(known.clone())
    }

    /// Ends a charge, or lets the bank work on it; what is approved takes `taken`, or what was asked for.
    pub fn end(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) -> Option<Charge> {
        let now = self.now();
        self.change(reference, |charge| {
            charge.status = end;
            charge.taken = match end {
                ChargeStatus::Approved => taken.unwrap_or(charge.asked.minor()),
                ChargeStatus::Open
                | ChargeStatus::Challenged
                | ChargeStatus::Processing
                | ChargeStatus::Declined
                | ChargeStatus::Canceled => 0,
            };
            let held_for = self.held_for.get().filter(|_| end == ChargeStatus::Approved && charge.is_held());
            charge.lapses_at = held_for.map(|time| now.plus(time));
            charge.ended_at = (!matches!(end, ChargeStatus::Processing | ChargeStatus::Open)).then_some(now);
            if end != ChargeStatus::Processing {
                charge.due_at = None;
            }
        })
    }

    /// What was done to a charge, in one kind.
    #[must_use]
    pub fn sum(&self, charge: &str, kind: ChildOperation) -> i64 {
        let moves = self.moves.borrow();
        let counted = moves.values().filter(|one| {
            one.charge == charge && one.kind == kind && one.status != operation::OperationStatus::Refused
        });
        counted.map(|one| one.amount).sum()
    }

    /// What can still be done to a charge in one kind.
    #[must_use]
    pub fn left(&self, charge: &Charge, kind: ChildOperation) -> i64 {
        if charge.status != ChargeStatus::Approved {
            return 0;
        }
        let sum = |kind| self.sum(&charge.reference, kind);
        let (captured, refunded, voided) =
            (sum(ChildOperation::Capture), sum(ChildOperation::Refund), sum(ChildOperation::Void));
        let left = match (kind, charge.is_held()) {
            (ChildOperation::Capture, true) => charge.taken.checked_sub(captured),
            (ChildOperation::Void, true) if captured == 0 => Some(charge.taken),
            (ChildOperation::Capture | ChildOperation::Void, _) => Some(0),
            (ChildOperation::Refund, true) => captured.checked_sub(refunded),
            (ChildOperation::Refund, false) => charge.taken.checked_sub(refunded),
        };
        if voided > 0 { 0 } else { left.unwrap() }
    }

    /// Does something to a charge; `None` if more is asked for than is left. A second operation of a reference is
    /// noted as a problem: it might move money twice.
    pub fn operate(
        &self,
        kind: ChildOperation,
        charge: &Charge,
        reference: &str,
        amount: i64,
    ) -> Option<Move> {
        if amount <= 0 || amount > self.left(charge, kind) {
            return None;
        }
        let done = Move {
            number: self.next(),
            reference: reference.to_owned(),
            charge: charge.reference.clone(),
            kind,
            amount,
            status: operation::OperationStatus::Done,
            made_at: self.now(),
            due_at: None,
        };
        if self.moves.borrow_mut().insert(reference.to_owned(), done.clone()).is_some() {
            self.protest(format!("{reference} is done twice"));
        }
        Some(done)
    }

    /// Changes an operation; the operation afterwards.
    pub fn change_move(&self, reference: &str, change: impl FnOnce(&mut Move)) -> Option<Move> {
        let mut moves = self.moves.borrow_mut();
        let known = moves.get_mut(reference)?;
        change(known);
        Some(known.clone())
    }

    /// When something happens by itself.
    #[must_use]
    pub fn next_event(&self) -> Option<Timestamp> {
        let charges = self.charges.borrow();
        let of_charges = charges.values().filter_map(|charge| match charge.status {
            ChargeStatus::Open | ChargeStatus::Challenged => charge.closes_at,
            ChargeStatus::Processing => charge.due_at,
            ChargeStatus::Approved => charge.lapses_at,
            ChargeStatus::Declined | ChargeStatus::Canceled => None,
        });
        let moves = self.moves.borrow();
        of_charges.chain(moves.values().filter_map(|one| one.due_at)).min()
    }
}

/// The currency of a code in either case.
#[must_use]
pub fn currency(code: &str) -> Option<Currency> {
    Currency::parse(&code.to_ascii_uppercase())
}

#[cfg(test)]
mod tests;
