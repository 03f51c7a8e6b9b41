//! Signing in at the provider with a browser: the code flow (OpenID Connect Core, 3.1) with PKCE (RFC 7636), `state` and
//! `nonce`.
//!
//! Decision: who the user is, the ID token says, whose audience is this service as a client. If it leaves out the name, the provider is
//! asked for it at its userinfo endpoint, with the token of access that came along: the one use of that token.

use alloc::format;
use alloc::string::String;

use form_urlencoded::Serializer;

use super::bound::is_subject;
use super::judge::judge_unnamed;
use super::provider::{Endpoints, SignOnProvider, get};
use super::refused::{Refused, away};
use super::tokens::{ask, request, secret_of};
use crate::access::claims::{Claims, Purpose, username_of};
use crate::access::fault::TokenFault;
use crate::access::jws::MAX_TOKEN;
use crate::access::user::folded;
use crate::port::{FoundUser, UserKey, Users, World};
use crate::settings::MerchantSettings;
use crate::settings::sign_on::{Client, SingleSignOn};
use crate::value::time::Timestamp;

/// What a browser takes along to the provider.
#[derive(Debug, Clone)]
pub(in crate::flow) struct CodeRequest<'a> {
    /// Where it comes back to.
    pub(in crate::flow) return_to: &'a str,
    /// What it brings back unchanged.
    pub(in crate::flow) state: &'a str,
    /// What the ID token repeats.
    pub(in crate::flow) nonce: &'a str,
    /// The SHA-256 of what this service gives with the code.
    pub(in crate::flow) challenge: &'a str,
    /// Whether the user has to sign in, although the provider knows who it is.
    pub(in crate::flow) is_again: bool,
}

/// What a browser brings back, with what this service knows of it.
#[derive(Clone)]
pub(in crate::flow) struct CodeAnswer<'a> {
    /// The code.
    pub(in crate::flow) code: &'a str,
    /// Who gave it, as the address says.
    pub(in crate::flow) issuer: Option<&'a str>,
    /// Where the browser came back to.
    pub(in crate::flow) return_to: &'a str,
    /// What the ID token has to repeat.
    pub(in crate::flow) nonce: &'a str,
    /// Of what the provider has the SHA-256.
    pub(in crate::flow) verifier: &'a str,
}

fn client_of(settings: &MerchantSettings) -> Result<(&SingleSignOn, &Client), Refused> {
    let sign_on = settings.single_sign_on.as_ref().ok_or(TokenFault::NotConfigured)?;
    Ok((sign_on, sign_on.desk_client.as_ref().ok_or(TokenFault::NotConfigured)?))
}

/// The address at which a browser signs in.
///
/// # Errors
/// [`TokenFault::NotConfigured`] if the merchant's users do not sign in at a provider, or a failure of the provider.
pub(in crate::flow) async fn sign_in_address(
    world: &impl World,
    settings: &MerchantSettings,
    asked: &CodeRequest<'_>,
    now: Timestamp,
) -> Result<String, Refused> {
    let (sign_on, client) = client_of(settings)?;
    let provider = SignOnProvider::known(world, sign_on, now).await?;
    let missing = || away("the provider has no authorization endpoint");
    let address = provider.endpoints.authorization.ok_or_else(missing)?;
    let is_email = sign_on.username_claim.starts_with("email");
    let mut query = Serializer::new(String::new());
    query
        .append_pair("response_type", "code")
        .append_pair("client_id", &client.id)
        .append_pair("redirect_uri", asked.return_to)
        .append_pair("scope", if is_email { "openid profile email" } else { "openid profile" })
        .append_pair("state", asked.state)
        .append_pair("nonce", asked.nonce)
        .append_pair("code_challenge", asked.challenge)
        .append_pair("code_challenge_method", "S256");
    if asked.is_again {
        query.append_pair("prompt", "login").append_pair("max_age", "0");
    }
    let joint = if address.contains('?') { '&' } else { '?' };
    Ok(format!("{address}{joint}{}", query.finish()))
}

/// Who signed in, and what the ID token says:
///
/// 1. the provider must be the one that was asked, as far as the address says;
/// 2. exchange the code for an ID token, and judge it; if it has no name, ask for the name;
/// 3. find the user by name: one of this merchant, who is not switched off and is bound to the subject or to none.
///
/// # Errors
/// The rule that the answer breaks, [`TokenFault::Username`] if it names no user, or a failure of the provider.
pub(in crate::flow) async fn redeem(
    world: &impl World,
    settings: &MerchantSettings,
    answer: &CodeAnswer<'_>,
    now: Timestamp,
) -> Result<(FoundUser, Claims), Refused> {
    let (sign_on, client) = client_of(settings)?;
    // 1
    let provider = SignOnProvider::known(world, sign_on, now).await?;
    let is_same = answer.issuer.map_or(!provider.endpoints.names_itself, |issuer| issuer == sign_on.issuer);
    if !is_same {
        return Err(TokenFault::Issuer.into());
    }
    // 2
    let Endpoints { token, userinfo, .. } = provider.endpoints;
    let endpoint = token.ok_or_else(|| away("the provider has no token endpoint"))?;
    let grant = [
        ("grant_type", "authorization_code"),
        ("code", answer.code),
        ("redirect_uri", answer.return_to),
        ("code_verifier", answer.verifier),
    ];
    let secret = secret_of(world, &settings.merchant, client)?;
    let tokens = ask(world, request(endpoint, &client.id, secret.as_deref(), &grant)).await?;
    let tokens = tokens.ok_or(TokenFault::Code)?;
    let identity = tokens.identity.ok_or(TokenFault::Purpose)?;
    let purpose = Purpose::Identity { client_id: &client.id, nonce: Some(answer.nonce) };
    let mut claims = judge_unnamed(world, sign_on, &identity, purpose, now).await?;
    let username = match claims.username.take() {
        Some(username) => username,
        None => username_at(world, (userinfo, tokens.access), &claims.subject, sign_on).await?,
    };
    let claims = claims.named(username);
    // 3
    let found = world.directory().user(UserKey::Name(&folded(&claims.username)), None).await?;
    let is_own = |found: &FoundUser| found.is_active && found.merchant.settings.merchant == settings.merchant;
    let found = found.filter(is_own).ok_or(TokenFault::Username)?;
    // A provider that was replaced in the meantime says nothing any more.
    if found.merchant.settings.single_sign_on.as_ref() != Some(sign_on) {
        return Err(TokenFault::Issuer.into());
    }
    if is_subject(world, &found, &claims.subject).await? {
        Ok((found, claims))
    } else {
        Err(TokenFault::Username.into())
    }
}

/// The name that the provider answers about a subject, for whom it gave the token of access.
///
/// # Errors
/// [`TokenFault::Username`] if it says none there, [`TokenFault::Subject`] if it answers about someone else, or a failure of the
/// provider.
async fn username_at(
    world: &impl World,
    (endpoint, access): (Option<String>, Option<String>),
    subject: &str,
    sign_on: &SingleSignOn,
) -> Result<String, Refused> {
    let access = access.filter(|token| is_bearer(token));
    let (Some(endpoint), Some(access)) = (endpoint, access) else { return Err(TokenFault::Username.into()) };
    let answer = get(world, endpoint, Some(&access)).await?;
    username_of(&answer, subject, &sign_on.username_claim).map_err(|fault| {
        if fault == TokenFault::Claims {
            away("the answer of the userinfo endpoint cannot be read")
        } else {
            fault.into()
        }
    })
}

/// Whether a token can be brought in a header (RFC 6750, 2.1).
fn is_bearer(token: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    (1..=MAX_TOKEN).contains(&token.len()) && token.bytes().all(is_known)
}
