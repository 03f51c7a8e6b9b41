//! The bank of a run: it follows the rules of the simulated bank as badly as the weather says, and knows the truth
//! about every charge.

mod acts;
mod protocols;
mod rails;
mod reach;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::gateway::sandbox::ENDPOINT;
use checkout_core::port::SendError;
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::{HttpResult, empty, json};
use checkout_core::value::time::Timestamp;
use checkout_tests::books::{Books, card};
use checkout_tests::gateway::Exclusive;
use sandbox_bank::card::TestCard;
use sandbox_bank::charge::{Charge as Recorded, ChargeStatus, Means, Opening};
use sandbox_bank::operation;
use sandbox_bank::reply::Reply;
use sandbox_bank::request::{Command, Request};
use sandbox_bank::wallet::Token;
use serde_json::Value;

use crate::charge::{Callback, Charge};
use crate::weather::{Fate, Weather};
pub(crate) use protocols::Rail;

/// The host of the charge API.
pub(crate) const ORIGIN: &str = ENDPOINT;
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
    books: Books,
    /// What was asked for by each request that opened a charge.
    orders: RefCell<BTreeMap<String, Value>>,
    /// How the charges end on which the bank is working.
    decisions: RefCell<BTreeMap<String, ChargeStatus>>,
    reversed: RefCell<BTreeSet<String>>,
    delayed: RefCell<Vec<Delayed>>,
    callbacks: RefCell<Vec<Callback>>,
    fresh: RefCell<Vec<String>>,
    /// How often something happened, by protocol and what.
    reached: RefCell<BTreeMap<String, u32>>,
    /// The gateways with protocols of their own.
    rails: Vec<Rail>,
    /// Whether the merchant routes: several gateways are one method, and one takes the place of another.
    is_routed: bool,
}

/// A request that arrives after its sender stopped waiting.
#[derive(Debug)]
struct Delayed {
    at: Timestamp,
    request: Outgoing,
}

/// A request that arrived.
struct Arrived<'r> {
    asked: Request,
    request: &'r Outgoing,
    /// Whether the bank charges at once, without the payer.
    is_charged: bool,
}

/// A number that a reference always has.
fn number(reference: &str) -> u32 {
    reference.bytes().map(u32::from).sum()
}

/// The card of the payer of a charge: one of two.
fn payers_card(reference: &str) -> &'static TestCard {
    card(if number(reference).is_multiple_of(2) { "visa-approve" } else { "mastercard-approve" })
}

impl Bank {
    pub(crate) fn new(weather: &Rc<Weather>, clock: &ManualClock) -> Rc<Self> {
        Rc::new(Self {
            rails: Rail::draw(&weather.dice, clock),
            is_routed: weather.dice.chance(400),
            weather: Rc::clone(weather),
            books: Books::new(clock),
            orders: RefCell::default(),
            decisions: RefCell::default(),
            reversed: RefCell::default(),
            delayed: RefCell::default(),
            callbacks: RefCell::default(),
            fresh: RefCell::default(),
            reached: RefCell::default(),
        })
    }

    /// The reference of the charge that has this payment page.
    pub(crate) fn page(&self, url: &str) -> Option<String> {
        let charges = self.books.charges();
        charges
            .into_values()
            .find(|charge| url.ends_with(&charge.page_path()))
            .map(|charge| charge.terms.reference)
            .or_else(|| self.rails.iter().find_map(|rail| rail.gateway.open_page(url)))
    }

    /// All charges, by reference.
    pub(crate) fn charges(&self) -> BTreeMap<String, Charge> {
        let truth = |(reference, charge): (String, Recorded)| {
            let truth = Charge {
                status: charge.status,
                is_wrong: is_wrong(&charge),
                is_reversed: self.reversed.borrow().contains(&reference),
                has_lapsed: false,
                exclusive: Exclusive::Always,
                names_agreement: true,
                refunded: None,
                is_released: None,
                ended_at: charge.ended_at,
                order: self.orders.borrow().get(&reference).cloned().unwrap_or_default(),
            };
            (reference, truth)
        };
        self.books.charges().into_iter().map(truth).chain(self.charges_of_rails()).collect()
    }

    /// All operations, by reference.
    pub(crate) fn operations(&self) -> BTreeMap<String, operation::OperationStatus> {
        let operations = self.books.operations().into_iter();
        operations.map(|(name, one)| (name, one.status)).chain(self.operations_of_rails()).collect()
    }

    /// The charges that were opened since the last call.
    pub(crate) fn take_fresh(&self) -> Vec<String> {
        let fresh = self.fresh.take().into_iter();
        fresh.chain(self.rails.iter().flat_map(|rail| rail.gateway.ledger().take_fresh())).collect()
    }

    /// Answers a request, with the faults of the weather.
    ///
    /// # Errors
    /// If the answer gets lost.
    pub(crate) fn answer(&self, request: &Outgoing) -> HttpResult {
        let fate = self.weather.fate();
        self.note_lost(request, fate);
        let answer = match self.rail_at(&request.url) {
            Some(rail) => self.meet_at(rail, fate, request),
            None => self.meet(fate, request),
        };
        self.weather.note(|| {
            let path = request.url.strip_prefix(ORIGIN).unwrap_or(&request.url);
            let said = answer.as_ref().map(|answer| String::from_utf8_lossy(&answer.body).into_owned());
            format!("bank {} {path} {}: {fate:?}: {said:?}", request.method.as_str(), opening(request))
        });
        answer
    }

    fn meet(&self, fate: Fate, request: &Outgoing) -> HttpResult {
        let Ok(asked) = self.books.bank().read(request) else {
            let body = String::from_utf8_lossy(&request.body);
            self.weather.wrong(format!("the bank cannot read {}: {body}", request.url));
            return Ok(empty(400));
        };
        let is_opening = matches!(asked.command, Command::Open(_));
        let is_overlooked = self.overlooks(&asked.command);
        let arrived = Arrived { asked, request, is_charged: false };
        if is_opening && fate == Fate::Refused {
            return Ok(json(400, r#"{"message":"the account is closed"}"#));
        }
        if is_opening && fate == Fate::Charged {
            return self.perform(&Arrived { is_charged: true, ..arrived });
        }
        if fate == Fate::ChargedAndLost {
            let answer = self.perform(&Arrived { is_charged: is_opening, ..arrived });
            return if is_opening { Err(SendError::Unknown) } else { answer };
        }
        if is_overlooked && fate == Fate::NotYetFound {
            return Ok(json(404, r#"{"message":"there is no such charge"}"#));
        }
        let answer = self.carry(fate, request, || self.perform(&arrived));
        if fate == Fate::Mistaken { answer.map(mistake) } else { answer }
    }

    /// Carries a request to its receiver and the answer back, as far as its fate lets them come.
    fn carry(&self, fate: Fate, request: &Outgoing, perform: impl FnOnce() -> HttpResult) -> HttpResult {
        let lost = Err(SendError::Unknown);
        match fate {
            Fate::NotSent => Err(SendError::NotSent),
            Fate::LostBefore => lost,
            Fate::LostAfter | Fate::ChargedAndLost => {
                let _ = perform();
                lost
            }
            Fate::Delayed => {
                let wait = Duration::from_secs(self.weather.dice.between(1, LONGEST_DELAY));
                let at = self.weather.now.get().plus(wait);
                self.delayed.borrow_mut().push(Delayed { at, request: request.clone() });
                lost
            }
            Fate::BrokenBefore => Ok(empty(500)),
            Fate::BrokenAfter => {
                let _ = perform();
                Ok(empty(500))
            }
            Fate::Garbled => perform().map(|answer| self.garble(answer)),
            Fate::Busy => Ok(empty(self.weather.dice.pick(&[408, 425, 429, 503]).unwrap_or(503))),
            Fate::Fine | Fate::Refused | Fate::Charged | Fate::NotYetFound | Fate::Mistaken => perform(),
        }
    }

    /// Does what a request asks for.
    fn perform(&self, arrived: &Arrived<'_>) -> HttpResult {
        let Arrived { asked, .. } = arrived;
        let reply = match &asked.command {
            Command::Open(opening) => self.open(arrived, opening),
            Command::Cancel { charge } => self.cancel(asked, charge),
            Command::Operate { .. } if self.weather.dice.chance(100) => {
                return Ok(json(422, r#"{"message":"the issuer refused"}"#));
            }
            Command::Operate { .. }
            | Command::Inquire { .. }
            | Command::InquireOperation { .. }
            | Command::List(_)
            | Command::StartSession(_)
            | Command::Offer(_) => self.books.perform(asked),
        };
        match reply {
            Reply::Answer(answer) => Ok(answer),
            Reply::Late(_) | Reply::Silence => Err(SendError::Unknown),
        }
    }

    fn open(&self, arrived: &Arrived<'_>, opening: &Opening) -> Reply {
        let Arrived { asked, request, is_charged } = arrived;
        let reference = opening.terms.reference.clone();
        let is_new = self.books.find(&reference).is_none();
        self.weather.holds(is_new, || format!("the bank is asked to open {reference} twice"));
        let order = serde_json::from_slice(&request.body).unwrap();
        self.orders.borrow_mut().insert(reference.clone(), order);
        self.fresh.borrow_mut().push(reference.clone());
        let means = means(opening, *is_charged);
        let command = Command::Open(Opening { terms: opening.terms.clone(), means });
        let reply = self.books.perform(&Request { account: asked.account.clone(), command });
        let is_by_card = matches!(opening.means, Means::SavedCard { .. });
        if *is_charged && opening.means == Means::Page {
            self.pay(&reference, ChargeStatus::Approved, payers_card(&reference));
        } else if is_by_card && !*is_charged && number(&reference) % 4 == 3 {
            self.ponder(&reference, ChargeStatus::Approved, payers_card(&reference));
        } else {
            self.call_if_ended(&reference);
            return reply;
        }
        let inquiry = Command::Inquire { charge: reference };
        self.books.perform(&Request { account: asked.account.clone(), command: inquiry })
    }

    fn cancel(&self, asked: &Request, reference: &str) -> Reply {
        let was_open = self.books.find(reference).is_some_and(|charge| charge.status.waits_for_payer());
        let reply = self.books.perform(asked);
        if was_open {
            self.call_if_ended(reference);
        }
        reply
    }

    /// Whether the bank does not find yet what is asked for.
    fn overlooks(&self, command: &Command) -> bool {
        match command {
            Command::Inquire { charge } => {
                let age = |charge: Recorded| self.weather.now.get().since(charge.opened_at);
                self.books.find(charge).map(age).is_none_or(|age| age <= BLINDNESS)
            }
            Command::List(_) => true,
            Command::Open(_)
            | Command::Cancel { .. }
            | Command::Operate { .. }
            | Command::InquireOperation { .. }
            | Command::StartSession(_)
            | Command::Offer(_) => false,
        }
    }

    fn garble(&self, answer: Incoming) -> Incoming {
        let text = String::from_utf8(answer.body).unwrap();
        let half: String = text.chars().take(text.chars().count() / 2).collect();
        let garbage =
            ["<html>maintenance</html>".into(), "null".into(), half, text.replace("status", "state")];
        Incoming { body: self.weather.dice.pick(&garbage).unwrap_or_default().into_bytes(), ..answer }
    }
}

/// How a charge is paid that needs no page. A wallet's token is charged, declined, or to be confirmed on the page,
/// depending on its reference; a saved card is charged or declined: no payer is there to confirm.
fn means(opening: &Opening, is_charged: bool) -> Means {
    let reference = &opening.terms.reference;
    let place = if is_charged { 0 } else { number(reference) % 4 };
    match (opening.means, place) {
        (Means::Page, _) => Means::Page,
        (Means::Wallet(_), 2) => Means::Wallet(Token::Card(card("mastercard-decline"))),
        (Means::Wallet(_), 3) => Means::Wallet(Token::Card(card("visa-3ds"))),
        (Means::Wallet(_), _) => Means::Wallet(Token::Card(payers_card(reference))),
        (Means::SavedCard { is_payer_present, .. }, 2) => {
            Means::SavedCard { card: card("mastercard-decline"), is_payer_present }
        }
        (saved @ Means::SavedCard { .. }, _) => saved,
    }
}

fn is_wrong(charge: &Recorded) -> bool {
    charge.amount() != charge.terms.amount
}

/// The reference of a request that opens a charge.
fn opening(request: &Outgoing) -> String {
    let order: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    order.get("reference").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn mistake(answer: Incoming) -> Incoming {
    let Ok(mut charge) = serde_json::from_slice::<Value>(&answer.body) else { return answer };
    if let Some(reference) = charge.get_mut("reference") {
        *reference = Value::String("SOMEBODYELSE".into());
    }
    Incoming { body: charge.to_string().into_bytes(), ..answer }
}
