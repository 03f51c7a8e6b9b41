//! The tokens that this service issues itself: HMAC with SHA-256 under a secret of the installation (RFC 7518, 3.2), of the
//! type `at+jwt` (RFC 9068).
//!
//! They share nothing with the tokens of providers but their form: a token of a provider is never verified by a secret, and
//! a token of ours by nothing else.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use subtle::ConstantTimeEq;

use super::claims::Lifetime;
use super::fault::TokenFault;
use super::jws::{Token, audiences, object, text_in};
use crate::value::id::MerchantId;
use crate::value::json::{self, Unwritten};
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::wire::members::Members;

const ALGORITHM: &str = "HS256";
const TYPE: &str = "at+jwt";
/// The shortest secret, in bytes: as long as what it makes (RFC 7518, 3.2).
const MIN_SECRET: usize = 32;

/// A secret of the installation, with the id by which tokens name it. Its `Debug` does not show it.
#[derive(Clone, Copy)]
pub struct Secret<'a> {
    id: &'a str,
    bytes: &'a [u8],
}

impl<'a> Secret<'a> {
    /// A secret; `None` if it has less than 32 bytes.
    #[must_use]
    pub fn new(id: &'a str, bytes: &'a [u8]) -> Option<Self> {
        (bytes.len() >= MIN_SECRET).then_some(Self { id, bytes })
    }

    fn signature(self, input: &str) -> [u8; 32] {
        hmac_sha256(self.bytes, &[input.as_bytes()])
    }
}

impl fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({}, [redacted; {} bytes])", self.id, self.bytes.len())
    }
}

/// What a token of ours says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenClaims {
    /// `iss`: the address of this service.
    pub issuer: String,
    /// `aud`: for whom it is.
    pub audience: String,
    /// `sub`: the id of the user, or the prefix of the key, to whom it was given.
    pub subject: String,
    /// `mid`: the merchant.
    pub merchant: MerchantId,
    /// `iat`: when it was issued, in whole seconds.
    pub issued_at: Timestamp,
    /// `nbf`: from when it is valid, in whole seconds.
    pub not_before: Timestamp,
    /// `exp`: until when it is valid, in whole seconds.
    pub expires_at: Timestamp,
    /// `jti`: its id.
    pub id: String,
}

/// What a token of ours must say.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedToken<'a> {
    /// The address of this service.
    pub issuer: &'a str,
    /// For whom it must be.
    pub audience: &'a str,
    /// How long it lives at most, from when it was issued.
    pub max_life: Duration,
}

#[derive(Serialize)]
struct Header<'a> {
    alg: &'static str,
    kid: &'a str,
    typ: &'static str,
}

#[derive(Serialize)]
struct TokenBody<'a> {
    aud: &'a str,
    exp: i64,
    iat: i64,
    iss: &'a str,
    jti: &'a str,
    mid: &'a str,
    nbf: i64,
    sub: &'a str,
}

fn part(value: &impl Serialize) -> Result<String, Unwritten> {
    json::write(value).map(|text| URL_SAFE_NO_PAD.encode(text))
}

/// The token of these claims; `None` only if they could not be written.
#[must_use]
pub fn sign(claims: &TokenClaims, secret: Secret<'_>) -> Option<String> {
    let header = Header { alg: ALGORITHM, kid: secret.id, typ: TYPE };
    let body = TokenBody {
        aud: &claims.audience,
        exp: claims.expires_at.seconds(),
        iat: claims.issued_at.seconds(),
        iss: &claims.issuer,
        jti: &claims.id,
        mid: claims.merchant.as_str(),
        nbf: claims.not_before.seconds(),
        sub: &claims.subject,
    };
    let input = format!("{}.{}", part(&header).ok()?, part(&body).ok()?);
    let signature = secret.signature(&input);
    Some(format!("{input}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

/// What a token of ours says, if one of the `secrets` signed it and it is valid now. Clocks of two machines of ours may differ
/// as those of providers may (`claims::SKEW`).
///
/// # Errors
/// The first rule that it breaks.
pub fn verify(
    text: &str,
    secrets: &[Secret<'_>],
    expected: &ExpectedToken<'_>,
    now: Timestamp,
) -> Result<TokenClaims, TokenFault> {
    let token = Token::read(text)?;
    if token.algorithm != ALGORITHM {
        return Err(TokenFault::Algorithm);
    }
    if token.kind.as_deref() != Some(TYPE) {
        return Err(TokenFault::Type);
    }
    let is_named = |secret: &&Secret<'_>| token.key_id.as_deref() == Some(secret.id);
    let secret = secrets.iter().find(is_named).ok_or(TokenFault::UnknownKey)?;
    if !bool::from(secret.signature(token.input).as_slice().ct_eq(&token.signature)) {
        return Err(TokenFault::Signature);
    }
    let members = object(&token.payload).ok_or(TokenFault::Claims)?;
    let claims = read(&members)?;
    if claims.issuer != expected.issuer {
        return Err(TokenFault::Issuer);
    }
    if claims.audience != expected.audience {
        return Err(TokenFault::Audience);
    }
    Lifetime::read(&members)?.check(expected.max_life, now)?;
    Ok(claims)
}

fn read(members: &Members<'_>) -> Result<TokenClaims, TokenFault> {
    let text = |name: &str| {
        let text = text_in(members, name).map_err(|()| TokenFault::Claims)?;
        text.map(Cow::into_owned).filter(|text| !text.is_empty()).ok_or(TokenFault::Claims)
    };
    let lifetime = Lifetime::read(members)?;
    let [audience]: [Cow<'_, str>; 1] =
        audiences(members).and_then(|all| all.try_into().ok()).ok_or(TokenFault::Audience)?;
    Ok(TokenClaims {
        issuer: text("iss")?,
        audience: audience.into_owned(),
        subject: text("sub")?,
        merchant: MerchantId::parse(&text("mid")?).ok_or(TokenFault::Claims)?,
        issued_at: lifetime.issued_at(),
        not_before: lifetime.not_before().ok_or(TokenFault::Claims)?,
        expires_at: lifetime.expires_at(),
        id: text("jti")?,
    })
}

#[cfg(test)]
mod tests;
