//! Till as a Cloudflare Worker.
//!
//! This crate adapts and decides nothing: bytes come in (`http`), a route is found and its flow of
//! `checkout-core` runs with the ports of this crate (`edge`), and a reply goes out (`dispatch`). Pages are
//! rendered in `page`; `sandbox` is the simulated world, which the feature of that name leaves out.
//!
//! # Floors
//!
//! From the top down. A module uses only modules below it; the test `floors` reads this list and the imports, and compares
//! them.
//!
//! | module | what it is |
//! |---|---|
//! | `contract` | the contract of the store on the database, for tests; with the feature `contract` only |
//! | `event` | the cron handler, and the consumer of the queues |
//! | `dispatch` | from a route to its handler |
//! | `desk` | the pages of a merchant's staff |
//! | `handler` | a handler for each family of routes: merchants, payers, SDKs, operators, gateways, receipts, files |
//! | `demo` | the start page, shop and gallery of a development installation |
//! | `call` | a body that was read, and a caller who was identified |
//! | `guard` | floods, limits of callers, origins of pages: asked before a call is answered |
//! | `delivery` | deliveries that begin with a request |
//! | `metrics` | the metrics of the installation, and a data point for each request |
//! | `http` | bytes in, replies out |
//! | `edge` | the ports of one request, put together |
//! | `outbound` | outgoing requests, with caps on time and size |
//! | `config` | the bindings and secrets of the Worker, checked |
//! | `sandbox` | the tables and pages of the simulated bank, inbox and shop |
//! | `port` | the ports: the store in D1, files in KV, queues, seals, signatures, the clock, random numbers |
//! | `logging` | one line of JSON per event |
//! | `platform` | what is asked of the platform |
//! | `page` | the hosted page, rendered on the server |
//! | `plain` | what of a text is fit for the log |

mod call;
mod config;
#[cfg(feature = "contract")]
mod contract;
mod delivery;
#[cfg(all(feature = "sandbox", feature = "development"))]
mod demo;
#[cfg(feature = "desk")]
mod desk;
mod dispatch;
mod edge;
mod event;
mod guard;
mod handler;
mod http;
mod logging;
mod metrics;
mod outbound;
mod page;
mod plain;
mod platform;
mod port;
#[cfg(feature = "sandbox")]
mod sandbox;

use checkout_core::port::{Clock, Installation, World};
use checkout_core::route::find;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::Request;
use worker::{Context, Env, ScheduleContext, ScheduledEvent, event};

use crate::delivery::Work;
use crate::edge::{Edge, RequestScope};
use crate::http::{Incoming, Reply};
use checkout_core::value::slot::Slot;

/// Answers one request of a caller; `entry.js` has read its head.
#[wasm_bindgen]
pub fn answer(head: String, request: Request, env: Env, context: JsValue, caller: JsValue) {
    spawn_local(async move {
        let (reply, request_id) = reply_to(&head, request, &env, context).await;
        reply.send(&caller, &request_id);
    });
}

/// How the platform is asked to wait for work.
fn wait_until(context: &Context) -> impl Fn(Work) + use<> {
    let inner: &JsValue = context.as_ref();
    let context = Context::new(inner.clone().unchecked_into());
    move |work| context.wait_until(work)
}

/// The reply, and the request's id.
async fn reply_to(head: &str, request: Request, env: &Env, context: JsValue) -> (Reply, String) {
    #[cfg(feature = "contract")]
    if let Some(reply) = contract::answer(env, &request).await {
        return (reply, "-".into());
    }
    let incoming = Incoming::read_head(head, request);
    let found = find(&incoming.method, &incoming.path);
    let context = Context::new(context.unchecked_into());
    let work = wait_until(&context);
    let scope = |installation: &Installation| incoming.scope(&found, installation);
    let edge = match Edge::new(env, scope, |edge| delivery::courier(edge, work)) {
        Ok(edge) => edge,
        Err(problem) => {
            logging::broken("configuration", &problem);
            let text = "the installation is not configured; its log says what is missing";
            return (Reply::text(503, text), "-".into());
        }
    };
    let request_id = incoming.request_id.clone();
    let started = incoming.started;
    let (route, reply) = dispatch::answer(&edge, &context, incoming, found).await;
    let took = edge.clock().now().since(started);
    let db = edge.ledger(&Slot::FIRST).round_trips();
    let answered = logging::Answered { request_id: &request_id, route, status: reply.status, took, db };
    logging::answered(&answered, edge.config.logged_successes);
    metrics::note(edge.analytics.as_ref(), &answered);
    (reply, request_id)
}

/// Does what the doorbells of a batch ring for.
#[wasm_bindgen]
pub fn consume(queue: String, texts: Vec<String>, env: Env, context: JsValue, caller: JsValue) {
    spawn_local(async move {
        let context = Context::new(context.unchecked_into());
        let work = wait_until(&context);
        let again = match Edge::new(&env, RequestScope::of_nobody, |edge| delivery::courier(edge, work)) {
            Ok(edge) => event::consumer::consume(&edge, &context, &queue, &texts).await,
            Err(problem) => {
                logging::broken("configuration", &problem);
                (0..texts.len()).collect()
            }
        };
        event::consumer::settle(&caller, &again);
    });
}

/// Runs what is due, every minute.
#[event(scheduled)]
pub async fn scheduled(_event: ScheduledEvent, env: Env, context: ScheduleContext) {
    match Edge::new(&env, RequestScope::of_nobody, |edge| {
        delivery::courier_of_run(edge, move |work| context.wait_until(work))
    }) {
        Ok(edge) => event::scheduled::sweep(&edge).await,
        Err(problem) => logging::broken("configuration", &problem),
    }
}
