//! The gateways of a run that speak protocols of their own, under the same weather as the simulated bank.

use std::collections::BTreeMap;
use std::time::Duration;

use checkout_core::flow::report::gateway::ReportAddress;
use checkout_core::gateway::ConnectorKind;
use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{Incoming, Outgoing, Returned};
use checkout_core::testing::http::{HttpResult, empty};
use checkout_core::value::id::{MerchantId, PgCode};
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use checkout_tests::gateway::ledger::{Charge as Entry, Move};
use checkout_tests::gateway::{Gateway, Notice, number};
use sandbox_bank::charge::ChargeStatus;
use sandbox_bank::operation;
use serde_json::{Value, json};

use super::acts::subject;
use super::protocols::Rail;
use super::{BLINDNESS, Bank, ORIGIN};
use crate::charge::{Callback, Charge, Subject};
use crate::routing;
use crate::weather::Fate;

/// What is compared to see which charges a request or a moment changed.
type State = (ChargeStatus, u32, bool);

impl Rail {
    fn statuses(&self) -> BTreeMap<String, State> {
        let charges = self.gateway.ledger().charges().into_iter();
        charges.map(|(name, charge)| (name, (charge.status, charge.tries, charge.due_at.is_some()))).collect()
    }
}

impl Bank {
    /// Whether the gateway of a method confirms a card without an amount.
    pub(crate) fn confirms_cards(&self, code: &str) -> bool {
        let Some(rail) = self.rails.iter().find(|rail| rail.code == code) else { return true };
        let settings = rail.gateway.settings();
        let kind = settings.get("connector").and_then(Value::as_str).and_then(ConnectorKind::parse);
        kind.is_some_and(|kind| kind.declaration().capabilities.verifies_cards)
    }

    /// Whether a request goes to a gateway.
    pub(crate) fn is_at(&self, url: &str) -> bool {
        url.starts_with(ORIGIN) || self.rail_at(url).is_some()
    }

    pub(super) fn rail_at(&self, url: &str) -> Option<&Rail> {
        self.rails.iter().find(|rail| url.starts_with(rail.gateway.origin()))
    }

    pub(super) fn rail_with(&self, reference: &str) -> Option<&Rail> {
        self.rails.iter().find(|rail| rail.gateway.ledger().find(reference).is_some())
    }

    /// Connects the gateways of a settings document with those of this run, without some of them.
    pub(crate) fn connect(&self, settings: &mut Value, without: &[&str]) {
        if self.is_routed {
            routing::group(settings);
        }
        let gateways = settings.get_mut("gateways").and_then(Value::as_array_mut).unwrap();
        for gateway in gateways.iter_mut() {
            self.connect_one(gateway);
        }
        gateways.retain(|gateway| {
            let code = gateway.get("code").and_then(Value::as_str).unwrap();
            !without.contains(&code)
        });
        if self.is_routed {
            routing::order(settings);
        }
    }

    fn connect_one(&self, gateway: &mut Value) {
        let code = gateway.get("code").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(rail) = self.rails.iter().find(|rail| rail.code == code) else { return };
        let members = gateway.as_object_mut().unwrap();
        let own = rail.gateway.settings();
        for (name, value) in own.as_object().unwrap() {
            members.insert(name.clone(), value.clone());
        }
        members.retain(|_, value| !value.is_null());
        if rail.is_held {
            members.insert("operation".into(), json!("authorize"));
        }
        let wallets = members.get("wallets").and_then(Value::as_array).cloned().unwrap_or_default();
        for wallet in ["apple_pay", "google_pay"].into_iter().filter(|name| !wallets.contains(&json!(name))) {
            members.remove(wallet);
        }
    }

    /// The payer leaves the page of a charge; what the browser brings.
    pub(crate) fn leave(&self, reference: &str) -> Returned {
        self.rail_with(reference)
            .map(|rail| self.watch(rail, |gateway| gateway.leave(reference)))
            .unwrap_or_default()
    }

    /// A callback as it is sent at this moment.
    pub(crate) fn sealed(&self, callback: &Callback) -> Incoming {
        let rail = self.rail_of(&callback.reference);
        rail.map_or_else(
            || callback.request.clone(),
            |rail| rail.gateway.seal(&callback.request.body, self.weather.now.get()),
        )
    }

    /// The gateway of a charge or an operation.
    pub(super) fn rail_of(&self, reference: &str) -> Option<&Rail> {
        let has_move = |rail: &&Rail| rail.gateway.ledger().moves().contains_key(reference);
        self.rail_with(reference).or_else(|| self.rails.iter().find(has_move))
    }

    /// Whether the gateway of this code knows nothing of what nobody has paid.
    pub(crate) fn knows_only_paid(&self, code: &PgCode) -> bool {
        self.rails.iter().any(|rail| rail.code == code.as_str() && rail.gateway.knows_only_paid())
    }

    /// Whether the gateway of this code can be asked at any time about a charge that is paid so.
    pub(crate) fn can_be_asked(&self, code: &PgCode, is_page: bool) -> bool {
        let rail = self.rails.iter().find(|rail| rail.code == code.as_str());
        rail.is_none_or(|rail| rail.gateway.can_be_asked(is_page))
    }

    /// Whether the payments through the gateway of this code are compared with what it says.
    pub(crate) fn is_reconciled(&self, code: &PgCode) -> bool {
        let rail = self.rails.iter().find(|rail| rail.code == code.as_str());
        rail.is_none_or(|rail| rail.gateway.settings().get("reconciled") != Some(&json!(false)))
    }

    pub(super) fn charges_of_rails(&self) -> Vec<(String, Charge)> {
        let of_rail = |rail: &Rail| {
            let charges = rail.gateway.ledger().charges().into_iter();
            let truth = |(reference, entry): (String, Entry)| (reference, self.truth(rail, &entry));
            charges.map(truth).collect::<Vec<_>>()
        };
        self.rails.iter().flat_map(of_rail).collect()
    }

    fn truth(&self, rail: &Rail, entry: &Entry) -> Charge {
        let amount = entry.asked;
        let is_free = entry.operation == ChargeOperation::Verify;
        let unnamed =
            |kind| (!rail.gateway.names(kind)).then(|| rail.gateway.ledger().sum(&entry.reference, kind));
        let order = json!({
            "reference": entry.reference, "card": entry.card,
            "amount": amount.to_string(), "currency": amount.currency().code(),
        });
        Charge {
            status: entry.status,
            is_wrong: is_wrong(entry),
            is_reversed: self.reversed.borrow().contains(&entry.reference),
            has_lapsed: entry.has_lapsed,
            exclusive: rail.gateway.exclusive(),
            names_agreement: rail.gateway.names_agreements(),
            refunded: unnamed(ChildOperation::Refund),
            is_released: unnamed(ChildOperation::Void).map(|released| released > 0),
            ended_at: entry.ended_at,
            order: if is_free { json!({ "card": entry.card }) } else { order },
        }
    }

    pub(super) fn operations_of_rails(&self) -> Vec<(String, operation::OperationStatus)> {
        let of_rail = |rail: &Rail| {
            let moves = rail.gateway.ledger().moves().into_values();
            moves.filter(|one| rail.gateway.names(one.kind)).collect::<Vec<_>>()
        };
        self.rails.iter().flat_map(of_rail).map(|one| (one.reference, one.status)).collect()
    }

    pub(super) fn meet_at(&self, rail: &Rail, fate: Fate, request: &Outgoing) -> HttpResult {
        let gateway = &rail.gateway;
        let perform = || self.perform_at(rail, request);
        if fate == Fate::Refused && gateway.is_opening(request) {
            return Ok(gateway.refusal());
        }
        if fate == Fate::NotYetFound {
            gateway.ledger().hide(BLINDNESS);
            let answer = perform();
            gateway.ledger().hide(Duration::ZERO);
            return Ok(answer);
        }
        let answer = self.carry(fate, request, || Ok(perform()));
        if fate == Fate::Mistaken { answer.map(|answer| Self::mistake_at(rail, answer)) } else { answer }
    }

    /// Does what a request asks for, and reports what changed.
    pub(super) fn perform_at(&self, rail: &Rail, request: &Outgoing) -> Incoming {
        if rail.gateway.is_operation(request) && self.weather.dice.chance(100) {
            return rail.gateway.issuer_refusal();
        }
        self.watch(rail, |gateway| gateway.answer(request))
    }

    /// The answer names another charge. A list that does so would be one without the charge.
    fn mistake_at(rail: &Rail, answer: Incoming) -> Incoming {
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        if [r#""object":"list""#, r#""total_count":"#].iter().any(|mark| text.contains(mark)) {
            return answer;
        }
        let names = rail.gateway.ledger().charges().into_keys();
        let body = names.fold(text, |text, name| text.replace(&name, "SOMEBODYELSE"));
        Incoming { body: body.into_bytes(), ..answer }
    }

    /// Lets something happen at a gateway: it reports what changed, and decides later what it has not decided.
    fn watch<T>(&self, rail: &Rail, act: impl FnOnce(&dyn Gateway) -> T) -> T {
        let before = rail.statuses();
        let moves = rail.gateway.ledger().moves();
        let result = act(&*rail.gateway);
        for problem in rail.gateway.ledger().take_problems() {
            self.weather.wrong(problem);
        }
        for (reference, after) in rail.statuses() {
            let (status, tries, is_planned) = after;
            let is_pending = status == ChargeStatus::Processing;
            let is_news = match before.get(&reference) {
                None => !matches!(status, ChargeStatus::Open | ChargeStatus::Challenged),
                Some((known, count, _)) => (*known, *count) != (status, tries),
            };
            if is_pending && !is_planned {
                self.ponder_at(rail, &reference, ChargeStatus::Approved);
            } else if is_news && !is_pending {
                self.report_at(rail, &reference);
            }
        }
        for (reference, one) in rail.gateway.ledger().moves() {
            if moves.get(&reference).is_none_or(|known| known.status != one.status) {
                let notice = rail.gateway.operation_notice(&one);
                self.send_at(rail, &reference, notice, move_subject(&one));
            }
        }
        result
    }

    /// A gateway reports on a charge.
    fn report_at(&self, rail: &Rail, reference: &str) {
        let entry = rail.gateway.ledger().find(reference).unwrap();
        self.weather.note(|| format!("gateway {}: {reference} is {}", rail.code, entry.status.as_str()));
        let subject = Subject::Charge { status: entry.status, is_wrong: is_wrong(&entry) };
        self.send_at(rail, reference, rail.gateway.notice(&entry), subject);
    }

    fn send_at(&self, rail: &Rail, reference: &str, notice: Option<Notice>, about: Subject) {
        let Some(notice) = notice else { return };
        let is_insistent = rail.gateway.insists();
        let copies = self.copies();
        let callback = Callback {
            reference: reference.to_owned(),
            address: rail.address(reference),
            request: Incoming { body: notice.body, ..empty(0) },
            made_at: self.weather.now.get(),
            subject: if notice.is_outcome { about } else { Subject::Hint },
            is_insistent,
        };
        let copies = if is_insistent { copies.max(1) } else { copies };
        self.callbacks.borrow_mut().extend(std::iter::repeat_n(callback, copies));
    }

    /// The payer does something on the page of a gateway.
    pub(super) fn visit_at(&self, rail: &Rail, reference: &str) {
        let dice = &self.weather.dice;
        let entry = rail.gateway.ledger().find(reference).filter(|entry| entry.status == ChargeStatus::Open);
        let Some(entry) = entry else { return };
        let is_wrong = self.weather.chance(|rates| rates.wrong_amount) && rail.gateway.misstates(&entry);
        let end = dice.weighted(&[
            (6, ChargeStatus::Approved),
            (2, ChargeStatus::Declined),
            (2, ChargeStatus::Canceled),
        ]);
        let less = entry.asked.minor().checked_sub(10).filter(|less| is_wrong && *less > 0);
        if end == ChargeStatus::Canceled || !rail.gateway.ponders(&entry) || !dice.chance(250) {
            self.watch(rail, |gateway| gateway.pay(reference, end, less));
        } else {
            let _ = rail.gateway.ledger().end(reference, ChargeStatus::Processing, None);
            self.ponder_at(rail, reference, end);
        }
    }

    fn ponder_at(&self, rail: &Rail, reference: &str, end: ChargeStatus) {
        let wait = self.weather.dice.pick(&[10, 300, 7_200, 90_000]).unwrap_or(10);
        let at = self.weather.now.get().plus(Duration::from_secs(wait));
        self.decisions.borrow_mut().insert(reference.to_owned(), end);
        let _ = rail.gateway.ledger().change(reference, |entry| entry.due_at = Some(at));
        self.weather.note(|| format!("gateway {}: {reference} is decided in {wait} s", rail.code));
    }

    pub(super) fn keep_time_of_rails(&self) {
        let now = self.weather.now.get();
        let is_due = |at: Option<Timestamp>| at.is_some_and(|at| at <= now);
        for rail in &self.rails {
            for (reference, entry) in rail.gateway.ledger().charges() {
                if entry.status == ChargeStatus::Processing && is_due(entry.due_at) {
                    let end =
                        self.decisions.borrow_mut().remove(&reference).unwrap_or(ChargeStatus::Approved);
                    self.watch(rail, |gateway| gateway.pay(&reference, end, None));
                } else if entry.status == ChargeStatus::Open && is_due(entry.closes_at) {
                    self.watch(rail, |gateway| gateway.close(&reference));
                } else if entry.status == ChargeStatus::Approved && is_due(entry.lapses_at) {
                    self.lapse_at(rail, &entry);
                }
            }
            for (reference, one) in rail.gateway.ledger().moves() {
                if is_due(one.due_at) {
                    let is_good = !number(&reference).is_multiple_of(8);
                    let status = if is_good {
                        operation::OperationStatus::Done
                    } else {
                        operation::OperationStatus::Refused
                    };
                    self.watch(rail, |gateway| {
                        let finish = |one: &mut Move| (one.status, one.due_at) = (status, None);
                        gateway.ledger().change_move(&reference, finish)
                    });
                }
            }
        }
    }

    /// The time is over in which what is held can be captured.
    fn lapse_at(&self, rail: &Rail, held: &Entry) {
        let ledger = rail.gateway.ledger();
        let has_lapsed = ledger.left(held, ChildOperation::Capture) > 0;
        let lapse = |entry: &mut Entry| (entry.lapses_at, entry.has_lapsed) = (None, has_lapsed);
        let _ = ledger.change(&held.reference, lapse);
        if has_lapsed {
            self.weather.note(|| format!("gateway {}: {} lapses", rail.code, held.reference));
            self.watch(rail, |gateway| gateway.lapse(&held.reference));
        }
    }

    /// A notice that no gateway sent, if the dice choose one of them.
    pub(super) fn forgery_at(&self) -> Option<Callback> {
        let rail = self.rails.get(self.weather.dice.place(self.rails.len().checked_add(1)?)?)?;
        let entries: Vec<Entry> = rail.gateway.ledger().charges().into_values().collect();
        let entry = self.weather.dice.pick(&entries)?;
        let now = self.weather.now.get();
        let claimed = Entry { status: ChargeStatus::Approved, taken: entry.asked.minor(), ..entry };
        let notice = rail.gateway.notice(&claimed)?;
        Some(Callback {
            address: rail.address(&claimed.reference),
            request: rail.gateway.forge(&notice.body, now),
            made_at: now,
            reference: claimed.reference,
            subject: Subject::Hint,
            is_insistent: false,
        })
    }
}

impl Rail {
    fn address(&self, reference: &str) -> ReportAddress {
        if self.gateway.has_account_address() {
            ReportAddress::Account(MerchantId::parse("demo").unwrap(), PgCode::parse(self.code).unwrap())
        } else {
            subject(reference)
        }
    }
}

fn move_subject(one: &Move) -> Subject {
    if one.status == operation::OperationStatus::Queued { Subject::Hint } else { Subject::Operation }
}

fn is_wrong(entry: &Entry) -> bool {
    entry.status == ChargeStatus::Approved && entry.taken != entry.asked.minor()
}
