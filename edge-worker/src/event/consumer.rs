//! The consumer of the queues: does what doorbells ring for.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use checkout_core::flow::deliver::{self, Handled};
use checkout_core::port::Doorbell;
use futures_channel::oneshot;
use futures_util::future::{Either, select};
use wasm_bindgen::JsValue;
use worker::Context;

use crate::edge::Edge;
use crate::logging;
use crate::platform::{self, wait};

/// How the name of a dead-letter queue ends.
const DEAD: &str = "-dead";
/// How long a batch keeps the next one waiting. What takes longer, such as a receiver that does not answer, continues
/// behind it; its row is held by its lease, and found by the cron handler if this Worker ends.
const PATIENCE: Duration = Duration::from_secs(3);

/// Answers a batch: which messages are to come again.
pub(crate) fn settle(caller: &JsValue, again: &[usize]) {
    platform::settle_batch(caller, again.iter().filter_map(|place| u32::try_from(*place).ok()).collect());
}

/// Does what the doorbells of a batch ring for; the places of those that are to be rung again.
pub(crate) async fn consume(edge: &Rc<Edge>, context: &Context, queue: &str, texts: &[String]) -> Vec<usize> {
    let (mut places, mut doorbells) = (Vec::new(), Vec::new());
    for (place, text) in texts.iter().enumerate() {
        match Doorbell::parse(text) {
            Some(bell) => {
                places.push(place);
                doorbells.push(bell);
            }
            None => logging::broken("queue", "a message is no doorbell"),
        }
    }
    if queue.ends_with(DEAD) {
        return flag(edge, &places, &doorbells).await;
    }
    let (done, is_done) = oneshot::channel();
    let consumer = Rc::clone(edge);
    context.wait_until(async move {
        let Handled { report, failed } = deliver::handle(consumer.as_ref(), &doorbells).await;
        logging::run(&report);
        // The batch may have been answered.
        let _ = done.send(failed);
    });
    match select(pin!(is_done), pin!(wait(PATIENCE))).await {
        Either::Left((Ok(failed), _)) => {
            failed.iter().filter_map(|place| places.get(*place).copied()).collect()
        }
        Either::Left((Err(_), _)) | Either::Right(_) => Vec::new(),
    }
}

/// Puts what could not be handled on the attention list.
async fn flag(edge: &Rc<Edge>, places: &[usize], doorbells: &[Doorbell]) -> Vec<usize> {
    let mut again = Vec::new();
    for (place, bell) in places.iter().zip(doorbells) {
        if let Err(error) = deliver::flag(edge.as_ref(), bell).await {
            logging::failed("queue", &error);
            again.push(*place);
        }
    }
    again
}
