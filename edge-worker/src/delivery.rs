//! Deliveries of notifications that begin with what was stored: right after it, or while a browser waits.

use std::pin::{Pin, pin};
use std::rc::{Rc, Weak};
use std::time::Duration;

use checkout_core::flow::deliver;
use checkout_core::flow::payer::come_back::{AwaitedNotification, is_under_way};
use checkout_core::port::{Clock, Doorbell, Ring, World};
use checkout_core::value::id::DeliveryId;
use futures_channel::oneshot;
use futures_util::future::select;
use worker::Context;

use crate::edge::Edge;
use crate::logging;
use crate::platform::wait;
use crate::port::courier::Courier;

/// How long a browser that waits for another request's delivery pauses before it looks again: at first, and
/// at most. A request may ask the database only a limited number of times.
const LOOK_AGAIN: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(500));

/// How long a request for which a browser waits may take up the notification itself, before a doorbell is rung for it.
const HEAD_START: Duration = Duration::from_millis(200);
/// As [`HEAD_START`], for a browser that is sent on to the page that takes it up.
const HEAD_START_OF_PAGE: Duration = Duration::from_millis(1_500);

/// What the platform waits for after the reply.
pub(crate) type Work = Pin<Box<dyn Future<Output = ()>>>;

/// A courier who has everything that is posted delivered at once: by the consumer of a queue if one is bound and takes the
/// doorbell, otherwise here, by work for which the platform waits. If the Worker stops first, the cron handler finds it.
pub(crate) fn courier(sender: Weak<Edge>, wait_until: impl Fn(Work) + 'static) -> Courier {
    Courier::new(Box::new(move || {
        if let Some(edge) = sender.upgrade() {
            wait_until(Box::pin(async move { deliver_posted(&edge).await }));
        }
    }))
}

/// A courier of a run. Without queues the run sends what it has stored itself, in turns of the receivers.
pub(crate) fn courier_of_run(sender: Weak<Edge>, wait_until: impl Fn(Work) + 'static) -> Courier {
    Courier::new(Box::new(move || {
        if let Some(edge) = sender.upgrade().filter(|edge| edge.has_queues()) {
            wait_until(Box::pin(async move { deliver_posted(&edge).await }));
        }
    }))
}

/// Delivers what waits.
async fn deliver_posted(edge: &Edge) {
    if edge.request.is_sent_on {
        wait(HEAD_START_OF_PAGE).await;
    } else if edge.scope().wait.is_some() {
        wait(HEAD_START).await;
    }
    send(edge, edge.courier.take_all()).await;
}

/// Delivers messages about attempts that made room for another one. The payer whose browser is sent on from here has nothing
/// to do with them, so they get no head start.
pub(crate) fn deliver_earlier(edge: &Rc<Edge>, context: &Context, ids: &[DeliveryId]) {
    let rings = edge.courier.take(ids);
    if !rings.is_empty() {
        let sender = Rc::clone(edge);
        context.wait_until(async move { send(&sender, rings).await });
    }
}

/// By doorbells, or from here.
async fn send(edge: &Edge, rings: Vec<Ring>) {
    for some in rings.chunks(Ring::TOGETHER) {
        if edge.has_queues() && edge.ring(some).await.is_ok() {
            continue;
        }
        let doorbells: Vec<Doorbell> = some.iter().map(|ring| ring.bell.clone()).collect();
        deliver_now(edge, &doorbells).await;
    }
}

/// Does what doorbells ring for, and logs what fails.
async fn deliver_now(edge: &Edge, doorbells: &[Doorbell]) {
    for error in deliver::handle(edge, doorbells).await.report.failures {
        logging::failed("delivery", &error);
    }
}

/// Delivers the notification about an attempt while a browser waits, or waits for another request that
/// delivers it, for as long as a browser may wait; the delivery continues without the browser.
pub(crate) async fn deliver_while_waiting(edge: &Rc<Edge>, context: &Context, awaited: &AwaitedNotification) {
    let AwaitedNotification { reference, id } = awaited;
    edge.courier.take(core::slice::from_ref(id));
    let (done, is_done) = oneshot::channel();
    let (sender, doorbell) = (Rc::clone(edge), Doorbell::Delivery(id.clone()));
    context.wait_until(async move {
        deliver_now(&sender, &[doorbell]).await;
        // The browser may have stopped waiting.
        let _ = done.send(());
    });
    let answered = async {
        // It ends at once if another sender holds the notification.
        let _ = is_done.await;
        let (mut pause, longest) = LOOK_AGAIN;
        while is_under_way(edge.as_ref(), reference).await.unwrap_or(false) {
            wait(pause).await;
            pause = pause.saturating_mul(2).min(longest);
        }
    };
    select(pin!(answered), pin!(wait(edge.scope().receiver_limit(edge.clock().now())))).await;
}
