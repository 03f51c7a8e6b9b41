//! Every order of events over a transaction with up to two attempts, including late and repeated reports,
//! driven through the functions that the flows use. What must always hold is checked in every reachable
//! state.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod walk;

use std::collections::BTreeSet;
use std::time::Duration;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::change::{AttemptWrite, Change};
use checkout_core::gateway::charge::{Outcome, PgParams, Report};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::gateway::profile::Profile;
use checkout_core::payment::apply::{AttemptResult, OutcomeReport, ReportOccasion, apply, expire};
use checkout_core::payment::begin::{AttemptTerms, Opening, WantedPayment, begin, invalidate, may_open};
use checkout_core::settings::MerchantSettings;
use checkout_core::state::{Event, State, step};
use checkout_core::testing::world::BEGINNING;
use checkout_core::transaction::{Settlement, Transaction};
use checkout_core::value::id::{PgCode, ReferenceNumber};
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_tests::shop::{Shop, order};
use stateright::{Checker, Model, Property};

const REFERENCES: [&str; 2] = ["REF1", "REF2"];
const VERSION: i64 = 7;

/// The parts of a stored attempt that affect decisions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Try {
    code: &'static str,
    opened: Time,
    stage: &'static str,
    has_page: bool,
    /// Whether the sweep asks about it.
    is_chased: bool,
    message: Option<String>,
    /// Whether the gateway ever approved what it was asked for.
    was_approved: bool,
}

/// The state of a payment, and what went wrong so far.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Payment {
    state: &'static str,
    /// The attempt that settled it.
    settled_by: Option<usize>,
    tries: Vec<Try>,
    time: Time,
    /// Attempts and reasons on the attention list.
    flagged: BTreeSet<(usize, &'static str)>,
    /// The first rule that an event broke.
    broken: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Time {
    /// Requests may still be in progress.
    Soon,
    /// What has not arrived by now was never sent.
    Later,
    /// The time to pay is over.
    Over,
    /// Unknown outcomes are given up.
    Days,
}

/// What is reported about an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Approved,
    Declined,
    Canceled,
    PageOpen,
    Absent,
    Nothing,
    NothingOnReturn,
    AnotherAmount,
    NeverSent,
}

const WORDS: [Word; 9] = [
    Word::Approved,
    Word::Declined,
    Word::Canceled,
    Word::PageOpen,
    Word::Absent,
    Word::Nothing,
    Word::NothingOnReturn,
    Word::AnotherAmount,
    Word::NeverSent,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin(&'static str),
    Hear(usize, Word),
    Wait,
    Expire,
    Cancel,
    Invalidate,
}

struct Payments {
    base: Transaction,
    settings: MerchantSettings,
    codes: &'static [&'static str],
}

impl Time {
    fn now(self) -> Timestamp {
        BEGINNING.plus(match self {
            Self::Soon => Duration::from_secs(1),
            Self::Later => Duration::from_mins(3),
            Self::Over => Duration::from_hours(24),
            Self::Days => Duration::from_hours(24 + 73),
        })
    }

    fn next(self) -> Option<Self> {
        match self {
            Self::Soon => Some(Self::Later),
            Self::Later => Some(Self::Over),
            Self::Over => Some(Self::Days),
            Self::Days => None,
        }
    }
}

impl Try {
    fn stage(&self) -> Stage {
        Stage::parse(self.stage).unwrap()
    }
}

impl Payment {
    fn state(&self) -> State {
        State::parse(self.state).unwrap()
    }

    fn has_open(&self) -> bool {
        self.tries.iter().any(|attempt| attempt.stage().is_open())
    }

    fn count(&self, stage: Stage) -> usize {
        self.tries.iter().filter(|attempt| attempt.stage() == stage).count()
    }

    fn is_flagged(&self, place: usize, reasons: &[&'static str]) -> bool {
        reasons.iter().any(|reason| self.flagged.contains(&(place, *reason)))
    }
}

impl Payments {
    fn new(codes: &'static [&'static str], currency: &str) -> Self {
        let shop = Shop::open(1);
        let mut body = order(codes);
        let fields = [("currency_code", currency), ("amount", "10")];
        body.as_object_mut().unwrap().extend(fields.map(|(name, value)| (name.into(), value.into())));
        let base = shop.transaction(&shop.create(&body));
        Self { base, settings: MerchantSettings::clone(&shop.settings()), codes }
    }

    fn transaction(&self, payment: &Payment) -> Transaction {
        let settlement = payment.settled_by.map(|place| Settlement {
            pg_code: PgCode::parse(payment.tries.get(place).unwrap().code).unwrap(),
            settled: self.base.amount,
            paid: None,
        });
        Transaction { state: payment.state(), version: VERSION, settlement, ..self.base.clone() }
    }

    fn attempt(&self, payment: &Payment, place: usize) -> Attempt {
        let known = payment.tries.get(place).unwrap();
        let profile = self.settings.gateway(&PgCode::parse(known.code).unwrap()).unwrap();
        let reference = ReferenceNumber::parse(REFERENCES.get(place).unwrap()).unwrap();
        let opened_at = known.opened.now();
        let payable = Transaction { state: State::Created, ..self.base.clone() };
        let begun = begin(&payable, None, self.terms(profile), reference, opened_at).unwrap();
        Attempt {
            number: i64::try_from(place).unwrap().saturating_add(1),
            stage: known.stage(),
            inquire_at: known.is_chased.then(|| payment.time.now()),
            inquiries: 7,
            unknown_since: (known.stage() == Stage::Unknown).then_some(opened_at),
            page_url: known.has_page.then(|| "https://bank.example.com/pay".into()),
            message: known.message.clone(),
            ..begun.attempt.unwrap().attempt().clone()
        }
    }

    fn latest(&self, payment: &Payment) -> Option<Attempt> {
        payment.tries.len().checked_sub(1).map(|place| self.attempt(payment, place))
    }

    /// The payment after a change; rules about single events are checked here.
    fn after(&self, before: &Payment, change: &Change, heard: Option<(usize, Word)>) -> Payment {
        let mut next = before.clone();
        next.state = change.transaction.state.as_str();
        let mut rules = vec![
            ("a change is the next version", change.transaction.version == VERSION + 1),
            ("a state moves only as it may", may_move(before.state(), change.transaction.state)),
        ];
        if let Some(write) = &change.attempt {
            let attempt = write.attempt();
            let place = REFERENCES.iter().position(|known| *known == attempt.reference.as_str()).unwrap();
            let known = before.tries.get(place);
            next.tries.truncate(before.tries.len().max(place));
            let written = Try {
                code: self.codes.iter().find(|code| **code == attempt.pg_code.as_str()).unwrap(),
                opened: known.map_or(before.time, |known| known.opened),
                stage: attempt.stage.as_str(),
                has_page: attempt.page_url.is_some(),
                is_chased: attempt.inquire_at.is_some(),
                message: attempt.message.clone(),
                was_approved: known.is_some_and(|known| known.was_approved)
                    || heard == Some((place, Word::Approved)),
            };
            let from = known.map(Try::stage);
            rules
                .push(("a result needs its word", may_end(from, attempt.stage, heard.map(|(_, word)| word))));
            if let AttemptWrite::Update { from: said, .. } = write {
                rules.push(("a change names the stage before", from == Some(*said)));
            }
            match next.tries.get_mut(place) {
                Some(slot) => *slot = written,
                None => next.tries.push(written),
            }
            if before.settled_by.is_none() && change.transaction.settlement.is_some() {
                next.settled_by = Some(place);
            }
            next.flagged.extend(change.attention.iter().map(|entry| (place, entry.reason.as_str())));
        }
        let settled = next.settled_by.and_then(|place| next.tries.get(place)).map(|settled| settled.code);
        let notified = change.transaction.settlement.as_ref().map(|settlement| settlement.pg_code.as_str());
        rules.push(("the first success settles and stays", settled == notified));
        let settlement = change.transaction.settlement.as_ref();
        let is_own = settlement.is_none_or(|settlement| {
            settlement.settled == self.base.amount
                && settlement.paid.is_none_or(|paid| paid.currency() == self.base.amount.currency())
        });
        rules.push(("what is settled is the amount, in its own currency", is_own));
        next.broken = rules.into_iter().find(|(_, holds)| !holds).map(|(rule, _)| rule);
        next
    }

    fn hear(&self, payment: &Payment, place: usize, word: Word) -> Payment {
        let attempt = self.attempt(payment, place);
        let (learned, occasion) = learned(&attempt, word);
        let inquiry_after = Duration::from_mins(8);
        let news = OutcomeReport { learned, occasion, inquiry_after, now: payment.time.now() };
        let applied = apply(&self.transaction(payment), &attempt, news);
        let is_recorded = word != Word::Approved
            || applied.as_ref().is_some_and(|applied| stage_of(&applied.change) == Some(Stage::Success))
            || matches!(attempt.stage, Stage::Success | Stage::Cod);
        let mut next = match applied {
            Some(applied) => self.after(payment, &applied.change, Some((place, word))),
            None => payment.clone(),
        };
        if !is_recorded {
            next.broken = Some("an approval is recorded");
        }
        next
    }

    fn terms<'a>(&self, profile: &'a Profile) -> AttemptTerms<'a> {
        AttemptTerms { profile, principal: self.base.amount, form_of_payment: FormOfPayment::Redirect }
    }

    fn begin(&self, payment: &Payment, code: &str) -> Option<Payment> {
        let (transaction, latest) = (self.transaction(payment), self.latest(payment));
        let code = PgCode::parse(code).unwrap();
        let wanted = WantedPayment { code: &code, principal: self.base.amount };
        let opening = may_open(&transaction, latest.as_ref(), wanted, payment.time.now());
        if opening != Ok(Opening::Free) {
            return None;
        }
        let reference = ReferenceNumber::parse(REFERENCES.get(payment.tries.len())?).unwrap();
        let profile = self.settings.gateway(&code).unwrap();
        let change =
            begin(&transaction, latest.as_ref(), self.terms(profile), reference, payment.time.now()).unwrap();
        Some(self.after(payment, &change, None))
    }
}

/// Final states are left only by a late success, and a success only by the cancellation of cash.
fn may_move(from: State, to: State) -> bool {
    match from {
        State::Created | State::Pending | State::Attempted => true,
        State::Failed | State::Expired => from == to || to.is_success(),
        State::Cod => from == to || to == State::Canceled,
        State::Paid | State::Authorized | State::Canceled | State::Invalided | State::Refunded => from == to,
    }
}

/// An open attempt ends without success only by a report that says so: unknown is not failed. A success
/// stays.
fn may_end(from: Option<Stage>, to: Stage, word: Option<Word>) -> bool {
    let Some(from) = from else { return matches!(to, Stage::Sending | Stage::Cod) };
    if from == to {
        return true;
    }
    match to {
        Stage::Success => word == Some(Word::Approved) && from != Stage::Cod,
        Stage::Failed => from.is_open() && word == Some(Word::Declined),
        Stage::Canceled => from.is_open() && word == Some(Word::Canceled),
        Stage::Error => from.is_open() && matches!(word, Some(Word::NeverSent | Word::Absent)),
        Stage::Cod => false,
        Stage::Sending | Stage::Redirected | Stage::Unknown => from.is_open(),
    }
}

fn stage_of(change: &Change) -> Option<Stage> {
    change.attempt.as_ref().map(|write| write.attempt().stage)
}

fn learned(attempt: &Attempt, word: Word) -> (AttemptResult, ReportOccasion) {
    let (asked, before) = (attempt.quote.total, attempt.principal);
    // What was to be paid before the fee and the exchange, if that is another amount.
    let another = if before == asked { Money::new(1, asked.currency()).unwrap() } else { before };
    let outcome = match word {
        Word::Approved | Word::AnotherAmount => Outcome::Approved,
        Word::Declined => Outcome::Declined,
        Word::Canceled => Outcome::Canceled,
        Word::PageOpen => Outcome::Open { page_url: "https://bank.example.com/pay".into() },
        Word::Absent => Outcome::Absent,
        Word::Nothing => return (AttemptResult::AnswerLost, ReportOccasion::Background),
        Word::NothingOnReturn => return (AttemptResult::AnswerLost, ReportOccasion::Return),
        Word::NeverSent => return (AttemptResult::NeverSent(None), ReportOccasion::Opening),
    };
    let report = Report {
        reference: attempt.reference.to_string(),
        total: Some(if word == Word::AnotherAmount { another } else { asked }),
        outcome,
        message: None,
        gateway_id: None,
        params: PgParams::new(),
        raw: None,
        card: None,
    };
    (AttemptResult::Report(report), ReportOccasion::Background)
}
