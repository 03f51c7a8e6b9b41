//! Requests for approval of refunds and voids.

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::approvals;
use checkout_core::value::id::ApprovalId;
use checkout_core::value::json;

use crate::call::Call;
use crate::http::Reply;

/// Lists them.
pub(crate) async fn list(call: &Call<'_>) -> Result<Reply, Failure> {
    let page = approvals::list_approvals(call.edge.as_ref(), &call.caller()?, call.head.query()).await?;
    Ok(Reply::json(200, json::write(&page)?))
}

/// Reads one.
pub(crate) async fn read(call: &Call<'_>, ApprovalId(id): &ApprovalId) -> Result<Reply, Failure> {
    let shown = approvals::read_approval(call.edge.as_ref(), &call.caller()?, id).await?;
    Ok(Reply::json(200, json::write(&shown)?))
}

/// Approves one; it is carried out after the answer.
pub(crate) async fn approve(call: &Call<'_>, ApprovalId(id): &ApprovalId) -> Result<Reply, Failure> {
    let shown = approvals::approve(call.edge.as_ref(), &call.caller()?, id, call.bytes()).await?;
    Ok(Reply::json(200, json::write(&shown)?))
}

/// Rejects one.
pub(crate) async fn reject(call: &Call<'_>, ApprovalId(id): &ApprovalId) -> Result<Reply, Failure> {
    let shown = approvals::reject(call.edge.as_ref(), &call.caller()?, id, call.bytes()).await?;
    Ok(Reply::json(200, json::write(&shown)?))
}

/// Takes one back.
pub(crate) async fn withdraw(call: &Call<'_>, ApprovalId(id): &ApprovalId) -> Result<Reply, Failure> {
    let shown = approvals::withdraw(call.edge.as_ref(), &call.caller()?, id).await?;
    Ok(Reply::json(200, json::write(&shown)?))
}
