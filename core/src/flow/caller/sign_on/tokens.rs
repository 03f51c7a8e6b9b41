//! The token endpoint of a provider (RFC 6749, 3.2), where this service is a client.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use form_urlencoded::{Serializer, byte_serialize};

use super::provider::LIMIT;
use super::refused::{Refused, away};
use crate::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use crate::port::{Http, PortError, Vault, World};
use crate::settings::sign_on::Client;
use crate::value::id::MerchantId;
use crate::wire::object::Object;

/// The errors with which a provider refuses the user, and not this service (RFC 6749, 5.2; OpenID Connect Core, 3.1.2.6).
/// A user who must do more than give a password cannot sign in by one.
const OF_USER: [&str; 5] =
    ["invalid_grant", "login_required", "interaction_required", "consent_required", "mfa_required"];
/// Those with which it refuses this service.
const OF_CLIENT: [&str; 5] =
    ["invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_request"];

/// The tokens that a provider gave.
pub(super) struct Tokens {
    pub(super) access: Option<String>,
    pub(super) identity: Option<String>,
}

/// The secret of a client; `None` for a public one.
pub(super) fn secret_of(
    world: &impl World,
    merchant: &MerchantId,
    client: &Client,
) -> Result<Option<String>, PortError> {
    client.secret.as_ref().map(|sealed| world.vault().open(merchant, sealed)).transpose()
}

/// The request for a grant: the client names itself by `client_secret_basic`, or by its id alone if it is public (RFC 6749,
/// 2.3.1).
pub(super) fn request(url: String, id: &str, secret: Option<&str>, grant: &[(&str, &str)]) -> Outgoing {
    let mut headers = Vec::from([
        ("accept", "application/json".into()),
        ("content-type", "application/x-www-form-urlencoded".into()),
    ]);
    let mut form = Serializer::new(String::new());
    form.extend_pairs(grant);
    if let Some(secret) = secret {
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let pair = format!("{}:{}", encoded(id), encoded(secret));
        headers.push(("authorization", format!("Basic {}", STANDARD.encode(pair))));
    } else {
        form.append_pair("client_id", id);
    }
    let body = form.finish().into_bytes();
    Outgoing { method: HttpMethod::Post, url, headers, body, max_answer: Outgoing::MAX_ANSWER }
}

/// What the provider gives for a grant; `None` if it refuses the user.
///
/// # Errors
/// If it does not answer, or refuses this service.
pub(super) async fn ask(world: &impl World, request: Outgoing) -> Result<Option<Tokens>, Refused> {
    let answer = world.http().send(request, LIMIT).await;
    read(&answer.map_err(|_| away("the token endpoint did not answer"))?)
}

fn read(answer: &Incoming) -> Result<Option<Tokens>, Refused> {
    if answer.status == 200 {
        let tokens = Object::read(&answer.body, |object| Tokens {
            access: object.optional_text("access_token"),
            identity: object.optional_text("id_token"),
        });
        return tokens.map(Some).ok_or_else(|| away("the answer of the token endpoint cannot be read"));
    }
    let error = Object::read(&answer.body, |object| object.text("error")).unwrap_or_default();
    if (400..500).contains(&answer.status) && OF_USER.contains(&&*error) {
        return Ok(None);
    }
    let known = OF_CLIENT.into_iter().find(|known| **known == *error).unwrap_or("no error that is known");
    Err(away(format!("the token endpoint answered {} with {known}", answer.status)))
}
