//! Deliveries of notifications that begin with a request: after its reply, or while a browser waits.

use std::rc::Rc;

use checkout_core::flow::{Failure, deliver};
use checkout_core::port::{Ring, World};
use checkout_core::value::id::DeliveryId;
use worker::Context;

use crate::edge::Edge;
use crate::logging;

/// Has a notification delivered after the reply: by the consumer of a queue if one is bound and takes the doorbell,
/// otherwise by this request. If the Worker stops first, the cron handler finds it.
pub(crate) fn deliver_later(edge: &Rc<Edge>, context: &Context, id: DeliveryId) {
    let edge = Rc::clone(edge);
    context.wait_until(async move {
        ring_or_deliver(&edge, &id).await;
        deliver_caused(&edge).await;
    });
}

/// Has the messages to payers that the request caused delivered after the reply. Most requests cause none, and a promise
/// that the platform waits for costs more than the question.
pub(crate) fn deliver_caused_later(edge: &Rc<Edge>, context: &Context) {
    if !edge.store().has_caused() {
        return;
    }
    let edge = Rc::clone(edge);
    context.wait_until(async move { deliver_caused(&edge).await });
}

/// Delivers the messages to payers that were caused so far, by the consumer of a queue if one is bound; what the Worker does
/// not finish, the cron handler delivers.
pub(crate) async fn deliver_caused(edge: &Edge) {
    while let Some(id) = edge.store().take_caused() {
        ring_or_deliver(edge, &id).await;
    }
}

/// Rings for a message if a queue is bound and takes the doorbell, and delivers it here otherwise.
async fn ring_or_deliver(edge: &Edge, id: &DeliveryId) {
    let is_rung = edge.has_queues() && edge.ring(&[Ring::first(id.clone())]).await.is_ok();
    if !is_rung {
        deliver_now(edge, id).await;
    }
}

/// Tries to deliver a notification, and logs what fails.
pub(crate) async fn deliver_now(edge: &Edge, id: &DeliveryId) {
    if let Err(Failure::World(error)) = deliver::deliver(edge, id).await {
        logging::failed("delivery", &error);
    }
}
