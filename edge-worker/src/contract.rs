//! Runs the contract of the store on the database of this Worker, and judges tokens by its cryptography. Built only with the
//! feature `contract`, for tests in `tests/worker/`; no other build has its addresses.

mod tokens;

use checkout_core::access::key::ApiKey;
use checkout_core::access::operator::ROOT;
use checkout_core::api::list_transactions;
use checkout_core::port::{Bookkeeping, Due, Endings, Keyring, PortError, Store, UserKey, Users};
use checkout_core::record::audit::Entry;
use checkout_core::state::State;
use checkout_core::testing::contract;
use checkout_core::testing::world::BEGINNING;
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId, UserId};
use checkout_core::value::time::Date;
use web_sys::Request;
use worker::{Env, Result};

use crate::http::Reply;

use crate::port::d1::{D1Store, made};

/// Answers `/contract?{seed}`, `/contract/statements?{session id}` and `/contract/plan?{query of a listing}`, and the
/// addresses of [`tokens`]; `None` for every other address.
pub(crate) async fn answer(env: &Env, request: &Request) -> Option<Reply> {
    let url = worker::Url::parse(&request.url()).ok()?;
    let query = url.query().unwrap_or_default();
    match url.path() {
        "/contract" => Some(or_500(findings(env, query.parse().unwrap_or(1)).await)),
        "/contract/statements" => Some(or_500(statements(env, query).await)),
        "/contract/plan" => Some(or_500(plan(env, query).await)),
        path => tokens::answer(env, request, path).await,
    }
}

fn or_500(reply: Result<Reply>) -> Reply {
    reply.unwrap_or_else(|error| Reply::text(500, &error.to_string()))
}

/// Runs every check and answers the findings: `[{"name", "problem"}]`, `problem` null if there is none.
async fn findings(env: &Env, seed: u64) -> Result<Reply> {
    let store = D1Store::new(std::rc::Rc::new(env.d1("DB")?));
    let findings = Box::pin(contract::all(&store, seed)).await;
    Ok(Reply::of_texts(&findings))
}

/// Every statement of the store that was made so far, and those that no check of the contract makes: about operations, and
/// about callers with a transaction.
async fn statements(env: &Env, session_id: &str) -> Result<Reply> {
    let database = std::rc::Rc::new(env.d1("DB")?);
    let store = D1Store::new(database);
    let made = async {
        look_for_operations(&store, session_id).await?;
        look_for_callers(&store, SessionId::parse(session_id).as_ref()).await
    };
    made.await.map_err(|error| error.to_string())?;
    Ok(Reply::of_texts(&made::all()))
}

async fn look_for_operations(store: &D1Store, session_id: &str) -> std::result::Result<(), PortError> {
    let names = MerchantId::parse("demo")
        .zip(SessionId::parse(session_id))
        .zip(ReferenceNumber::parse("000000000000"));
    let ((merchant, session_id), reference) = names.ok_or_else(no_names)?;
    for merchant in [None, Some(&merchant)] {
        store
            .due_operations(Due { merchant, now: BEGINNING, share: 1, limit: 1, unrung_since: None })
            .await?;
    }
    store.books(&session_id).await?;
    store.standings(&[&session_id]).await?;
    store.child(&reference).await?;
    store.tracked(&merchant, "key").await?;
    store.postpone_operation(&reference, BEGINNING).await?;
    store.ended(&session_id, State::Paid).await?;
    let entry = Entry::of(ROOT.actor(), "restore_transaction", BEGINNING).on(&session_id);
    store.restore(&session_id, &entry).await?;
    Ok(())
}

async fn look_for_callers(store: &D1Store, named: Option<&SessionId>) -> std::result::Result<(), PortError> {
    let merchant = MerchantId::parse("demo").ok_or_else(no_names)?;
    let key = ApiKey::parse(&"0".repeat(40)).ok_or_else(no_names)?;
    store.caller(&key, BEGINNING, named).await?;
    store.holder(&merchant, key.prefix(), BEGINNING, named).await?;
    store.user(UserKey::Name("nobody"), named).await?;
    store.user(UserKey::Id(UserId(1)), named).await?;
    Ok(())
}

fn no_names() -> PortError {
    PortError { port: "contract", detail: "no names".into() }
}

/// The steps in which the database reads a page of a listing, as texts.
async fn plan(env: &Env, query: &str) -> Result<Reply> {
    let store = D1Store::new(std::rc::Rc::new(env.d1("DB")?));
    let merchant = MerchantId::parse("demo").ok_or("no merchant id")?;
    let mut listing = list_transactions::read(query, &merchant, BEGINNING, &Date::begins_at)
        .map_err(|rejection| format!("the query is refused: {rejection:?}"))?;
    if let Some(search) = &mut listing.filter.search {
        search.add_terms(&[7; 32], &merchant, "KW");
    }
    let steps = store.plan(&listing).await.map_err(|error| error.to_string())?;
    Ok(Reply::of_texts(&steps))
}
