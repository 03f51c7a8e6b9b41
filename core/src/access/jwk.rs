//! Reads the public keys that a provider publishes: a JWK set (RFC 7517), with the keys of RFC 7518 (section 6) and RFC 8037.
//!
//! A key that cannot be used is left out, as RFC 7517 (section 5) asks: of an unknown type or curve, for encryption, with an
//! RSA modulus below 2,048 or above 8,192 bits or of a generator that was broken, or with a member of a private key, which
//! should never be published.
//!
//! Decision: keys with one `kid` are ambiguous, whatever their types are, and a token that names it is refused. Tokens that name
//! other keys are not concerned.

mod weak;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use super::fault::TokenFault;
use super::jws::{Token, decode, object, text_in};
use crate::value::json::{self, Unwritten};
use crate::wire::json::{items, text_of};
use crate::wire::members::Members;
use crate::words::signing::SigningAlgorithm;

/// The most bytes of a set.
pub(crate) const MAX_SET: usize = 65_536;
/// The most keys of a set.
const MAX_KEYS: usize = 32;
/// The bits of an RSA modulus.
const MIN_MODULUS: usize = 2_048;
const MAX_MODULUS: usize = 8_192;
/// The most bytes of an RSA exponent.
const MAX_EXPONENT: usize = 4;
/// Members that only a private or a shared key has.
const PRIVATE: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// The numbers of a public key, in base64url as they came: each has one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kty")]
pub enum Material {
    /// RSA: exponent and modulus.
    #[serde(rename = "RSA")]
    Rsa {
        /// The exponent.
        e: String,
        /// The modulus.
        n: String,
    },
    /// A point of P-256 or P-384.
    #[serde(rename = "EC")]
    Ec {
        /// The curve.
        crv: &'static str,
        /// Its coordinates.
        x: String,
        /// As `x`.
        y: String,
    },
    /// A point of Ed25519.
    #[serde(rename = "OKP")]
    Okp {
        /// The curve.
        crv: &'static str,
        /// The point.
        x: String,
    },
}

/// A public key that can verify signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jwk {
    /// `kid`: its id, unique in its set.
    id: Option<String>,
    /// The algorithms for which it may be used: one if `alg` names it.
    algorithms: Vec<SigningAlgorithm>,
    /// The bytes of each of its signatures.
    signature_bytes: usize,
    material: Material,
}

impl Jwk {
    /// The numbers of the key.
    #[must_use]
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The key as JSON, with nothing in it but its numbers, as a platform takes it.
    ///
    /// # Errors
    /// If it could not be written.
    pub fn to_json(&self) -> Result<String, Unwritten> {
        json::write(&self.material)
    }

    /// Whether a signature is as long as those of the key, which excludes every other encoding of two numbers.
    #[must_use]
    pub fn fits(&self, signature: &[u8]) -> bool {
        signature.len() == self.signature_bytes
    }

    /// The key of an object; `None` if it cannot be used.
    fn of(raw: &RawValue) -> Option<Self> {
        let members = object(raw.get().as_bytes())?;
        if members.all().any(|(name, _)| PRIVATE.contains(&name)) || !is_for_verifying(&members)? {
            return None;
        }
        let text = |name: &str| text_in(&members, name).ok();
        let (material, signature_bytes) = material(&members)?;
        let possible: &[SigningAlgorithm] = match &material {
            Material::Rsa { .. } => &[SigningAlgorithm::Rs256, SigningAlgorithm::Ps256],
            Material::Ec { crv: "P-256", .. } => &[SigningAlgorithm::Es256],
            Material::Ec { .. } => &[SigningAlgorithm::Es384],
            Material::Okp { .. } => &[SigningAlgorithm::EdDsa],
        };
        let algorithms: Vec<SigningAlgorithm> = match text("alg")? {
            None => possible.into(),
            Some(name) => possible.iter().copied().filter(|known| known.as_str() == name).collect(),
        };
        let id = text("kid")?.map(Cow::into_owned);
        (!algorithms.is_empty()).then_some(Self { id, algorithms, signature_bytes, material })
    }
}

/// Whether `use` and `key_ops`, if they are given, permit to verify; `None` if they are not readable.
fn is_for_verifying(members: &Members<'_>) -> Option<bool> {
    let used = text_in(members, "use").ok()?;
    let operations = match members.get("key_ops") {
        None => true,
        Some(raw) => items(raw)?.into_iter().any(|item| text_of(item).as_deref() == Some("verify")),
    };
    Some(operations && used.is_none_or(|used| used == "sig"))
}

/// The numbers, and how long signatures are.
fn material(members: &Members<'_>) -> Option<(Material, usize)> {
    let text = |name: &str| text_in(members, name).ok()?.map(Cow::into_owned);
    let coordinate = |name: &str, bytes: usize| {
        text(name).filter(|text| decode(text).is_ok_and(|decoded| decoded.len() == bytes))
    };
    match text("kty")?.as_str() {
        "RSA" => {
            let (n, e) = (text("n")?, text("e")?);
            let bytes = modulus_bytes(&n)?;
            is_exponent(&e)?.then_some((Material::Rsa { e, n }, bytes))
        }
        "EC" => {
            let (crv, bytes) = match text("crv")?.as_str() {
                "P-256" => ("P-256", 32),
                "P-384" => ("P-384", 48),
                _ => return None,
            };
            let (x, y) = (coordinate("x", bytes)?, coordinate("y", bytes)?);
            Some((Material::Ec { crv, x, y }, bytes.saturating_mul(2)))
        }
        "OKP" if text("crv")? == "Ed25519" => {
            Some((Material::Okp { crv: "Ed25519", x: coordinate("x", 32)? }, 64))
        }
        _ => None,
    }
}

/// The bytes of a modulus; `None` unless it is odd, written without a zero before it, of a permitted length, and not weak.
fn modulus_bytes(n: &str) -> Option<usize> {
    let bytes = decode(n).ok()?;
    let (first, last) = (*bytes.first()?, *bytes.last()?);
    let unused = usize::try_from(first.leading_zeros()).ok()?;
    let bits = bytes.len().saturating_mul(8).saturating_sub(unused);
    let is_right = first != 0 && last % 2 == 1 && (MIN_MODULUS..=MAX_MODULUS).contains(&bits);
    (is_right && !weak::is_weak(&bytes)).then_some(bytes.len())
}

/// Whether an exponent is an odd number from 3 to four bytes, written without a zero before it.
fn is_exponent(e: &str) -> Option<bool> {
    let bytes = decode(e).ok()?;
    let value = bytes.iter().fold(0_u64, |value, byte| (value << 8) | u64::from(*byte));
    Some(bytes.len() <= MAX_EXPONENT && *bytes.first()? != 0 && value % 2 == 1 && value >= 3)
}

/// The keys of a provider that can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeySet(Vec<Jwk>);

impl KeySet {
    /// Reads a set; `None` if it is no JSON object with a list `keys`, too large, or has too many keys.
    #[must_use]
    pub fn read(body: &[u8]) -> Option<Self> {
        if body.len() > MAX_SET {
            return None;
        }
        let members = object(body)?;
        let keys = items(members.get("keys")?)?;
        (keys.len() <= MAX_KEYS).then(|| Self(keys.into_iter().filter_map(Jwk::of).collect()))
    }

    /// How many keys can be used.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no key can be used.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one key that a token means, with the algorithm: one of the `permitted` ones that the header of the token names
    /// and that the key is for. A token without a key id means the only key for its algorithm.
    ///
    /// # Errors
    /// [`TokenFault::Algorithm`], [`TokenFault::UnknownKey`], [`TokenFault::AmbiguousKey`] or [`TokenFault::OtherKey`].
    pub fn find(
        &self,
        token: &Token<'_>,
        permitted: &[SigningAlgorithm],
    ) -> Result<(&Jwk, SigningAlgorithm), TokenFault> {
        let algorithm = algorithm_of(token, permitted)?;
        let is_for = |key: &&Jwk| key.algorithms.contains(&algorithm);
        let meant: Vec<&Jwk> = match &token.key_id {
            Some(id) => self.0.iter().filter(|key| key.id.as_ref() == Some(id)).collect(),
            None => self.0.iter().filter(is_for).collect(),
        };
        match meant.as_slice() {
            [] => Err(TokenFault::UnknownKey),
            [key] if is_for(key) => Ok((*key, algorithm)),
            [_] => Err(TokenFault::OtherKey),
            _ => Err(TokenFault::AmbiguousKey),
        }
    }
}

/// The algorithm that a token names, if it is one of the permitted ones.
///
/// # Errors
/// [`TokenFault::Algorithm`].
pub(crate) fn algorithm_of(
    token: &Token<'_>,
    permitted: &[SigningAlgorithm],
) -> Result<SigningAlgorithm, TokenFault> {
    SigningAlgorithm::parse(&token.algorithm)
        .filter(|algorithm| permitted.contains(algorithm))
        .ok_or(TokenFault::Algorithm)
}

#[cfg(test)]
mod tests;
