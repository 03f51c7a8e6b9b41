//! What a token of a provider must say (RFC 7519, RFC 9068, OpenID Connect Core 2 and 3.1.3.7), and for how long it is
//! believed.
//!
//! Decision: clocks may differ by `SKEW`. A token is valid while `now < exp + SKEW`, from `nbf - SKEW` and `iat - SKEW` on;
//! at the very second `exp + SKEW` it is over. `iat` is required, because the life of a token is counted from it.
//!
//! Decision: an ID token says to a client who signed in and is no token of access; neither is a refresh token or a logout
//! token. Where the audiences of both are the same, they are recognised by the claims that they have, unless the token
//! declares itself as one of access: by the type `at+jwt`, or by Keycloak's claim `typ`, because older releases of Keycloak
//! put the `nonce` of a sign-in into both. A token that is bound to a key of its caller (`cnf`) is refused too: it would be
//! accepted without that key.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::value::RawValue;

use super::fault::TokenFault;
use super::jws::{Token, audiences, object, text_in};
use super::user::is_username;
use crate::value::time::Timestamp;
use crate::wire::json::{items, text_of};
use crate::wire::members::Members;

/// How far the clock of a provider may be from ours.
pub(crate) const SKEW: Duration = Duration::from_mins(1);
/// The longest `sub` (OpenID Connect Core, 2).
const MAX_SUBJECT: usize = 255;
/// The last second of the year 9999.
const MAX_DATE: i64 = 253_402_300_799;
/// Claims of ID tokens.
const OF_IDENTITY: [&str; 4] = ["nonce", "at_hash", "c_hash", "s_hash"];
/// Claims of logout tokens, and of tokens that are bound to a key.
const OF_OTHERS: [&str; 2] = ["events", "cnf"];
/// The type in the header of tokens that can be nothing but tokens of access.
const ACCESS_TYPE: &str = "at+jwt";
/// What Keycloak's claim `typ` says about tokens of access.
const ACCESS_KIND: &str = "Bearer";

/// For what a token is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose<'a> {
    /// As a token of access for this audience, which the settings name.
    Access {
        /// The audience.
        audience: &'a str,
    },
    /// As the ID token that the provider gave to the client that asked with a name and a password, or with a code.
    Identity {
        /// The id of the client, which is this service.
        client_id: &'a str,
        /// What the client sent along with the browser, of a sign-in with a code.
        nonce: Option<&'a str>,
    },
}

/// What a token must say.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedClaims<'a> {
    /// The provider, exactly as it writes itself.
    pub issuer: &'a str,
    /// For what the token is presented.
    pub purpose: Purpose<'a>,
    /// The claim that has the name of the user.
    pub username_claim: &'a str,
    /// How long it lives at most, from when it was issued.
    pub max_life: Duration,
}

/// What a token says that is of use. `Name` is an `Option` where it may say no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims<Name = String> {
    /// The user, by the id that the provider never gives to another one.
    pub subject: String,
    /// The user, by name.
    pub username: Name,
    /// Until when it is valid, without `SKEW`.
    pub expires_at: Timestamp,
    /// When the user signed in at the provider, if it says so.
    pub signed_in_at: Option<Timestamp>,
    /// By what means (RFC 8176), if it says so.
    pub means: Option<Vec<String>>,
}

impl<Name> Claims<Name> {
    /// The same with this name.
    pub(crate) fn named(self, username: String) -> Claims {
        let Self { subject, expires_at, signed_in_at, means, .. } = self;
        Claims { subject, username, expires_at, signed_in_at, means }
    }
}

/// Checks what a token says. Whether it is signed is another question.
///
/// # Errors
/// The first rule that it breaks.
pub fn check(token: &Token<'_>, expected: &ExpectedClaims<'_>, now: Timestamp) -> Result<Claims, TokenFault> {
    let mut claims = check_unnamed(token, expected, now)?;
    let username = claims.username.take().ok_or(TokenFault::Username)?;
    Ok(claims.named(username))
}

/// Checks what a token says that may leave the name to the provider's answer about the user.
///
/// # Errors
/// The first rule that it breaks.
pub(crate) fn check_unnamed(
    token: &Token<'_>,
    expected: &ExpectedClaims<'_>,
    now: Timestamp,
) -> Result<Claims<Option<String>>, TokenFault> {
    let members = object(&token.payload).ok_or(TokenFault::Claims)?;
    let text = |name: &str| text_in(&members, name).map_err(|()| TokenFault::Claims);
    if text("iss")?.as_deref() != Some(expected.issuer) {
        return Err(TokenFault::Issuer);
    }
    let audiences = audiences(&members).ok_or(TokenFault::Audience)?;
    let is_for = |wanted: &str| audiences.iter().any(|audience| audience == wanted);
    match expected.purpose {
        Purpose::Access { audience } if !is_for(audience) => return Err(TokenFault::Audience),
        Purpose::Access { .. } if !is_of_access(&members, token)? => return Err(TokenFault::Purpose),
        Purpose::Access { .. } => {}
        Purpose::Identity { client_id, nonce } => {
            let party = text("azp")?;
            let is_only = audiences.len() == 1 || party.is_some();
            let is_party = party.is_none_or(|party| party == client_id);
            if !is_for(client_id) || !is_only || !is_party {
                return Err(TokenFault::Audience);
            }
            if nonce.is_some() && text("nonce")?.as_deref() != nonce {
                return Err(TokenFault::Nonce);
            }
        }
    }
    let lifetime = Lifetime::read(&members)?;
    lifetime.check(expected.max_life, now)?;
    let subject =
        text("sub")?.filter(|text| (1..=MAX_SUBJECT).contains(&text.len())).ok_or(TokenFault::Subject)?;
    Ok(Claims {
        subject: subject.into_owned(),
        username: username_in(&members, expected.username_claim)?,
        expires_at: lifetime.expires_at(),
        signed_in_at: date(&members, "auth_time")?.map(moment),
        means: means(&members)?,
    })
}

/// The name of a user in what a provider answers about one (OpenID Connect Core, 5.3.2).
///
/// # Errors
/// [`TokenFault::Subject`] if it is about someone else, or the first other rule that it breaks.
pub(crate) fn username_of(answer: &[u8], subject: &str, username_claim: &str) -> Result<String, TokenFault> {
    let members = object(answer).ok_or(TokenFault::Claims)?;
    if text_in(&members, "sub").map_err(|()| TokenFault::Claims)?.as_deref() != Some(subject) {
        return Err(TokenFault::Subject);
    }
    username_in(&members, username_claim)?.ok_or(TokenFault::Username)
}

/// The name of a user among the members, if they have it.
fn username_in(members: &Members<'_>, claim: &str) -> Result<Option<String>, TokenFault> {
    let Some(text) = text_in(members, claim).map_err(|()| TokenFault::Claims)? else { return Ok(None) };
    if is_username(&text) { Ok(Some(text.into_owned())) } else { Err(TokenFault::Username) }
}

/// By what means the user signed in, which is a list of texts.
fn means(members: &Members<'_>) -> Result<Option<Vec<String>>, TokenFault> {
    let found = members.all().find(|(known, _)| *known == "amr");
    let read = |raw| {
        items(raw)?.into_iter().map(|item| text_of(item).map(Cow::into_owned)).collect::<Option<Vec<_>>>()
    };
    found.map(|(_, raw)| read(raw).ok_or(TokenFault::Claims)).transpose()
}

/// Whether a token is one of access, as far as it says.
fn is_of_access(members: &Members<'_>, token: &Token<'_>) -> Result<bool, TokenFault> {
    let kind = text_in(members, "typ").map_err(|()| TokenFault::Claims)?;
    let has = |names: &[&str]| members.all().any(|(name, _)| names.contains(&name));
    let is_declared = token.kind.as_deref() == Some(ACCESS_TYPE) || kind.as_deref() == Some(ACCESS_KIND);
    let is_other_kind = kind.is_some_and(|kind| kind != ACCESS_KIND);
    Ok(!is_other_kind && !has(&OF_OTHERS) && (is_declared || !has(&OF_IDENTITY)))
}

/// From when until when a token is valid, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lifetime {
    issued_at: i64,
    not_before: Option<i64>,
    expires_at: i64,
}

impl Lifetime {
    /// Reads the dates; `iat` and `exp` are required.
    pub(super) fn read(members: &Members<'_>) -> Result<Self, TokenFault> {
        Ok(Self {
            issued_at: date(members, "iat")?.ok_or(TokenFault::Claims)?,
            not_before: date(members, "nbf")?,
            expires_at: date(members, "exp")?.ok_or(TokenFault::Claims)?,
        })
    }

    /// Whether the time is right.
    pub(super) fn check(&self, max_life: Duration, now: Timestamp) -> Result<(), TokenFault> {
        let (now, skew) = (now.seconds(), seconds(SKEW));
        let begins = self.not_before.unwrap_or(self.issued_at).max(self.issued_at);
        if now >= self.expires_at.saturating_add(skew) {
            return Err(TokenFault::Expired);
        }
        if now.saturating_add(skew) < begins {
            return Err(TokenFault::NotYet);
        }
        let life = self.expires_at.saturating_sub(self.issued_at);
        if (1..=seconds(max_life)).contains(&life) { Ok(()) } else { Err(TokenFault::Life) }
    }

    pub(super) fn issued_at(&self) -> Timestamp {
        moment(self.issued_at)
    }

    pub(super) fn not_before(&self) -> Option<Timestamp> {
        self.not_before.map(moment)
    }

    pub(super) fn expires_at(&self) -> Timestamp {
        moment(self.expires_at)
    }
}

/// A date among the members.
fn date(members: &Members<'_>, name: &str) -> Result<Option<i64>, TokenFault> {
    let found = members.all().find(|(known, _)| *known == name);
    found.map(|(_, raw)| numeric_date(raw).ok_or(TokenFault::Claims)).transpose()
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1_000))
}

/// A `NumericDate` (RFC 7519, 2): seconds since 1970, rounded down if it has decimals. `None` for a date before 1970 or after
/// the year 9999, for an exponent, and for what is no number.
fn numeric_date(raw: &RawValue) -> Option<i64> {
    let (whole, decimals) = raw.get().split_once('.').unwrap_or((raw.get(), "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) {
        return None;
    }
    whole.parse().ok().filter(|seconds| (0..=MAX_DATE).contains(seconds))
}

#[cfg(test)]
mod tests;
