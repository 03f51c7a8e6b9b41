//! Deliveries of notifications that begin with a request: after its reply, or while a browser waits.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use checkout_core::flow::payer::come_back as back;
use checkout_core::flow::{Failure, deliver};
use checkout_core::port::{Ring, World};
use checkout_core::value::id::{DeliveryId, ReferenceNumber};
use futures_channel::oneshot;
use futures_util::future::select;
use worker::Context;

use crate::edge::Edge;
use crate::logging;
use crate::platform::wait;

/// How long a browser that waits for another request's delivery pauses before it looks again: at first, and
/// at most. A request may ask the database only a limited number of times.
const LOOK_AGAIN: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(500));

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

/// Delivers the notification about an attempt while a browser waits, or waits for another request that
/// delivers it, for as long as a browser may wait; the delivery continues without the browser.
pub(crate) async fn deliver_while_waiting(
    edge: &Rc<Edge>,
    context: &Context,
    reference: &ReferenceNumber,
    id: DeliveryId,
) {
    let (done, is_done) = oneshot::channel();
    let sender = Rc::clone(edge);
    context.wait_until(async move {
        deliver_now(&sender, &id).await;
        // The browser may have stopped waiting.
        let _ = done.send(());
    });
    let answered = async {
        // It ends at once if another sender holds the notification.
        let _ = is_done.await;
        let (mut pause, longest) = LOOK_AGAIN;
        while back::is_under_way(edge.as_ref(), reference).await.unwrap_or(false) {
            wait(pause).await;
            pause = pause.saturating_mul(2).min(longest);
        }
    };
    select(pin!(answered), pin!(wait(edge.receiver_limit()))).await;
}
