//! Judges a token of a provider: what it claims, and whether the provider signed it.

use alloc::string::String;

use super::provider::SignOnProvider;
use super::refused::Refused;
use crate::access::claims::{Claims, ExpectedClaims, Purpose, check, check_unnamed};
use crate::access::fault::TokenFault;
use crate::access::jwk::{KeySet, algorithm_of};
use crate::access::jws::Token;
use crate::port::{Signatures, SignedText, World};
use crate::settings::sign_on::SingleSignOn;
use crate::value::time::Timestamp;
use crate::words::signing::SigningAlgorithm;

/// What a token says, if it is right for its purpose: the steps of [`claims`](super::claims).
///
/// # Errors
/// As there.
pub(super) async fn judge(
    world: &impl World,
    sign_on: &SingleSignOn,
    text: &str,
    purpose: Purpose<'_>,
    now: Timestamp,
) -> Result<Claims, Refused> {
    let token = read(sign_on, text)?;
    let claims = check(&token, &expected(sign_on, purpose), now)?;
    find_and_verify(world, sign_on, &token, now).await?;
    Ok(claims)
}

/// The same of a token that may leave the name to the provider's answer about the user.
///
/// # Errors
/// As there.
pub(super) async fn judge_unnamed(
    world: &impl World,
    sign_on: &SingleSignOn,
    text: &str,
    purpose: Purpose<'_>,
    now: Timestamp,
) -> Result<Claims<Option<String>>, Refused> {
    let token = read(sign_on, text)?;
    let claims = check_unnamed(&token, &expected(sign_on, purpose), now)?;
    find_and_verify(world, sign_on, &token, now).await?;
    Ok(claims)
}

fn read<'a>(sign_on: &SingleSignOn, text: &'a str) -> Result<Token<'a>, TokenFault> {
    let token = Token::read(text)?;
    algorithm_of(&token, &sign_on.algorithms)?;
    Ok(token)
}

fn expected<'a>(sign_on: &'a SingleSignOn, purpose: Purpose<'a>) -> ExpectedClaims<'a> {
    ExpectedClaims {
        issuer: &sign_on.issuer,
        purpose,
        username_claim: &sign_on.username_claim,
        max_life: sign_on.max_life,
    }
}

/// Finds the key that a token means, and verifies the signature.
async fn find_and_verify(
    world: &impl World,
    sign_on: &SingleSignOn,
    token: &Token<'_>,
    now: Timestamp,
) -> Result<(), Refused> {
    let mut provider = SignOnProvider::known(world, sign_on, now).await?;
    let is_unknown = |provider: &SignOnProvider| {
        provider.keys.find(token, &sign_on.algorithms).err() == Some(TokenFault::UnknownKey)
    };
    if is_unknown(&provider) {
        provider = provider.asked_again(world, sign_on, now).await?;
    }
    verify(world, &provider.keys, token, &sign_on.algorithms).await
}

/// Whether a token is signed by the one key of a set that it means.
///
/// # Errors
/// The rule that it breaks, or a failure of the world.
pub async fn verify(
    world: &impl World,
    keys: &KeySet,
    token: &Token<'_>,
    permitted: &[SigningAlgorithm],
) -> Result<(), Refused> {
    let (key, algorithm) = keys.find(token, permitted)?;
    let signed = SignedText { algorithm, message: token.input.as_bytes(), signature: &token.signature };
    let is_right = key.fits(signed.signature) && world.signatures().verify(key, &signed).await?;
    if is_right { Ok(()) } else { Err(TokenFault::Signature.into()) }
}
