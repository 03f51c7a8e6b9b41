//! A name and a password, exchanged at the provider for a token (RFC 6749, 4.3), for merchants whose users have no other way
//! to get one. The provider learns the password and decides about it; nothing of it is stored.

use core::fmt;

use super::judge::judge;
use super::provider::SignOnProvider;
use super::refused::{Refused, away};
use super::tokens::{Tokens, ask, request, secret_of};
use crate::access::claims::{Claims, Purpose};
use crate::access::fault::TokenFault;
use crate::port::World;
use crate::settings::MerchantSettings;
use crate::settings::sign_on::{Client, SingleSignOn};
use crate::value::time::Timestamp;

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
    let endpoint = provider.endpoints.token.ok_or_else(|| away("the provider has no token endpoint"))?;
    let grant = [
        ("grant_type", "password"),
        ("username", login.username),
        ("password", login.password),
        ("scope", "openid"),
    ];
    let secret = secret_of(world, &settings.merchant, client)?;
    let tokens = ask(world, request(endpoint, &client.id, secret.as_deref(), &grant)).await?;
    let tokens = tokens.ok_or(TokenFault::Password)?;
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
            judge(world, sign_on, token, Purpose::Identity { client_id: &client.id, nonce: None }, now).await
        }
        (judged, _) => judged,
    }
}
