//! What a provider publishes about itself (OpenID Connect Discovery 1.0): its keys, where it signs users in, and
//! where it exchanges passwords and codes. It is fetched when it is needed and cached.
//!
//! | what is cached is | a request of a caller |
//! |---|---|
//! | younger than [`FRESH`] | uses it |
//! | younger than [`LAST_GOOD`] | asks the provider, and uses what is cached if that fails |
//! | not there | asks the provider; if that fails, it is not known who the caller is |
//!
//! A key that is not among the cached ones makes the next request ask, because keys are rotated. The provider is asked once in
//! [`PAUSE`], however many callers there are and whatever their tokens say; if nothing of it is known, once in
//! [`SHORT_PAUSE`] after it failed. When it was asked last is cached under a separate name, so that one name is never
//! written twice within a second.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::refused::{Refused, away};
use crate::access::jwk::KeySet;
use crate::gateway::exchange::{HttpMethod, Outgoing};
use crate::port::{Cache, Http, Installation, World};
use crate::settings::sign_on::SingleSignOn;
use crate::value::time::Timestamp;
use crate::value::web_address::WebAddress;
use crate::wire::object::Object;

/// For how long the provider is not asked again.
const FRESH: Duration = Duration::from_mins(10);
/// For how long its last answer is used if it cannot be asked.
const LAST_GOOD: Duration = Duration::from_hours(24);
/// How often it is asked at most.
const PAUSE: Duration = Duration::from_mins(1);
/// How often it is asked at most if nothing of it is known.
const SHORT_PAUSE: Duration = Duration::from_secs(10);
/// How long it may take to answer.
pub(super) const LIMIT: Duration = Duration::from_secs(5);
const DISCOVERY: &str = "/.well-known/openid-configuration";

/// What is known of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SignOnProvider {
    /// Its keys.
    pub(super) keys: KeySet,
    /// Where it is asked for the rest.
    pub(super) endpoints: Endpoints,
    fetched_at: Timestamp,
}

/// Where a provider is asked, and how it answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Endpoints {
    /// Where it exchanges passwords and codes, if it does.
    #[serde(rename = "token_endpoint", skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<String>,
    /// Where it signs in who comes with a browser, if it does.
    #[serde(rename = "authorization_endpoint", skip_serializing_if = "Option::is_none")]
    pub(super) authorization: Option<String>,
    /// Where it says more about a user than its ID token, if it does.
    #[serde(rename = "userinfo_endpoint", skip_serializing_if = "Option::is_none")]
    pub(super) userinfo: Option<String>,
    /// Whether it names itself in every answer that a browser brings (RFC 9207).
    #[serde(rename = "authorization_response_iss_parameter_supported")]
    pub(super) names_itself: bool,
}

impl Endpoints {
    fn read(object: &mut Object<'_>) -> Self {
        Self {
            token: object.optional_text("token_endpoint"),
            authorization: object.optional_text("authorization_endpoint"),
            userinfo: object.optional_text("userinfo_endpoint"),
            names_itself: object.flag("authorization_response_iss_parameter_supported").unwrap_or_default(),
        }
    }
}

/// What is cached: the text of the keys, so that they are judged again when they are read.
#[derive(Serialize)]
struct Cached<'a> {
    fetched_at: Timestamp,
    keys: &'a str,
    #[serde(flatten)]
    endpoints: &'a Endpoints,
}

/// What a provider says about itself.
struct ProviderMetadata {
    issuer: String,
    jwks_uri: String,
    endpoints: Endpoints,
}

impl SignOnProvider {
    /// What is known, after the provider was asked if that is due.
    ///
    /// # Errors
    /// If nothing is known of it.
    pub(super) async fn known(
        world: &impl World,
        sign_on: &SingleSignOn,
        now: Timestamp,
    ) -> Result<Self, Refused> {
        let name = name(sign_on);
        let cached = world.cache().read(&name).await?.and_then(|text| Self::read(&text));
        match cached.filter(|cached| cached.age(now) < LAST_GOOD) {
            Some(cached) if cached.age(now) < FRESH => Ok(cached),
            Some(cached) => cached.asked_again(world, sign_on, now).await,
            None if asked_within(world, &name, SHORT_PAUSE, now).await? => {
                Err(away("the provider did not answer a moment ago"))
            }
            None => match Self::fetch(world, sign_on, now).await {
                Ok(provider) => Ok(provider),
                Err(refused) => {
                    note_asked(world, &name, now).await;
                    Err(refused)
                }
            },
        }
    }

    /// What is known after the provider was asked once more, if it was not asked a moment ago. What was known stays if it
    /// does not answer.
    ///
    /// # Errors
    /// If the cache cannot be read.
    pub(super) async fn asked_again(
        self,
        world: &impl World,
        sign_on: &SingleSignOn,
        now: Timestamp,
    ) -> Result<Self, Refused> {
        let name = name(sign_on);
        if now.since(self.fetched_at) < PAUSE || asked_within(world, &name, PAUSE, now).await? {
            return Ok(self);
        }
        // Before it is asked, so that those who come in the meantime do not ask too.
        note_asked(world, &name, now).await;
        Ok(Self::fetch(world, sign_on, now).await.unwrap_or(self))
    }

    fn age(&self, now: Timestamp) -> Duration {
        now.since(self.fetched_at)
    }

    fn read(text: &str) -> Option<Self> {
        let (fetched_at, keys, endpoints) = Object::read(text, |object| {
            (object.needed_number("fetched_at"), object.text("keys"), Endpoints::read(object))
        })?;
        let fetched_at = Timestamp::from_millis(fetched_at?);
        Some(Self { keys: KeySet::read(keys.as_bytes())?, endpoints, fetched_at })
    }

    /// Asks the provider, and caches what it answers.
    async fn fetch(world: &impl World, sign_on: &SingleSignOn, now: Timestamp) -> Result<Self, Refused> {
        let issuer = sign_on.issuer.as_str();
        let described = format!("{}{DISCOVERY}", issuer.trim_end_matches('/'));
        let metadata = get(world, described, None).await?;
        let metadata = Object::read(&metadata, |object| ProviderMetadata {
            issuer: object.text("issuer"),
            jwks_uri: object.text("jwks_uri"),
            endpoints: Endpoints::read(object),
        });
        let metadata = metadata.ok_or_else(|| away("the provider's description cannot be read"))?;
        if metadata.issuer != issuer {
            return Err(away("the provider's description is of another issuer"));
        }
        let installation = world.installation();
        let jwks_uri = permitted(installation, issuer, &metadata.jwks_uri)
            .ok_or_else(|| away("the provider's keys are at an address that is not permitted"))?;
        let permitted = |address: Option<String>| permitted(installation, issuer, &address?);
        let endpoints = Endpoints {
            token: permitted(metadata.endpoints.token),
            authorization: permitted(metadata.endpoints.authorization),
            userinfo: permitted(metadata.endpoints.userinfo),
            ..metadata.endpoints
        };
        let body = get(world, jwks_uri, None).await?;
        let keys = KeySet::read(&body).ok_or_else(|| away("the provider's keys cannot be read"))?;
        let provider = Self { keys, endpoints, fetched_at: now };
        provider.cache(world, &name(sign_on), &body).await;
        Ok(provider)
    }

    async fn cache(&self, world: &impl World, name: &str, keys: &[u8]) {
        let Ok(keys) = core::str::from_utf8(keys) else { return };
        let cached = Cached { fetched_at: self.fetched_at, keys, endpoints: &self.endpoints };
        let Ok(text) = serde_json::to_string(&cached) else { return };
        // What cannot be cached is fetched again.
        let _ = world.cache().write(name, &text, LAST_GOOD).await;
    }
}

/// Under which name a provider is cached. Merchants of one provider share it: all that is cached comes from the provider.
fn name(sign_on: &SingleSignOn) -> String {
    format!("sign-on/{}", hex::encode(Sha256::digest(&sign_on.issuer)))
}

fn asked_name(name: &str) -> String {
    format!("{name}/asked")
}

/// Whether the provider was asked so short a time ago.
async fn asked_within(
    world: &impl World,
    name: &str,
    pause: Duration,
    now: Timestamp,
) -> Result<bool, Refused> {
    let asked = world.cache().read(&asked_name(name)).await?;
    let at = asked.and_then(|millis| millis.parse().ok()).map(Timestamp::from_millis);
    Ok(at.is_some_and(|at| now.since(at) < pause))
}

async fn note_asked(world: &impl World, name: &str, now: Timestamp) {
    // If it is lost, the provider is asked more often.
    let _ = world.cache().write(&asked_name(name), &format!("{}", now.millis()), PAUSE).await;
}

/// An address that a provider names, if it may be called: by the rules for addresses of merchants, and encrypted if the
/// provider itself is.
fn permitted(installation: &Installation, issuer: &str, address: &str) -> Option<String> {
    let address = WebAddress::parse(address, installation.reach).ok()?;
    let scheme = |text: &str| text.split_once(':').map(|(scheme, _)| String::from(scheme));
    let is_as_safe = scheme(address.as_str()) == scheme(issuer) || address.as_str().starts_with("https:");
    let may_call = is_as_safe && installation.may_notify(&address);
    may_call.then(|| address.as_str().into())
}

/// What is at an address of the provider, for who brings a token of access if it needs one.
///
/// # Errors
/// If the provider does not answer, or not with it.
pub(super) async fn get(world: &impl World, url: String, token: Option<&str>) -> Result<Vec<u8>, Refused> {
    let mut headers = Vec::from([("accept", "application/json".into())]);
    headers.extend(token.map(|token| ("authorization", format!("Bearer {token}"))));
    let request = Outgoing {
        method: HttpMethod::Get,
        url,
        headers,
        body: Vec::new(),
        // A longer text is cut, and is no JSON then.
        max_answer: Outgoing::MAX_ANSWER,
    };
    let answer = world.http().send(request, LIMIT).await;
    let answer = answer.map_err(|_| away("the provider did not answer"))?;
    if answer.status == 200 {
        Ok(answer.body)
    } else {
        Err(away(format!("the provider answered {}", answer.status)))
    }
}
