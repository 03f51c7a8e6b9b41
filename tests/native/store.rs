//! The store in memory does what every store must do. The same list runs on D1 (tests/worker/store-contract.test.mjs).

use checkout_core::port::Store;
use checkout_core::testing::contract;
use checkout_core::testing::store::MemoryStore;

#[test]
fn the_memory_store_does_what_every_store_must() {
    let store = MemoryStore::default();
    // Twice on the same store: the rows of the first run must not disturb the second.
    for seed in [1, 2] {
        let findings = pollster::block_on(contract::all(&store, seed));
        let problems: Vec<_> = findings.iter().filter(|finding| finding.problem.is_some()).collect();
        assert!(problems.is_empty(), "{problems:#?}");
        assert!(findings.len() >= 40, "{} checks", findings.len());
    }
}

#[test]
fn the_contract_finds_what_a_store_does_wrong() {
    let store = MemoryStore::default();
    store.fail_commit(1, checkout_core::testing::store::Fault::BeforeStoring);
    let findings = pollster::block_on(contract::all(&store, 3));
    let problems = findings.iter().filter(|finding| finding.problem.is_some()).count();
    assert_eq!(problems, 1, "{findings:#?}");
    assert!(pollster::block_on(store.attention(1)).is_ok());
}
