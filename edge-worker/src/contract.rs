//! Runs the contract of the store on the database of this Worker. Built only with the feature `contract`, for
//! `tests/worker/store-contract.test.mjs`; no other build knows its address.

use checkout_core::testing::contract;
use worker::{Env, Response, Result};

use crate::d1::D1Store;

/// Where the contract is run.
pub(crate) const PATH: &str = "/contract";

/// Runs every check and answers the findings: `[{"name", "problem"}]`, `problem` null where there is none.
///
/// # Errors
/// Where the binding is missing or no answer can be made.
pub(crate) async fn answer(env: &Env, seed: u64) -> Result<Response> {
    let store = D1Store::new(std::rc::Rc::new(env.d1("DB")?));
    let findings = contract::all(&store, seed).await;
    let rows =
        findings.into_iter().map(|found| serde_json::json!({"name": found.name, "problem": found.problem}));
    Response::from_json(&rows.collect::<Vec<_>>())
}
