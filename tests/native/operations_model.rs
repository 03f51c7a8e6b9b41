//! Every order of captures, refunds and voids of one payment, with a gateway that does, queues or refuses
//! each, gets it late or never, and reports late, twice or not at all, driven through the functions that the
//! flows use. The gateway does not check amounts here: only our own records ensure that no more is moved than
//! there is.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::change::Change;
use checkout_core::child::Child;
use checkout_core::child::stage::Stage;
use checkout_core::gateway::charge::PgParams;
use checkout_core::gateway::operation::{OperationOutcome, OperationReport};
use checkout_core::operation::apply::{Learned, apply};
use checkout_core::operation::begin::{Books, Names, Request, begin};
use checkout_core::port::{Bookkeeping, Clock};
use checkout_core::record::attention::Reason;
use checkout_core::settings::MerchantSettings;
use checkout_core::state::State;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use stateright::{Checker, Model, Property};

const REFERENCES: [&str; 3] = ["CHILD1", "CHILD2", "CHILD3"];

/// What the gateway did with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Truth {
    /// It is in progress.
    UnderWay,
    /// It was never sent.
    Never,
    /// It was accepted, and will be done or refused.
    Queued,
    /// It was done.
    Done,
    /// It was refused.
    Refused,
    /// It was refused, and done after all.
    DoneAfterAll,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts that the rules are about")]
struct Asked {
    operation: &'static str,
    minor: i64,
    stage: &'static str,
    truth: Truth,
    was_queued: bool,
    /// Whether it was recorded as refused before.
    was_called_refused: bool,
    is_chased: bool,
    is_flagged: bool,
}

impl Asked {
    fn stage(&self) -> Stage {
        Stage::parse(self.stage).unwrap()
    }

    fn is_done(&self) -> bool {
        matches!(self.truth, Truth::Done | Truth::DoneAfterAll)
    }
}

/// The state of the payment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Payment {
    state: &'static str,
    paid: Option<i64>,
    asked: Vec<Asked>,
    broken: Option<&'static str>,
}

impl Payment {
    /// How much the gateway moved by an operation, whatever we know of it.
    fn moved(&self, operation: &str) -> i64 {
        self.asked
            .iter()
            .filter(|asked| asked.operation == operation && asked.is_done())
            .map(|asked| asked.minor)
            .sum()
    }

    /// How much is recorded as done.
    fn recorded(&self, operation: &str) -> i64 {
        let done =
            self.asked.iter().filter(|asked| asked.operation == operation && asked.stage() == Stage::Done);
        done.map(|asked| asked.minor).sum()
    }

    fn is_honest(&self) -> bool {
        self.asked.iter().all(|asked| asked.truth != Truth::DoneAfterAll)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    /// The merchant asks for this much; `None` for all that is left.
    Ask(&'static str, Option<i64>),
    /// The gateway gets the request, or decides.
    Decide(usize, Truth),
    /// Something is reported about it.
    Hear(usize, Word),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Word {
    Done,
    Queued,
    Refused,
    /// The gateway knows no such operation, long after it was asked for.
    Absent,
    Nothing,
    NeverSent,
    AnotherAmount,
}

struct Payments {
    books: Books,
    settings: MerchantSettings,
    now: Timestamp,
    amounts: Vec<Option<i64>>,
    /// The most operations on the payment.
    most: usize,
}

impl Payments {
    fn new(code: &str, most: usize) -> Self {
        let shop = Shop::open(1);
        let session_id = shop.create(&order(&[code]));
        let reference = shop.pay_to_page(&session_id, code);
        shop.bank.approve(reference.as_str());
        shop.come_back(&reference).unwrap();
        let books = block_on(shop.world.store.books(&session_id)).unwrap().unwrap();
        shop.wait(86_400);
        let total = books.settled.as_ref().unwrap().quote.total.minor();
        let amounts = vec![None, Some(4_000), Some(total)];
        Self { books, settings: (*shop.settings()).clone(), now: shop.world.clock.now(), amounts, most }
    }

    fn total(&self) -> Money {
        self.books.settled.as_ref().unwrap().quote.total
    }

    fn child(&self, place: usize, asked: &Asked) -> Child {
        let attempt = self.books.settled.as_ref().unwrap();
        Child {
            session_id: SessionId::generate(0, [u8::try_from(place).unwrap(); 19]),
            parent: attempt.session_id.clone(),
            merchant: attempt.merchant.clone(),
            number: i64::try_from(place).unwrap(),
            reference: ReferenceNumber::parse(REFERENCES.get(place).unwrap()).unwrap(),
            attempt: attempt.reference.clone(),
            operation: ChildOperation::parse(asked.operation).unwrap(),
            amount: Money::new(asked.minor, self.total().currency()).unwrap(),
            pg_code: attempt.pg_code.clone(),
            is_sandbox: true,
            tracking_key: None,
            extra: None,
            stage: asked.stage(),
            opened_at: attempt.opened_at,
            updated_at: attempt.opened_at,
            known_at: attempt.opened_at,
            inquire_at: asked.is_chased.then_some(self.now),
            inquiries: 0,
            open_since: Some(self.now),
            gateway_id: None,
            message: None,
            params: PgParams::new(),
            response: None,
        }
    }

    fn books(&self, payment: &Payment) -> Books {
        let mut books = self.books.clone();
        books.transaction.state = State::parse(payment.state).unwrap();
        if let Some(settlement) = &mut books.transaction.settlement {
            settlement.paid = payment.paid.map(|minor| Money::new(minor, self.total().currency()).unwrap());
        }
        books.children =
            payment.asked.iter().enumerate().map(|(place, asked)| self.child(place, asked)).collect();
        books
    }

    /// The payment after a change of one of its operations.
    fn after(payment: &Payment, place: usize, change: &Change) -> Payment {
        let child = change.child.as_ref().unwrap().child();
        let mut next = payment.clone();
        next.state = change.transaction.state.as_str();
        next.paid = change.transaction.settlement.as_ref().and_then(|s| s.paid).map(|paid| paid.minor());
        let before = payment.asked.get(place);
        let asked = Asked {
            operation: child.operation.as_str(),
            minor: child.amount.minor(),
            stage: child.stage.as_str(),
            truth: before.map_or(Truth::UnderWay, |before| before.truth),
            was_queued: before.is_some_and(|before| before.was_queued),
            was_called_refused: before.is_some_and(|before| before.was_called_refused)
                || matches!(child.stage, Stage::Refused | Stage::Rejected),
            is_chased: child.inquire_at.is_some(),
            is_flagged: before.is_some_and(|before| before.is_flagged) || !change.attention.is_empty(),
        };
        if change.attention.iter().any(|entry| entry.reason == Reason::LateOperation)
            && asked.truth != Truth::DoneAfterAll
        {
            next.broken = Some("only what was done after its refusal is called late");
        }
        match next.asked.get_mut(place) {
            Some(known) => *known = asked,
            None => next.asked.push(asked),
        }
        next
    }

    fn ask(&self, payment: &Payment, operation: ChildOperation, minor: Option<i64>) -> Option<Payment> {
        let place = payment.asked.len();
        if place >= self.most {
            return None;
        }
        let reference = ReferenceNumber::parse(REFERENCES.get(place)?).unwrap();
        let names = Names { session_id: SessionId::generate(0, [9; 19]), reference };
        let amount = minor.map(|minor| Money::new(minor, self.total().currency()).unwrap());
        let request = Request { operation, amount, tracking_key: None, extra: None };
        let books = self.books(payment);
        let profile = self.settings.gateway(&books.settled.as_ref()?.pg_code);
        let change = begin(&books, profile, request, names, self.now).ok()?;
        Some(Self::after(payment, place, &change))
    }

    fn hear(&self, payment: &Payment, place: usize, word: Word) -> Option<Payment> {
        let asked = payment.asked.get(place)?;
        let child = self.child(place, asked);
        let outcome = match word {
            Word::Done | Word::AnotherAmount => OperationOutcome::Done,
            Word::Queued => OperationOutcome::Queued,
            Word::Refused => OperationOutcome::Refused,
            Word::Absent => OperationOutcome::Absent,
            Word::Nothing | Word::NeverSent => OperationOutcome::Unknown,
        };
        let amount = if word == Word::AnotherAmount {
            Money::new(1, child.amount.currency()).unwrap()
        } else {
            child.amount
        };
        let learned = match word {
            Word::NeverSent => Learned::NeverSent,
            Word::Nothing => Learned::AnswerLost,
            Word::Done | Word::Queued | Word::Refused | Word::Absent | Word::AnotherAmount => {
                Learned::Report(OperationReport {
                    reference: child.reference.to_string(),
                    amount: Some(amount),
                    outcome,
                    message: None,
                    gateway_id: None,
                    params: PgParams::new(),
                    raw: None,
                })
            }
        };
        let applied = apply(&self.books(payment), &child, learned, self.now)?;
        let mut next = Self::after(payment, place, &applied.change);
        // What certainly was never sent cannot arrive any more.
        let heard = next.asked.get_mut(place)?;
        if matches!(word, Word::Absent | Word::NeverSent) && heard.truth == Truth::UnderWay {
            heard.truth = Truth::Never;
        }
        if word == Word::Done && heard.stage() != Stage::Done {
            next.broken = Some("what is done is recorded");
        }
        Some(next)
    }
}

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
            payment.asked.iter().all(|asked| asked.stage() != Stage::Done || asked.is_done())
        }),
        Property::always(
            "what was done is never called refused, unless the gateway said so",
            |_, payment: &Payment| {
                let is_called_refused =
                    |asked: &&Asked| matches!(asked.stage(), Stage::Refused | Stage::Rejected);
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
        Property::always("what was done after its refusal is told to a person", |_, payment: &Payment| {
            let is_late = |asked: &&Asked| asked.stage() == Stage::Done;
            payment.asked.iter().filter(is_late).all(|asked| asked.is_flagged || !asked.was_called_refused)
        }),
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
                payment.asked.iter().any(|asked| asked.stage() == Stage::Rejected)
                    && payment.recorded("refund") > 0
            },
        ),
        Property::sometimes("it is done after its refusal", |_, payment: &Payment| {
            payment
                .asked
                .iter()
                .any(|asked| asked.truth == Truth::DoneAfterAll && asked.stage() == Stage::Done)
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
