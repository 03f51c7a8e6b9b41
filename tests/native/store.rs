//! The store in memory does what every store must do. The same list runs on D1
//! (tests/worker/store-contract.test.mjs).
#![expect(clippy::unwrap_used, reason = "what the helpers of a test cannot read fails the test")]

use checkout_core::change::{Change, EventKind};
use checkout_core::port::{CommitError, Store};
use checkout_core::state::State;
use checkout_core::testing::contract;
use checkout_core::testing::store::{Fault, MemoryStore};
use checkout_core::testing::world::BEGINNING;
use checkout_core::transaction::{Details, Transaction};
use checkout_core::value::id::{MerchantId, PgCode, SessionId};
use checkout_core::value::money::{Currency, Money};
use checkout_core::words::{Operation, Plugin};
use pollster::block_on;

fn created(shard: u8) -> Change {
    let transaction = Transaction {
        session_id: SessionId::generate(shard, [0; 19]),
        merchant: MerchantId::parse("demo").unwrap(),
        version: 0,
        state: State::Created,
        moved_at: BEGINNING,
        plugin: Plugin::ECommerce,
        operation: Operation::Purchase,
        amount: Money::parse("10.250", Currency::parse("KWD").unwrap()).unwrap(),
        pg_codes: vec![PgCode::parse("knet").unwrap()],
        created_at: BEGINNING,
        expires_at: BEGINNING,
        settlement: None,
        shown: None,
        details: Details::default(),
    };
    Change::of(transaction, EventKind::Created, BEGINNING)
}

#[test]
fn the_memory_store_does_what_every_store_must() {
    let store = MemoryStore::default();
    // Twice on the same store: the rows of the first run must not disturb the second.
    for seed in [1, 2] {
        let findings = block_on(contract::all(&store, seed));
        let problems: Vec<_> = findings.iter().filter(|finding| finding.problem.is_some()).collect();
        assert!(problems.is_empty(), "{problems:#?}");
        assert!(findings.len() >= 40, "{} checks", findings.len());
    }
}

#[test]
fn the_contract_finds_what_a_store_does_wrong() {
    let store = MemoryStore::default();
    store.fail_commit(1, Fault::BeforeStoring);
    let findings = block_on(contract::all(&store, 3));
    let problems: Vec<_> = findings.iter().filter(|finding| finding.problem.is_some()).collect();
    assert_eq!(problems.len(), 1, "{problems:#?}");
}

#[test]
fn a_commit_can_fail_before_it_stored_anything() {
    let store = MemoryStore::default();
    store.fail_commit(2, Fault::BeforeStoring);
    let [first, second] = [created(1), created(2)];
    assert_eq!(block_on(store.commit(&first)), Ok(()));
    assert!(matches!(block_on(store.commit(&second)), Err(CommitError::Failed(_))));
    assert_eq!(store.transactions(), [first.transaction]);
    assert_eq!(block_on(store.commit(&second)), Ok(()));
}

#[test]
fn a_commit_can_fail_after_it_stored_everything() {
    let store = MemoryStore::default();
    store.fail_commit(1, Fault::AfterStoring);
    let change = created(1);
    assert!(matches!(block_on(store.commit(&change)), Err(CommitError::Failed(_))));
    let stored = block_on(store.load(&change.transaction.session_id)).unwrap();
    assert_eq!(stored.map(|record| record.transaction), Some(change.transaction.clone()));
    assert_eq!(store.events(&change.transaction.session_id).len(), 1);
    assert_eq!(block_on(store.commit(&change)), Err(CommitError::Conflict));
}
