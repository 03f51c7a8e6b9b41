//! A bank that follows the sandbox protocol (`docs/sandbox.md`): it charges at most once per reference, and
//! answers as badly as a test wants.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use checkout_core::gateway::exchange::{Incoming, Method, Outgoing};
use checkout_core::gateway::sandbox::{SIGNATURE_HEADER, callback_key, callback_signature};
use checkout_core::port::SendError;
use checkout_core::testing::http::{Answer, empty, json};
use serde_json::{Value, json};

use crate::desk::{Desk, Taken};

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
#[derive(Debug, Clone, Default)]
pub struct Bank {
    inner: Rc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    charges: RefCell<BTreeMap<String, Charge>>,
    openings: RefCell<Vec<String>>,
    bodies: RefCell<Vec<Vec<u8>>>,
    sessions: RefCell<Vec<Value>>,
    wallets: Cell<Option<&'static str>>,
    declines_cards: Cell<bool>,
    opening: Cell<Mood>,
    asking: Cell<Mood>,
    operating: Cell<Mood>,
    lists: RefCell<Vec<String>>,
    unlisted: RefCell<BTreeSet<String>>,
    desk: Desk,
}

#[derive(Debug, Clone)]
struct Charge {
    order: Value,
    api_key: String,
    status: &'static str,
    amount: Option<String>,
}

impl Bank {
    /// The host that the bank answers for.
    pub const ORIGIN: &'static str = "https://bank.sandbox.invalid";

    /// Declines charges of saved cards from now on.
    pub fn decline_cards(&self) {
        self.inner.declines_cards.set(true);
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

    /// Its desk for captures, refunds and voids.
    #[must_use]
    pub fn desk(&self) -> &Desk {
        &self.inner.desk
    }

    /// The outcome of charges by wallet from now on: a status, `approved` unless set otherwise.
    pub fn on_wallet(&self, status: &'static str) {
        self.inner.wallets.set(Some(status));
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

    /// The bank finds out that it did not take the money of a charge that it called approved.
    pub fn decline_after_all(&self, reference: &str) {
        self.inner.charges.borrow_mut().get_mut(reference).unwrap().status = "declined";
    }

    /// The bank took another amount than it said.
    pub fn change_amount(&self, reference: &str, amount: &str) {
        self.inner.charges.borrow_mut().get_mut(reference).unwrap().amount = Some(amount.into());
    }

    /// The merchant refunds at the bank's own desk, without asking Till.
    pub fn refund_at_the_desk(&self, reference: &str, charge: &str, amount: &str) {
        let taken = self.inner.charges.borrow().get(charge).map(Charge::taken);
        let order =
            json!({"reference": reference, "operation": "refund", "amount": amount, "currency": "KWD"});
        assert_eq!(self.inner.desk.operate(charge, taken, &order).status, 201);
    }

    /// The queries with which the bank was asked for its list.
    #[must_use]
    pub fn lists(&self) -> Vec<String> {
        self.inner.lists.borrow().clone()
    }

    /// Leaves a charge out of the list from now on.
    pub fn leave_out(&self, reference: &str) {
        self.inner.unlisted.borrow_mut().insert(reference.into());
    }

    /// Deletes a charge, as if it had never been.
    pub fn forget(&self, reference: &str) {
        self.inner.charges.borrow_mut().remove(reference).unwrap();
    }

    /// Someone charges at the same account, without asking Till: the charge has this `reference`, the order
    /// of another charge, and this status.
    pub fn charge_elsewhere(&self, reference: &str, like: &str, status: &'static str) {
        let mut charges = self.inner.charges.borrow_mut();
        let charge = Charge { status, ..charges.get(like).unwrap().clone() };
        charges.insert(reference.into(), charge);
    }

    /// The payer pays on the page of a charge.
    pub fn approve(&self, reference: &str) {
        self.end(reference, "approved");
    }

    /// The bank finds out that a charge that it called ended did take the money.
    pub fn approve_after_all(&self, reference: &str) {
        self.inner.charges.borrow_mut().get_mut(reference).unwrap().status = "approved";
    }

    /// The bank declines a charge.
    pub fn decline(&self, reference: &str) {
        self.end(reference, "declined");
    }

    /// The payer gives up on the page of a charge.
    pub fn give_up(&self, reference: &str) {
        self.end(reference, "canceled");
    }

    /// The bank takes another amount than it was asked for.
    pub fn approve_another_amount(&self, reference: &str, amount: &str) {
        self.inner.charges.borrow_mut().get_mut(reference).unwrap().amount = Some(amount.into());
        self.end(reference, "approved");
    }

    /// The statuses of all charges, by reference.
    #[must_use]
    pub fn statuses(&self) -> BTreeMap<String, &'static str> {
        self.inner
            .charges
            .borrow()
            .iter()
            .map(|(reference, charge)| (reference.clone(), charge.status))
            .collect()
    }

    /// How many charges were approved: how often a payer paid.
    #[must_use]
    pub fn approved(&self) -> usize {
        self.statuses().values().filter(|status| **status == "approved").count()
    }

    /// The references under which the bank was asked to open a charge, repeats included.
    #[must_use]
    pub fn openings(&self) -> Vec<String> {
        self.inner.openings.borrow().clone()
    }

    /// What was asked of the bank under a reference.
    #[must_use]
    pub fn asked(&self, reference: &str) -> Value {
        self.inner.charges.borrow().get(reference).unwrap().order.clone()
    }

    /// What the bank sends to the callback address of a charge, signed.
    #[must_use]
    pub fn callback(&self, reference: &str) -> Incoming {
        let charges = self.inner.charges.borrow();
        let charge = charges.get(reference).unwrap();
        let body = charge.document(reference).to_string().into_bytes();
        drop(charges);
        self.signed(reference, body)
    }

    /// A callback with this body, signed as those about a charge are.
    #[must_use]
    pub fn signed(&self, charge: &str, body: Vec<u8>) -> Incoming {
        let charges = self.inner.charges.borrow();
        let key = callback_key(&charges.get(charge).unwrap().api_key);
        let signature = callback_signature(&key, &body);
        Incoming { status: 0, headers: vec![(SIGNATURE_HEADER.into(), signature)], body }
    }

    /// Answers a request.
    ///
    /// # Errors
    /// If it is set to fail.
    pub fn answer(&self, request: &Outgoing) -> Answer {
        let path = request.url.strip_prefix(Self::ORIGIN).unwrap();
        if path == "/v1/wallets/apple-pay/session" {
            return self.start_session(request);
        }
        let rest = path.strip_prefix("/v1/charges").unwrap().trim_start_matches('/');
        if rest.is_empty() {
            return self.open(request);
        }
        if let Some(query) = rest.strip_prefix('?') {
            return self.list(query, &api_key(request));
        }
        if let Some((charge, reference)) = rest.split_once("/operations") {
            return self.operate(charge, reference.trim_start_matches('/'), request);
        }
        let (reference, is_cancel) =
            rest.strip_suffix("/cancel").map_or((rest, false), |reference| (reference, true));
        assert_eq!(request.method, if is_cancel { Method::Post } else { Method::Get });
        match self.inner.asking.get() {
            Mood::Fine => Ok(self.report(reference, is_cancel)),
            Mood::Mute | Mood::ChargesMute => {
                let _ = self.report(reference, is_cancel);
                Err(SendError::Unknown)
            }
            Mood::Deaf => Err(SendError::Unknown),
            Mood::Down => Err(SendError::NotSent),
            Mood::Refuses => Ok(json(400, r#"{"message":"not understood"}"#)),
            Mood::Broken => Ok(empty(500)),
        }
    }

    fn start_session(&self, request: &Outgoing) -> Answer {
        self.inner.sessions.borrow_mut().push(serde_json::from_slice(&request.body).unwrap());
        match self.inner.asking.get() {
            Mood::Fine => Ok(json(200, SESSION)),
            Mood::Down => Err(SendError::NotSent),
            Mood::Mute | Mood::ChargesMute | Mood::Deaf => Err(SendError::Unknown),
            Mood::Refuses => Ok(json(417, r#"{"message":"the domain is not registered"}"#)),
            Mood::Broken => Ok(empty(500)),
        }
    }

    fn operate(&self, charge: &str, reference: &str, request: &Outgoing) -> Answer {
        let lost = Err(SendError::Unknown);
        if request.method == Method::Get {
            return match self.inner.asking.get() {
                Mood::Fine => Ok(self.inner.desk.report(reference)),
                Mood::Down => Err(SendError::NotSent),
                Mood::Mute | Mood::ChargesMute | Mood::Deaf => lost,
                Mood::Refuses => Ok(json(400, r#"{"message":"not understood"}"#)),
                Mood::Broken => Ok(empty(500)),
            };
        }
        let perform = || {
            let order: Value = serde_json::from_slice(&request.body).unwrap();
            let charges = self.inner.charges.borrow();
            let taken = charges.get(charge).filter(|charge| charge.status == "approved").map(Charge::taken);
            self.inner.desk.operate(charge, taken, &order)
        };
        match self.inner.operating.get() {
            Mood::Fine => Ok(perform()),
            Mood::Down => Err(SendError::NotSent),
            Mood::Deaf => lost,
            Mood::Mute | Mood::ChargesMute => {
                perform();
                lost
            }
            Mood::Refuses => Ok(json(422, r#"{"message":"the issuer refused"}"#)),
            Mood::Broken => Ok(empty(500)),
        }
    }

    /// Every charge of an account, whatever the period, with what the desk did to it; three per page.
    fn list(&self, query: &str, api_key: &str) -> Answer {
        const PAGE: usize = 3;
        self.inner.lists.borrow_mut().push(query.into());
        match self.inner.asking.get() {
            Mood::Fine => {}
            Mood::Down => return Err(SendError::NotSent),
            Mood::Mute | Mood::ChargesMute | Mood::Deaf => return Err(SendError::Unknown),
            Mood::Refuses => return Ok(json(400, r#"{"message":"not understood"}"#)),
            Mood::Broken => return Ok(empty(500)),
        }
        let cursor = query.split('&').find_map(|pair| pair.strip_prefix("cursor="));
        let start = cursor.map_or(0, |cursor| cursor.parse::<usize>().unwrap());
        let charges = self.inner.charges.borrow();
        let unlisted = self.inner.unlisted.borrow();
        let is_listed = |(reference, charge): &(&String, &Charge)| {
            charge.api_key == api_key && !unlisted.contains(*reference)
        };
        let listed: Vec<_> = charges.iter().filter(is_listed).collect();
        let end = start.checked_add(PAGE).unwrap();
        let document = |(reference, charge): &(&String, &Charge)| {
            let mut document = charge.document(reference);
            let sums = document.as_object_mut().unwrap();
            for (name, operation) in [("captured", "capture"), ("refunded", "refund"), ("voided", "void")] {
                sums.insert(name.into(), json!(self.inner.desk.sum(reference, operation).to_string()));
            }
            document
        };
        let page: Vec<Value> = listed.iter().skip(start).take(PAGE).map(document).collect();
        let next = (end < listed.len()).then(|| end.to_string());
        Ok(json(200, &json!({"charges": page, "next": next}).to_string()))
    }

    fn open(&self, request: &Outgoing) -> Answer {
        let mood = self.inner.opening.get();
        if mood == Mood::Down {
            return Err(SendError::NotSent);
        }
        let order: Value = serde_json::from_slice(&request.body).unwrap();
        let reference = order.get("reference").and_then(Value::as_str).unwrap().to_owned();
        self.inner.openings.borrow_mut().push(reference.clone());
        self.inner.bodies.borrow_mut().push(request.body.clone());
        match mood {
            Mood::Deaf => return Err(SendError::Unknown),
            Mood::Refuses => return Ok(json(400, r#"{"message":"the account is closed"}"#)),
            Mood::Broken => return Ok(empty(500)),
            Mood::Fine | Mood::Mute | Mood::ChargesMute | Mood::Down => {}
        }
        let is_saved = order.get("card").is_some();
        let by_wallet = order.get("wallet").map(|_| self.inner.wallets.get().unwrap_or("approved"));
        let status = match (is_saved, self.inner.declines_cards.get()) {
            (true, true) => "declined",
            (true, false) => "approved",
            (false, _) if mood == Mood::ChargesMute => "approved",
            (false, _) => by_wallet.unwrap_or("open"),
        };
        let opened = Charge { order: order.clone(), api_key: api_key(request), status, amount: None };
        let mut charges = self.inner.charges.borrow_mut();
        let known = charges.insert(reference.clone(), opened);
        assert!(known.is_none(), "{reference} is opened twice");
        let document = charges.get(&reference).unwrap().document(&reference);
        if mood == Mood::Fine { Ok(json(201, &document.to_string())) } else { Err(SendError::Unknown) }
    }

    fn report(&self, reference: &str, is_cancel: bool) -> Incoming {
        let mut charges = self.inner.charges.borrow_mut();
        let Some(charge) = charges.get_mut(reference) else { return json(404, r#"{"message":"unknown"}"#) };
        let is_too_late = is_cancel && matches!(charge.status, "approved" | "declined");
        if is_cancel && charge.status == "open" {
            charge.status = "canceled";
        }
        json(if is_too_late { 409 } else { 200 }, &charge.document(reference).to_string())
    }

    fn end(&self, reference: &str, status: &'static str) {
        let mut charges = self.inner.charges.borrow_mut();
        let charge = charges.get_mut(reference).unwrap();
        assert_eq!(charge.status, "open", "{reference} has ended");
        charge.status = status;
    }
}

fn api_key(request: &Outgoing) -> String {
    let authorization = request.headers.iter().find(|(name, _)| *name == "authorization").unwrap();
    authorization.1.strip_prefix("Bearer ").unwrap().to_owned()
}

impl Charge {
    fn taken(&self) -> Taken {
        let text = |name: &str| self.order.get(name).and_then(Value::as_str).unwrap();
        let total = self.amount.as_deref().unwrap_or_else(|| text("amount"));
        Taken { is_held: text("operation") == "authorize", total: total.parse().unwrap() }
    }

    fn document(&self, reference: &str) -> Value {
        let order = |name: &str| self.order.get(name).cloned().unwrap();
        let mut document = json!({
            "id": format!("ch-{reference}"),
            "reference": reference,
            "status": self.status,
            "amount": self.amount.clone().map_or_else(|| order("amount"), Value::String),
            "currency": order("currency"),
            "operation": order("operation"),
            "message": format!("the charge is {}", self.status),
        });
        let more = match self.status {
            "open" => json!({"page_url": format!("{}/pay/{reference}", Self::PAGES)}),
            "approved" => json!({
                "auth_code": "A1B2C3",
                "rrn": "123456789012",
                "transaction_id": "tr-1",
                "card": {"brand": "VISA", "number": "411111******1111", "expiry_month": "01",
                         "expiry_year": "39", "holder": "TEST CARD"},
            }),
            _ => json!({}),
        };
        let mut more = more;
        if self.status == "approved" && self.order.get("keep_card") == Some(&Value::Bool(true)) {
            let card = more.get_mut("card").and_then(Value::as_object_mut).unwrap();
            card.insert("token".into(), "tok_1019".into());
        }
        document.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        document
    }

    const PAGES: &'static str = "https://bank.example.com";
}
