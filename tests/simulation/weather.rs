//! How bad a run is: the rates of every fault, which differ from seed to seed so that each kind of fault also
//! occurs alone; and the log in which the run notes what happened and what is wrong.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use checkout_core::testing::world::BEGINNING;
use checkout_core::value::time::Timestamp;

use crate::dice::Dice;

/// What can go wrong with one request to the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Nothing.
    Fine,
    /// It cannot be reached, and we know it.
    NotSent,
    /// It never arrives, and we do not know.
    LostBefore,
    /// It is done, and the answer gets lost.
    LostAfter,
    /// It arrives after we stopped waiting.
    Delayed,
    /// It is not done, and the bank answers 500.
    BrokenBefore,
    /// It is done, and the bank answers 500.
    BrokenAfter,
    /// It is done, and the answer cannot be read.
    Garbled,
    /// It is not done: the bank is overloaded.
    Busy,
    /// The bank refuses to open the charge.
    Refused,
    /// The bank charges while it opens, and says so.
    Charged,
    /// The bank charges while it opens, and the answer gets lost.
    ChargedAndLost,
    /// The bank does not find a charge that it has just opened.
    NotYetFound,
    /// The answer is about another charge.
    Mistaken,
}

/// The faults whose rates a run chooses at random.
const FAULTS: [Fate; 13] = [
    Fate::NotSent,
    Fate::LostBefore,
    Fate::LostAfter,
    Fate::Delayed,
    Fate::BrokenBefore,
    Fate::BrokenAfter,
    Fate::Garbled,
    Fate::Busy,
    Fate::Refused,
    Fate::Charged,
    Fate::ChargedAndLost,
    Fate::NotYetFound,
    Fate::Mistaken,
];

/// What receivers answer, `None` for nothing, from the frequent to the rare.
const ANSWERS: [Option<u16>; 6] = [Some(200), Some(201), Some(500), None, Some(302), Some(410)];

/// The rates of one run, out of a thousand if they are not weights.
#[derive(Debug, Clone)]
pub(crate) struct Rates {
    /// A write fails and nothing is stored.
    pub(crate) write_before: u64,
    /// A write is stored and fails all the same.
    pub(crate) write_after: u64,
    /// A read fails.
    pub(crate) read: u64,
    /// How many times a port lets others go first, at most.
    pub(crate) pauses: u64,
    /// What happens to requests to the bank, by weight.
    pub(crate) bank: Vec<(u64, Fate)>,
    /// What receivers answer, by weight.
    pub(crate) receivers: Vec<(u64, Option<u16>)>,
    /// How often the scheduler kills what is in progress.
    pub(crate) kills: u64,
    /// How often the operator removes gateways or adds them again, when that is possible.
    pub(crate) operator: u64,
    /// How often the bank takes another amount.
    pub(crate) wrong_amount: u64,
    /// How often the bank, when that is possible, takes the money of a charge after all that it reported as
    /// declined or canceled.
    pub(crate) reversals: u64,
}

impl Rates {
    /// No fault at all.
    pub(crate) fn calm() -> Self {
        Self {
            write_before: 0,
            write_after: 0,
            read: 0,
            pauses: 0,
            bank: vec![(1, Fate::Fine)],
            receivers: vec![(1, Some(200))],
            kills: 0,
            operator: 0,
            wrong_amount: 0,
            reversals: 0,
        }
    }

    fn generated(dice: &Dice) -> Self {
        let rate = |choices: &[u64]| dice.pick(choices).unwrap();
        let write = [0, 0, 10, 50, 150];
        let faults = FAULTS.map(|fault| (rate(&[0, 0, 0, 20, 60, 250]), fault));
        let answers = ANSWERS.iter().skip(1).map(|answer| (rate(&[0, 0, 50, 400]), *answer));
        Self {
            write_before: rate(&write),
            write_after: rate(&write),
            read: rate(&write),
            pauses: rate(&[0, 1, 1, 2, 3]),
            bank: faults.into_iter().chain([(500, Fate::Fine)]).collect(),
            receivers: answers.chain([(500, Some(200))]).collect(),
            kills: rate(&[0, 0, 30, 100, 300]),
            operator: rate(&[0, 0, 200, 900]),
            wrong_amount: rate(&[0, 0, 50, 300]),
            reversals: rate(&[0, 0, 300, 900]),
        }
    }
}

/// The weather of one run, and its log.
#[derive(Debug)]
pub(crate) struct Weather {
    pub(crate) dice: Dice,
    /// The time, for code without a clock: it is moved with the clock of the world.
    pub(crate) now: Cell<Timestamp>,
    rates: RefCell<Rates>,
    attended: Cell<Option<u32>>,
    trace: Option<RefCell<Vec<String>>>,
    problems: RefCell<Vec<String>>,
}

impl Weather {
    pub(crate) fn new(seed: u64, is_traced: bool) -> Rc<Self> {
        let dice = Dice::new(seed);
        Rc::new(Self {
            dice,
            now: Cell::new(BEGINNING),
            rates: RefCell::new(Rates::calm()),
            attended: Cell::new(None),
            trace: is_traced.then(RefCell::default),
            problems: RefCell::default(),
        })
    }

    /// The storm of this seed begins.
    pub(crate) fn worsen(&self) {
        let generated = Rates::generated(&self.dice);
        self.note(|| format!("{generated:?}"));
        self.set(generated);
    }

    pub(crate) fn set(&self, rates: Rates) {
        *self.rates.borrow_mut() = rates;
    }

    /// Whether nothing goes wrong between us and the gateways.
    pub(crate) fn is_calm(&self) -> bool {
        self.rates.borrow().bank.iter().all(|(rate, fate)| *rate == 0 || *fate == Fate::Fine)
    }

    /// Whether the operator removes gateways in this run.
    pub(crate) fn has_operator(&self) -> bool {
        self.rates.borrow().operator > 0
    }

    /// True as often as the rate says.
    pub(crate) fn chance(&self, rate: fn(&Rates) -> u64) -> bool {
        let rate = rate(&self.rates.borrow());
        // A rate of zero rolls no dice: calm weather is quick.
        rate > 0 && self.dice.chance(rate)
    }

    pub(crate) fn pauses(&self) -> u64 {
        let most = self.rates.borrow().pauses;
        if most == 0 { 0 } else { self.dice.between(0, most) }
    }

    pub(crate) fn fate(&self) -> Fate {
        self.dice.weighted(&self.rates.borrow().bank)
    }

    pub(crate) fn receiver_answers(&self) -> Option<u16> {
        self.dice.weighted(&self.rates.borrow().receivers)
    }

    /// What the trace is about now.
    pub(crate) fn attend(&self, number: Option<u32>) {
        self.attended.set(number);
    }

    /// Notes what happened, in a run that is traced.
    pub(crate) fn note(&self, what: impl FnOnce() -> String) {
        if let Some(trace) = &self.trace {
            let who = self.attended.get().map(|number| format!("#{number} ")).unwrap_or_default();
            let line = format!("{} {who}{}", self.now.get(), what());
            trace.borrow_mut().push(line);
        }
    }

    /// Notes what is wrong.
    pub(crate) fn wrong(&self, what: String) {
        self.note(|| format!("WRONG: {what}"));
        self.problems.borrow_mut().push(what);
    }

    /// Notes what is wrong, unless it holds.
    pub(crate) fn holds(&self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.wrong(otherwise());
        }
    }

    pub(crate) fn problems(&self) -> Vec<String> {
        self.problems.borrow().clone()
    }

    pub(crate) fn trace(&self) -> Vec<String> {
        self.trace.as_ref().map(|trace| trace.borrow().clone()).unwrap_or_default()
    }
}
