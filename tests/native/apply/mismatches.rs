//! Answers that do not match their attempt.

use checkout_core::strings::facts::say;
use checkout_core::words::Language;

use super::*;

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
                let applied = case.take(learned.clone(), ReportOccasion::Return);
                assert_eq!(case.stands(), (State::Pending, Stage::Unknown));
                assert_eq!((case.attempt.inquire_at, case.transaction.settlement.is_none()), (None, true));
                assert_eq!(reasons(&applied), [reason]);
                assert!(applied.is_notified && case.attempt.unknown_since.is_some());
                assert_eq!(
                    (&case.attempt.params, &case.attempt.page_url),
                    (&before.params, &before.page_url)
                );
                assert_eq!(case.learn(learned, ReportOccasion::Background), None, "it is held once");
                assert_eq!(
                    case.learn(AttemptResult::AnswerLost, ReportOccasion::Background),
                    None,
                    "and not chased"
                );
            }
        }
    }
}

#[test]
fn the_entry_of_a_held_answer_names_both_amounts() {
    let mut case = Case::redirected("knet");
    let learned = case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000")));
    let applied = case.take(learned, ReportOccasion::Return);
    let details: Vec<_> =
        applied.change.attention.iter().map(|entry| say(Language::En, &entry.detail)).collect();
    assert_eq!(details, ["asked for 10.250 KWD, the gateway names 1.000 KWD"]);
}

#[test]
fn a_held_attempt_takes_the_answer_that_fits() {
    let mut case = Case::redirected("knet");
    case.take(
        case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000"))),
        ReportOccasion::Return,
    );
    // As an operator decides: without an amount.
    case.take(case.report_with(Outcome::Approved, |report| report.total = None), ReportOccasion::Background);
    assert_eq!(case.stands(), (State::Paid, Stage::Success));
    assert_eq!(case.attempt.message, None);
}

#[test]
fn a_misfit_after_the_chase_was_given_up_is_flagged_too() {
    let mut case = Case::unknown("knet");
    case.attempt.inquire_at = None;
    let misfit = case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000")));
    let applied = case.take(misfit.clone(), ReportOccasion::Background);
    assert_eq!(reasons(&applied), [Reason::AmountMismatch]);
    assert_eq!(case.stands(), (State::Pending, Stage::Unknown));
    assert_eq!(case.learn(misfit, ReportOccasion::Background), None);
}

#[test]
fn a_misfit_on_an_attempt_that_has_ended_is_flagged_and_changes_nothing_else() {
    let mut case = Case::ended(Outcome::Approved, State::Paid);
    let before = case.clone();
    let misfit = case.report_with(Outcome::Approved, |report| report.total = Some(kwd("1.000")));
    let applied = case.take(misfit, ReportOccasion::Background);
    assert_eq!(reasons(&applied), [Reason::AmountMismatch]);
    assert_eq!((case.stands(), applied.is_notified), (before.stands(), false));
    assert_eq!(case.transaction.settlement, before.transaction.settlement);
}
