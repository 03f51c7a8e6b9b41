//! Reads signed tokens: compact JWS (RFC 7515), strictly and within bounds. What a token says is a claim until its
//! signature was verified.
//!
//! Only three members of a header have an effect: `alg` and `kid` help to find the key, which decides about the algorithm
//! ([`KeySet::find`](super::jwk::KeySet::find)); `typ` excludes tokens of other kinds. Keys and addresses of keys in a
//! header (`jwk`, `jku`, `x5c`, `x5u`) are never read.
//!
//! ```
//! use checkout_core::access::fault::TokenFault;
//! use checkout_core::access::jws::Token;
//!
//! // {"alg":"none"} and {}, without a signature.
//! assert_eq!(Token::read("eyJhbGciOiJub25lIn0.e30.").unwrap_err(), TokenFault::NotCompact);
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::fault::TokenFault;
use crate::wire::json::{items, text_of};
use crate::wire::members::Members;

/// The longest token, in bytes.
pub(crate) const MAX_TOKEN: usize = 8_192;
/// The types of tokens that give access (RFC 7519, 5.1; RFC 9068, 2.1), without the `application/` that may precede them.
const TYPES: [&str; 2] = ["JWT", "at+jwt"];
/// Members of a header that change how a token is read.
const CRITICAL: [&str; 2] = ["crit", "b64"];

/// A token whose form is right. Nothing of it is verified.
pub struct Token<'a> {
    /// The algorithm that its header names.
    pub algorithm: String,
    /// The key that its header names.
    pub key_id: Option<String>,
    /// Its type, in lower case and without `application/`.
    pub kind: Option<String>,
    /// What is signed.
    pub input: &'a str,
    /// Its content.
    pub payload: Vec<u8>,
    /// Its signature.
    pub signature: Vec<u8>,
}

impl<'a> Token<'a> {
    /// Reads a token.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn read(text: &'a str) -> Result<Self, TokenFault> {
        if text.len() > MAX_TOKEN {
            return Err(TokenFault::TooLong);
        }
        let (input, signature) = text.rsplit_once('.').ok_or(TokenFault::NotCompact)?;
        let (header, payload) = input.split_once('.').ok_or(TokenFault::NotCompact)?;
        if signature.is_empty() {
            return Err(TokenFault::NotCompact);
        }
        let header = decode(header)?;
        let (payload, signature) = (decode(payload)?, decode(signature)?);
        let members = object(&header).ok_or(TokenFault::Header)?;
        let has = |name: &str| members.all().any(|(known, _)| known == name);
        if CRITICAL.into_iter().any(has) {
            return Err(TokenFault::Critical);
        }
        let kind = text_in(&members, "typ").map_err(|()| TokenFault::Header)?.map(|kind| plain_type(&kind));
        let is_known = |kind: &String| TYPES.into_iter().any(|known| known.eq_ignore_ascii_case(kind));
        if has("cty") || !kind.as_ref().is_none_or(is_known) {
            return Err(TokenFault::Type);
        }
        let algorithm =
            text_in(&members, "alg").map_err(|()| TokenFault::Header)?.ok_or(TokenFault::Header)?;
        let key_id = text_in(&members, "kid").map_err(|()| TokenFault::Header)?.map(Cow::into_owned);
        Ok(Self { algorithm: algorithm.into_owned(), key_id, kind, input, payload, signature })
    }
}

impl fmt::Debug for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token([redacted; {} bytes])", self.input.len())
    }
}

/// Of whom a token says that it comes, and for whom it is: claims by which the merchant is found whose provider can verify
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedParties {
    /// `iss`.
    pub issuer: String,
    /// `aud`, one or several.
    pub audiences: Vec<String>,
}

/// Of whom a token says that it comes, and for whom it is. Nothing of it is verified.
///
/// # Errors
/// As [`Token::read`]; also for content that does not say it.
pub fn named(text: &str) -> Result<NamedParties, TokenFault> {
    let token = Token::read(text)?;
    let members = object(&token.payload).ok_or(TokenFault::Claims)?;
    let issuer = text_in(&members, "iss").map_err(|()| TokenFault::Claims)?.ok_or(TokenFault::Issuer)?;
    let audiences = audiences(&members).ok_or(TokenFault::Audience)?;
    let audiences = audiences.into_iter().map(Cow::into_owned).collect();
    Ok(NamedParties { issuer: issuer.into_owned(), audiences })
}

/// Base64url without padding, without spaces, and with zeros in the bits that are left over: each content has one text.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, TokenFault> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| TokenFault::NotCompact)
}

/// The members of a text that is one object and gives each of them once. Of two members with one name, two readers could
/// take different ones.
pub(super) fn object(bytes: &[u8]) -> Option<Members<'_>> {
    let members = Members::read(bytes).ok()?;
    let mut names: Vec<&str> = members.all().map(|(name, _)| name).collect();
    names.sort_unstable();
    let has_twice = names.windows(2).any(|pair| pair.first() == pair.last());
    (!has_twice).then_some(members)
}

/// A text of an object; `Err` if the member is there and no text.
pub(super) fn text_in<'a>(members: &Members<'a>, name: &str) -> Result<Option<Cow<'a, str>>, ()> {
    let found = members.all().find(|(known, _)| *known == name);
    found.map(|(_, raw)| text_of(raw).ok_or(())).transpose()
}

/// The audiences, which are a text or a list of texts; `None` for anything else, and for none.
pub(super) fn audiences<'a>(members: &Members<'a>) -> Option<Vec<Cow<'a, str>>> {
    let raw = members.get("aud")?;
    if let Some(one) = text_of(raw) {
        return Some([one].into());
    }
    let all: Vec<Cow<'a, str>> = items(raw)?.into_iter().map(text_of).collect::<Option<_>>()?;
    (!all.is_empty()).then_some(all)
}

fn plain_type(kind: &str) -> String {
    let kind = kind.to_ascii_lowercase();
    kind.strip_prefix("application/").map(String::from).unwrap_or(kind)
}

#[cfg(test)]
mod tests;
