//! Deliveries of notifications that begin with a request: after its reply, or while a browser waits.

use std::rc::Rc;

use checkout_core::flow::{Failure, deliver};
use checkout_core::value::id::DeliveryId;
use worker::Context;

use crate::edge::Edge;
use crate::logging;

/// Delivers a notification after the reply; if the Worker stops first, the sweep delivers it.
pub(crate) fn deliver_later(edge: &Rc<Edge>, context: &Context, id: DeliveryId) {
    let edge = Rc::clone(edge);
    context.wait_until(async move { deliver_now(&edge, &id).await });
}

/// Tries to deliver a notification, and logs what fails.
pub(crate) async fn deliver_now(edge: &Edge, id: &DeliveryId) {
    if let Err(Failure::World(error)) = deliver::deliver(edge, id).await {
        logging::failed("delivery", &error);
    }
}
