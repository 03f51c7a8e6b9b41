//! What the bank does without a request: payers act on its pages, it decides what it was working on, and it calls
//! back.

use std::time::Duration;

use checkout_core::flow::report::gateway::ReportAddress;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::time::Timestamp;
use checkout_tests::bank::received;
use checkout_tests::books::{PUBLIC_URL, card};
use sandbox_bank::card::TestCard;
use sandbox_bank::charge::{Charge as Recorded, ChargeStatus};

use super::{Arrived, Bank, is_wrong, opening, payers_card};
use crate::charge::{Callback, Subject, action};

/// How long after it was made a notice arrives late.
const LATE: Duration = Duration::from_mins(5);

impl Bank {
    /// The payer pays, and the bank calls back.
    pub(super) fn pay(&self, reference: &str, end: ChargeStatus, card: &'static TestCard) {
        let Some(charge) = self.books.find(reference) else { return };
        let _ = self.books.act(reference, action(charge.status, end, card));
        self.call_if_ended(reference);
    }

    pub(super) fn call_if_ended(&self, reference: &str) {
        let Some(charge) = self.books.find(reference) else { return };
        if charge.ended_at.is_some() {
            self.weather.note(|| format!("bank: {reference} is {}", charge.status.as_str()));
            self.call(reference, false);
        }
    }

    /// How often the bank reports something: not at all, once, or the same again.
    pub(super) fn copies(&self) -> usize {
        self.weather.dice.weighted(&[(2, 0_usize), (5, 1), (2, 2), (1, 3)])
    }

    /// Writes callbacks about a charge.
    fn call(&self, reference: &str, is_insistent: bool) {
        let copies = self.copies();
        let copies = if is_insistent { copies.max(1) } else { copies };
        if let Some(charge) = self.books.find(reference) {
            let callback = self.callback_of(&charge, is_insistent);
            self.callbacks.borrow_mut().extend(std::iter::repeat_n(callback, copies));
        }
    }

    /// The payer does something on the page of a charge; nothing if the page does not wait for the payer any
    /// more.
    pub(crate) fn visit(&self, reference: &str) {
        let dice = &self.weather.dice;
        if let Some(rail) = self.rail_with(reference) {
            return self.visit_at(rail, reference);
        }
        if self.books.find(reference).is_none_or(|charge| !charge.status.waits_for_payer()) {
            return;
        }
        let is_wrong = self.weather.chance(|rates| rates.wrong_amount);
        let end = dice.weighted(&[
            (6, ChargeStatus::Approved),
            (2, ChargeStatus::Declined),
            (2, ChargeStatus::Canceled),
        ]);
        let card = if end == ChargeStatus::Declined {
            card("mastercard-decline")
        } else if is_wrong {
            card("visa-wrong-amount")
        } else {
            payers_card(reference)
        };
        if end == ChargeStatus::Canceled || !dice.chance(250) {
            self.pay(reference, end, card);
        } else {
            self.ponder(reference, end, card);
        }
    }

    /// The bank decides later.
    pub(super) fn ponder(&self, reference: &str, end: ChargeStatus, card: &'static TestCard) {
        let wait = self.weather.dice.pick(&[10, 300, 7_200, 90_000]).unwrap_or(10);
        let at = self.weather.now.get().plus(Duration::from_secs(wait));
        self.decisions.borrow_mut().insert(reference.to_owned(), end);
        self.change(reference, |charge| Recorded {
            status: ChargeStatus::Processing,
            card: Some(card),
            due_at: Some(at),
            ended_at: None,
            ..charge
        });
        self.weather.note(|| format!("bank: {reference} is decided in {wait} s"));
    }

    fn change(&self, reference: &str, change: impl FnOnce(Recorded) -> Recorded) {
        if let Some(charge) = self.books.find(reference) {
            self.books.insert(change(charge));
        }
    }

    /// The bank takes the money of a charge after all, and reports it until the report is acknowledged.
    pub(crate) fn reverse(&self) {
        let ended =
            |charge: &Recorded| matches!(charge.status, ChargeStatus::Declined | ChargeStatus::Canceled);
        let charges = self.books.charges();
        let known: Vec<&String> =
            charges.iter().filter(|(_, charge)| ended(charge)).map(|(reference, _)| reference).collect();
        let Some(reference) = self.weather.dice.pick(&known) else { return };
        let now = self.weather.now.get();
        self.change(reference, |charge| Recorded {
            status: ChargeStatus::Approved,
            card: Some(payers_card(reference)),
            ended_at: Some(now),
            ..charge
        });
        self.reversed.borrow_mut().insert(reference.clone());
        self.weather.note(|| format!("bank: {reference} is approved after all"));
        self.call(reference, true);
    }

    /// What was delayed arrives, what was to be decided is decided, and what was queued is done.
    pub(crate) fn keep_time(&self) {
        let now = self.weather.now.get();
        let arrived: Vec<Outgoing> = self
            .delayed
            .borrow_mut()
            .extract_if(.., |delayed| delayed.at <= now)
            .map(|delayed| delayed.request)
            .collect();
        for request in arrived {
            self.weather.note(|| format!("bank: {} {} arrives late", request.url, opening(&request)));
            // No one waits for the answer any more.
            if let Some(rail) = self.rail_at(&request.url) {
                let _ = self.perform_at(rail, &request);
                continue;
            }
            if let Ok(asked) = self.books.bank().read(&request) {
                let _ = self.perform(&Arrived { asked, request: &request, is_charged: false });
            }
        }
        for (reference, charge) in self.books.charges() {
            if charge.finish(now).is_some() {
                let status = self.decisions.borrow_mut().remove(&reference).unwrap_or(ChargeStatus::Approved);
                let ended_at = Some(now);
                self.change(&reference, |charge| Recorded { status, due_at: None, ended_at, ..charge });
                self.call_if_ended(&reference);
            }
        }
        self.finish_operations();
        self.keep_time_of_rails();
    }

    fn finish_operations(&self) {
        let queued: Vec<String> = self
            .books
            .operations()
            .into_iter()
            .filter(|(_, one)| one.due_at.is_some())
            .map(|(name, _)| name)
            .collect();
        let callbacks = self.books.finish_operations();
        let now_done = queued.into_iter().filter_map(|name| {
            self.books.operations().remove(&name).filter(|operation| operation.due_at.is_none())
        });
        for (operation, callback) in now_done.zip(callbacks) {
            let reference = operation.terms.reference;
            self.weather.note(|| format!("bank: {reference} is {}", operation.status.as_str()));
            let request = received(callback);
            let address = subject(&reference);
            let subject = Subject::Operation;
            let made_at = self.weather.now.get();
            let callback = Callback { reference, address, request, made_at, subject, is_insistent: false };
            self.callbacks.borrow_mut().extend(std::iter::repeat_n(callback, self.copies()));
        }
    }

    /// When the bank acts next.
    pub(crate) fn next_event(&self) -> Option<Timestamp> {
        let arrives = self.delayed.borrow().iter().map(|delayed| delayed.at).min();
        let of_rails = self.rails.iter().filter_map(|rail| rail.gateway.ledger().next_event());
        self.books.due_at().into_iter().chain(arrives).chain(of_rails).min()
    }

    /// A callback that is to be sent; it may be sent again.
    pub(crate) fn callback(&self) -> Option<Callback> {
        let mut callbacks = self.callbacks.borrow_mut();
        let place = self.weather.dice.place(callbacks.len())?;
        let callback = callbacks.get(place).cloned()?;
        if self.weather.now.get().since(callback.made_at) > LATE {
            self.reach(&callback.reference, "late notice");
        }
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
        if let Some(forged) = self.forgery_at() {
            return Some(forged);
        }
        let charges = self.books.charges();
        let references: Vec<&String> = charges.keys().collect();
        let reference = self.weather.dice.pick(&references)?;
        let claimed = Recorded { status: ChargeStatus::Approved, ..charges.get(reference)?.clone() };
        let honest = self.callback_of(&claimed, false);
        let mut forged =
            self.callback_of(&Recorded { account: "the account of a thief".into(), ..claimed }, false);
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

    /// A report about a charge as it is now, signed.
    fn callback_of(&self, charge: &Recorded, is_insistent: bool) -> Callback {
        Callback {
            reference: charge.terms.reference.clone(),
            address: subject(&charge.terms.reference),
            request: received(charge.callback(PUBLIC_URL)),
            made_at: self.weather.now.get(),
            subject: Subject::Charge { status: charge.status, is_wrong: is_wrong(charge) },
            is_insistent,
        }
    }
}

/// The address of a charge or an operation.
pub(super) fn subject(reference: &str) -> ReportAddress {
    ReportAddress::Subject(ReferenceNumber::parse(reference).unwrap())
}
