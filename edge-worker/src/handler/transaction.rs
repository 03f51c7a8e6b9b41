//! Payment transactions, as a merchant's server creates, reads and updates them.

use checkout_core::api::list_transactions::DayZone;
use checkout_core::draft::writable::is_known;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::update::{self, Extent};
use checkout_core::flow::merchant::{create, export, list, operations, retrieve, routing, timeline, totals};
use checkout_core::port::World;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_core::value::json;

use crate::call::Call;
use crate::http::Reply;

/// Creates one; if it is charged at once, the merchant is notified after the answer.
pub(crate) async fn create(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let Call { edge, head, body, .. } = *call;
    let idempotency_key = head.header("idempotency-key");
    let input = create::CreateInput {
        caller,
        idempotency_key,
        body: &body.bytes,
        file: body.file(),
        wrong: &body.wrong,
    };
    let created = create::create(edge.as_ref(), input).await?;
    let location = created.location(&edge.installation().public_url);
    let reply = Reply::json(created.status, created.body);
    let reply = match location {
        Some(location) => reply.with("location", location),
        None => reply,
    };
    let reply = match created.tag {
        Some(tag) => reply.with("etag", tag),
        None => reply,
    };
    Ok(reply.replayed(created.is_replayed))
}

/// Lists them.
pub(crate) async fn list(call: &Call<'_>) -> Result<Reply, Failure> {
    let body = list::list(call.edge.as_ref(), &call.caller()?, call.head.query()).await?;
    Ok(Reply::json(200, body))
}

/// Adds up those of some days.
pub(crate) async fn read_totals(call: &Call<'_>) -> Result<Reply, Failure> {
    let found = totals::read_totals(call.edge.as_ref(), &call.caller()?, call.head.query()).await?;
    Ok(Reply::json(200, json::write(&found)?))
}

/// Exports them as a table.
pub(crate) async fn export(call: &Call<'_>) -> Result<Reply, Failure> {
    let table = export::export(call.edge.as_ref(), &call.caller()?, call.head.query(), DayZone::Utc).await?;
    Reply::table(call.edge, table).await
}

/// Retrieves one; a caller who knows it as it is gets no body.
pub(crate) async fn retrieve(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let found = retrieve::retrieve(call.edge.as_ref(), &call.caller()?, session_id).await?;
    let named = call.head.header("if-none-match");
    let is_known = named.is_some_and(|named| is_known(named, &found.tag));
    let reply = if is_known { Reply::empty(304) } else { Reply::json(200, found.body) };
    Ok(reply.with("etag", found.tag))
}

/// Reads why its payments went to their gateways.
pub(crate) async fn read_routing(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let body = routing::read_routing(call.edge.as_ref(), &call.caller()?, session_id).await?;
    Ok(Reply::json(200, body))
}

/// Lists its captures, refunds and voids.
pub(crate) async fn list_operations(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let body = operations::read_operations(call.edge.as_ref(), &call.caller()?, session_id).await?;
    Ok(Reply::json(200, body))
}

/// Reads one of them.
pub(crate) async fn read_operation(
    call: &Call<'_>,
    session_id: &SessionId,
    reference: &ReferenceNumber,
) -> Result<Reply, Failure> {
    let body = operations::read_operation(call.edge.as_ref(), &call.caller()?, session_id, reference).await?;
    Ok(Reply::json(200, body))
}

/// Reads what happened to it.
pub(crate) async fn read_timeline(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let body = timeline::read_timeline(call.edge.as_ref(), &call.caller()?, session_id).await?;
    Ok(Reply::json(200, body))
}

/// Updates one.
pub(crate) async fn update(
    call: &Call<'_>,
    session_id: &SessionId,
    extent: Extent,
) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let if_match = call.head.header("if-match");
    let input = update::UpdateInput {
        caller,
        session_id: session_id.clone(),
        extent,
        if_match,
        body: &call.body.bytes,
        file: call.body.file(),
        wrong: &call.body.wrong,
    };
    let updated = update::update(call.edge.as_ref(), input).await?;
    Ok(Reply::json(200, updated.body).with("etag", updated.tag))
}
