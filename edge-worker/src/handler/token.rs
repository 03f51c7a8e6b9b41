//! The token endpoint.

use checkout_core::answer::oauth::TokenRefusal;
use checkout_core::flow::Failure;
use checkout_core::flow::caller::token::{NoToken, give as give_token};

use crate::call::Call;
use crate::http::{Reply, json};
use crate::logging;

/// Gives a token.
pub(crate) async fn give(call: &Call<'_>) -> Result<Reply, Failure> {
    let given = give_token(call.edge.as_ref(), call.bytes(), call.head.header("authorization")).await;
    let refusal = match given {
        Ok(given) => return Ok(json(200, &given).with("pragma", "no-cache")),
        Err(NoToken::Refused(refusal)) => refusal,
        Err(NoToken::World(error)) => {
            logging::failed(&call.head.request_id, &error);
            TokenRefusal::Unavailable
        }
    };
    Ok(refuse(refusal))
}

/// Why there is no token.
pub(crate) fn refuse(refusal: TokenRefusal) -> Reply {
    let reply = json(refusal.status(), &refusal.body()).with("pragma", "no-cache");
    match refusal {
        TokenRefusal::InvalidClient => {
            reply.with("www-authenticate", r#"Basic realm="token", charset="UTF-8""#)
        }
        TokenRefusal::TooMany { retry_after } => reply.with("retry-after", retry_after.to_string()),
        TokenRefusal::Unavailable
        | TokenRefusal::InvalidRequest(_)
        | TokenRefusal::InvalidGrant
        | TokenRefusal::UnsupportedGrantType
        | TokenRefusal::InvalidScope => reply,
    }
}
