//! The records of the simulated bank in memory. What it decides is in `sandbox-bank`.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use checkout_core::port::Clock;
use checkout_core::testing::clock::ManualClock;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::Bank;
use sandbox_bank::bank::{Records, Write};
use sandbox_bank::callback::Callback;
use sandbox_bank::card::TestCard;
use sandbox_bank::charge::{Changed, Charge, PayerAction};
use sandbox_bank::listing::{Listed, Query};
use sandbox_bank::operation::{Operation, done};
use sandbox_bank::reply::Reply;
use sandbox_bank::request::{Needed, Request};

/// The origin of every world of the tests.
pub const PUBLIC_URL: &str = "https://pay.example.com";
/// A short page, so that a few charges have several.
const PAGE: usize = 3;

/// What a bank has recorded.
#[derive(Debug)]
pub struct Books {
    clock: ManualClock,
    charges: RefCell<BTreeMap<String, Charge>>,
    operations: RefCell<BTreeMap<String, Operation>>,
    unlisted: RefCell<BTreeSet<String>>,
    ids: Cell<u128>,
}

/// A listed test card.
///
/// # Panics
/// If there is none of this id.
#[must_use]
pub fn card(id: &str) -> &'static TestCard {
    TestCard::find(id).unwrap()
}

impl Books {
    /// Empty books; the time is that of the clock.
    #[must_use]
    pub fn new(clock: &ManualClock) -> Self {
        Self {
            clock: clock.clone(),
            charges: RefCell::default(),
            operations: RefCell::default(),
            unlisted: RefCell::default(),
            ids: Cell::default(),
        }
    }

    /// The bank at this moment.
    #[must_use]
    pub fn bank(&self) -> Bank<'static> {
        Bank { public_url: PUBLIC_URL, now: self.now(), page_size: PAGE }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Does what a request asks for.
    pub fn perform(&self, request: &Request) -> Reply {
        let step = self.bank().answer(request, &self.look_up(request), &self.next_id());
        match step.write {
            Some(Write::Open(charge) | Write::Change { after: charge, .. }) => self.insert(*charge),
            Some(Write::Operate { operation, .. }) => {
                self.operations.borrow_mut().insert(operation.terms.reference.clone(), *operation);
            }
            None => {}
        }
        step.reply
    }

    fn next_id(&self) -> [u8; 16] {
        self.ids.set(self.ids.get().checked_add(1).unwrap());
        self.ids.get().to_be_bytes()
    }

    fn look_up(&self, request: &Request) -> Records {
        let account = &request.account.id;
        let charge = |reference: &str| self.find(reference).filter(|charge| charge.account == *account);
        let operation = |reference: &str| {
            self.operations.borrow().get(reference).filter(|one| one.account == *account).cloned()
        };
        match request.wanted() {
            Needed::Nothing => Records::default(),
            Needed::Charge(reference) => Records { charge: charge(reference), ..Records::default() },
            Needed::Operation(reference) => Records { operation: operation(reference), ..Records::default() },
            Needed::Both { charge: reference, operation: named } => Records {
                charge: charge(reference),
                operations: self.done_to(reference),
                operation: operation(named),
                listed: Vec::new(),
            },
            Needed::Page(query) => Records { listed: self.list(account, query), ..Records::default() },
        }
    }

    fn list(&self, account: &str, query: &Query) -> Vec<Listed> {
        let unlisted = self.unlisted.borrow();
        let all = self.charges();
        let is_listed =
            |charge: &Charge| charge.account == account && !unlisted.contains(&charge.terms.reference);
        let of_account = all.into_values().filter(is_listed);
        let listed = of_account
            .map(|charge| Listed { operations: self.done_to(&charge.terms.reference), charge })
            .filter(|listed| query.covers(listed));
        let mut listed: Vec<Listed> = listed.collect();
        listed.sort_by_key(|one| (one.changed_at(), one.charge.id.clone()));
        listed.truncate(PAGE.checked_add(1).unwrap());
        listed
    }

    /// All charges, by reference.
    #[must_use]
    pub fn charges(&self) -> BTreeMap<String, Charge> {
        self.charges.borrow().clone()
    }

    /// The charge of a reference.
    #[must_use]
    pub fn find(&self, reference: &str) -> Option<Charge> {
        self.charges.borrow().get(reference).cloned()
    }

    /// Adds a charge, or replaces the one of its reference.
    pub fn insert(&self, charge: Charge) {
        self.charges.borrow_mut().insert(charge.terms.reference.clone(), charge);
    }

    /// Adds a charge like another one under a reference, as if the bank had opened it by itself.
    pub fn insert_like(&self, reference: &str, like: Charge) {
        let id = format!("ch_{}", self.ids.get());
        self.ids.set(self.ids.get().checked_add(1).unwrap());
        let terms = sandbox_bank::charge::ChargeTerms { reference: reference.into(), ..like.terms };
        self.insert(Charge { id, terms, ..like });
    }

    /// Deletes a charge; the bank does not know it any more.
    pub fn delete(&self, reference: &str) {
        self.charges.borrow_mut().remove(reference).unwrap();
    }

    /// Leaves a charge out of the list from now on.
    pub fn leave_out(&self, reference: &str) {
        self.unlisted.borrow_mut().insert(reference.into());
    }

    /// The payer does something on the page of a charge, and the bank calls back; `None` if the page does not
    /// offer it any more.
    pub fn act(&self, reference: &str, action: PayerAction) -> Option<Vec<Callback>> {
        let Changed { charge, callbacks } = self.find(reference)?.act(action, self.now())?;
        let callback = charge.callback(PUBLIC_URL);
        self.insert(charge);
        Some(vec![callback; callbacks])
    }

    /// What the bank calls back about a charge as it is now.
    #[must_use]
    pub fn callback(&self, reference: &str) -> Option<Callback> {
        Some(self.find(reference)?.callback(PUBLIC_URL))
    }

    /// All operations, by reference.
    #[must_use]
    pub fn operations(&self) -> BTreeMap<String, Operation> {
        self.operations.borrow().clone()
    }

    /// Deletes every operation: the bank did nothing of what it said.
    pub fn delete_operations(&self) {
        self.operations.borrow_mut().clear();
    }

    /// How much of a kind was done to a charge.
    #[must_use]
    pub fn done(&self, charge: &str, kind: ChildOperation) -> Money {
        done(&self.find(charge).unwrap(), &self.done_to(charge), kind)
    }

    fn done_to(&self, charge: &str) -> Vec<Operation> {
        self.operations.borrow().values().filter(|one| one.charge == charge).cloned().collect()
    }

    /// When the bank next finishes something that it has delayed.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        let charges = self.charges.borrow();
        let operations = self.operations.borrow();
        let of_charges = charges.values().filter_map(|charge| charge.due_at);
        of_charges.chain(operations.values().filter_map(|operation| operation.due_at)).min()
    }

    /// The bank finishes the operations that it has delayed, and calls back.
    pub fn finish_operations(&self) -> Vec<Callback> {
        let now = self.now();
        let finished: Vec<Operation> =
            self.operations.borrow().values().filter_map(|operation| operation.finish(now)).collect();
        let callbacks = finished.iter().map(Operation::callback).collect();
        for operation in finished {
            self.operations.borrow_mut().insert(operation.terms.reference.clone(), operation);
        }
        callbacks
    }
}
