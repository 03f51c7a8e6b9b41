//! Every order in which three debits under one agreement are checked, opened and reported, by the functions that the flows use
//! and the condition under which a store takes an attempt: the gateway never took more than the terms permit.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use core::time::Duration;

use checkout_core::card::CardToken;
use checkout_core::card::Holder;
use checkout_core::card::agreement::{AgreementKey, OpenDebits, SavedAgreement};
use checkout_core::testing::world::BEGINNING;
use checkout_core::transaction::agreement::Agreement;
use checkout_core::value::id::MerchantId;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::slot::Slot;
use checkout_core::value::time::Timestamp;
use stateright::{Checker, Model, Property};

const DEBITS: usize = 3;
const DAYS: u8 = 3;

/// What an agreement looked like when the terms were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Seen {
    cycles: u32,
    charged: u8,
    open: u32,
    latest: Option<u8>,
}

/// How far a debit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Debit {
    /// It was not begun.
    Waiting,
    /// The terms were checked.
    Checked(Seen),
    /// It was refused.
    Refused,
    /// Its attempt is stored on that day, and the gateway may have taken the money.
    Open { day: u8, is_taken: bool },
    /// It is known that the money was taken.
    Paid { day: u8 },
    /// It is known that no money was taken.
    Ended,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Books {
    day: u8,
    charged: u8,
    debits: [Debit; DEBITS],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Check(usize),
    Open(usize),
    /// The gateway gets the order after all, and takes the money.
    Take(usize),
    /// The outcome is reported.
    Hear(usize),
    NextDay,
}

/// The terms of the agreement.
struct Terms {
    agreement: SavedAgreement,
}

impl Terms {
    fn new(cycles: u16, days: Option<u16>) -> Self {
        let days = days.map_or_else(|| "null".into(), |days| days.to_string());
        let terms =
            format!(r#"{{"id":"a","type":"other","total_cycles":{cycles},"cycle_interval_days":{days}}}"#);
        let holder = Holder {
            merchant: MerchantId::parse("demo").unwrap(),
            customer_id: "c".into(),
            is_sandbox: true,
        };
        let agreement = SavedAgreement {
            key: AgreementKey { holder, id: "a".into() },
            terms: Agreement::from_json(&terms).unwrap(),
            amount: price(),
            card: CardToken::generate(Slot::FIRST, [1; 16]),
            cycles: 0,
            charged_at: at(0),
            open: OpenDebits::default(),
            paused: None,
        };
        Self { agreement }
    }

    /// The agreement as it was seen.
    fn stored(&self, seen: Seen) -> SavedAgreement {
        let open = OpenDebits { count: seen.open, latest: seen.latest.map(at) };
        SavedAgreement { cycles: seen.cycles, charged_at: at(seen.charged), open, ..self.agreement.clone() }
    }

    fn most(&self) -> usize {
        self.agreement.terms.total_cycles.map_or(DEBITS, usize::from)
    }
}

fn price() -> Money {
    Money::parse("10.000", Currency::parse("KWD").unwrap()).unwrap()
}

fn at(day: u8) -> Timestamp {
    BEGINNING.plus(Duration::from_hours(24).saturating_mul(u32::from(day)))
}

impl Books {
    /// What a store answers about the agreement.
    fn seen(&self) -> Seen {
        let paid = self.debits.iter().filter(|debit| matches!(debit, Debit::Paid { .. })).count();
        let opened: Vec<u8> = self.debits.iter().filter_map(opened).collect();
        Seen {
            cycles: u32::try_from(paid).unwrap(),
            charged: self.charged,
            open: u32::try_from(opened.len()).unwrap(),
            latest: opened.into_iter().max(),
        }
    }

    fn with(&self, place: usize, debit: Debit) -> Self {
        let mut books = self.clone();
        *books.debits.get_mut(place).unwrap() = debit;
        books
    }

    /// The days on which the gateway took money.
    fn taken(&self) -> Vec<u8> {
        let mut days: Vec<u8> = self
            .debits
            .iter()
            .filter_map(|debit| match debit {
                Debit::Open { day, is_taken: true } | Debit::Paid { day } => Some(*day),
                Debit::Waiting | Debit::Checked(_) | Debit::Refused | Debit::Open { .. } | Debit::Ended => {
                    None
                }
            })
            .collect();
        days.sort_unstable();
        days
    }
}

fn opened(debit: &Debit) -> Option<u8> {
    if let Debit::Open { day, .. } = debit { Some(*day) } else { None }
}

impl Model for Terms {
    type State = Books;
    type Action = Step;

    fn init_states(&self) -> Vec<Books> {
        vec![Books { day: 1, charged: 0, debits: [Debit::Waiting; DEBITS] }]
    }

    fn actions(&self, _books: &Books, steps: &mut Vec<Step>) {
        steps.push(Step::NextDay);
        for place in 0..DEBITS {
            steps.extend([Step::Check(place), Step::Open(place), Step::Take(place), Step::Hear(place)]);
        }
    }

    fn next_state(&self, books: &Books, taken: Step) -> Option<Books> {
        let debit = |place: usize| *books.debits.get(place).unwrap();
        match taken {
            Step::NextDay => {
                (books.day < DAYS).then(|| Books { day: books.day.saturating_add(1), ..books.clone() })
            }
            Step::Check(place) if debit(place) == Debit::Waiting => {
                let seen = books.seen();
                let breach = self.stored(seen).breach(price(), at(books.day));
                Some(books.with(place, breach.map_or(Debit::Checked(seen), |_| Debit::Refused)))
            }
            Step::Open(place) => {
                let Debit::Checked(seen) = debit(place) else { return None };
                let claim = self.stored(seen).claim();
                let is_stored = claim.is_current(Some(&self.stored(books.seen())));
                let next =
                    if is_stored { Debit::Open { day: books.day, is_taken: false } } else { Debit::Refused };
                Some(books.with(place, next))
            }
            Step::Take(place) => {
                let Debit::Open { day, is_taken: false } = debit(place) else { return None };
                Some(books.with(place, Debit::Open { day, is_taken: true }))
            }
            Step::Hear(place) => {
                let Debit::Open { day, is_taken } = debit(place) else { return None };
                let next = if is_taken { Debit::Paid { day } } else { Debit::Ended };
                let charged = if is_taken { books.day } else { books.charged };
                Some(Books { charged, ..books.with(place, next) })
            }
            Step::Check(_) => None,
        }
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("no more is taken than all cycles", |terms: &Self, books: &Books| {
                books.taken().len() <= terms.most()
            }),
            Property::always("each cycle is taken once", |terms: &Self, books: &Books| {
                let days = u8::try_from(terms.agreement.terms.cycle_interval_days.unwrap_or(0)).unwrap();
                let taken = books.taken();
                let mut pairs = taken.iter().zip(taken.iter().skip(1));
                pairs.all(|(one, next)| next.saturating_sub(*one) >= days)
            }),
            Property::sometimes("all cycles are paid", |terms: &Self, books: &Books| {
                books.debits.iter().filter(|debit| matches!(debit, Debit::Paid { .. })).count()
                    == terms.most()
            }),
            Property::sometimes("a cycle is taken again after it was given back", |_, books: &Books| {
                books.debits.contains(&Debit::Ended) && !books.taken().is_empty()
            }),
            Property::sometimes("a debit that was checked in time is refused", |_, books: &Books| {
                books.debits.iter().any(|debit| matches!(debit, Debit::Checked(_)))
                    && books.debits.contains(&Debit::Refused)
            }),
        ]
    }
}

fn check(cycles: u16, days: Option<u16>) {
    let checker = Terms::new(cycles, days).checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    assert!(checker.unique_state_count() > 1_000, "{} states", checker.unique_state_count());
}

#[test]
fn no_order_of_debits_takes_more_than_all_cycles() {
    check(2, None);
}

#[test]
fn no_order_of_debits_takes_two_in_one_cycle() {
    check(2, Some(1));
}
