//! Kept cards, as a merchant's server asks about them.

use checkout_core::api::card::MAX_BODY_BYTES;
use checkout_core::flow::{Failure, card};

use crate::edge::Edge;
use crate::http::{Incoming, Reply};

/// Lists the cards of a customer.
pub(crate) async fn list(edge: &Edge, incoming: &mut Incoming) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let body = match incoming.json_body(MAX_BODY_BYTES).await {
        Ok(body) => body,
        Err(rejection) => {
            card::identify(edge, &credential).await?;
            return Err(rejection.into());
        }
    };
    Ok(Reply::json(200, card::list(edge, &credential, &body).await?))
}

/// Deletes one.
pub(crate) async fn delete(edge: &Edge, incoming: &Incoming, token: &str) -> Result<Reply, Failure> {
    card::delete(edge, &incoming.credential(), token, incoming.query()).await?;
    Ok(Reply::empty(204))
}
