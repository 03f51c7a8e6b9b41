//! Late and double successes, and expiry.

use checkout_core::gateway::dispute::{Dispute, DisputeStatus};
use checkout_core::strings::facts::say;
use checkout_core::words::Language;

use super::*;

// Late and double successes.

#[test]
fn a_success_after_failure_or_expiry_still_pays() {
    for state in [State::Failed, State::Expired, State::Attempted] {
        for outcome in [Outcome::Declined, Outcome::Canceled] {
            let mut case = Case::ended(outcome, state);
            let applied = case.take(case.report(Outcome::Approved), ReportOccasion::Background);
            assert_eq!(case.stands(), (State::Paid, Stage::Success), "{state}");
            assert_eq!(reasons(&applied), []);
            assert!(applied.is_notified && case.transaction.settlement.is_some());
        }
    }
}

#[test]
fn a_success_of_what_seemed_never_sent_still_pays() {
    let mut case = Case::opened("knet");
    case.take(AttemptResult::NeverSent(None), ReportOccasion::Opening);
    case.take(case.report(Outcome::Approved), ReportOccasion::Background);
    assert_eq!(case.stands(), (State::Paid, Stage::Success));
    assert_eq!(case.attempt.message, None);
}

#[test]
fn a_success_after_cancellation_or_invalidation_is_recorded_and_flagged() {
    for state in [State::Canceled, State::Invalided] {
        let mut case = Case::ended(Outcome::Declined, state);
        let applied = case.take(case.report(Outcome::Approved), ReportOccasion::Background);
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
        let applied = case.take(case.report(Outcome::Approved), ReportOccasion::Background);
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
    let applied = case.take(case.report(Outcome::Declined), ReportOccasion::Background);
    assert_eq!(case.stands(), (State::Paid, Stage::Failed));
    assert_eq!((applied.change.event, reasons(&applied).len()), (EventKind::AttemptNoted, 0));
}

#[test]
fn a_report_that_was_heard_before_teaches_nothing() {
    for outcome in [Outcome::Approved, Outcome::Declined, Outcome::Canceled] {
        let case = Case::ended(outcome.clone(), State::Paid);
        for occasion in [ReportOccasion::Return, ReportOccasion::Background, ReportOccasion::Ending] {
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
        .chain([AttemptResult::AnswerLost, AttemptResult::NeverSent(None)])
    {
        assert_eq!(case.learn(learned, ReportOccasion::Background), None);
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
    let applied = case.take(case.report(Outcome::Canceled), ReportOccasion::Return);
    assert_eq!(applied.change.event, EventKind::Moved(Event::AttemptCanceled(Retry::Final)));
    assert_eq!(step(before, Event::AttemptCanceled(Retry::Final)), Ok(case.transaction.state));
}

#[test]
fn an_attempt_that_ended_without_success_is_left_after_three_answers_that_nothing_was_taken() {
    for outcome in [Outcome::Declined, Outcome::Canceled] {
        let mut case = Case::ended(outcome.clone(), State::Attempted);
        for (inquiries, is_lost) in [(1, false), (1, true), (2, false), (2, true), (3, false)] {
            let due = case.attempt.inquire_at.unwrap();
            assert_eq!(
                case.learn(case.report(outcome.clone()), ReportOccasion::Background),
                None,
                "a repeated report"
            );
            case.now = due;
            let learned = if is_lost { AttemptResult::AnswerLost } else { case.report(outcome.clone()) };
            let applied = case.take(learned, ReportOccasion::Background);
            assert!(!applied.is_notified && applied.change.event == EventKind::AttemptNoted);
            assert_eq!((case.attempt.inquiries, case.attempt.stage.is_open()), (inquiries, false));
        }
        assert_eq!(case.attempt.inquire_at, None);
        assert_eq!(case.learn(case.report(outcome), ReportOccasion::Background), None);
        case.take(case.report(Outcome::Approved), ReportOccasion::Inquiry);
        assert_eq!(case.stands(), (State::Paid, Stage::Success));
    }
}

#[test]
fn a_merchants_inquiry_records_what_is_certain_and_nothing_else() {
    for open in [Case::opened("knet"), Case::redirected("knet"), Case::unknown("knet")] {
        assert_eq!(open.learn(AttemptResult::AnswerLost, ReportOccasion::Inquiry), None);
        let mut case = open.clone();
        case.take(case.report(Outcome::Declined), ReportOccasion::Inquiry);
        assert_eq!(case.stands(), (State::Attempted, Stage::Failed));
    }
    let waiting = Case::redirected("knet");
    assert_eq!(waiting.learn(waiting.report(page()), ReportOccasion::Inquiry), None);
}

#[test]
fn an_answer_that_does_not_fit_an_attempt_that_ended_is_flagged_and_not_asked_for_again() {
    let mut case = Case::ended(Outcome::Declined, State::Attempted);
    case.now = case.attempt.inquire_at.unwrap();
    let other = case.report_with(Outcome::Approved, |report| report.reference = "REF2".into());
    let applied = case.take(other, ReportOccasion::Background);
    assert_eq!(reasons(&applied), [Reason::ReferenceMismatch]);
    assert_eq!((case.attempt.stage, case.attempt.inquire_at), (Stage::Failed, None));
}

#[test]
fn money_that_is_taken_back_after_a_success_is_flagged_and_moves_nothing() {
    let taken_back = || AttemptResult::TakenBack(Some("Capture failed".into()));
    let mut case = Case::ended(Outcome::Approved, State::Paid);
    let applied = case.take(taken_back(), ReportOccasion::Background);
    assert_eq!(case.stands(), (State::Paid, Stage::Success));
    assert_eq!((reasons(&applied), applied.is_notified), (vec![Reason::TakenBack], false));
    let detail = say(Language::En, &applied.change.attention.first().unwrap().detail);
    assert!(detail.contains("Capture failed"), "{detail}");
    for outcome in [Outcome::Declined, Outcome::Canceled] {
        let case = Case::ended(outcome, State::Attempted);
        assert_eq!(
            case.learn(taken_back(), ReportOccasion::Background),
            None,
            "there was nothing to take back"
        );
    }
}

#[test]
fn a_dispute_is_flagged_and_notified_whenever_it_says_something_new_and_moves_nothing() {
    let dispute = |status| Dispute {
        id: "dsp_1".into(),
        status,
        reason: Some("fraudulent".into()),
        amount: None,
        answer_until: None,
        said_at: None,
    };
    let learned = |status| AttemptResult::Disputed(dispute(status));
    let mut case = Case::ended(Outcome::Approved, State::Paid);
    let before = case.attempt.clone();
    for status in [DisputeStatus::NeedsAnswer, DisputeStatus::Lost, DisputeStatus::NeedsAnswer] {
        let applied = case.take(learned(status), ReportOccasion::Background);
        assert_eq!(case.stands(), (State::Paid, Stage::Success));
        assert_eq!((reasons(&applied), applied.is_notified), (vec![Reason::Disputed], true));
        assert_eq!(Dispute::of(&case.attempt.params), Some(dispute(status)));
        assert_eq!(case.learn(learned(status), ReportOccasion::Background), None, "the same again");
    }
    let params = before.params.clone();
    let (updated_at, after) = (case.attempt.updated_at, case.attempt.clone());
    assert_eq!(Attempt { params, ..after }, Attempt { updated_at, ..before }, "nothing else changed");
    for outcome in [Outcome::Declined, Outcome::Canceled] {
        let case = Case::ended(outcome, State::Attempted);
        let nothing = case.learn(learned(DisputeStatus::Lost), ReportOccasion::Background);
        assert_eq!(nothing, None, "nothing was paid");
    }
}

/// Every order of some things.
fn orders<T: Copy>(of: &[T]) -> Vec<Vec<T>> {
    let Some((last, rest)) = of.split_last() else { return vec![Vec::new()] };
    let grown = |order: Vec<T>| {
        let with_last_at = move |place: usize| {
            let mut order = order.clone();
            order.insert(place, *last);
            order
        };
        (0..of.len()).map(with_last_at)
    };
    orders(rest).into_iter().flat_map(grown).collect()
}

#[test]
fn what_a_gateway_says_of_a_dispute_by_itself_ends_the_same_in_every_order_and_the_same_later_is_quiet() {
    let said = |(minute, status): (u8, DisputeStatus)| {
        AttemptResult::Disputed(Dispute {
            id: "QFQTPCQ8HXSKGK82".into(),
            status,
            reason: None,
            amount: None,
            answer_until: None,
            said_at: Timestamp::parse(&format!("2026-11-28T10:{minute:02}:00Z")),
        })
    };
    let steps = [
        (1, DisputeStatus::NeedsAnswer),
        (2, DisputeStatus::NeedsAnswer),
        (3, DisputeStatus::UnderReview),
        (4, DisputeStatus::Lost),
    ];
    let all = orders(&steps);
    assert_eq!(all.len(), 24);
    for order in all {
        let mut case = Case::ended(Outcome::Approved, State::Paid);
        let mut known = None;
        for step in order.iter().chain(&order) {
            let Some(applied) = case.learn(said(*step), ReportOccasion::Background) else { continue };
            let is_news = known != Some(step.1);
            assert_eq!((applied.is_notified, reasons(&applied).len()), (is_news, usize::from(is_news)));
            case.take(said(*step), ReportOccasion::Background);
            known = Some(step.1);
        }
        let last = Dispute::of(&case.attempt.params).unwrap();
        assert_eq!((last.status, case.stands().0), (DisputeStatus::Lost, State::Paid), "{order:?}");
    }
}

/// The gateway approves a payment that has this id.
fn approved(case: &Case, id: Option<&str>) -> AttemptResult {
    case.report_with(Outcome::Approved, |report| {
        report.gateway_id = id.map(Into::into);
        report.params = id.map(|id| ("payment_id".into(), id.into())).into_iter().collect();
    })
}

#[test]
fn the_id_of_the_payment_that_comes_after_its_success_is_stored() {
    let named = |case: &Case, id: Option<&str>| approved(case, id);
    let mut case = Case::ended(Outcome::Approved, State::Paid);
    case.attempt.gateway_id = None;
    let applied = case.take(named(&case, Some("PSP1")), ReportOccasion::Background);
    assert_eq!(case.attempt.gateway_id.as_deref(), Some("PSP1"));
    assert_eq!((case.stands(), reasons(&applied).len()), ((State::Paid, Stage::Success), 0));
    assert!(!applied.is_notified, "the result is known");
    for known in [Some("PSP1"), None] {
        assert_eq!(case.learn(named(&case, known), ReportOccasion::Background), None, "{known:?}");
    }
    let AttemptResult::Report(report) = named(&case, Some("PSP2")) else { panic!("no report") };
    let declined = AttemptResult::Report(Report { outcome: Outcome::Declined, ..report });
    assert_eq!(case.learn(declined, ReportOccasion::Background), None, "what contradicts names nothing");
    for form in [FormOfPayment::Redirect, FormOfPayment::GooglePay] {
        case.attempt.form_of_payment = form;
        assert_eq!(
            case.learn(named(&case, Some("PSP2")), ReportOccasion::Background),
            None,
            "a second payment"
        );
    }
}

#[test]
fn the_id_of_a_page_that_a_person_approved_is_replaced_once() {
    let mut case = Case::redirected("knet");
    case.attempt.gateway_id = Some("LINK1".into());
    // A person knows no id, and no data of the gateway.
    case.take(case.report(Outcome::Approved), ReportOccasion::Background);
    assert_eq!(case.attempt.gateway_id.as_deref(), Some("LINK1"));
    case.take(approved(&case, Some("PSP1")), ReportOccasion::Background);
    assert_eq!(case.attempt.gateway_id.as_deref(), Some("PSP1"));
    assert_eq!(case.attempt.params.values().next().map(String::as_str), Some("PSP1"), "with its data");
    assert_eq!(
        case.learn(approved(&case, Some("PSP2")), ReportOccasion::Background),
        None,
        "a second payment"
    );
}
