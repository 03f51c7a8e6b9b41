//! All participants: a merchant with its orders, payers with their tabs, the bank, the receivers.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use checkout_core::access::header::{Credential, parse_authorization};
use checkout_core::access::operator::ROOT;
use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::card::usage::CardUse;
use checkout_core::child::Child;
use checkout_core::flow::operator::merchant::add_merchant;
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::port::Store;
use checkout_core::testing::store::AttemptEvent;
use checkout_core::value::id::{MerchantId, PgCode, SessionId};
use checkout_core::value::time::Timestamp;
use checkout_tests::gateway::Exclusive;
use checkout_tests::shop::DEMO_SETTINGS;
use pollster::block_on;
use sandbox_bank::charge::ChargeStatus;
use serde_json::{Value, json};

use crate::bank::Bank;
use crate::charge::Charge;
use crate::debit::{CUSTOMER, KEEPERS, Terms};
use crate::receiver::Receivers;
use crate::weather::Weather;
use crate::world::FaultyWorld;

/// The methods of the demo merchant that charge at once, and the one that needs no bank, with how often out
/// of a thousand an order offers them.
const PURCHASES: [(u64, &str); 5] =
    [(700, "knet"), (500, "credit-card"), (300, "queued"), (250, "single"), (150, "cash")];

/// The methods that take dollars: the first by exchange.
const DOLLARS: [&str; 4] = ["knet", "credit-card", "mpgs", "cash"];

/// For how long a merchant repeats a request: a key is stored a little longer.
const KEY_LIFE: Duration = Duration::from_hours(90);

/// An order of the merchant.
#[derive(Debug)]
pub(crate) struct Order {
    /// Under which idempotency key the merchant creates it.
    pub(crate) key: String,
    /// The body that the merchant sends.
    pub(crate) body: String,
    /// The methods that are offered.
    pub(crate) codes: Vec<String>,
    /// Whether the payer chooses how much to pay.
    pub(crate) is_editable: bool,
    /// Where the merchant wants to be notified.
    pub(crate) webhook_url: Option<String>,
    /// When the merchant first sent the request.
    pub(crate) asked_at: Cell<Option<Timestamp>>,
    /// The answer to the merchant.
    pub(crate) answer: RefCell<Option<String>>,
    /// The transaction, if the merchant got an answer.
    pub(crate) session_id: RefCell<Option<SessionId>>,
}

impl Order {
    /// Whether the merchant requested it, and may repeat the request under the same key.
    pub(crate) fn is_known(&self, now: Timestamp) -> bool {
        self.asked_at.get().is_some_and(|at| now.since(at) < KEY_LIFE)
    }
}

/// One run.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) world: FaultyWorld,
    pub(crate) weather: Rc<Weather>,
    pub(crate) bank: Rc<Bank>,
    pub(crate) receivers: Rc<Receivers>,
    pub(crate) merchant: MerchantId,
    pub(crate) credential: Credential,
    pub(crate) orders: Vec<Order>,
    /// The terms of the agreement.
    pub(crate) terms: Terms,
    /// The references of the payment pages that payers have open.
    pub(crate) tabs: RefCell<BTreeSet<String>>,
    /// The references to which payers may come back.
    pub(crate) returns: RefCell<BTreeSet<String>>,
}

/// How many orders there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// One payer's order under an agreement, and many of the merchant.
    Agreement,
    /// A few, each with many events.
    Few,
    /// Hundreds, more than one run of the cron handler does at a time.
    Hundreds,
}

impl Scene {
    /// Everything as it is before the storm: a few orders, or as many as a busy shop has.
    pub(crate) fn open(seed: u64, weather: &Rc<Weather>, size: Size) -> Self {
        let world = FaultyWorld::new(seed, weather);
        let (bank, receivers) = (Bank::new(weather, &world.inner.clock), Receivers::new(weather));
        let (for_bank, for_receivers) = (Rc::clone(&bank), Rc::clone(&receivers));
        world.inner.http.answer_by(move |request| {
            if for_bank.is_at(&request.url) {
                for_bank.answer(request)
            } else {
                for_receivers.answer(request)
            }
        });
        let terms = match (size, seed % 4) {
            (Size::Agreement, 0 | 1) | (_, 0) => Terms::Few,
            (Size::Agreement, _) | (_, 1) => Terms::Apart,
            (Size::Few | Size::Hundreds, _) => Terms::Open,
        };
        let settings = settings(&bank, &[], FIRST_RATE, terms);
        let body = json!({"merchant_id": "demo", "settings": settings}).to_string();
        let secrets = block_on(add_merchant(&world, &ROOT, body.as_bytes())).unwrap();
        // For a recurring customer: the method with which the card is saved for all following payments.
        let is_lasting = size == Size::Agreement;
        let lasting = weather.dice.pick(&KEEPERS).filter(|_| is_lasting || weather.dice.chance(300));
        let count = match size {
            Size::Few => weather.dice.between(1, if lasting.is_some() { 5 } else { 3 }),
            Size::Hundreds => weather.dice.between(200, 400),
            Size::Agreement => 17,
        };
        let under = Under { gateway: lasting, is_always: is_lasting, terms };
        let orders = (0..count).map(|number| order(number, under, weather, &bank)).collect();
        Self {
            credential: parse_authorization(&format!("Api-Key {}", secrets.private_key)),
            merchant: MerchantId::parse("demo").unwrap(),
            world,
            weather: Rc::clone(weather),
            bank,
            receivers,
            orders,
            terms,
            tabs: RefCell::default(),
            returns: RefCell::default(),
        }
    }

    /// An attempt as it is stored, whatever the weather.
    pub(crate) fn attempt(&self, reference: &str) -> Option<Attempt> {
        let transactions = self.world.inner.store.transactions().into_iter();
        let attempts = transactions.flat_map(|found| self.world.inner.store.attempts(&found.session_id));
        attempts.into_iter().find(|attempt| attempt.reference.as_str() == reference)
    }

    /// An operation as it is stored, whatever the weather.
    pub(crate) fn child(&self, reference: &str) -> Option<Child> {
        let transactions = self.world.inner.store.transactions().into_iter();
        let children = transactions.flat_map(|found| self.world.inner.store.children(&found.session_id));
        children.into_iter().find(|child| child.reference.as_str() == reference)
    }

    /// The method of each attempt whose outcome was not known for a while.
    pub(crate) fn unknown(&self) -> Vec<PgCode> {
        let store = &self.world.inner.store;
        let mut codes = Vec::new();
        for transaction in store.transactions() {
            let events = store.events(&transaction.session_id);
            let was_unknown = |attempt: &Attempt| {
                let unknown = AttemptEvent { reference: attempt.reference.clone(), stage: Stage::Unknown };
                events.iter().any(|event| event.attempt.as_ref() == Some(&unknown))
            };
            let attempts = store.attempts(&transaction.session_id).into_iter().filter(was_unknown);
            codes.extend(attempts.map(|attempt| attempt.pg_code));
        }
        codes
    }

    /// The reasons for which an attempt is on the attention list.
    pub(crate) fn flags(&self, reference: &str) -> Vec<&'static str> {
        let listed = block_on(self.world.inner.store.attention(u32::MAX)).unwrap();
        let about = listed.iter().filter(|entry| entry.reference.as_str() == reference);
        about.map(|entry| entry.reason.as_str()).collect()
    }

    /// Whether a person is asked to look at the charge of an attempt.
    pub(crate) fn is_held(&self, reference: &str) -> bool {
        let of_webhooks = ["delivery_given_up", "receiver_disabled"];
        self.flags(reference).iter().any(|flag| !of_webhooks.contains(flag))
    }

    /// Whether a person is asked to look at a receiver that is disabled: this address, or its whole host.
    pub(crate) fn is_disabled(&self, address: &str) -> bool {
        let listed = block_on(self.world.inner.store.attention(u32::MAX)).unwrap();
        let mut disabled = listed.iter().filter(|entry| entry.reason.as_str() == "receiver_disabled");
        disabled.any(|entry| {
            let named =
                entry.detail.0.first().and_then(|fact| fact.values.first()).map_or("", String::as_str);
            named == address || address.strip_prefix(named).is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// Lets time pass; the bank acts at the right moments meanwhile.
    pub(crate) fn pass(&self, by: Duration) {
        let until = self.weather.now.get().plus(by);
        while let Some(at) = self.bank.next_event().filter(|at| *at <= until) {
            self.world.advance(at.since(self.weather.now.get()));
            self.bank.keep_time();
        }
        self.world.advance(until.since(self.weather.now.get()));
        self.check_fresh_charges();
    }

    /// Whether an attempt was to be paid on a page of the bank that no one got, and was replaced by another
    /// one.
    fn was_never_shown(&self, attempt: &Attempt) -> bool {
        let is_by_page = attempt.form_of_payment == FormOfPayment::Redirect
            && !matches!(attempt.card, CardUse::Charge(..));
        let gave_way = AttemptEvent { reference: attempt.reference.clone(), stage: Stage::Canceled };
        let events = self.world.inner.store.events(&attempt.session_id);
        is_by_page
            && events.iter().any(|event| event.attempt.as_ref() == Some(&gave_way))
            && !self.tabs.borrow().contains(attempt.reference.as_str())
    }

    /// Whether a charge must be the only one of its payment that the bank may take.
    fn excludes(&self, reference: &str, charge: &Charge) -> bool {
        match charge.exclusive {
            Exclusive::Always => true,
            Exclusive::OnceShown => {
                self.tabs.borrow().contains(reference)
                    || matches!(charge.status, ChargeStatus::Processing | ChargeStatus::Approved)
            }
            Exclusive::Never => false,
        }
    }

    /// What must hold whenever a charge was opened: the bank has nothing else to take for this payment. A
    /// charge that the bank took after all could not be known, and one whose page no one got cannot be paid:
    /// a bank that takes it all the same must give it back in the end.
    pub(crate) fn check_fresh_charges(&self) {
        for reference in self.bank.take_fresh() {
            let Some(fresh) = self.attempt(&reference) else {
                self.weather.wrong(format!("the bank opened {reference}, and no attempt is stored"));
                continue;
            };
            let charges = self.bank.charges();
            if charges.get(&reference).is_some_and(|charge| !self.excludes(&reference, charge)) {
                continue;
            }
            for other in self.world.inner.store.attempts(&fresh.session_id) {
                let charge = charges.get(other.reference.as_str());
                let is_live = charge.is_some_and(|charge| {
                    charge.is_live() && !charge.is_reversed && self.excludes(other.reference.as_str(), charge)
                });
                let is_excused = other.reference == fresh.reference
                    || self.was_never_shown(&fresh)
                    || self.was_never_shown(&other);
                self.weather.holds(is_excused || !is_live, || {
                    format!("{reference} was opened while the bank may still take {}", other.reference)
                });
            }
        }
    }
}

/// The rate from dollars to dinars before the operator changes it.
pub(crate) const FIRST_RATE: &str = "0.3075";

/// The settings of the demo merchant without some of its gateways, with this rate from dollars to dinars.
pub(crate) fn settings(bank: &Bank, without: &[&str], rate: &str, terms: Terms) -> Value {
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings.as_object_mut().unwrap().insert("agreements".into(), json!({"enforce": terms != Terms::Open}));
    *settings.pointer_mut("/exchange_rates/0/rate").unwrap() = json!(rate);
    bank.connect(&mut settings, without);
    settings
}

/// The agreement of the customer.
#[derive(Clone, Copy)]
struct Under {
    /// The method with which the card is saved; `None` if there is no agreement.
    gateway: Option<&'static str>,
    /// Whether every order is under it.
    is_always: bool,
    terms: Terms,
}

/// An order; for a customer with an agreement, mostly one under that agreement.
fn order(number: u64, under: Under, weather: &Weather, bank: &Bank) -> Order {
    let (dice, lasting) = (&weather.dice, under.gateway);
    let keeper = lasting.or_else(|| dice.pick(&KEEPERS)).unwrap_or("mpgs");
    // Not every gateway that saves cards confirms one without a payment.
    let saves_card = !under.is_always && dice.chance(120) && bank.confirms_cards(keeper);
    let is_under_agreement = lasting.is_some() && !saves_card && (under.is_always || dice.chance(800));
    let codes: Vec<String> = if saves_card || is_under_agreement {
        vec![keeper.into()]
    } else if dice.chance(150) {
        vec!["mpgs".into()]
    } else {
        let some = PURCHASES.iter().filter(|(rate, _)| dice.chance(*rate));
        let some: Vec<String> = some.map(|(_, code)| (*code).into()).collect();
        if some.is_empty() { vec!["knet".into()] } else { some }
    };
    let takes_dollars = |code: &String| DOLLARS.contains(&code.as_str());
    let (currency, amounts) = if codes.iter().any(takes_dollars) && dice.chance(400) {
        ("USD", &["10.00", "0.60", "250.55"])
    } else {
        ("KWD", &["10.000", "0.100", "250.500"])
    };
    let is_editable = !saves_card && !is_under_agreement && dice.chance(300);
    // A card cannot be saved without an address at which that is notified.
    let webhook_url =
        (saves_card || !dice.chance(100)).then(|| format!("https://shop{number}.example.com/hook"));
    let payment_type = match (saves_card, is_under_agreement) {
        (true, _) => "save_card",
        (false, true) => "auto_debit",
        (false, false) => "one_off",
    };
    // Otherwise a method that must know who pays asks the payer.
    let is_known = dice.chance(500);
    let body = json!({
        "type": if is_editable { "payment_request" } else { "e_commerce" },
        "payment_type": payment_type,
        "customer_id": CUSTOMER,
        "customer_phone": is_known.then_some("+96550001234"),
        "customer_email": is_known.then_some("noura@example.com"),
        "customer_first_name": is_known.then_some("Noura"),
        "customer_last_name": is_known.then_some("Al-Sabah"),
        "agreement": is_under_agreement.then(|| under.terms.agreement()),
        "amount": if saves_card { Some("0") } else { dice.pick(amounts) },
        "currency_code": currency,
        "pg_codes": codes,
        "order_no": format!("A-{number}"),
        "webhook_url": webhook_url,
        "redirect_url": "https://shop.example.com/thanks",
        "expiration_time": dice.pick(&["0 00:02:00", "0 01:00:00", "1 00:00:00", "3 00:00:00"]),
    });
    Order {
        key: format!("key-{number}"),
        body: body.to_string(),
        codes,
        is_editable,
        webhook_url,
        asked_at: Cell::new(None),
        answer: RefCell::new(None),
        session_id: RefCell::new(None),
    }
}
