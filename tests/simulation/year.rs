//! A year of auto debits: agreements of one card that are debited each month, a bank that declines, falls silent and
//! comes back, runs that die or meet each other, and payers who pay another way. Afterwards nothing was charged twice, the
//! card was never tried more often than the schemes permit, and every debit is paid, waits, or has paused its agreement.

use std::env;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::card::Holder;
use checkout_core::card::agreement::AgreementKey;
use checkout_core::card::ladder::LIMITS;
use checkout_core::card::usage::{CardUse, ChargeInitiator};
use checkout_core::flow::card::{DebitAnswerShape, auto_debit};
use checkout_core::flow::merchant::native::PaymentInput;
use checkout_core::flow::sweep::sweep;
use checkout_core::port::{Cards, Ladders};
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Mood;
use checkout_tests::dying::{Dying, End};
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde_json::{Value, json};

use crate::dice::Dice;

const CUSTOMER: &str = "c-1";
const AGREEMENTS: [&str; 3] = ["RENT", "GYM", "NEWS"];
const HOUR: u64 = 3_600;
/// As many as a debug build runs in a quarter of a minute on a small machine.
const EVERY_DAY: u64 = 24;
/// How many years are lived at most: each takes a hundred times as long as another seed.
const AT_MOST: u64 = 2_000;

struct Year {
    shop: Shop,
    dice: Dice,
    token: String,
    debits: Vec<(SessionId, &'static str)>,
    /// The agreements that a payer resumed by paying.
    resumed: Vec<&'static str>,
}

fn body(id: &str) -> Value {
    let mut body = order(&["credit-card"]);
    let more = json!({"payment_type": "auto_debit", "customer_id": CUSTOMER, "agreement": {"id": id, "type": "other"}});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

impl Year {
    fn begin(seed: u64) -> Self {
        let dice = Dice::new(seed);
        let retries = if dice.chance(500) {
            json!({})
        } else {
            json!({"insufficient_funds": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]})
        };
        let shop = Shop::open_with(seed, |settings| {
            let settings = settings.as_object_mut().unwrap();
            settings.insert("auto_debit".into(), json!({"retries": retries}));
            settings.insert("limits".into(), json!({"session_declines": 0, "session_cards": 0}));
        });
        let mut year = Self { shop, dice, token: String::new(), debits: Vec::new(), resumed: Vec::new() };
        for id in AGREEMENTS {
            year.pay(id);
        }
        year
    }

    /// The payer pays under an agreement on the bank's page.
    fn pay(&mut self, id: &str) {
        let session_id = self.shop.create(&body(id));
        let reference = self.shop.pay_to_page(&session_id, "credit-card");
        self.shop.bank.approve(reference.as_str());
        let _ = self.shop.come_back(&reference);
        let _ = self.shop.sweep();
        let holder = Holder {
            merchant: self.shop.private().merchant().clone(),
            customer_id: CUSTOMER.into(),
            is_sandbox: true,
        };
        let cards = block_on(self.shop.world.store.cards(&holder, 1)).unwrap();
        cards.first().unwrap().card.token.as_str().clone_into(&mut self.token);
    }

    fn debit(&mut self, id: &'static str) {
        let session_id = self.shop.create(&body(id));
        let body = json!({"session_id": session_id.as_str(), "token": self.token}).to_string();
        let input =
            PaymentInput { caller: self.shop.private(), idempotency_key: None, body: body.as_bytes() };
        let _ = block_on(auto_debit(&self.shop.world, input, DebitAnswerShape::Native));
        self.debits.push((session_id, id));
    }

    fn change_the_bank(&self) {
        if self.dice.chance(600) {
            self.shop.bank.decline_cards();
        } else {
            self.shop.bank.approve_cards();
        }
        let moods =
            [(700, Mood::Fine), (60, Mood::Down), (60, Mood::Mute), (60, Mood::Deaf), (60, Mood::Broken)];
        self.shop.bank.on_opening(self.dice.weighted(&moods));
        self.shop.bank.on_asking(self.dice.weighted(&moods));
    }

    fn run(&self) {
        let world = &self.shop.world;
        match self.dice.between(0, 9) {
            0 => {
                let end = if self.dice.chance(500) { End::BeforeSend } else { End::AfterSend };
                let dying = Dying::new(world, end);
                let _ = dying.run(sweep(&dying));
            }
            1 => {
                let interrupted = Interrupted::after_send(world, || {
                    let _ = block_on(sweep(world));
                });
                let _ = block_on(sweep(&interrupted));
            }
            _ => {
                let _ = self.shop.sweep();
            }
        }
    }

    /// A payer follows the link of a debit that was declined.
    fn pay_another_way(&mut self) {
        let Some((session_id, id)) = self.dice.pick(&self.debits) else { return };
        self.shop.bank.on_opening(Mood::Fine);
        self.shop.bank.on_asking(Mood::Fine);
        if self.shop.state(&session_id) != "attempted" || self.shop.latest(&session_id).is_open() {
            return;
        }
        if self.shop.pay(&session_id, "credit-card").is_err() {
            return;
        }
        let reference = self.shop.latest(&session_id).reference;
        if self.shop.bank.statuses().get(reference.as_str()) == Some(&"open") {
            self.shop.bank.approve(reference.as_str());
            let _ = self.shop.come_back(&reference);
            self.resumed.push(id);
        }
    }

    fn attempts(&self) -> Vec<Attempt> {
        self.debits.iter().flat_map(|(session_id, _)| self.shop.world.store.attempts(session_id)).collect()
    }
}

fn live(seed: u64) -> (usize, usize, usize) {
    let mut year = Year::begin(seed);
    for half_day in 0..730 {
        year.shop.wait(12 * HOUR);
        year.change_the_bank();
        if half_day % 60 == 0 {
            for id in AGREEMENTS {
                year.debit(id);
            }
        }
        for _ in 0..3 {
            year.shop.wait(HOUR / 3);
            year.run();
        }
        if year.dice.chance(20) {
            year.pay_another_way();
        }
    }
    year.shop.bank.on_opening(Mood::Fine);
    year.shop.bank.on_asking(Mood::Fine);
    for _ in 0..200 {
        year.shop.wait(12 * HOUR);
        let _ = year.shop.sweep();
    }
    judge(seed, &year)
}

/// What is left, and how many debits were tried again, paid and paused.
fn judge(seed: u64, year: &Year) -> (usize, usize, usize) {
    let attempts = year.attempts();
    let statuses = year.shop.bank.statuses();
    let (mut paid, mut paused) = (0_usize, 0_usize);
    for (session_id, id) in &year.debits {
        let own: Vec<&Attempt> =
            attempts.iter().filter(|attempt| attempt.session_id == *session_id).collect();
        let charged = own
            .iter()
            .filter(|attempt| statuses.get(attempt.reference.as_str()) == Some(&"approved"))
            .count();
        assert!(charged <= 1, "seed {seed}: {session_id} was charged {charged} times");
        let is_paid = own.iter().any(|attempt| attempt.stage == Stage::Success);
        assert_eq!(is_paid, charged == 1, "seed {seed}: {session_id}: {:?}", year.shop.results(session_id));
        let ladder = block_on(year.shop.world.store.ladder(session_id)).unwrap();
        let holder = Holder {
            merchant: year.shop.private().merchant().clone(),
            customer_id: CUSTOMER.into(),
            is_sandbox: true,
        };
        let key = AgreementKey { holder, id: (*id).into() };
        let is_paused = block_on(year.shop.world.store.agreement(&key)).unwrap().unwrap().paused.is_some();
        let is_left = own.is_empty() || year.resumed.contains(id);
        assert!(
            is_paid || ladder.is_some() || is_paused || is_left,
            "seed {seed}: {session_id} of {id} is lost: {:?} {}",
            year.shop.results(session_id),
            year.shop.state(session_id)
        );
        assert!(!is_paid || ladder.is_none(), "seed {seed}: {session_id} is paid and waits");
        paid = paid.strict_add(usize::from(is_paid));
        paused = paused.strict_add(usize::from(is_paused));
    }
    (check_limits(seed, &attempts), paid, paused)
}

/// How many debits nobody asked for: each was within the limits of the schemes.
fn check_limits(seed: u64, attempts: &[Attempt]) -> usize {
    let is_debit = |attempt: &&Attempt| matches!(attempt.card, CardUse::Charge(_, ChargeInitiator::Merchant));
    let mut retries = 0_usize;
    for again in attempts.iter().filter(is_debit).filter(|attempt| attempt.number > 1) {
        retries = retries.strict_add(1);
        for (window, most) in LIMITS {
            let before = attempts.iter().filter(is_debit).filter(|other| {
                other.card == again.card
                    && other.stage != Stage::Success
                    && other.opened_at < again.opened_at
                    && other.opened_at > again.opened_at.minus(window)
            });
            let count = before.count();
            let most = usize::try_from(most).unwrap();
            assert!(count < most, "seed {seed}: {} came after {count} others in {window:?}", again.reference);
        }
    }
    retries
}

#[test]
fn a_year_of_debits_charges_nothing_twice_and_loses_none() {
    let asked = env::var("SIMULATION_SEEDS").ok().and_then(|text| text.parse().ok());
    let count = asked.unwrap_or(EVERY_DAY).min(AT_MOST);
    let (mut retries, mut paid, mut paused) = (0, 0, 0);
    for seed in 0..count {
        let (some, of_these, stopped) = live(seed);
        retries += some;
        paid += of_these;
        paused += stopped;
    }
    eprintln!("{count} years: {retries} debits tried again, {paid} paid, {paused} of paused agreements");
    assert!(retries > 100 && paid > 100 && paused > 10, "{retries} {paid} {paused}");
}
