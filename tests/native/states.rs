//! Every cell of the tables of state changes, against `vectors/states.json`, which was written independently
//! of the code.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::attempt::stage::{self, Fact, Stage, advance};
use checkout_core::child::stage as operation;
use checkout_core::state::{self, Event, Illegal, State, step};
use checkout_core::words::{ChildOperation, ChildState};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    transaction: Table,
    attempt: Table,
    refund: Table,
    capture_or_void: Table,
}

#[derive(Deserialize)]
struct Table {
    events: Vec<String>,
    rows: BTreeMap<String, Vec<String>>,
}

impl Table {
    /// What follows, by what was and what happened; `None` if the move is illegal.
    fn cells(&self) -> BTreeMap<(&str, &str), Option<&str>> {
        let mut cells = BTreeMap::new();
        for (from, row) in &self.rows {
            assert_eq!(row.len(), self.events.len(), "the row of {from}");
            for (event, to) in self.events.iter().zip(row) {
                let to = (to != "illegal").then_some(to.as_str());
                assert_eq!(cells.insert((from.as_str(), event.as_str()), to), None, "{from} {event} twice");
            }
        }
        cells
    }

    /// The pairs of different states with a legal move between them.
    fn moves(&self) -> BTreeSet<(&str, &str)> {
        let cells = self.cells();
        cells
            .iter()
            .filter_map(|((from, _), to)| Some((*from, (*to)?)))
            .filter(|(from, to)| from != to)
            .collect()
    }
}

impl Vectors {
    fn operation(&self, operation: ChildOperation) -> &Table {
        match operation {
            ChildOperation::Refund => &self.refund,
            ChildOperation::Capture | ChildOperation::Void => &self.capture_or_void,
        }
    }
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/states.json")).unwrap()
}

#[test]
fn every_event_moves_every_state_as_the_contract_says() {
    let vectors = vectors();
    let cells = vectors.transaction.cells();
    assert_eq!(cells.len(), 10 * 17);
    for from in State::ALL {
        for event in Event::ALL {
            // The word of the API that is in no move has no row.
            let expected =
                if from == State::Refunded { None } else { cells[&(from.as_str(), event.as_str())] };
            let moved = step(from, event);
            assert_eq!(moved.ok().map(State::as_str), expected, "{from} {event:?}");
            if expected.is_none() {
                assert_eq!(moved, Err(Illegal { state: from, event }));
            }
        }
    }
}

#[test]
fn every_fact_moves_every_stage_as_the_contract_says() {
    let vectors = vectors();
    let cells = vectors.attempt.cells();
    assert_eq!(cells.len(), 8 * 7);
    for from in Stage::ALL {
        for fact in Fact::ALL {
            let expected = cells[&(from.as_str(), fact.as_str())];
            assert_eq!(advance(from, fact).map(Stage::as_str), expected, "{from} {fact:?}");
        }
    }
}

#[test]
fn every_answer_moves_every_operation_as_the_contract_says() {
    let vectors = vectors();
    for operation in ChildOperation::ALL {
        let cells = vectors.operation(operation).cells();
        assert_eq!(cells.len(), operation::OperationStage::ALL.len() * operation::OperationFact::ALL.len());
        for from in operation::OperationStage::ALL {
            for fact in operation::OperationFact::ALL {
                let expected = cells[&(from.as_str(), fact.as_str())];
                let next = operation::advance(operation, from, fact).map(operation::OperationStage::as_str);
                assert_eq!(next, expected, "{operation:?} {from} {fact:?}");
            }
        }
    }
}

#[test]
fn the_listed_moves_are_those_of_the_tables() {
    let vectors = vectors();
    let listed: Vec<_> = state::legal_moves().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), vectors.transaction.moves());
    assert_eq!(listed.len(), vectors.transaction.moves().len(), "a move is listed twice");
    let listed: Vec<_> = stage::legal_moves().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), vectors.attempt.moves());
    assert_eq!(listed.len(), vectors.attempt.moves().len(), "a move is listed twice");
}

#[test]
fn a_child_transaction_shows_what_became_of_its_operation_and_nothing_before_it_is_certain() {
    let shown = |operation| {
        operation::OperationStage::ALL
            .map(|stage: operation::OperationStage| stage.state(operation).map(ChildState::as_str))
    };
    let refund =
        [None, Some("refund_queued"), Some("refund_queued"), Some("refunded"), Some("refund_rejected"), None];
    assert_eq!(shown(ChildOperation::Refund), refund, "in the order of the stages");
    assert_eq!(shown(ChildOperation::Capture), [None, None, None, Some("paid"), None, None]);
    assert_eq!(shown(ChildOperation::Void), [None, None, None, Some("voided"), None, None]);
}

#[test]
fn refunded_is_in_no_move_and_none_leads_out_of_success_but_the_cancellation_of_cash() {
    for (from, to) in state::legal_moves() {
        assert!(![from, to].contains(&State::Refunded), "{from} {to}");
        assert!(!from.is_success() || (from, to) == (State::Cod, State::Canceled), "{from} {to}");
    }
}

#[test]
fn words_and_states_name_each_other() {
    for state in State::ALL {
        assert_eq!(State::parse(state.as_str()), Some(state));
    }
    for stage in Stage::ALL {
        assert_eq!(Stage::parse(stage.as_str()), Some(stage));
    }
    assert_eq!((State::parse("unknown"), Stage::parse("pending")), (None, None));
}

#[test]
fn the_wire_calls_every_open_attempt_pending_and_names_every_result() {
    let results: Vec<_> = Stage::ALL.into_iter().map(Stage::result).collect();
    assert_eq!(
        results,
        ["pending", "pending", "pending", "success", "failed", "canceled", "error", "cod"],
        "in the order of the stages"
    );
}
