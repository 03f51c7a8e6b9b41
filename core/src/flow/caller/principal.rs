//! Who offers a credential, and whether they may do what they ask for.

use super::sign_in::sign_in;
use super::{api_key, bearer};
use crate::access::header::Credential;
use crate::access::{Caller, Principal, Rights, may};
use crate::flow::Failure;
use crate::port::{Clock, FoundUser, Keyring, World};
use crate::rejection::Rejection;
use crate::route::Action;
use crate::value::id::SessionId;

/// Who offers a credential. Keys are found by their prefix and compared by their hash, the token of the Worker's
/// secret is compared as it is, both in constant time; other tokens are verified by whom they say that they come from.
///
/// # Errors
/// [`Rejection::CredentialsMissing`] or [`Rejection::CredentialsInvalid`]; [`Failure::World`] if the store fails.
pub async fn principal(world: &impl World, credential: &Credential) -> Result<Principal, Failure> {
    holder(world, credential, None, false).await
}

/// As [`principal`], for what is `stored_at_once` perhaps as remembered.
async fn holder(
    world: &impl World,
    credential: &Credential,
    named: Option<&SessionId>,
    stored_at_once: bool,
) -> Result<Principal, Failure> {
    let found = match credential {
        Credential::ApiKey(key) => {
            api_key::holder(world, key, named, stored_at_once).await?.map(Principal::Merchant)
        }
        Credential::Basic(login) => {
            let FoundUser { user, merchant, .. } = sign_in(world, login, named).await?;
            Some(Principal::Merchant(Caller {
                rights: Rights::User(user),
                prefix: None,
                is_basic: true,
                situation: merchant.at(world.clock().now()),
            }))
        }
        Credential::Bearer(token) => bearer::holder(world, token, named).await?,
        Credential::Session => Some(Principal::Session),
        Credential::NotAsked => Some(Principal::Anyone),
        Credential::Missing => return Err(Rejection::CredentialsMissing.into()),
        Credential::Malformed => None,
    };
    Ok(found.ok_or(Rejection::CredentialsInvalid)?)
}

/// Who is calling, if the caller may do `action`: asked once for each request, before its body is judged. A transaction that
/// the request has `named` may be read with them, for the flow that loads it next.
///
/// # Errors
/// The rejection if the caller is unknown or not permitted; [`Failure::World`] if the store fails.
pub async fn identify(
    world: &impl World,
    credential: &Credential,
    action: Action,
    named: Option<&SessionId>,
) -> Result<Principal, Failure> {
    let principal = holder(world, credential, named, action == Action::Create).await?;
    may(&principal, action)?;
    Ok(principal)
}

/// Answers a request whose caller may be one that is remembered:
///
/// 1. `answer` it;
/// 2. nothing leaves before the caller is proved; if they are not who was remembered, nothing was stored: they are
///    loaded, and the request is answered once more.
///
/// # Errors
/// What `answer` refuses of a caller who is proved; a failure of the world.
pub async fn answer_proved<T>(
    world: &impl World,
    mut answer: impl AsyncFnMut() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut is_again = false;
    loop {
        // 1
        let answered = answer().await;
        // 2
        if world.directory().prove().await? || is_again {
            return answered;
        }
        is_again = true;
    }
}
