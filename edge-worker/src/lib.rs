//! Till as a Cloudflare Worker.
//!
//! This crate adapts and decides nothing: bytes come in (`http`), a route is found and its flow of
//! `checkout-core` runs with the ports of this crate (`edge`), and a reply goes out (`dispatch`). Pages are
//! rendered in `page`; `sandbox` is the simulated world, which the feature of that name leaves out.

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
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Request;
use worker::{Context, Env, ScheduleContext, ScheduledEvent, event};

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
    let incoming = Incoming::read_head(head, request, &edge);
    let request_id = incoming.request_id.clone();
    let started = incoming.started;
    let (route, reply) = dispatch::answer(&edge, &context, incoming).await;
    delivery::deliver_caused_later(&edge, &context);
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
                let context = Context::new(context.unchecked_into());
                consumer::consume(&Rc::new(edge), &context, &queue, &texts).await
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
pub async fn scheduled(_event: ScheduledEvent, env: Env, _context: ScheduleContext) {
    match Edge::new(&env) {
        Ok(edge) => scheduled::sweep(&Rc::new(edge)).await,
        Err(problem) => logging::broken("configuration", &problem),
    }
}
