//! Every order of events over a transaction with up to two attempts, late and doubled reports among them, driven through
//! the functions that the flows use. What must hold in every reachable state is checked in every reachable state.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use checkout_core::change::{AttemptWrite, Change, EventKind, Reason};
use checkout_core::gateway::charge::{Outcome, PgParams, Report};
use checkout_core::id::{PgCode, ReferenceNumber};
use checkout_core::money::{Currency, Money};
use checkout_core::payment::apply::{Learned, News, Occasion, apply, expire};
use checkout_core::payment::attempt::Attempt;
use checkout_core::payment::begin::{Opening, begin, invalidate, may_open};
use checkout_core::payment::stage::Stage;
use checkout_core::settings::MerchantSettings;
use checkout_core::testing::world::BEGINNING;
use checkout_core::time::Timestamp;
use checkout_core::transaction::Transaction;
use checkout_core::transaction::state::{Event, State, step};
use checkout_tests::shop::{Shop, order};
use stateright::{Checker, Model, Property};

const REFERENCES: [&str; 2] = ["REF1", "REF2"];

/// What of a stored attempt decides anything.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Try {
    code: &'static str,
    stage: Stage2,
    has_page: bool,
    /// Whether somebody asks about it.
    is_chased: bool,
    is_held: bool,
    /// Whether the gateway ever approved it as it was asked to.
    was_approved: bool,
}

/// The place of a stage in the list of stages, which can be hashed.
type Stage2 = usize;

/// Where a payment stands, and what went wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Payment {
    state: &'static str,
    settled_by: Option<&'static str>,
    tries: Vec<Try>,
    time: Time,
    /// Attempts and reasons on the attention list.
    flagged: BTreeSet<(usize, &'static str)>,
    /// The first rule that an event broke.
    broken: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Time {
    /// Requests may still be under way.
    Soon,
    /// What has not arrived by now never left.
    Later,
    /// The time to pay is over.
    Over,
    /// Unknown outcomes are given up.
    Days,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Say {
    Approved,
    Declined,
    Canceled,
    PageOpen,
    Absent,
    Nothing,
    NothingOnReturn,
    AnotherAmount,
    NeverSent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    OpenPage,
    Begin(&'static str),
    Hear(usize, Say),
    Wait,
    Expire,
    Cancel,
    Invalidate,
}

struct Payments {
    base: Transaction,
    settings: Rc<MerchantSettings>,
    /// Settings that offer nothing.
    bare: MerchantSettings,
    codes: &'static [&'static str],
}

// The checker asks for these; there is one thread.
#[expect(unsafe_code, reason = "the checker wants to share the model, and runs on one thread")]
unsafe impl Sync for Payments {}
#[expect(unsafe_code, reason = "the checker wants to share the model, and runs on one thread")]
unsafe impl Send for Payments {}
