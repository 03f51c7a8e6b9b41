//! A name and a password, exchanged at the provider for a token (RFC 6749, 4.3), for merchants whose users have no other way
//! to get one. The provider learns the password and decides about it; nothing of it is stored.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use form_urlencoded::{Serializer, byte_serialize};

use super::judge::judge;
use super::provider::{LIMIT, SignOnProvider};
use super::refused::{Refused, away};
use crate::access::claims::{Claims, Purpose};
use crate::access::fault::TokenFault;
use crate::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use crate::port::{Http, Vault, World};
use crate::settings::MerchantSettings;
use crate::settings::sign_on::{Client, SingleSignOn};
use crate::value::time::Timestamp;
use crate::wire::object::Object;

/// The errors with which a provider refuses the user, and not this service (RFC 6749, 5.2; OpenID Connect Core, 3.1.2.6).
/// A user who must do more than give a password cannot sign in here.
const OF_USER: [&str; 5] =
    ["invalid_grant", "login_required", "interaction_required", "consent_required", "mfa_required"];
/// Those with which it refuses this service.
const OF_CLIENT: [&str; 5] =
    ["invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_request"];

/// A name and a password. Its `Debug` does not show the password.
#[derive(Clone, Copy)]
pub struct Login<'a> {
    /// The name.
    pub username: &'a str,
    /// The password.
    pub password: &'a str,
}

impl fmt::Debug for Login<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login([redacted])")
    }
}

/// The tokens that a provider gave. Its `Debug` does not show them.
struct Tokens {
    access: Option<String>,
    identity: Option<String>,
}

/// Who the user is who gives a name and a password:
///
/// 1. find the provider's token endpoint, and ask it;
/// 2. judge the token of access as one that a user brings; if it is none of this audience, judge the ID token, whose
///    audience is this service as a client.
///
/// `now` is the real time, as for all credentials.
///
/// # Errors
/// [`TokenFault::NotConfigured`] if the merchant's provider gets no passwords, [`TokenFault::Password`] if it refuses this one, the
/// rule that its tokens break, or a failure of the provider.
pub async fn exchange(
    world: &impl World,
    settings: &MerchantSettings,
    login: Login<'_>,
    now: Timestamp,
) -> Result<Claims, Refused> {
    let sign_on = settings.single_sign_on.as_ref().ok_or(TokenFault::NotConfigured)?;
    let client = sign_on.password_client.as_ref().ok_or(TokenFault::NotConfigured)?;
    // 1
    let provider = SignOnProvider::known(world, sign_on, now).await?;
    let endpoint = provider.token_endpoint.ok_or_else(|| away("the provider has no token endpoint"))?;
    let secret = match &client.secret {
        Some(sealed) => Some(world.vault().open(&settings.merchant, sealed)?),
        None => None,
    };
    let request = request(endpoint, &client.id, secret.as_deref(), login);
    let answer = world.http().send(request, LIMIT).await;
    let tokens = read(&answer.map_err(|_| away("the token endpoint did not answer"))?)?;
    // 2
    judge_either(world, sign_on, client, &tokens, now).await
}

async fn judge_either(
    world: &impl World,
    sign_on: &SingleSignOn,
    client: &Client,
    tokens: &Tokens,
    now: Timestamp,
) -> Result<Claims, Refused> {
    let access = match &tokens.access {
        Some(token) => {
            let purpose = Purpose::Access { audience: &sign_on.audience };
            judge(world, sign_on, token, purpose, now).await
        }
        None => Err(TokenFault::Purpose.into()),
    };
    match (access, &tokens.identity) {
        (Err(Refused::Fault(_)), Some(token)) => {
            judge(world, sign_on, token, Purpose::Identity { client_id: &client.id }, now).await
        }
        (judged, _) => judged,
    }
}

/// The request: the client names itself by `client_secret_basic`, or by its id alone if it is public (RFC 6749, 2.3.1).
fn request(url: String, id: &str, secret: Option<&str>, login: Login<'_>) -> Outgoing {
    let mut headers = Vec::from([
        ("accept", "application/json".into()),
        ("content-type", "application/x-www-form-urlencoded".into()),
    ]);
    let mut form = Serializer::new(String::new());
    form.append_pair("grant_type", "password")
        .append_pair("username", login.username)
        .append_pair("password", login.password)
        .append_pair("scope", "openid");
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

fn read(answer: &Incoming) -> Result<Tokens, Refused> {
    if answer.status == 200 {
        let tokens = Object::read(&answer.body, |object| Tokens {
            access: object.optional_text("access_token"),
            identity: object.optional_text("id_token"),
        });
        return tokens.ok_or_else(|| away("the answer of the token endpoint cannot be read"));
    }
    let error = Object::read(&answer.body, |object| object.text("error")).unwrap_or_default();
    if (400..500).contains(&answer.status) && OF_USER.contains(&&*error) {
        return Err(TokenFault::Password.into());
    }
    let known = OF_CLIENT.into_iter().find(|known| **known == *error).unwrap_or("no error that is known");
    Err(away(format!("the token endpoint answered {} with {known}", answer.status)))
}
