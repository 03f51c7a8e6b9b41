//! Judges tokens and passwords as single sign-on does, and says why they are refused, which no other build answers.

use std::time::Duration;

use checkout_core::access::claims::Claims;
use checkout_core::access::jwk::KeySet;
use checkout_core::access::jws::Token;
use checkout_core::access::ours::{self, Secret};
use checkout_core::flow::caller::sign_on::{self, Login, Refused};
use checkout_core::port::{Clock, Registry, World};
use checkout_core::settings::MerchantSettings;
use checkout_core::value::id::MerchantId;
use checkout_core::value::time::Timestamp;
use checkout_core::wire::object::Object;
use checkout_core::words::signing::SigningAlgorithm;
use serde::Serialize;
use web_sys::Request;
use worker::Env;

use crate::edge::{Edge, RequestScope};
use crate::http::Reply;
use crate::platform;
use crate::port::courier::Courier;

/// What is asked. `now` is in seconds; without it, it is the time of the platform.
struct AskedToken {
    merchant: Option<String>,
    token: String,
    username: String,
    password: String,
    keys: String,
    secret: String,
    now: Option<i64>,
}

/// What is answered.
#[derive(Default, Serialize)]
struct Judged {
    #[serde(skip_serializing_if = "Option::is_none")]
    away: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
}

impl Judged {
    fn of(judged: Result<Claims, Refused>) -> Self {
        match judged {
            Ok(claims) => {
                Self { subject: Some(claims.subject), username: Some(claims.username), ..Self::default() }
            }
            Err(refused) => Self::refused(refused),
        }
    }

    fn refused(refused: Refused) -> Self {
        match refused {
            Refused::Fault(fault) => Self { refused: Some(fault.as_str()), ..Self::default() },
            Refused::World(error) => Self { away: Some(error.to_string()), ..Self::default() },
        }
    }
}

/// Answers `/contract/claims`, `/contract/exchange`, `/contract/verify` and `/contract/ours`; `None` for every other address.
pub(super) async fn answer(env: &Env, request: &Request, path: &str) -> Option<Reply> {
    if !["/contract/claims", "/contract/exchange", "/contract/verify", "/contract/ours"].contains(&path) {
        return None;
    }
    Some(match judge(env, request, path).await {
        Ok(judged) => Reply::of_texts(&judged),
        Err(problem) => Reply::text(500, &problem),
    })
}

async fn judge(env: &Env, request: &Request, path: &str) -> Result<Judged, String> {
    let body = platform::body(request).await?.unwrap_or_default();
    let asked = Object::read(&body, |object| AskedToken {
        merchant: object.optional_text("merchant"),
        token: object.optional_text("token").unwrap_or_default(),
        username: object.optional_text("username").unwrap_or_default(),
        password: object.optional_text("password").unwrap_or_default(),
        keys: object.optional_text("keys").unwrap_or_default(),
        secret: object.optional_text("secret").unwrap_or_default(),
        now: object.number("now"),
    });
    let asked = asked.ok_or("the body cannot be read")?;
    let edge = Edge::new(env, RequestScope::of_nobody, |_| Courier::new(Box::new(|| ())))?;
    let seconds = asked.now.map(|seconds| Timestamp::from_millis(seconds.saturating_mul(1_000)));
    let now = seconds.unwrap_or_else(|| edge.clock().now());
    match path {
        "/contract/verify" => return verify(edge.as_ref(), &asked).await,
        "/contract/ours" => return of_ours(edge.as_ref(), &asked, now),
        _ => {}
    }
    let settings = settings(edge.as_ref(), &asked).await?;
    let login = Login { username: &asked.username, password: &asked.password };
    Ok(Judged::of(if path == "/contract/claims" {
        sign_on::claims(edge.as_ref(), &settings, &asked.token, now).await
    } else {
        sign_on::exchange(edge.as_ref(), &settings, login, now).await
    }))
}

async fn settings(edge: &Edge, asked: &AskedToken) -> Result<std::rc::Rc<MerchantSettings>, String> {
    let merchant = asked.merchant.as_deref().and_then(MerchantId::parse).ok_or("no merchant is named")?;
    let found = edge.directory().merchant(&merchant).await.map_err(|error| error.to_string())?;
    Ok(found.ok_or("there is no such merchant")?.settings)
}

/// Whether a token is signed by a key of a set; what it says is not judged.
async fn verify(edge: &Edge, asked: &AskedToken) -> Result<Judged, String> {
    let keys = KeySet::read(asked.keys.as_bytes()).ok_or("the keys cannot be read")?;
    let verified = match Token::read(&asked.token) {
        Ok(token) => sign_on::verify(edge, &keys, &token, &SigningAlgorithm::ALL).await,
        Err(fault) => Err(fault.into()),
    };
    Ok(verified.err().map(Judged::refused).unwrap_or_default())
}

/// A token of ours, or what comes of one.
fn of_ours(edge: &Edge, asked: &AskedToken, now: Timestamp) -> Result<Judged, String> {
    let bytes = hex::decode(&asked.secret).map_err(|error| error.to_string())?;
    let secret = Secret::new("1", &bytes).ok_or("the secret is too short")?;
    let issuer = &edge.installation().public_url;
    if asked.token.is_empty() {
        let claims = ours::TokenClaims {
            issuer: issuer.clone(),
            audience: "till".into(),
            subject: "12".into(),
            merchant: MerchantId::parse("demo").ok_or("no merchant id")?,
            issued_at: now,
            not_before: now,
            expires_at: now.plus(Duration::from_mins(10)),
            id: "a".into(),
        };
        return Ok(Judged { token: ours::sign(&claims, secret), ..Judged::default() });
    }
    let expected = ours::ExpectedToken { issuer, audience: "till", max_life: Duration::from_hours(1) };
    Ok(match ours::verify(&asked.token, &[secret], &expected, now) {
        Ok(claims) => Judged { subject: Some(claims.subject), ..Judged::default() },
        Err(fault) => Judged::refused(fault.into()),
    })
}
