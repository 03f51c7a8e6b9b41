//! Every order of captures, refunds and voids of one payment, with a gateway that does, queues or refuses
//! each, gets it late or never, and reports late, twice or not at all, driven through the functions that the
//! flows use. The gateway does not check amounts here: only our own records ensure that no more is moved than
//! there is.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod walk;

use checkout_core::change::Change;
use checkout_core::child::Child;
use checkout_core::child::stage::OperationStage;
use checkout_core::gateway::charge::PgParams;
use checkout_core::gateway::operation::{OperationOutcome, OperationReport};
use checkout_core::operation::apply::{OperationUpdate, apply};
use checkout_core::operation::begin::{BeginRequest, Books, Names, begin};
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
    fn stage(&self) -> OperationStage {
        OperationStage::parse(self.stage).unwrap()
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
        let done = self
            .asked
            .iter()
            .filter(|asked| asked.operation == operation && asked.stage() == OperationStage::Done);
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
            reason: None,
            note: None,
            initiator: None,
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
                || matches!(child.stage, OperationStage::Refused | OperationStage::Rejected),
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
        let request = BeginRequest {
            operation,
            amount,
            tracking_key: None,
            extra: None,
            reason: None,
            note: None,
            initiator: None,
        };
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
            Word::NeverSent => OperationUpdate::NeverSent,
            Word::Nothing => OperationUpdate::AnswerLost,
            Word::Done | Word::Queued | Word::Refused | Word::Absent | Word::AnotherAmount => {
                OperationUpdate::Report(OperationReport {
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
        if word == Word::Done && heard.stage() != OperationStage::Done {
            next.broken = Some("what is done is recorded");
        }
        Some(next)
    }
}
