//! The simulated bank as a test wants it: it follows its rules, and answers as badly as it is set to.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::gateway::sandbox::ENDPOINT;
use checkout_core::port::{Clock, SendError};
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::{HttpResult, empty, json};
use checkout_core::value::money::{Currency, Money};
use checkout_core::words::ChildOperation;
use sandbox_bank::callback::Callback;
use sandbox_bank::charge::{Charge, ChargeStatus, Means, Opening, PayerAction};
use sandbox_bank::operation::OperationTerms;
use sandbox_bank::reply::Reply;
use sandbox_bank::request::{Account, Command, Request};
use sandbox_bank::wallet::Token;
use serde_json::{Value, json};

use crate::books::{Books, card};

/// How the bank treats requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mood {
    /// It does what it is asked and says so.
    #[default]
    Fine,
    /// It cannot be reached: nothing arrives.
    Down,
    /// It does what it is asked, and the answer gets lost.
    Mute,
    /// It does what it is asked, charges what it has opened, and the answer gets lost.
    ChargesMute,
    /// It does nothing, and does not answer.
    Deaf,
    /// It refuses what it is asked, with a message.
    Refuses,
    /// It answers 500.
    Broken,
}

/// The merchant session that the bank issues, including its spaces.
pub const SESSION: &str = r#"{ "merchantSessionIdentifier":"SSH1",  "nonce":"\u0041" }"#;

/// The bank. Clones are the same bank.
#[derive(Debug, Clone)]
pub struct Bank {
    inner: Rc<Inner>,
}

#[derive(Debug)]
struct Inner {
    clock: ManualClock,
    books: Books,
    openings: RefCell<Vec<String>>,
    bodies: RefCell<Vec<Vec<u8>>>,
    sessions: RefCell<Vec<Value>>,
    lists: RefCell<Vec<String>>,
    /// The amounts that the bank reports of charges, if others than those that were asked for.
    amounts: RefCell<BTreeMap<String, String>>,
    wallet_card: Cell<&'static str>,
    declines_cards: Cell<bool>,
    opening: Cell<Mood>,
    asking: Cell<Mood>,
    operating: Cell<Mood>,
}

impl Bank {
    /// The host that the bank answers for.
    pub const ORIGIN: &'static str = ENDPOINT;

    /// A bank whose time is that of the clock.
    #[must_use]
    pub fn new(clock: &ManualClock) -> Self {
        let inner = Inner {
            clock: clock.clone(),
            books: Books::new(clock),
            openings: RefCell::default(),
            bodies: RefCell::default(),
            sessions: RefCell::default(),
            lists: RefCell::default(),
            amounts: RefCell::default(),
            wallet_card: Cell::new("visa-approve"),
            declines_cards: Cell::default(),
            opening: Cell::default(),
            asking: Cell::default(),
            operating: Cell::default(),
        };
        Self { inner: Rc::new(inner) }
    }

    /// What it has recorded.
    #[must_use]
    pub fn books(&self) -> &Books {
        &self.inner.books
    }

    /// Declines charges of saved cards from now on.
    pub fn decline_cards(&self) {
        self.inner.declines_cards.set(true);
    }

    /// Approves charges of saved cards from now on.
    pub fn approve_cards(&self) {
        self.inner.declines_cards.set(false);
    }

    /// How it treats requests that open a charge from now on.
    pub fn on_opening(&self, mood: Mood) {
        self.inner.opening.set(mood);
    }

    /// How it treats inquiries and withdrawals from now on.
    pub fn on_asking(&self, mood: Mood) {
        self.inner.asking.set(mood);
    }

    /// How it treats captures, refunds and voids from now on.
    pub fn on_operating(&self, mood: Mood) {
        self.inner.operating.set(mood);
    }

    /// The test card with which every wallet pays from now on; `visa-approve` unless set otherwise.
    pub fn on_wallet(&self, card: &'static str) {
        self.inner.wallet_card.set(card);
    }

    /// The bodies of the requests that opened charges, byte for byte.
    #[must_use]
    pub fn bodies(&self) -> Vec<Vec<u8>> {
        self.inner.bodies.borrow().clone()
    }

    /// What was asked of the bank for sheets of Apple Pay.
    #[must_use]
    pub fn sessions(&self) -> Vec<Value> {
        self.inner.sessions.borrow().clone()
    }

    /// The queries with which the bank was asked for its list.
    #[must_use]
    pub fn lists(&self) -> Vec<String> {
        self.inner.lists.borrow().clone()
    }

    /// The references under which the bank was asked to open a charge, repeats included.
    #[must_use]
    pub fn openings(&self) -> Vec<String> {
        self.inner.openings.borrow().clone()
    }

    /// What was asked of the bank under a reference.
    #[must_use]
    pub fn asked(&self, reference: &str) -> Value {
        let openings = self.inner.openings.borrow();
        let place = openings.iter().rposition(|opened| opened == reference).unwrap();
        serde_json::from_slice(self.inner.bodies.borrow().get(place).unwrap()).unwrap()
    }

    /// The statuses of all charges, by reference, as the protocol writes them.
    #[must_use]
    pub fn statuses(&self) -> BTreeMap<String, &'static str> {
        let charges = self.books().charges().into_iter();
        charges.map(|(reference, charge)| (reference, charge.status.wire())).collect()
    }

    /// How many charges were approved: how often a payer paid.
    #[must_use]
    pub fn approved(&self) -> usize {
        self.statuses().values().filter(|status| **status == "approved").count()
    }

    /// The payer pays on the page of a charge.
    pub fn approve(&self, reference: &str) {
        self.act(reference, [PayerAction::Pay(card("visa-approve")), PayerAction::Confirm]);
    }

    /// The bank declines a charge.
    pub fn decline(&self, reference: &str) {
        self.act(reference, [PayerAction::Pay(card("mastercard-decline")), PayerAction::Fail]);
    }

    /// The payer gives up on the page of a charge.
    pub fn give_up(&self, reference: &str) {
        self.act(reference, [PayerAction::Cancel; 2]);
    }

    /// One of these actions, depending on what the page waits for.
    fn act(&self, reference: &str, actions: [PayerAction; 2]) {
        let done = actions.into_iter().find_map(|action| self.books().act(reference, action));
        assert!(done.is_some(), "{reference} has ended");
    }

    /// The bank takes another amount than it was asked for.
    pub fn approve_another_amount(&self, reference: &str, amount: &str) {
        self.change_amount(reference, amount);
        self.approve(reference);
    }

    /// The bank took another amount than it said.
    pub fn change_amount(&self, reference: &str, amount: &str) {
        self.inner.amounts.borrow_mut().insert(reference.into(), amount.into());
    }

    /// The bank finds out that a charge that it called ended did take the money.
    pub fn approve_after_all(&self, reference: &str) {
        self.correct(reference, ChargeStatus::Approved);
    }

    /// The bank finds out that it did not take the money of a charge that it called approved.
    pub fn decline_after_all(&self, reference: &str) {
        self.correct(reference, ChargeStatus::Declined);
    }

    /// The bank calls a charge canceled from now on.
    pub fn call_canceled(&self, reference: &str) {
        self.correct(reference, ChargeStatus::Canceled);
    }

    fn correct(&self, reference: &str, status: ChargeStatus) {
        let charge = self.books().find(reference).unwrap();
        let card = charge.card.or(Some(card("visa-approve")));
        self.books().insert(Charge { status, card, ended_at: Some(self.inner.clock.now()), ..charge });
    }

    /// The bank does not know a charge any more.
    pub fn lose(&self, reference: &str) {
        self.books().delete(reference);
    }

    /// Leaves a charge out of the list from now on.
    pub fn leave_out(&self, reference: &str) {
        self.books().leave_out(reference);
    }

    /// Someone charges at the same account, without asking Till: the charge has this `reference`, the order
    /// of another charge, and this status.
    pub fn charge_elsewhere(&self, reference: &str, like: &str, status: &str) {
        let status = ChargeStatus::parse(status).unwrap();
        let like = self.books().find(like).unwrap();
        self.books().insert_like(reference, Charge { status, ..like });
    }

    /// The merchant refunds at the bank's own desk, without asking Till.
    pub fn refund_at_the_desk(&self, reference: &str, charge: &str, amount: &str) {
        let account = self.books().find(charge).unwrap().account;
        let terms = OperationTerms {
            reference: reference.into(),
            operation: ChildOperation::Refund,
            amount: Money::parse(amount, Currency::parse("KWD").unwrap()).unwrap(),
            callback_url: String::new(),
        };
        let command = Command::Operate { charge: charge.into(), terms };
        let request = Request { account: Account { id: account, queues_refunds: false }, command };
        let Reply::Answer(answer) = self.books().perform(&request) else { panic!("{reference}") };
        assert_eq!(answer.status, 201);
    }

    /// What the bank sends to the callback address of a charge, signed.
    #[must_use]
    pub fn callback(&self, reference: &str) -> Incoming {
        let callback = self.books().callback(reference).unwrap();
        self.signed(reference, self.misstated(callback.body))
    }

    /// A callback with this body, signed as those about a charge are.
    #[must_use]
    pub fn signed(&self, charge: &str, body: Vec<u8>) -> Incoming {
        let account = self.books().find(charge).unwrap().account;
        received(Callback::signed(&account, String::new(), body))
    }

    /// Answers a request.
    ///
    /// # Errors
    /// If it is set to fail.
    pub fn answer(&self, request: &Outgoing) -> HttpResult {
        let asked = match self.books().bank().read(request) {
            Ok(asked) => asked,
            Err(reply) => return self.said(reply),
        };
        let (mood, status, message) = match &asked.command {
            Command::Open(_) => (self.inner.opening.get(), 400, "the account is closed"),
            Command::Operate { .. } => (self.inner.operating.get(), 422, "the issuer refused"),
            Command::StartSession(_) => (self.inner.asking.get(), 417, "the domain is not registered"),
            Command::Inquire { .. }
            | Command::Cancel { .. }
            | Command::InquireOperation { .. }
            | Command::List(_)
            | Command::Offer(_) => (self.inner.asking.get(), 400, "not understood"),
        };
        self.record(&asked, request, mood);
        match mood {
            Mood::Fine => self.perform(asked),
            Mood::Mute | Mood::ChargesMute => {
                let _ = self.perform(asked.clone());
                if let (Command::Open(Opening { terms, .. }), Mood::ChargesMute) = (asked.command, mood) {
                    let _ = self.books().act(&terms.reference, PayerAction::Pay(card("visa-approve")));
                }
                Err(SendError::Unknown)
            }
            Mood::Deaf => Err(SendError::Unknown),
            Mood::Down => Err(SendError::NotSent),
            Mood::Refuses => Ok(json(status, &json!({ "message": message }).to_string())),
            Mood::Broken => Ok(empty(500)),
        }
    }

    fn record(&self, asked: &Request, request: &Outgoing, mood: Mood) {
        match &asked.command {
            Command::Open(opening) if mood != Mood::Down => {
                self.inner.openings.borrow_mut().push(opening.terms.reference.clone());
                self.inner.bodies.borrow_mut().push(request.body.clone());
            }
            Command::List(_) => {
                let (_, query) = request.url.split_once('?').unwrap();
                self.inner.lists.borrow_mut().push(query.into());
            }
            Command::StartSession(_) => {
                self.inner.sessions.borrow_mut().push(serde_json::from_slice(&request.body).unwrap());
            }
            Command::Open(_)
            | Command::Inquire { .. }
            | Command::Cancel { .. }
            | Command::Operate { .. }
            | Command::InquireOperation { .. }
            | Command::Offer(_) => {}
        }
    }

    fn perform(&self, mut asked: Request) -> HttpResult {
        match &mut asked.command {
            Command::StartSession(_) => return Ok(json(200, SESSION)),
            Command::Open(opening) => {
                let reference = &opening.terms.reference;
                assert!(self.books().find(reference).is_none(), "{reference} is opened twice");
                match &mut opening.means {
                    Means::Wallet(token) => *token = Token::Card(card(self.inner.wallet_card.get())),
                    Means::SavedCard { card: saved, .. } if self.inner.declines_cards.get() => {
                        *saved = card("mastercard-decline");
                    }
                    Means::SavedCard { .. } | Means::Page => {}
                }
            }
            Command::Inquire { .. }
            | Command::Cancel { .. }
            | Command::Operate { .. }
            | Command::InquireOperation { .. }
            | Command::List(_)
            | Command::Offer(_) => {}
        }
        self.said(self.books().perform(&asked))
    }

    fn said(&self, reply: Reply) -> HttpResult {
        match reply {
            Reply::Answer(answer) => Ok(Incoming { body: self.misstated(answer.body), ..answer }),
            Reply::Late(_) | Reply::Silence => Err(SendError::Unknown),
        }
    }

    /// A report with the amounts that the bank is set to report.
    fn misstated(&self, body: Vec<u8>) -> Vec<u8> {
        let amounts = self.inner.amounts.borrow();
        if amounts.is_empty() {
            return body;
        }
        let mut report: Value = serde_json::from_slice(&body).unwrap();
        let misstate = |charge: &mut Value| {
            let reference = charge.get("reference").and_then(Value::as_str).unwrap_or_default();
            if let Some(amount) = amounts.get(reference) {
                *charge.get_mut("amount").unwrap() = json!(amount);
            }
        };
        match report.get_mut("charges").and_then(Value::as_array_mut) {
            Some(charges) => charges.iter_mut().for_each(misstate),
            None => misstate(&mut report),
        }
        report.to_string().into_bytes()
    }
}

/// A callback as it arrives.
#[must_use]
pub fn received(callback: Callback) -> Incoming {
    let headers = callback.headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Incoming { query: String::new(), status: 0, headers, body: callback.body }
}
