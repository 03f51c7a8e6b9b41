//! One test per rule of `payment::apply`: what is learned about an attempt, and how it and its transaction
//! change.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod late;
mod mismatches;

use std::time::Duration;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::change::{AttemptWrite, EventKind};
use checkout_core::gateway::charge::{Outcome, PgParams, Report};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::payment::apply::{
    Applied, AttemptResult, MAX_MESSAGE_CHARS, OutcomeReport, ReportOccasion, apply, expire,
};
use checkout_core::payment::begin::{AttemptTerms, begin};
use checkout_core::payment::chase::{ABSENCE_GRACE, CHASE, SENDING_GRACE};
use checkout_core::record::attention::Reason;
use checkout_core::state::{Event, Retry, State, step};
use checkout_core::testing::world::BEGINNING;
use checkout_core::transaction::Transaction;
use checkout_core::value::id::{PgCode, ReferenceNumber};
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_tests::shop::{Shop, order};

const MINUTE: Duration = Duration::from_mins(1);
const INQUIRY_AFTER: Duration = Duration::from_mins(8);

/// A transaction, the attempt that the test is about, and the time.
#[derive(Clone)]
struct Case {
    transaction: Transaction,
    attempt: Attempt,
    now: Timestamp,
}

impl Case {
    /// An attempt that was opened just now through `code`, over 10.000 KWD before fees.
    fn opened(code: &str) -> Self {
        let shop = Shop::open(1);
        let transaction = shop.transaction(&shop.create(&order(&[code])));
        let settings = shop.settings();
        let profile = settings.gateway(&PgCode::parse(code).unwrap()).unwrap();
        let reference = ReferenceNumber::parse("REF1").unwrap();
        let change = begin(
            &transaction,
            None,
            AttemptTerms { profile, principal: transaction.amount, form_of_payment: FormOfPayment::Redirect },
            reference,
            BEGINNING,
        )
        .unwrap();
        let attempt = change.attempt.unwrap().attempt().clone();
        Self { transaction: change.transaction, attempt, now: BEGINNING }
    }

    /// An attempt whose payer is at the gateway's page.
    fn redirected(code: &str) -> Self {
        let mut case = Self::opened(code);
        case.take(case.report(page()), ReportOccasion::Opening);
        assert_eq!(case.attempt.stage, Stage::Redirected);
        case
    }

    /// An attempt whose opening was not answered.
    fn unknown(code: &str) -> Self {
        let mut case = Self::opened(code);
        case.take(AttemptResult::AnswerLost, ReportOccasion::Opening);
        assert_eq!(case.attempt.stage, Stage::Unknown);
        case
    }

    /// An attempt that ended, of a transaction in any state.
    fn ended(outcome: Outcome, state: State) -> Self {
        let mut case = Self::redirected("knet");
        case.take(case.report(outcome), ReportOccasion::Background);
        case.transaction.state = state;
        case
    }

    fn wait(&mut self, duration: Duration) {
        self.now = self.now.plus(duration);
    }

    /// A report of the gateway that fits the attempt.
    fn report(&self, outcome: Outcome) -> AttemptResult {
        AttemptResult::Report(Report {
            reference: self.attempt.reference.to_string(),
            total: Some(self.attempt.quote.total),
            outcome,
            message: None,
            gateway_id: None,
            params: PgParams::new(),
            raw: None,
            card: None,
        })
    }

    fn report_with(&self, outcome: Outcome, change: impl FnOnce(&mut Report)) -> AttemptResult {
        let AttemptResult::Report(mut report) = self.report(outcome) else {
            return AttemptResult::AnswerLost;
        };
        change(&mut report);
        AttemptResult::Report(report)
    }

    fn learn(&self, learned: AttemptResult, occasion: ReportOccasion) -> Option<Applied> {
        let news = OutcomeReport { learned, occasion, inquiry_after: INQUIRY_AFTER, now: self.now };
        apply(&self.transaction, &self.attempt, news)
    }

    /// Learns something new and continues with the result.
    fn take(&mut self, learned: AttemptResult, occasion: ReportOccasion) -> Applied {
        let applied = self.learn(learned, occasion).unwrap();
        let Some(AttemptWrite::Update { from, attempt }) = &applied.change.attempt else { return applied };
        assert_eq!(*from, self.attempt.stage);
        assert_eq!(applied.change.transaction.version, self.transaction.version.saturating_add(1));
        self.attempt = attempt.clone();
        self.transaction = applied.change.transaction.clone();
        applied
    }

    fn stands(&self) -> (State, Stage) {
        (self.transaction.state, self.attempt.stage)
    }
}

fn page() -> Outcome {
    Outcome::Open { page_url: "https://bank.example.com/pay/1".into() }
}

fn reasons(applied: &Applied) -> Vec<Reason> {
    applied.change.attention.iter().map(|entry| entry.reason).collect()
}

fn kwd(text: &str) -> Money {
    Money::parse(text, Currency::parse("KWD").unwrap()).unwrap()
}

// Outcomes.

#[test]
fn an_approved_purchase_pays_the_transaction() {
    let mut case = Case::redirected("knet");
    let applied = case.take(case.report(Outcome::Approved), ReportOccasion::Return);
    assert_eq!(case.stands(), (State::Paid, Stage::Success));
    let settlement = case.transaction.settlement.clone().unwrap();
    assert_eq!(settlement.pg_code.as_str(), "knet");
    assert_eq!((settlement.settled, settlement.paid), (kwd("10.000"), Some(kwd("10.250"))));
    assert_eq!(
        (case.attempt.inquire_at, &case.attempt.page_url, &case.attempt.message),
        (None, &None, &None)
    );
    assert!(applied.is_notified && applied.change.attention.is_empty());
}

#[test]
fn an_approved_authorization_holds_the_money_and_takes_none() {
    let mut case = Case::redirected("mpgs");
    case.take(case.report(Outcome::Approved), ReportOccasion::Return);
    assert_eq!(case.stands(), (State::Authorized, Stage::Success));
    let settlement = case.transaction.settlement.clone().unwrap();
    assert_eq!((settlement.settled, settlement.paid), (kwd("10.000"), None));
}

#[test]
fn an_outcome_may_come_with_the_answer_to_the_opening() {
    for (outcome, stands) in [
        (Outcome::Approved, (State::Paid, Stage::Success)),
        (Outcome::Declined, (State::Attempted, Stage::Failed)),
        (Outcome::Canceled, (State::Attempted, Stage::Canceled)),
    ] {
        let mut case = Case::opened("knet");
        case.take(case.report(outcome), ReportOccasion::Opening);
        assert_eq!(case.stands(), stands);
    }
}

#[test]
fn a_result_without_success_leaves_another_attempt_if_the_gateway_permits_one() {
    for (learned, with_retry, without) in [
        (Outcome::Declined, (State::Attempted, Stage::Failed), (State::Failed, Stage::Failed)),
        (Outcome::Canceled, (State::Attempted, Stage::Canceled), (State::Expired, Stage::Canceled)),
    ] {
        for (code, stands) in [("knet", with_retry), ("single", without)] {
            let mut case = Case::redirected(code);
            let applied = case.take(case.report(learned.clone()), ReportOccasion::Return);
            assert_eq!(case.stands(), stands, "{code}");
            assert!(applied.is_notified && case.transaction.settlement.is_none());
            assert_eq!(case.attempt.inquire_at, Some(case.attempt.opened_at.plus(INQUIRY_AFTER)));
        }
    }
}

#[test]
fn what_surely_was_not_sent_is_an_error_and_says_why() {
    for (code, state) in [("knet", State::Attempted), ("single", State::Failed)] {
        for (words, message) in
            [(Some("no such account"), "no such account"), (None, "the gateway did not take the payment")]
        {
            let mut case = Case::opened(code);
            let applied = case.take(AttemptResult::NeverSent(words.map(Into::into)), ReportOccasion::Opening);
            assert_eq!(case.stands(), (state, Stage::Error), "{code}");
            assert_eq!(case.attempt.message.as_deref(), Some(message));
            assert!(applied.is_notified);
        }
    }
}

#[test]
fn the_data_of_a_report_go_onto_the_attempt() {
    let mut case = Case::redirected("knet");
    let long = "x".repeat(300);
    let learned = case.report_with(Outcome::Declined, |report| {
        report.message = Some(long.clone());
        report.gateway_id = Some("ch-1".into());
        report.params = PgParams::from_iter([("rrn".into(), "12".into())]);
        report.raw = Some("{}".into());
    });
    case.take(learned, ReportOccasion::Return);
    assert_eq!(case.attempt.message.as_ref().map(|message| message.chars().count()), Some(MAX_MESSAGE_CHARS));
    assert_eq!(case.attempt.gateway_id.as_deref(), Some("ch-1"));
    assert_eq!(case.attempt.params.get("rrn").map(String::as_str), Some("12"));
    assert_eq!(case.attempt.response.as_deref(), Some("{}"));
}

// Unknown is not failed.

#[test]
fn an_answer_that_was_lost_leaves_the_outcome_unknown_and_the_transaction_pending() {
    for learned in [AttemptResult::AnswerLost, Case::opened("knet").report(Outcome::Unknown)] {
        let mut case = Case::opened("knet");
        let applied = case.take(learned, ReportOccasion::Opening);
        assert_eq!(case.stands(), (State::Pending, Stage::Unknown));
        assert_eq!(case.attempt.unknown_since, Some(case.now));
        assert_eq!(case.attempt.inquire_at, Some(case.now), "it is chased at once");
        assert!(applied.is_notified, "the merchant hears that it is pending");
        assert_eq!(case.attempt.stage.result(), "pending");
    }
}

#[test]
fn nothing_but_a_certain_answer_ends_an_open_attempt() {
    for case in [Case::opened("single"), Case::redirected("single"), Case::unknown("single")] {
        for occasion in [
            ReportOccasion::Opening,
            ReportOccasion::Return,
            ReportOccasion::Background,
            ReportOccasion::Ending,
        ] {
            for outcome in [Outcome::Unknown, Outcome::Absent, page()] {
                let applied = case.learn(case.report(outcome.clone()), occasion);
                let stage = applied.as_ref().map_or(case.attempt.stage, |applied| {
                    applied.change.attempt.as_ref().unwrap().attempt().stage
                });
                assert!(stage.is_open(), "{} {occasion:?} {outcome:?} {stage}", case.attempt.stage);
                let moved = applied.is_some_and(|applied| applied.change.transaction.state != State::Pending);
                assert!(!moved);
            }
        }
    }
}

#[test]
fn an_attempt_that_was_sent_is_asked_about_after_a_grace() {
    let case = Case::opened("knet");
    assert_eq!(case.attempt.inquire_at, Some(BEGINNING.plus(SENDING_GRACE)));
}

#[test]
fn absence_is_believed_only_after_a_grace_and_without_a_page() {
    let mut young = Case::unknown("knet");
    young.wait(ABSENCE_GRACE.checked_sub(Duration::from_millis(1)).unwrap());
    young.take(young.report(Outcome::Absent), ReportOccasion::Background);
    assert_eq!(young.stands(), (State::Pending, Stage::Unknown), "the request may still be on its way");

    let mut old = Case::unknown("knet");
    old.wait(ABSENCE_GRACE);
    let applied = old.take(old.report(Outcome::Absent), ReportOccasion::Background);
    assert_eq!(old.stands(), (State::Attempted, Stage::Error));
    assert_eq!(old.attempt.message.as_deref(), Some("the gateway never received the payment"));
    assert!(applied.is_notified);

    let mut with_page = Case::redirected("knet");
    with_page.wait(ABSENCE_GRACE);
    with_page.take(with_page.report(Outcome::Absent), ReportOccasion::Return);
    assert_eq!(with_page.stands(), (State::Pending, Stage::Unknown), "the gateway did know the charge");
}

#[test]
fn silence_about_a_page_that_waits_for_the_payer_is_no_news() {
    for learned in [AttemptResult::AnswerLost, Case::redirected("knet").report(Outcome::Unknown)] {
        let mut case = Case::redirected("knet");
        case.wait(INQUIRY_AFTER);
        let applied = case.take(learned, ReportOccasion::Background);
        assert_eq!(case.stands(), (State::Pending, Stage::Redirected));
        assert_eq!(case.attempt.inquire_at, Some(case.now.plus(INQUIRY_AFTER)));
        assert!(!applied.is_notified);
    }
}

#[test]
fn silence_when_the_payer_came_back_or_the_time_has_ended_makes_the_outcome_unknown() {
    for occasion in [ReportOccasion::Return, ReportOccasion::Ending] {
        let mut case = Case::redirected("knet");
        let applied = case.take(AttemptResult::AnswerLost, occasion);
        assert_eq!(case.stands(), (State::Pending, Stage::Unknown));
        assert!(applied.is_notified);
    }
}

#[test]
fn a_page_that_opens_after_all_ends_the_chase() {
    let mut case = Case::unknown("knet");
    case.wait(MINUTE);
    let applied = case.take(case.report(page()), ReportOccasion::Background);
    assert_eq!(case.stands(), (State::Pending, Stage::Redirected));
    assert_eq!(
        (case.attempt.unknown_since, case.attempt.inquire_at),
        (None, Some(case.now.plus(INQUIRY_AFTER)))
    );
    assert_eq!(case.attempt.page_url.as_deref(), Some("https://bank.example.com/pay/1"));
    assert!(!applied.is_notified);
}

// The chase.

#[test]
fn a_page_is_asked_about_after_the_pause_of_its_gateway_and_not_later_than_the_end_of_the_transaction() {
    let case = Case::redirected("knet");
    assert_eq!(case.attempt.inquire_at, Some(BEGINNING.plus(INQUIRY_AFTER)));

    let mut short = Case::opened("knet");
    short.transaction.expires_at = BEGINNING.plus(MINUTE);
    short.take(short.report(page()), ReportOccasion::Opening);
    assert_eq!(short.attempt.inquire_at, Some(BEGINNING.plus(MINUTE)));
    short.wait(MINUTE);
    short.take(short.report(page()), ReportOccasion::Ending);
    assert_eq!(
        short.attempt.inquire_at,
        Some(short.now.plus(INQUIRY_AFTER)),
        "and then after the pause again"
    );
}

#[test]
fn an_unknown_outcome_is_chased_on_the_schedule_for_72_hours_and_then_given_up() {
    let mut case = Case::unknown("knet");
    let mut pauses = Vec::new();
    while let Some(at) = case.attempt.inquire_at {
        pauses.push(at.since(case.now).as_secs());
        case.now = at;
        let applied = case.take(AttemptResult::AnswerLost, ReportOccasion::Background);
        assert_eq!((case.attempt.stage, applied.is_notified), (Stage::Unknown, false));
        let is_given_up = case.attempt.inquire_at.is_none();
        assert_eq!(reasons(&applied), if is_given_up { vec![Reason::OutcomeUnknown] } else { vec![] });
    }
    let mut schedule = pauses.iter().copied();
    assert_eq!(schedule.by_ref().take(7).collect::<Vec<_>>(), [0, 60, 60, 60, 60, 60, 300]);
    assert!(schedule.all(|pause| pause == 600));
    let chased = case.now.since(BEGINNING);
    assert!(
        (CHASE..CHASE.checked_add(MINUTE.checked_mul(10).unwrap()).unwrap()).contains(&chased),
        "{chased:?}"
    );
    assert_eq!(case.stands(), (State::Pending, Stage::Unknown), "given up is not failed");
    assert_eq!(
        case.learn(AttemptResult::AnswerLost, ReportOccasion::Background),
        None,
        "silence teaches nothing any more"
    );
}

#[test]
fn a_given_up_attempt_still_takes_its_outcome() {
    for (outcome, stands) in [
        (Outcome::Approved, (State::Paid, Stage::Success)),
        (Outcome::Declined, (State::Attempted, Stage::Failed)),
    ] {
        let mut case = Case::unknown("knet");
        case.attempt.inquire_at = None;
        case.wait(CHASE);
        case.take(case.report(outcome), ReportOccasion::Background);
        assert_eq!(case.stands(), stands);
    }
}
