//! Runs the contract of the store on the database of this Worker. Built only with the feature `contract`, for
//! `tests/worker/store-contract.test.mjs`; no other build knows its addresses.

use checkout_core::api::list_transactions;
use checkout_core::id::MerchantId;
use checkout_core::testing::contract;
use checkout_core::testing::world::BEGINNING;
use worker::web_sys::Request;
use worker::{Env, Response, Result};

use crate::d1::D1Store;

/// Answers `/contract?{seed}` and `/contract/plan?{query of a listing}`; `None` for every other address.
pub(crate) async fn answer(env: &Env, request: &Request) -> Option<Result<Response>> {
    let url = worker::Url::parse(&request.url()).ok()?;
    let query = url.query().unwrap_or_default();
    match url.path() {
        "/contract" => Some(findings(env, query.parse().unwrap_or(1)).await),
        "/contract/plan" => Some(plan(env, query).await),
        _ => None,
    }
}

/// Runs every check and answers the findings: `[{"name", "problem"}]`, `problem` null where there is none.
async fn findings(env: &Env, seed: u64) -> Result<Response> {
    let store = D1Store::new(std::rc::Rc::new(env.d1("DB")?));
    let findings = contract::all(&store, seed).await;
    let rows =
        findings.into_iter().map(|found| serde_json::json!({"name": found.name, "problem": found.problem}));
    Response::from_json(&rows.collect::<Vec<_>>())
}

/// The steps in which the database reads a page of a listing, as texts.
async fn plan(env: &Env, query: &str) -> Result<Response> {
    let store = D1Store::new(std::rc::Rc::new(env.d1("DB")?));
    let merchant = MerchantId::parse("demo").ok_or("no merchant id")?;
    let listing = list_transactions::read(query, &merchant, BEGINNING)
        .map_err(|rejection| format!("the query is refused: {rejection:?}"))?;
    let steps = store.plan(&listing).await.map_err(|error| error.to_string())?;
    Response::from_json(&steps)
}
