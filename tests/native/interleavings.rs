//! Two things happen to one payment at once: every event by which an outcome can be learned or a payment
//! ended, with another one in its middle, at a bank that approves, declines or does not answer. Whatever the
//! order, the stored outcome is what the bank did.
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use checkout_core::attempt::stage::Stage;
use checkout_core::change::EventKind;
use checkout_core::flow::Failure;
use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::flow::merchant::update::{Extent, UpdateInput, update};
use checkout_core::flow::payer::come_back::come_back;
use checkout_core::flow::payer::pay::pay;
use checkout_core::flow::report::gateway::{ReportAddress, call_back};
use checkout_core::flow::sweep::sweep;
use checkout_core::gateway::exchange::Returned;
use checkout_core::payment::ending::Ending;
use checkout_core::port;
use checkout_core::state::Event;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, form, order};
use pollster::block_on;
use serde_json::json;

/// Something that happens to a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// The payer chooses the same method again.
    PayAgain,
    /// The payer chooses another method.
    PayOtherwise,
    /// The payer comes back from the bank.
    Return,
    /// The bank calls back.
    Callback,
    /// The merchant inquires.
    Inquiry,
    /// The cron handler runs.
    Cron,
    /// The payer cancels.
    Cancel,
    /// The merchant ends it.
    Expire,
    /// The merchant changes the amount.
    Patch,
    /// The merchant changes what is not charged by.
    PatchName,
}

impl Act {
    const ALL: [Self; 10] = [
        Self::PayAgain,
        Self::PayOtherwise,
        Self::Return,
        Self::Callback,
        Self::Inquiry,
        Self::Cron,
        Self::Cancel,
        Self::Expire,
        Self::Patch,
        Self::PatchName,
    ];

    /// Does it. A refusal is an answer like any other; a failure of a port fails the test.
    fn run(self, world: &impl port::World, case: &Case) {
        let Case { shop, session_id, reference } = case;
        let done = match self {
            Self::PayAgain => block_on(pay(world, &form(session_id, "knet"))).map(drop),
            Self::PayOtherwise => block_on(pay(world, &form(session_id, "credit-card"))).map(drop),
            Self::Return => {
                block_on(come_back(world, reference, Some(&shop.token(reference)), &Returned::default()))
                    .map(drop)
            }
            Self::Callback => block_on(call_back(
                world,
                ReportAddress::Subject(reference.clone()),
                &shop.bank.callback(reference.as_str()),
            ))
            .map(drop),
            Self::Inquiry => {
                let body = json!({"session_id": session_id.as_str()}).to_string();
                block_on(inquire(world, &shop.private(), body.as_bytes())).map(drop)
            }
            Self::Cron => {
                assert_eq!(block_on(sweep(world)).failures, []);
                Ok(())
            }
            Self::Cancel => block_on(end(world, session_id, Ending::CanceledByPayer, None)).map(drop),
            Self::Expire => block_on(end(world, session_id, Ending::Expired, None)).map(drop),
            Self::Patch => patch(world, case, br#"{"amount":"11.000"}"#),
            Self::PatchName => patch(world, case, br#"{"customer_first_name":"Noura"}"#),
        };
        if let Err(Failure::World(error)) = done {
            panic!("{self:?}: {error}");
        }
    }
}

fn patch(world: &impl port::World, case: &Case, body: &[u8]) -> Result<(), Failure> {
    let input = UpdateInput {
        caller: case.shop.private(),
        session_id: case.session_id.clone(),
        extent: Extent::Partial,
        if_match: None,
        body,
        file: None,
        wrong: &[],
    };
    block_on(update(world, input)).map(drop)
}

/// The bank's decision about the payer's first attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Approved,
    Declined,
    /// It approves, and answers no one for a while.
    Silent,
}

struct Case {
    shop: Shop,
    session_id: SessionId,
    reference: ReferenceNumber,
}

impl Case {
    /// A payer at the bank's page whose charge the bank has decided about, when it is time to ask.
    fn prepare(verdict: Verdict) -> Self {
        let shop = Shop::open(1);
        let session_id = shop.create(&order(&["knet", "credit-card"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.wait(8 * 60);
        match verdict {
            Verdict::Approved => shop.bank.approve(reference.as_str()),
            Verdict::Declined => shop.bank.decline(reference.as_str()),
            Verdict::Silent => {
                shop.bank.approve(reference.as_str());
                shop.bank.on_asking(Mood::Deaf);
            }
        }
        Self { shop, session_id, reference }
    }

    /// No attempt that the bank has charged is reported as failed, at most one is open, and no transaction
    /// ended while one is open.
    fn check_always(&self, what: &str) {
        let attempts = self.shop.world.store.attempts(&self.session_id);
        let statuses = self.shop.bank.statuses();
        for attempt in &attempts {
            let is_charged = statuses.get(attempt.reference.as_str()) == Some(&"approved");
            let is_denied = matches!(attempt.stage, Stage::Failed | Stage::Canceled | Stage::Error);
            assert!(!(is_charged && is_denied), "{what}: {} is {}", attempt.reference, attempt.stage);
            assert!(
                is_charged || attempt.stage != Stage::Success,
                "{what}: nobody paid {}",
                attempt.reference
            );
        }
        let open = attempts.iter().filter(|attempt| attempt.stage.is_open()).count();
        assert!(open <= 1, "{what}: {open} attempts are open");
        let mut stages = BTreeMap::new();
        for event in self.shop.world.store.events(&self.session_id) {
            let is_end =
                matches!(event.kind, EventKind::Moved(Event::Expired | Event::Canceled | Event::Invalided));
            stages.extend(event.attempt.map(|attempt| (attempt.reference, attempt.stage)));
            assert!(
                !is_end || !stages.values().any(|stage: &Stage| stage.is_open()),
                "{what}: event {} ended it under an open attempt",
                event.number
            );
        }
    }

    /// Every request that asks a bank that answers knows the outcome at once, however often another request
    /// changes the payment.
    fn check_learned(&self, what: &str, (verdict, asked): (Verdict, Act)) {
        let is_shown = !matches!(asked, Act::Patch | Act::PatchName) && verdict != Verdict::Silent;
        let attempts = self.shop.world.store.attempts(&self.session_id);
        let stage = attempts.first().map(|attempt| attempt.stage);
        let wanted = if verdict == Verdict::Approved { Stage::Success } else { Stage::Failed };
        assert!(!is_shown || stage == Some(wanted), "{what}: {stage:?}");
    }

    /// After the bank has reported everything: it is paid by the first success, and every other success waits
    /// for a person.
    fn check_settled(&self, what: &str) {
        let shop = &self.shop;
        shop.bank.on_asking(Mood::Fine);
        for _ in 0..180 {
            shop.wait(600);
            let _ = shop.sweep();
        }
        self.check_always(what);
        let attempts = shop.world.store.attempts(&self.session_id);
        assert!(attempts.iter().all(|attempt| !attempt.stage.is_open()), "{what}: an attempt is still open");
        let charged = shop.bank.approved();
        let successes = attempts.iter().filter(|attempt| attempt.stage == Stage::Success).count();
        assert_eq!(successes, charged, "{what}: charged and recorded");
        let is_paid = shop.state(&self.session_id) == "paid";
        let flagged = shop.attention().len();
        assert_eq!(
            flagged.saturating_add(usize::from(is_paid)),
            charged,
            "{what}: settled or flagged, each success once"
        );
        let settled = shop.transaction(&self.session_id).settlement;
        assert_eq!(settled.is_some(), is_paid, "{what}");
        let notified = shop.world.store.deliveries(&self.session_id);
        let notified =
            notified.iter().filter(|row| row.message.body.contains(r#""result":"success""#)).count();
        assert_eq!(notified, charged, "{what}: the merchant is notified of each success once");
    }
}

fn verdicts() -> [Verdict; 3] {
    [Verdict::Approved, Verdict::Declined, Verdict::Silent]
}

#[test]
fn whatever_happens_in_the_middle_of_whatever_what_the_bank_did_is_what_is_recorded() {
    let mut interrupted = 0;
    for verdict in verdicts() {
        for outer in Act::ALL {
            for inner in Act::ALL {
                for in_send in [true, false] {
                    let what = format!("{verdict:?}, {inner:?} in the middle of {outer:?}");
                    let case = Case::prepare(verdict);
                    let happen = || {
                        interrupted += 1;
                        inner.run(&case.shop.world, &case);
                        case.check_always(&what);
                    };
                    let world = if in_send {
                        Interrupted::after_send(&case.shop.world, happen)
                    } else {
                        Interrupted::before_random(&case.shop.world, happen)
                    };
                    outer.run(&world, &case);
                    drop(world);
                    case.check_always(&what);
                    case.check_learned(&what, (verdict, outer));
                    case.check_settled(&what);
                }
            }
        }
    }
    assert!(interrupted > 3 * 9 * 6, "only {interrupted} things happened in the middle of another");
}

#[test]
fn whatever_follows_whatever_what_the_bank_did_is_what_is_recorded() {
    for verdict in verdicts() {
        for first in Act::ALL {
            for second in Act::ALL {
                let what = format!("{verdict:?}, {first:?}, then {second:?}");
                let case = Case::prepare(verdict);
                for act in [first, second, first] {
                    act.run(&case.shop.world, &case);
                    case.check_always(&what);
                }
                case.check_settled(&what);
            }
        }
    }
}

#[test]
fn an_amount_is_changed_only_while_no_attempt_is_open() {
    for verdict in verdicts() {
        let case = Case::prepare(verdict);
        Act::Patch.run(&case.shop.world, &case);
        assert_eq!(case.shop.transaction(&case.session_id).amount.to_string(), "10.000", "{verdict:?}");
        Act::Return.run(&case.shop.world, &case);
        Act::Patch.run(&case.shop.world, &case);
        let amount = if verdict == Verdict::Declined { "11.000" } else { "10.000" };
        assert_eq!(case.shop.transaction(&case.session_id).amount.to_string(), amount, "{verdict:?}");
    }
}
