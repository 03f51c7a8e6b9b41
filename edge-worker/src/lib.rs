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
//! | `consumer` | the queues: does what doorbells ring for |
//! | `dispatch` | from a route to its handler |
//! | `account` | a merchant manages its users, keys, secrets, deliveries and the data of its payers |
//! | `operator` | the operator API |
//! | `scheduled` | the cron handler |
//! | `simulated` | the simulated world at work: its pages, and its bank that calls back |
//! | `front` | the start page, `security.txt`, the index of problem codes |
//! | `demo` | the start page, shop and gallery of a development installation |
//! | `published` | images, faces, the file by which Apple recognises the domain |
//! | `gateway` | what gateways and providers of messages report |
//! | `transaction` | payment transactions, as a merchant's server asks for them |
//! | `merchant_side` | what else a merchant's server asks for |
//! | `card` | saved cards, as a merchant's server asks about them |
//! | `native` | native payments |
//! | `attachment` | uploads, downloads, short addresses and QR codes |
//! | `receipt` | receipts and the keys that verify them |
//! | `token` | the token endpoint |
//! | `page_side` | what checkout SDKs and pages of merchants call |
//! | `wallet` | device wallets from the payer's side |
//! | `payer` | the page, the payment, the return from the bank |
//! | `call` | a body that was read, and a caller who was identified |
//! | `cors` | calls of browsers from pages of other origins |
//! | `quota` | how many calls a user or a key made today |
//! | `flood` | refuses floods before anything is looked up |
//! | `delivery` | deliveries that begin with a request |
//! | `metrics` | the metrics of the installation, and a data point for each request |
//! | `http` | bytes in, replies out |
//! | `edge` | the ports of one request, put together |
//! | `outbound` | outgoing requests, with caps on time and size |
//! | `config` | the bindings and secrets of the Worker, checked |
//! | `sandbox` | the tables and pages of the simulated bank, inbox and shop |
//! | `d1` | the store, in D1; the SQL of a table in one module |
//! | `kv` | the bytes of files, in the KV namespace |
//! | `queue` | the queues that carry doorbells |
//! | `limiters` | the limiters of the platform that are bound |
//! | `logging` | one line of JSON per event |
//! | `sign_ins` | sign-ins that were right a short while ago |
//! | `seal` | secrets at rest |
//! | `sign` | signatures of receipts and webhooks |
//! | `verify` | verifies signatures of tokens |
//! | `clock` | the time |
//! | `rng` | random numbers |
//! | `platform` | what is asked of the platform, in one call each |
//! | `task` | how requests go on where their answers arrive |
//! | `page` | the hosted page, rendered on the server |
//! | `qr_code` | QR codes as pictures |
//! | `plain` | what of a text is fit for the log |

mod account;
mod attachment;
mod call;
mod card;
mod clock;
mod config;
mod consumer;
#[cfg(feature = "contract")]
mod contract;
mod cors;
mod d1;
mod delivery;
#[cfg(all(feature = "sandbox", feature = "development"))]
mod demo;
mod dispatch;
mod edge;
mod flood;
mod front;
mod gateway;
mod http;
mod kv;
mod limiters;
mod logging;
mod merchant_side;
mod metrics;
mod native;
mod operator;
mod outbound;
mod page;
mod page_side;
mod payer;
mod plain;
mod platform;
mod published;
mod qr_code;
mod queue;
mod quota;
mod receipt;
mod rng;
#[cfg(feature = "sandbox")]
mod sandbox;
mod scheduled;
mod seal;
mod sign;
mod sign_ins;
#[cfg(feature = "sandbox")]
mod simulated;
mod task;
mod token;
mod transaction;
mod verify;
mod wallet;

use std::rc::Rc;

use checkout_core::port::{Clock, World};
use size_class_allocator as _;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Request;
use worker::{Context, Env, ScheduleContext, ScheduledEvent, event};

use crate::delivery::Work;
use crate::edge::Edge;
use crate::http::{Incoming, Reply};

/// Answers one request of a caller; `entry.js` has read its head.
#[wasm_bindgen]
pub fn answer(head: String, request: Request, env: Env, context: JsValue, caller: JsValue) {
    task::start(async move {
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
    let edge = match Edge::new(env) {
        Ok(edge) => Rc::new(edge),
        Err(problem) => {
            logging::broken("configuration", &problem);
            let text = "the installation is not configured; its log says what is missing";
            return (Reply::text(503, text), "-".into());
        }
    };
    let context = Context::new(context.unchecked_into());
    delivery::deliver_at_once(&edge, wait_until(&context));
    let incoming = Incoming::read_head(head, request, &edge);
    let request_id = incoming.request_id.clone();
    let started = incoming.started;
    let (route, reply) = dispatch::answer(&edge, &context, incoming).await;
    let took = edge.clock().now().since(started);
    let db = edge.store().round_trips();
    let answered = logging::Answered { request_id: &request_id, route, status: reply.status, took, db };
    logging::answered(&answered, edge.config.logged_successes);
    metrics::note(edge.analytics.as_ref(), &answered);
    (reply, request_id)
}

/// Does what the doorbells of a batch ring for; `entry.js` has joined their texts.
#[wasm_bindgen]
pub fn consume(queue: String, texts: String, env: Env, context: JsValue, caller: JsValue) {
    task::start(async move {
        let again = match Edge::new(&env) {
            Ok(edge) => {
                let (edge, context) = (Rc::new(edge), Context::new(context.unchecked_into()));
                delivery::deliver_at_once(&edge, wait_until(&context));
                consumer::consume(&edge, &context, &queue, &texts).await
            }
            Err(problem) => {
                logging::broken("configuration", &problem);
                consumer::all(&texts)
            }
        };
        consumer::settle(&caller, &again);
    });
}

/// Runs what is due, every minute.
#[event(scheduled)]
pub async fn scheduled(_event: ScheduledEvent, env: Env, context: ScheduleContext) {
    match Edge::new(&env) {
        Ok(edge) => {
            let edge = Rc::new(edge);
            // Without queues the run sends what it has stored itself, in turns of the receivers.
            if edge.has_queues() {
                delivery::deliver_at_once(&edge, move |work| context.wait_until(work));
            }
            scheduled::sweep(&edge).await;
        }
        Err(problem) => logging::broken("configuration", &problem),
    }
}
