//! Every order of events, and what must be true after each.

use super::*;

impl Model for Payments {
    type State = Payment;
    type Action = Step;

    fn init_states(&self) -> Vec<Payment> {
        let transaction = &self.books.transaction;
        let paid = transaction.settlement.as_ref().and_then(|settlement| settlement.paid);
        vec![Payment {
            state: transaction.state.as_str(),
            paid: paid.map(|paid| paid.minor()),
            asked: Vec::new(),
            broken: None,
        }]
    }

    fn actions(&self, payment: &Payment, steps: &mut Vec<Step>) {
        if payment.broken.is_some() {
            return;
        }
        for operation in ChildOperation::ALL {
            steps.extend(self.amounts.iter().map(|minor| Step::Ask(operation.as_str(), *minor)));
        }
        for (place, asked) in payment.asked.iter().enumerate() {
            let decisions: &[Truth] = match asked.truth {
                Truth::UnderWay if asked.operation == "refund" => {
                    &[Truth::Done, Truth::Refused, Truth::Queued]
                }
                Truth::UnderWay | Truth::Queued => &[Truth::Done, Truth::Refused],
                Truth::Refused => &[Truth::DoneAfterAll],
                Truth::Never | Truth::Done | Truth::DoneAfterAll => &[],
            };
            steps.extend(decisions.iter().map(|truth| Step::Decide(place, *truth)));
            let words: &[Word] = match asked.truth {
                Truth::UnderWay => &[Word::Absent, Word::NeverSent],
                Truth::Never => &[Word::Absent],
                Truth::Queued => &[Word::Queued],
                Truth::Done | Truth::DoneAfterAll => &[Word::Done, Word::AnotherAmount],
                Truth::Refused => &[Word::Refused],
            };
            steps.extend(words.iter().map(|word| Step::Hear(place, *word)));
            if asked.stage().is_open() {
                steps.push(Step::Hear(place, Word::Nothing));
            }
            if asked.was_queued {
                // A report that was overtaken by a later one.
                steps.push(Step::Hear(place, Word::Queued));
            }
        }
    }

    fn next_state(&self, payment: &Payment, step: Step) -> Option<Payment> {
        match step {
            Step::Ask(word, minor) => self.ask(payment, ChildOperation::parse(word)?, minor),
            Step::Hear(place, word) => self.hear(payment, place, word),
            Step::Decide(place, truth) => {
                let mut next = payment.clone();
                let asked = next.asked.get_mut(place)?;
                asked.was_queued |= truth == Truth::Queued;
                asked.truth = truth;
                Some(next)
            }
        }
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = always();
        properties.extend(reached(self.books.transaction.state));
        properties
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn always() -> Vec<Property<Payments>> {
    vec![
        Property::always("no event breaks a rule", |_, payment: &Payment| payment.broken.is_none()),
        Property::always("no more is captured than is held", |model: &Payments, payment: &Payment| {
            !payment.is_honest() || payment.moved("capture") <= model.total().minor()
        }),
        Property::always(
            "no more is refunded than was taken, fee excluded",
            |model: &Payments, payment: &Payment| {
                let attempt = model.books.settled.as_ref().unwrap();
                let is_taken = model.books.transaction.state == State::Paid;
                let taken = if is_taken { attempt.quote.total.minor() } else { payment.moved("capture") };
                !payment.is_honest() || payment.moved("refund") <= taken.min(attempt.principal.minor())
            },
        ),
        Property::always(
            "what is released was not captured, and is released once",
            |model: &Payments, payment: &Payment| {
                let released = payment.moved("void");
                !payment.is_honest()
                    || released == 0
                    || (released == model.total().minor() && payment.moved("capture") == 0)
            },
        ),
        Property::always("what is recorded as done was done", |_, payment: &Payment| {
            payment.asked.iter().all(|asked| asked.stage() != OperationStage::Done || asked.is_done())
        }),
        Property::always(
            "what was done is never called refused, unless the gateway said so",
            |_, payment: &Payment| {
                let is_called_refused = |asked: &&Asked| {
                    matches!(asked.stage(), OperationStage::Refused | OperationStage::Rejected)
                };
                payment.asked.iter().filter(is_called_refused).all(|asked| asked.truth != Truth::Done)
            },
        ),
        Property::always(
            "what is open is asked about, or a person looks after it",
            |_, payment: &Payment| {
                payment
                    .asked
                    .iter()
                    .all(|asked| !asked.stage().is_open() || asked.is_chased || asked.is_flagged)
            },
        ),
        Property::always(
            "what was done after its refusal is reported to a person",
            |_, payment: &Payment| {
                let is_late = |asked: &&Asked| asked.stage() == OperationStage::Done;
                payment
                    .asked
                    .iter()
                    .filter(is_late)
                    .all(|asked| asked.is_flagged || !asked.was_called_refused)
            },
        ),
        Property::always("what was paid is what was captured", |model: &Payments, payment: &Payment| {
            let is_held = model.books.transaction.state == State::Authorized;
            let captured = payment.recorded("capture");
            !is_held || payment.paid == Some(captured).filter(|captured| *captured > 0)
        }),
        Property::always("the parent stays a success", |_, payment: &Payment| {
            State::parse(payment.state).is_some_and(State::is_success)
        }),
    ]
}

/// Checks that the walk reaches the states that it is about.
fn reached(state: State) -> Vec<Property<Payments>> {
    let mut properties = vec![
        Property::sometimes(
            "a queued refund is refused and its amount refunded again",
            |_, payment: &Payment| {
                payment.asked.iter().any(|asked| asked.stage() == OperationStage::Rejected)
                    && payment.recorded("refund") > 0
            },
        ),
        Property::sometimes("it is done after its refusal", |_, payment: &Payment| {
            payment
                .asked
                .iter()
                .any(|asked| asked.truth == Truth::DoneAfterAll && asked.stage() == OperationStage::Done)
        }),
        Property::sometimes("more is refunded than recorded", |_, payment: &Payment| {
            payment.moved("refund") > payment.recorded("refund")
        }),
        Property::sometimes("another amount is held", |_, payment: &Payment| {
            payment.asked.iter().any(|asked| asked.is_flagged && asked.stage().is_open())
        }),
    ];
    if state == State::Authorized {
        properties.push(Property::sometimes("it is captured twice and refunded", |_, payment: &Payment| {
            payment.recorded("capture") > 4_000 && payment.recorded("refund") > 0
        }));
        properties
            .push(Property::sometimes("it is released", |_, payment: &Payment| payment.recorded("void") > 0));
        properties.push(Property::sometimes(
            "it is captured after a refused void",
            |_, payment: &Payment| {
                payment.recorded("capture") > 0 && payment.asked.iter().any(|asked| asked.operation == "void")
            },
        ));
    } else {
        properties.push(Property::sometimes("it is refunded in full", |_, payment: &Payment| {
            payment.recorded("refund") == 10_000
        }));
    }
    properties
}

fn check(code: &str, most: usize) {
    let checker = Payments::new(code, most).checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    assert!(checker.unique_state_count() > 1_000, "{} states", checker.unique_state_count());
}

#[test]
fn no_order_of_refunds_breaks_a_purchase() {
    check("queued", 2);
}

#[test]
fn no_order_of_operations_breaks_an_authorization() {
    check("mpgs", 3);
}
