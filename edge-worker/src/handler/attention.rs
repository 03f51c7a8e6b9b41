//! The attention list of a merchant.

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::attention;
use checkout_core::record::attention::AttentionId;
use checkout_core::value::json;

use crate::call::Call;
use crate::http::Reply;

/// Lists its entries.
pub(crate) async fn list(call: &Call<'_>) -> Result<Reply, Failure> {
    let page = attention::list_own_attention(call.edge.as_ref(), &call.caller()?, call.head.query()).await?;
    Ok(Reply::json(200, json::write(&page)?))
}

/// Resolves one.
pub(crate) async fn resolve(call: &Call<'_>, id: &AttentionId) -> Result<Reply, Failure> {
    let closed =
        attention::resolve_own_attention(call.edge.as_ref(), &call.caller()?, id, call.bytes()).await?;
    Ok(Reply::json(200, json::write(&closed)?))
}
