//! What payment gateways report by themselves.

use checkout_core::flow::{Failure, gateway};
use checkout_core::gateway::exchange;
use checkout_core::value::id::ReferenceNumber;

use crate::call::Call;
use crate::http::Reply;

/// Takes a gateway's report; the merchant is notified after the gateway has its answer.
pub(crate) async fn call_back(call: &Call<'_>, reference: &ReferenceNumber) -> Result<Reply, Failure> {
    let body = call.bytes().to_vec();
    let request = exchange::Incoming { status: 0, headers: call.head.headers().to_vec(), body };
    call.deliver_later(gateway::call_back(call.edge.as_ref(), reference, &request).await?);
    Ok(Reply::json(200, r#"{"received":true}"#.into()))
}
