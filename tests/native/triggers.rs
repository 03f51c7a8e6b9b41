//! The database refuses the moves that the core refuses: what the migration says of states and stages is
//! exactly what the tables of the core render to.

use checkout_core::approval::stage as approval;
use checkout_core::attempt::stage::{self, Stage};
use checkout_core::child::stage as operation;
use checkout_core::state::{self, State};
use checkout_core::words::ChildOperation;

const MIGRATIONS: [&str; 3] = [
    include_str!("../../edge-worker/migrations/0001_payments.sql"),
    include_str!("../../edge-worker/migrations/0008_operations.sql"),
    include_str!("../../edge-worker/migrations/0052_approvals.sql"),
];

/// The trigger that refuses every move of `column` but those given.
fn legal_moves_trigger(table: &str, column: &str, moves: impl Iterator<Item = (String, String)>) -> String {
    let moves: Vec<String> = moves.map(|(from, to)| format!("  '{from} {to}'")).collect();
    format!(
        "CREATE TRIGGER {table}_{column}_is_legal BEFORE UPDATE OF {column} ON {table}\n\
         WHEN NEW.{column} <> OLD.{column} AND OLD.{column} || ' ' || NEW.{column} NOT IN (\n\
         {}\n)\n\
         BEGIN\n  SELECT RAISE(ABORT, 'illegal move of {table}.{column}');\nEND;\n",
        moves.join(",\n")
    )
}

fn words(column: &str, words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
    format!("{column} IN ({})", words.join(", "))
}

#[track_caller]
fn assert_in_migration(text: &str) {
    let is_there = MIGRATIONS.iter().any(|migration| migration.contains(text));
    assert!(is_there, "one of edge-worker/migrations must contain exactly\n\n{text}");
}

#[test]
fn the_migration_refuses_the_moves_of_transactions_that_the_core_refuses() {
    let moves = state::legal_moves().map(|(from, to)| (from.to_string(), to.to_string()));
    assert_in_migration(&legal_moves_trigger("txn", "state", moves));
}

#[test]
fn the_migration_refuses_the_moves_of_attempts_that_the_core_refuses() {
    let moves = stage::legal_moves().map(|(from, to)| (from.to_string(), to.to_string()));
    assert_in_migration(&legal_moves_trigger("attempt", "stage", moves));
}

#[test]
fn the_migration_refuses_the_moves_of_operations_that_the_core_refuses() {
    let moves = operation::legal_moves().map(|(from, to)| (from.to_string(), to.to_string()));
    assert_in_migration(&legal_moves_trigger("child", "stage", moves));
}

#[test]
fn the_migration_refuses_the_moves_of_requests_for_approval_that_the_core_refuses() {
    let moves = approval::legal_moves().map(|(from, to)| (from.to_string(), to.to_string()));
    assert_in_migration(&legal_moves_trigger("approval", "state", moves));
    let states = approval::ApprovalState::ALL.into_iter().map(approval::ApprovalState::as_str);
    assert_in_migration(&words("CHECK (state", states));
}

#[test]
fn the_migration_knows_the_words_of_the_core() {
    assert_in_migration(&words("CHECK (state", State::ALL.into_iter().map(State::as_str)));
    assert_in_migration(&words("CHECK (stage", Stage::ALL.into_iter().map(Stage::as_str)));
    let stages = operation::OperationStage::ALL.into_iter();
    assert_in_migration(&words("CHECK (stage", stages.map(operation::OperationStage::as_str)));
    let operations = ChildOperation::ALL.into_iter();
    assert_in_migration(&words("CHECK (operation", operations.map(ChildOperation::as_str)));
}

#[test]
fn the_partial_indexes_cover_what_the_core_calls_payable_and_open() {
    let payable = State::ALL.into_iter().filter(|state| state.is_payable()).map(State::as_str);
    assert_in_migration(&format!("ON txn (expires_at) WHERE {};", words("state", payable)));
    let open = words("stage", Stage::ALL.into_iter().filter(|stage| stage.is_open()).map(Stage::as_str));
    assert_in_migration(&format!("one_open_attempt ON attempt (session_id) WHERE {open};"));
    let open = operation::OperationStage::ALL.into_iter().filter(|stage| stage.is_open());
    let open = words("stage", open.map(operation::OperationStage::as_str));
    assert_in_migration(&format!("ON child (inquire_at) WHERE {open};"));
}
