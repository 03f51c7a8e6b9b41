//! One test per rule of `payment::apply`: what is learned about an attempt, and how it and its transaction
//! change.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::change::{AttemptWrite, EventKind};
use checkout_core::gateway::charge::{Outcome, PgParams, Report};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::payment::apply::{Applied, Learned, MAX_MESSAGE_CHARS, News, Occasion, apply, expire};
use checkout_core::payment::begin::{Terms, begin};
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
            Terms { profile, principal: transaction.amount, form_of_payment: FormOfPayment::Redirect },
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
        case.take(case.report(page()), Occasion::Opening);
        assert_eq!(case.attempt.stage, Stage::Redirected);
        case
    }

    /// An attempt whose opening was not answered.
    fn unknown(code: &str) -> Self {
        let mut case = Self::opened(code);
        case.take(Learned::AnswerLost, Occasion::Opening);
        assert_eq!(case.attempt.stage, Stage::Unknown);
        case
    }

    /// An attempt that ended, of a transaction in any state.
    fn ended(outcome: Outcome, state: State) -> Self {
        let mut case = Self::redirected("knet");
        case.take(case.report(outcome), Occasion::Background);
        case.transaction.state = state;
        case
    }

    fn wait(&mut self, duration: Duration) {
        self.now = self.now.plus(duration);
    }

    /// A report of the gateway that fits the attempt.
    fn report(&self, outcome: Outcome) -> Learned {
        Learned::Report(Report {
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

    fn report_with(&self, outcome: Outcome, change: impl FnOnce(&mut Report)) -> Learned {
        let Learned::Report(mut report) = self.report(outcome) else { return Learned::AnswerLost };
        change(&mut report);
        Learned::Report(report)
    }

    fn learn(&self, learned: Learned, occasion: Occasion) -> Option<Applied> {
        let news = News { learned, occasion, inquiry_after: INQUIRY_AFTER, now: self.now };
        apply(&self.transaction, &self.attempt, news)
    }

    /// Learns something new and continues with the result.
    fn take(&mut self, learned: Learned, occasion: Occasion) -> Applied {
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
    let applied = case.take(case.report(Outcome::Approved), Occasion::Return);
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
    case.take(case.report(Outcome::Approved), Occasion::Return);
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
        case.take(case.report(outcome), Occasion::Opening);
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
            let applied = case.take(case.report(learned.clone()), Occasion::Return);
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
            let applied = case.take(Learned::NeverSent(words.map(Into::into)), Occasion::Opening);
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
    case.take(learned, Occasion::Return);
    assert_eq!(case.attempt.message.as_ref().map(|message| message.chars().count()), Some(MAX_MESSAGE_CHARS));
    assert_eq!(case.attempt.gateway_id.as_deref(), Some("ch-1"));
    assert_eq!(case.attempt.params.get("rrn").map(String::as_str), Some("12"));
    assert_eq!(case.attempt.response.as_deref(), Some("{}"));
}

// Unknown is not failed.

#[test]
fn an_answer_that_was_lost_leaves_the_outcome_unknown_and_the_transaction_pending() {
    for learned in [Learned::AnswerLost, Case::opened("knet").report(Outcome::Unknown)] {
        let mut case = Case::opened("knet");
        let applied = case.take(learned, Occasion::Opening);
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
        for occasion in [Occasion::Opening, Occasion::Return, Occasion::Background, Occasion::Ending] {
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
    young.take(young.report(Outcome::Absent), Occasion::Background);
    assert_eq!(young.stands(), (State::Pending, Stage::Unknown), "the request may still be on its way");

    let mut old = Case::unknown("knet");
    old.wait(ABSENCE_GRACE);
    let applied = old.take(old.report(Outcome::Absent), Occasion::Background);
    assert_eq!(old.stands(), (State::Attempted, Stage::Error));
    assert_eq!(old.attempt.message.as_deref(), Some("the gateway never received the payment"));
    assert!(applied.is_notified);

    let mut with_page = Case::redirected("knet");
    with_page.wait(ABSENCE_GRACE);
    with_page.take(with_page.report(Outcome::Absent), Occasion::Return);
    assert_eq!(with_page.stands(), (State::Pending, Stage::Unknown), "the gateway did know the charge");
}

#[test]
fn silence_about_a_page_that_waits_for_the_payer_is_no_news() {
    for learned in [Learned::AnswerLost, Case::redirected("knet").report(Outcome::Unknown)] {
        let mut case = Case::redirected("knet");
        case.wait(INQUIRY_AFTER);
        let applied = case.take(learned, Occasion::Background);
        assert_eq!(case.stands(), (State::Pending, Stage::Redirected));
        assert_eq!(case.attempt.inquire_at, Some(case.now.plus(INQUIRY_AFTER)));
        assert!(!applied.is_notified);
    }
}

#[test]
fn silence_when_the_payer_came_back_or_the_time_has_ended_makes_the_outcome_unknown() {
    for occasion in [Occasion::Return, Occasion::Ending] {
        let mut case = Case::redirected("knet");
        let applied = case.take(Learned::AnswerLost, occasion);
        assert_eq!(case.stands(), (State::Pending, Stage::Unknown));
        assert!(applied.is_notified);
    }
}

#[test]
fn a_page_that_opens_after_all_ends_the_chase() {
    let mut case = Case::unknown("knet");
    case.wait(MINUTE);
    let applied = case.take(case.report(page()), Occasion::Background);
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
    short.take(short.report(page()), Occasion::Opening);
    assert_eq!(short.attempt.inquire_at, Some(BEGINNING.plus(MINUTE)));
    short.wait(MINUTE);
    short.take(short.report(page()), Occasion::Ending);
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
        let applied = case.take(Learned::AnswerLost, Occasion::Background);
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
        case.learn(Learned::AnswerLost, Occasion::Background),
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
        case.take(case.report(outcome), Occasion::Background);
        assert_eq!(case.stands(), stands);
    }
}

// Answers that do not match.

#[test]
fn another_amount_currency_or_reference_is_held_and_settles_nothing() {
    let dollars = Money::parse("10.25", Currency::parse("USD").unwrap()).unwrap();
    for (total, reference, reason) in [
        (kwd("10.000"), "REF1", Reason::AmountMismatch),
        (dollars, "REF1", Reason::AmountMismatch),
        (kwd("10.250"), "ANOTHER", Reason::ReferenceMismatch),
    ] {
        for outcome in [Outcome::Approved, Outcome::Declined, Outcome::Canceled, page()] {
            for mut case in [Case::opened("knet"), Case::redirected("knet"), Case::unknown("knet")] {
                let learned = case.report_with(outcome.clone(), |report| {
                    (report.total, report.reference) = (Some(total), reference.into());
                });
                let before = case.attempt.clone();
                let applied = case.take(learned.clone(), Occasion::Return);
                assert_eq!(case.stands(), (State::Pending, Stage::Unknown));
                assert_eq!((case.attempt.inquire_at, case.transaction.settlement.is_none()), (None, true));
                assert_eq!(reasons(&applied), [reason]);
                assert!(applied.is_notified && case.attempt.unknown_since.is_some());
                assert_eq!(
                    (&case.attempt.params, &case.attempt.page_url),
                    (&before.params, &before.page_url)
                );
                assert_eq!(case.learn(learned, Occasion::Background), None, "it is held once");
                assert_eq!(case.learn(Learned::AnswerLost, Occasion::Background), None, "and not chased");
            }
        }
    }
}

#[test]
fn the_entry_of_a_held_answer_names_both_amounts() {
    let mut case = Case::redirected("knet");
    let learned = case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000")));
    let applied = case.take(learned, Occasion::Return);
    let details: Vec<_> = applied.change.attention.iter().map(|entry| entry.detail.as_str()).collect();
    assert_eq!(details, ["asked for 10.250 KWD, the gateway names 1.000 KWD"]);
}

#[test]
fn a_held_attempt_takes_the_answer_that_fits() {
    let mut case = Case::redirected("knet");
    case.take(
        case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000"))),
        Occasion::Return,
    );
    // As an operator decides: without an amount.
    case.take(case.report_with(Outcome::Approved, |report| report.total = None), Occasion::Background);
    assert_eq!(case.stands(), (State::Paid, Stage::Success));
    assert_eq!(case.attempt.message, None);
}

#[test]
fn a_misfit_after_the_chase_was_given_up_is_flagged_too() {
    let mut case = Case::unknown("knet");
    case.attempt.inquire_at = None;
    let misfit = case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000")));
    let applied = case.take(misfit.clone(), Occasion::Background);
    assert_eq!(reasons(&applied), [Reason::AmountMismatch]);
    assert_eq!(case.stands(), (State::Pending, Stage::Unknown));
    assert_eq!(case.learn(misfit, Occasion::Background), None);
}

#[test]
fn a_misfit_on_an_attempt_that_has_ended_is_flagged_and_changes_nothing_else() {
    let mut case = Case::ended(Outcome::Approved, State::Paid);
    let before = case.clone();
    let misfit = case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000")));
    let applied = case.take(misfit, Occasion::Background);
    assert_eq!(reasons(&applied), [Reason::AmountMismatch]);
    assert_eq!((case.stands(), applied.is_notified), (before.stands(), false));
    assert_eq!(case.transaction.settlement, before.transaction.settlement);
}

// Late and double successes.

#[test]
fn a_success_after_failure_or_expiry_still_pays() {
    for state in [State::Failed, State::Expired, State::Attempted] {
        for outcome in [Outcome::Declined, Outcome::Canceled] {
            let mut case = Case::ended(outcome, state);
            let applied = case.take(case.report(Outcome::Approved), Occasion::Background);
            assert_eq!(case.stands(), (State::Paid, Stage::Success), "{state}");
            assert_eq!(reasons(&applied), []);
            assert!(applied.is_notified && case.transaction.settlement.is_some());
        }
    }
}

#[test]
fn a_success_of_what_seemed_never_sent_still_pays() {
    let mut case = Case::opened("knet");
    case.take(Learned::NeverSent(None), Occasion::Opening);
    case.take(case.report(Outcome::Approved), Occasion::Background);
    assert_eq!(case.stands(), (State::Paid, Stage::Success));
    assert_eq!(case.attempt.message, None);
}

#[test]
fn a_success_after_cancellation_or_invalidation_is_recorded_and_flagged() {
    for state in [State::Canceled, State::Invalided] {
        let mut case = Case::ended(Outcome::Declined, state);
        let applied = case.take(case.report(Outcome::Approved), Occasion::Background);
        assert_eq!(case.stands(), (state, Stage::Success));
        assert_eq!(reasons(&applied), [Reason::LateSuccess]);
        assert_eq!((applied.change.event, applied.is_notified), (EventKind::AttemptNoted, true));
        assert_eq!(case.transaction.settlement, None);
    }
}

#[test]
fn a_second_success_leaves_the_first_and_is_flagged() {
    for state in [State::Paid, State::Authorized, State::Cod] {
        let mut case = Case::ended(Outcome::Declined, state);
        let first = case.transaction.settlement.clone();
        let applied = case.take(case.report(Outcome::Approved), Occasion::Background);
        assert_eq!(case.stands(), (state, Stage::Success));
        assert_eq!(reasons(&applied), [Reason::SecondSuccess]);
        assert_eq!(case.transaction.settlement, first);
        assert!(applied.is_notified);
    }
}

#[test]
fn a_failure_next_to_a_success_is_recorded_and_moves_nothing() {
    let mut case = Case::redirected("knet");
    case.transaction.state = State::Paid;
    let applied = case.take(case.report(Outcome::Declined), Occasion::Background);
    assert_eq!(case.stands(), (State::Paid, Stage::Failed));
    assert_eq!((applied.change.event, reasons(&applied).len()), (EventKind::AttemptNoted, 0));
}

#[test]
fn a_report_that_was_heard_before_teaches_nothing() {
    for outcome in [Outcome::Approved, Outcome::Declined, Outcome::Canceled] {
        let case = Case::ended(outcome.clone(), State::Paid);
        for occasion in [Occasion::Return, Occasion::Background, Occasion::Ending] {
            assert_eq!(case.learn(case.report(outcome.clone()), occasion), None, "{outcome:?}");
        }
    }
}

#[test]
fn a_success_is_never_taken_back() {
    let case = Case::ended(Outcome::Approved, State::Paid);
    let reports = [Outcome::Declined, Outcome::Canceled, Outcome::Absent, Outcome::Unknown, page()];
    for learned in reports
        .map(|outcome| case.report(outcome))
        .into_iter()
        .chain([Learned::AnswerLost, Learned::NeverSent(None)])
    {
        assert_eq!(case.learn(learned, Occasion::Background), None);
    }
}

// Expiry.

#[test]
fn a_transaction_expires_from_its_moment_on_and_not_before() {
    for state in State::ALL {
        let mut transaction = Case::opened("knet").transaction;
        transaction.state = state;
        let end = transaction.expires_at;
        assert_eq!(expire(&transaction, None, end.minus(Duration::from_millis(1))), None);
        let expired = expire(&transaction, None, end);
        assert_eq!(expired.is_some(), state.is_payable(), "{state}");
        if let Some(change) = expired {
            assert_eq!(
                (change.transaction.state, change.event),
                (State::Expired, EventKind::Moved(Event::Expired))
            );
        }
    }
}

#[test]
fn nothing_expires_under_an_open_attempt() {
    for case in [Case::opened("knet"), Case::redirected("knet"), Case::unknown("knet")] {
        let end = case.transaction.expires_at;
        assert_eq!(expire(&case.transaction, Some(&case.attempt), end), None);
        assert_eq!(case.transaction.state_at(end, true), State::Pending);
    }
    let declined = Case::ended(Outcome::Declined, State::Attempted);
    assert!(
        expire(&declined.transaction, Some(&declined.attempt), declined.transaction.expires_at).is_some()
    );
}

#[test]
fn the_event_of_a_change_leads_to_its_state() {
    let mut case = Case::redirected("single");
    let before = case.transaction.state;
    let applied = case.take(case.report(Outcome::Canceled), Occasion::Return);
    assert_eq!(applied.change.event, EventKind::Moved(Event::AttemptCanceled(Retry::Final)));
    assert_eq!(step(before, Event::AttemptCanceled(Retry::Final)), Ok(case.transaction.state));
}

#[test]
fn an_attempt_that_ended_without_success_is_asked_about_three_times_and_then_left() {
    for outcome in [Outcome::Declined, Outcome::Canceled] {
        let mut case = Case::ended(outcome.clone(), State::Attempted);
        for inquiries in 1..=3 {
            let due = case.attempt.inquire_at.unwrap();
            assert_eq!(
                case.learn(case.report(outcome.clone()), Occasion::Background),
                None,
                "a repeated report"
            );
            case.now = due;
            let learned = if inquiries == 2 { Learned::AnswerLost } else { case.report(outcome.clone()) };
            let applied = case.take(learned, Occasion::Background);
            assert!(!applied.is_notified && applied.change.event == EventKind::AttemptNoted);
            assert_eq!((case.attempt.inquiries, case.attempt.stage.is_open()), (inquiries, false));
        }
        assert_eq!(case.attempt.inquire_at, None);
        assert_eq!(case.learn(case.report(outcome), Occasion::Background), None);
        case.take(case.report(Outcome::Approved), Occasion::Inquiry);
        assert_eq!(case.stands(), (State::Paid, Stage::Success));
    }
}

#[test]
fn a_merchants_inquiry_records_what_is_certain_and_nothing_else() {
    for open in [Case::opened("knet"), Case::redirected("knet"), Case::unknown("knet")] {
        assert_eq!(open.learn(Learned::AnswerLost, Occasion::Inquiry), None);
        let mut case = open.clone();
        case.take(case.report(Outcome::Declined), Occasion::Inquiry);
        assert_eq!(case.stands(), (State::Attempted, Stage::Failed));
    }
    let waiting = Case::redirected("knet");
    assert_eq!(waiting.learn(waiting.report(page()), Occasion::Inquiry), None);
}

#[test]
fn an_answer_that_does_not_fit_an_attempt_that_ended_is_flagged_and_not_asked_for_again() {
    let mut case = Case::ended(Outcome::Declined, State::Attempted);
    case.now = case.attempt.inquire_at.unwrap();
    let other = case.report_with(Outcome::Approved, |report| report.reference = "REF2".into());
    let applied = case.take(other, Occasion::Background);
    assert_eq!(reasons(&applied), [Reason::ReferenceMismatch]);
    assert_eq!((case.attempt.stage, case.attempt.inquire_at), (Stage::Failed, None));
}
