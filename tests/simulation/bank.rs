//! The bank of a run: it follows the sandbox protocol (`docs/sandbox.md`) as badly as the weather says, and
//! knows the truth about every charge.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use checkout_core::gateway::exchange::{Incoming, Method, Outgoing};
use checkout_core::port::SendError;
use checkout_core::testing::http::{Answer, empty, json};
use checkout_core::value::time::Timestamp;
use checkout_tests::desk::Desk;
use serde_json::{Value, json as value};

use crate::charge::{Callback, Charge, PAGES, Status};
use crate::debit::check_account;
use crate::weather::{Fate, Weather};

/// The host of the charge API.
pub(crate) const ORIGIN: &str = "https://bank.sandbox.invalid";
/// How many seconds after it left a request may still arrive.
const LONGEST_DELAY: u64 = 15;
/// How long the bank may not find a charge that it has opened. With the longest delay, and the longest time
/// that one of our requests takes, less than a minute: after that we believe the bank when it says that it
/// knows no charge.
const BLINDNESS: Duration = Duration::from_secs(10);

/// The bank.
#[derive(Debug)]
pub(crate) struct Bank {
    weather: Rc<Weather>,
    charges: RefCell<BTreeMap<String, Charge>>,
    delayed: RefCell<Vec<(Timestamp, Outgoing)>>,
    callbacks: RefCell<Vec<Callback>>,
    fresh: RefCell<Vec<String>>,
    desk: Desk,
}

impl Bank {
    pub(crate) fn new(weather: &Rc<Weather>) -> Rc<Self> {
        Rc::new(Self {
            weather: Rc::clone(weather),
            charges: RefCell::default(),
            delayed: RefCell::default(),
            callbacks: RefCell::default(),
            fresh: RefCell::default(),
            desk: Desk::default(),
        })
    }

    /// The reference of a payment page of the bank.
    pub(crate) fn page(url: &str) -> Option<&str> {
        url.strip_prefix(PAGES)
    }

    /// All charges, by reference.
    pub(crate) fn charges(&self) -> BTreeMap<String, Charge> {
        self.charges.borrow().clone()
    }

    /// Its desk for captures, refunds and voids.
    pub(crate) fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The charges that were opened since the last call.
    pub(crate) fn take_fresh(&self) -> Vec<String> {
        self.fresh.take()
    }

    /// Answers a request, with the faults of the weather.
    ///
    /// # Errors
    /// If the answer gets lost.
    pub(crate) fn answer(&self, request: &Outgoing) -> Answer {
        let fate = self.weather.fate();
        let answer = self.meet(fate, request);
        self.weather.note(|| {
            let path = request.url.strip_prefix(ORIGIN).unwrap_or_default();
            let said = answer.as_ref().map(|answer| String::from_utf8_lossy(&answer.body).into_owned());
            format!("bank {} {path} {}: {fate:?}: {said:?}", request.method.as_str(), opening(request))
        });
        answer
    }

    fn meet(&self, fate: Fate, request: &Outgoing) -> Answer {
        let is_opening = request.url.ends_with("/v1/charges");
        let is_question = request.method == Method::Get;
        let lost = Err(SendError::Unknown);
        match fate {
            Fate::NotSent => Err(SendError::NotSent),
            Fate::LostBefore => lost,
            Fate::LostAfter => {
                self.perform(request, false);
                lost
            }
            Fate::Delayed => {
                let wait = Duration::from_secs(self.weather.dice.between(1, LONGEST_DELAY));
                self.delayed.borrow_mut().push((self.weather.now.get().plus(wait), request.clone()));
                lost
            }
            Fate::BrokenBefore => Ok(empty(500)),
            Fate::BrokenAfter => {
                self.perform(request, false);
                Ok(empty(500))
            }
            Fate::Garbled => Ok(self.garble(self.perform(request, false))),
            Fate::Busy => Ok(empty(self.weather.dice.pick(&[408, 425, 429, 503]).unwrap_or(503))),
            Fate::Refused if is_opening => Ok(json(400, r#"{"message":"the account is closed"}"#)),
            Fate::Charged if is_opening => Ok(self.perform(request, true)),
            Fate::ChargedAndLost if is_opening => {
                self.perform(request, true);
                lost
            }
            Fate::NotYetFound if is_question => Ok(self.overlook(request)),
            Fate::Mistaken => Ok(mistake(self.perform(request, false))),
            Fate::Fine | Fate::Refused | Fate::Charged | Fate::ChargedAndLost | Fate::NotYetFound => {
                Ok(self.perform(request, false))
            }
        }
    }

    /// Does what a request asks for.
    fn perform(&self, request: &Outgoing, is_charged: bool) -> Incoming {
        let path = request.url.strip_prefix(ORIGIN).unwrap();
        let rest = path.strip_prefix("/v1/charges").unwrap().trim_start_matches('/');
        if rest.is_empty() {
            return self.open(request, is_charged);
        }
        if let Some(query) = rest.strip_prefix('?') {
            return self.list(query, &api_key(request));
        }
        if let Some((charge, reference)) = rest.split_once("/operations") {
            return self.operate(charge, reference.trim_start_matches('/'), request);
        }
        match rest.strip_suffix("/cancel") {
            Some(reference) => {
                assert_eq!(request.method, Method::Post);
                self.cancel(reference)
            }
            None => self.report(rest, 200),
        }
    }

    fn operate(&self, charge: &str, reference: &str, request: &Outgoing) -> Incoming {
        if request.method == Method::Get {
            return self.desk.report(reference);
        }
        if self.weather.dice.chance(100) {
            return json(422, r#"{"message":"the issuer refused"}"#);
        }
        let order: Value = serde_json::from_slice(&request.body).unwrap();
        let charges = self.charges.borrow();
        let approved = charges.get(charge).filter(|charge| charge.status == Status::Approved);
        self.desk.operate(charge, approved.map(Charge::taken), &order)
    }

    fn open(&self, request: &Outgoing, is_charged: bool) -> Incoming {
        let order: Value = serde_json::from_slice(&request.body).unwrap();
        let reference = opening(request);
        check_account(&self.weather, &order, &api_key(request));
        let charge = Charge {
            status: Status::Open,
            is_wrong: false,
            is_reversed: false,
            order,
            api_key: api_key(request),
            opened_at: self.weather.now.get(),
            decides: None,
        };
        let known = self.charges.borrow_mut().insert(reference.clone(), charge);
        self.weather.holds(known.is_none(), || format!("the bank is asked to open {reference} twice"));
        self.fresh.borrow_mut().push(reference.clone());
        // A wallet's token is charged, declined, or to be confirmed on the page, depending on its reference;
        // a saved card is decided about later instead: no payer is there to confirm.
        let [is_wallet, is_card] = ["wallet", "card"].map(|name| order_has(request, name));
        match reference.bytes().map(u32::from).sum::<u32>() % 4 {
            _ if is_charged => self.end(&reference, Status::Approved),
            0 | 1 if is_wallet || is_card => self.end(&reference, Status::Approved),
            2 if is_wallet || is_card => self.end(&reference, Status::Declined),
            3 if is_card => self.ponder(&reference, Status::Approved),
            _ => {}
        }
        self.report(&reference, 201)
    }

    /// Every charge of an account, whatever the period; three per page.
    fn list(&self, query: &str, api_key: &str) -> Incoming {
        const PAGE: usize = 3;
        let cursor = query.split('&').find_map(|pair| pair.strip_prefix("cursor="));
        let start = cursor.map_or(0, |cursor| cursor.parse::<usize>().unwrap());
        let charges = self.charges.borrow();
        let document = |(reference, charge): (&String, &Charge)| {
            let mut document = charge.document(reference);
            let sums = document.as_object_mut().unwrap();
            for (name, operation) in [("captured", "capture"), ("refunded", "refund"), ("voided", "void")] {
                sums.insert(name.into(), value!(self.desk.sum(reference, operation).to_string()));
            }
            document
        };
        let of_account: Vec<_> = charges.iter().filter(|(_, charge)| charge.api_key == api_key).collect();
        let page: Vec<Value> = of_account.iter().copied().skip(start).take(PAGE).map(document).collect();
        let end = start.checked_add(PAGE).unwrap();
        let next = (end < of_account.len()).then(|| end.to_string());
        json(200, &value!({"charges": page, "next": next}).to_string())
    }

    fn cancel(&self, reference: &str) -> Incoming {
        let status = self.charges.borrow().get(reference).map(|charge| charge.status);
        match status {
            Some(Status::Open) => self.end(reference, Status::Canceled),
            Some(Status::Processing | Status::Approved | Status::Declined) => {
                return self.report(reference, 409);
            }
            Some(Status::Canceled) | None => {}
        }
        self.report(reference, 200)
    }

    fn report(&self, reference: &str, status: u16) -> Incoming {
        match self.charges.borrow().get(reference) {
            Some(charge) => json(status, &charge.document(reference).to_string()),
            None => json(404, r#"{"message":"there is no such charge"}"#),
        }
    }

    fn overlook(&self, request: &Outgoing) -> Incoming {
        if request.url.contains("/operations/") {
            return self.perform(request, false);
        }
        let reference = request.url.rsplit('/').next().unwrap_or_default();
        let charges = self.charges.borrow();
        let age = charges.get(reference).map(|charge| self.weather.now.get().since(charge.opened_at));
        drop(charges);
        match age {
            Some(age) if age > BLINDNESS => self.report(reference, 200),
            Some(_) | None => json(404, r#"{"message":"there is no such charge"}"#),
        }
    }

    fn garble(&self, answer: Incoming) -> Incoming {
        let text = String::from_utf8(answer.body).unwrap();
        let half: String = text.chars().take(text.chars().count() / 2).collect();
        let garbage =
            ["<html>maintenance</html>".into(), "null".into(), half, text.replace("status", "state")];
        Incoming { body: self.weather.dice.pick(&garbage).unwrap_or_default().into_bytes(), ..answer }
    }

    fn end(&self, reference: &str, status: Status) {
        if let Some(charge) = self.charges.borrow_mut().get_mut(reference) {
            charge.status = status;
            charge.decides = None;
        }
        self.weather.note(|| format!("bank: {reference} is {}", status.as_str()));
        self.call(reference, false);
    }

    /// Writes callbacks about a charge: none, one, or the same again.
    fn call(&self, reference: &str, is_insistent: bool) {
        let copies = self.weather.dice.weighted(&[(2, 0_usize), (5, 1), (2, 2), (1, 3)]);
        let copies = if is_insistent { copies.max(1) } else { copies };
        if let Some(charge) = self.charges.borrow().get(reference) {
            let callback = charge.callback(reference, is_insistent);
            self.callbacks.borrow_mut().extend(std::iter::repeat_n(callback, copies));
        }
    }

    /// The payer does something on the page of a charge; nothing if the page does not wait for the payer any
    /// more.
    pub(crate) fn visit(&self, reference: &str) {
        let dice = &self.weather.dice;
        if self.charges.borrow().get(reference).is_none_or(|charge| charge.status != Status::Open) {
            return;
        }
        let wrong = self.weather.chance(|rates| rates.wrong_amount);
        let act = dice.weighted(&[(6, Status::Approved), (2, Status::Declined), (2, Status::Canceled)]);
        if act == Status::Approved
            && wrong
            && let Some(charge) = self.charges.borrow_mut().get_mut(reference)
        {
            charge.is_wrong = true;
        }
        if act == Status::Canceled || !dice.chance(250) {
            self.end(reference, act);
            return;
        }
        self.ponder(reference, act);
    }

    /// The bank decides later.
    fn ponder(&self, reference: &str, act: Status) {
        let wait = self.weather.dice.pick(&[10, 300, 7_200, 90_000]).unwrap_or(10);
        let at = self.weather.now.get().plus(Duration::from_secs(wait));
        if let Some(charge) = self.charges.borrow_mut().get_mut(reference) {
            charge.status = Status::Processing;
            charge.decides = Some((at, act));
        }
        self.weather.note(|| format!("bank: {reference} is decided in {wait} s"));
    }

    /// The bank takes the money of a charge after all, and reports it until the report is acknowledged.
    pub(crate) fn reverse(&self) {
        let ended = |charge: &Charge| matches!(charge.status, Status::Declined | Status::Canceled);
        let charges = self.charges();
        let known: Vec<&String> =
            charges.iter().filter(|(_, charge)| ended(charge)).map(|(reference, _)| reference).collect();
        let Some(reference) = self.weather.dice.pick(&known) else { return };
        if let Some(charge) = self.charges.borrow_mut().get_mut(reference) {
            charge.status = Status::Approved;
            charge.is_reversed = true;
        }
        self.weather.note(|| format!("bank: {reference} is approved after all"));
        self.call(reference, true);
    }

    /// What was delayed arrives, and what was to be decided is decided.
    pub(crate) fn keep_time(&self) {
        let now = self.weather.now.get();
        let arrived: Vec<Outgoing> = self
            .delayed
            .borrow_mut()
            .extract_if(.., |(at, _)| *at <= now)
            .map(|(_, request)| request)
            .collect();
        for request in arrived {
            self.weather.note(|| format!("bank: {} {} arrives late", request.url, opening(&request)));
            // No one waits for the answer any more.
            self.perform(&request, false);
        }
        for (reference, charge) in self.charges() {
            if let Some((at, status)) = charge.decides
                && at <= now
            {
                self.end(&reference, status);
            }
        }
    }

    /// When the bank acts next.
    pub(crate) fn next_event(&self) -> Option<Timestamp> {
        let decided = self.charges.borrow().values().filter_map(|charge| Some(charge.decides?.0)).min();
        let arrives = self.delayed.borrow().iter().map(|(at, _)| *at).min();
        decided.into_iter().chain(arrives).min()
    }

    /// A callback that is to be sent; it may be sent again.
    pub(crate) fn callback(&self) -> Option<Callback> {
        let mut callbacks = self.callbacks.borrow_mut();
        let place = self.weather.dice.place(callbacks.len())?;
        let callback = callbacks.get(place).cloned()?;
        if !callback.is_insistent && self.weather.dice.chance(600) {
            callbacks.remove(place);
        }
        Some(callback)
    }

    /// The callback was acknowledged to the bank.
    pub(crate) fn acknowledged(&self, acknowledged: &Callback) {
        let is_it =
            |callback: &Callback| callback.is_insistent && callback.request.body == acknowledged.request.body;
        if acknowledged.is_insistent {
            self.callbacks.borrow_mut().retain(|callback| !is_it(callback));
        }
    }

    /// The callbacks that the bank has to repeat until they are acknowledged.
    pub(crate) fn insistent(&self) -> Vec<Callback> {
        self.callbacks.borrow().iter().filter(|callback| callback.is_insistent).cloned().collect()
    }

    /// A callback about a charge that the bank did not send.
    pub(crate) fn forgery(&self) -> Option<Callback> {
        let charges = self.charges();
        let references: Vec<&String> = charges.keys().collect();
        let reference = self.weather.dice.pick(&references)?;
        let mut charge = charges.get(reference)?.clone();
        charge.status = Status::Approved;
        let honest = charge.callback(reference, false);
        charge.api_key = "the key of a thief".into();
        let mut forged = charge.callback(reference, false);
        match self.weather.dice.between(0, 2) {
            0 => {}
            1 => forged.request.headers.clear(),
            _ => {
                forged.request.headers = honest.request.headers;
                forged.request.body.push(b' ');
            }
        }
        Some(forged)
    }
}

/// The reference of a request that opens a charge.
fn opening(request: &Outgoing) -> String {
    let order: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    order.get("reference").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn order_has(request: &Outgoing, name: &str) -> bool {
    let order: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    order.get(name).is_some()
}

fn api_key(request: &Outgoing) -> String {
    let authorization = request.headers.iter().find(|(name, _)| *name == "authorization").unwrap();
    authorization.1.strip_prefix("Bearer ").unwrap().to_owned()
}

fn mistake(answer: Incoming) -> Incoming {
    let Ok(mut charge) = serde_json::from_slice::<Value>(&answer.body) else { return answer };
    if let Some(reference) = charge.get_mut("reference") {
        *reference = Value::String("SOMEBODYELSE".into());
    }
    Incoming { body: charge.to_string().into_bytes(), ..answer }
}
