//! Every order of events, and what must be true after each.

use super::*;

impl Model for Payments {
    type State = Payment;
    type Action = Step;

    fn init_states(&self) -> Vec<Payment> {
        vec![Payment {
            state: "created",
            settled_by: None,
            tries: Vec::new(),
            time: Time::Soon,
            flagged: BTreeSet::new(),
            broken: None,
        }]
    }

    fn actions(&self, payment: &Payment, steps: &mut Vec<Step>) {
        // After a broken rule the walk stops here.
        if payment.broken.is_some() {
            return;
        }
        steps.extend([Step::Wait, Step::Expire, Step::Cancel, Step::Invalidate]);
        steps.extend(self.codes.iter().map(|code| Step::Begin(code)));
        // No gateway is asked about cash.
        let heard =
            (0..payment.tries.len()).filter(|place| payment.tries.get(*place).unwrap().code != "cash");
        steps.extend(heard.flat_map(|place| WORDS.map(|word| Step::Hear(place, word))));
    }

    fn next_state(&self, payment: &Payment, step_taken: Step) -> Option<Payment> {
        let (transaction, latest) = (self.transaction(payment), self.latest(payment));
        let now = payment.time.now();
        match step_taken {
            Step::Begin(code) => self.begin(payment, code),
            Step::Hear(place, word) => Some(self.hear(payment, place, word)),
            Step::Wait => Some(Payment { time: payment.time.next()?, ..payment.clone() }),
            Step::Expire => Some(self.after(payment, &expire(&transaction, latest.as_ref(), now)?, None)),
            Step::Invalidate => {
                let bare = MerchantSettings { gateways: Vec::new(), ..self.settings.clone() };
                Some(self.after(payment, &invalidate(&transaction, latest.as_ref(), &bare, now)?, None))
            }
            // Nothing is canceled while an attempt is open.
            Step::Cancel if payment.has_open() => None,
            Step::Cancel => {
                let state = step(transaction.state, Event::Canceled).ok()?.as_str();
                Some(Payment { state, ..payment.clone() })
            }
        }
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = always();
        properties.extend(reached(self.codes.contains(&"cash")));
        properties
    }
}

fn always() -> Vec<Property<Payments>> {
    vec![
        Property::always("no event breaks a rule", |_, payment: &Payment| payment.broken.is_none()),
        Property::always("at most one attempt is open", |_, payment: &Payment| {
            payment.tries.iter().filter(|attempt| attempt.stage().is_open()).count() <= 1
        }),
        Property::always("what was approved is a success", |_, payment: &Payment| {
            payment.tries.iter().all(|attempt| !attempt.was_approved || attempt.stage() == Stage::Success)
        }),
        Property::always("a success settles or is flagged", |_, payment: &Payment| {
            let successes =
                payment.tries.iter().enumerate().filter(|(_, attempt)| attempt.stage() == Stage::Success);
            successes.into_iter().all(|(place, _)| {
                payment.settled_by == Some(place)
                    || payment.is_flagged(place, &["second_success", "late_success"])
            })
        }),
        Property::always("a transaction succeeds by a settlement", |_, payment: &Payment| {
            !payment.state().is_success() || payment.settled_by.is_some()
        }),
        Property::always("nothing ends without success under an open attempt", |_, payment: &Payment| {
            !payment.has_open() || payment.state().is_payable() || payment.state().is_success()
        }),
        Property::always("whom nobody asks about a person looks after", |_, payment: &Payment| {
            payment.tries.iter().enumerate().all(|(place, attempt)| {
                !attempt.stage().is_open()
                    || attempt.is_chased
                    || payment.is_flagged(place, &["amount_mismatch", "outcome_unknown"])
            })
        }),
    ]
}

/// Checks that the walk reaches the states that it is about.
fn reached(with_cash: bool) -> Vec<Property<Payments>> {
    let mut properties = vec![
        Property::sometimes("a success after the end", |_, payment: &Payment| {
            payment.time == Time::Days && payment.state().is_success() && payment.count(Stage::Success) == 1
        }),
        Property::sometimes("two successes", |_, payment: &Payment| payment.count(Stage::Success) == 2),
        Property::sometimes("a second attempt after a failure", |_, payment: &Payment| {
            payment.count(Stage::Failed) == 1 && payment.has_open()
        }),
        Property::sometimes("a success after cancellation", |_, payment: &Payment| {
            payment.state() == State::Canceled && payment.is_flagged(0, &["late_success"])
        }),
        Property::sometimes("an outcome is given up", |_, payment: &Payment| {
            payment.is_flagged(0, &["outcome_unknown"])
        }),
        Property::sometimes("an answer is held and then fits", |_, payment: &Payment| {
            payment.is_flagged(0, &["amount_mismatch"]) && payment.count(Stage::Success) == 1
        }),
        Property::sometimes("it is invalided", |_, payment: &Payment| payment.state() == State::Invalided),
        Property::sometimes("it expires", |_, payment: &Payment| payment.state() == State::Expired),
    ];
    if with_cash {
        properties.push(Property::sometimes("cash after a failure", |_, payment: &Payment| {
            payment.count(Stage::Failed) == 1 && payment.state() == State::Cod
        }));
        properties.push(Property::sometimes("the only attempt fails", |_, payment: &Payment| {
            payment.state() == State::Failed
        }));
    }
    properties
}

fn check(codes: &'static [&'static str], currency: &str) {
    let checker = Payments::new(codes, currency).checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    assert!(checker.unique_state_count() > 1_000, "{} states", checker.unique_state_count());
}

#[test]
fn no_order_of_events_breaks_a_purchase_by_two_gateways_or_cash() {
    check(&["knet", "single", "cash"], "KWD");
}

#[test]
fn no_order_of_events_breaks_an_authorization() {
    check(&["mpgs"], "KWD");
}

#[test]
fn no_order_of_events_breaks_a_purchase_that_one_of_two_gateways_exchanges() {
    check(&["knet", "credit-card"], "USD");
}
