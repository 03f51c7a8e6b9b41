//! Bodies that are sent part by part, so that no more than a part is held at once.

use std::pin::Pin;
use std::rc::Rc;

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::export::Export;
use futures_util::stream::{Stream, StreamExt, try_unfold};
use wasm_bindgen_futures::spawn_local;

use crate::edge::Edge;
use crate::logging;
use crate::platform::{Parts, end_parts, write_part};

/// The parts that follow.
pub(crate) type Rest = Pin<Box<dyn Stream<Item = Result<String, Failure>>>>;

/// The parts of an export that follow.
pub(super) fn of_export(edge: Rc<Edge>, export: Export) -> Rest {
    Box::pin(try_unfold((edge, export), |(edge, mut export)| async move {
        if export.is_over() {
            return Ok(None);
        }
        let part = export.part(edge.as_ref()).await?;
        Ok(Some((part, (edge, export))))
    }))
}

/// Sends the first part and the rest, each when the one before it was taken. What cannot be finished says so at its end: to some
/// readers a body that is broken off looks complete.
pub(super) fn send(parts: Parts, first: Vec<u8>, mut rest: Rest, request_id: String) {
    spawn_local(async move {
        let mut part = first;
        while write_part(&parts, &part).await.is_ok() {
            part = match rest.next().await {
                Some(Ok(text)) => text.into_bytes(),
                Some(Err(failure)) => {
                    logging::failure(&request_id, &failure);
                    Export::incomplete().into_bytes()
                }
                None => return end_parts(&parts),
            };
        }
    });
}
