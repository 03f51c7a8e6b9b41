//! Who brings a token: the operator, someone to whom this service gave a token, or a user of a merchant whose provider gave
//! one.
//!
//! Decision: a token says who someone is and never what they may do. The user, or the key, is read with every request, so
//! that what is revoked, changed or switched off ends at once.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use super::sign_on::{self, Refused};
use super::{Failure, token};
use crate::access::jws::{self, Named};
use crate::access::user::folded;
use crate::access::{Caller, Principal, Rights};
use crate::port::{Clock, FoundUser, KeyHolder, Keyring, Registry, UserKey, Users, World};
use crate::settings::MerchantSettings;
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;

/// The most audiences of a token by which a merchant is looked for.
const MAX_AUDIENCES: usize = 8;

/// Who brings a token; `None` if it is nobody's.
///
/// # Errors
/// A refusal, or a failure of the world.
pub(super) async fn holder(world: &impl World, text: &str) -> Result<Option<Principal>, Failure> {
    if world.operator_token().as_bytes().ct_eq(text.as_bytes()).into() {
        return Ok(Some(Principal::Operator));
    }
    let now = world.clock().now();
    let Ok(named) = jws::named(text) else { return Ok(None) };
    let caller = if named.issuer == world.installation().public_url {
        of_ours(world, text, now).await?
    } else {
        of_provider(world, text, named, now).await?
    };
    Ok(caller.map(Principal::Merchant))
}

/// To whom this service gave a token.
async fn of_ours(world: &impl World, text: &str, now: Timestamp) -> Result<Option<Caller>, Failure> {
    let Some(given) = token::read(world, text, now) else { return Ok(None) };
    match given.subject {
        token::Subject::User { id, epoch } => {
            let found = found_user(world, UserKey::Id(id), &given.merchant).await?;
            Ok(found.filter(|found| found.epoch == epoch).map(caller_of))
        }
        token::Subject::Key { prefix } => {
            let found = world.store().holder(&given.merchant, &prefix, now).await?;
            Ok(found.map(|KeyHolder { caller, .. }| caller))
        }
    }
}

/// The user of a merchant whose provider gave a token:
///
/// 1. find the merchant by what the token claims, and what the provider says by the settings that are known;
/// 2. find the user by name, with the settings as they are;
/// 3. if they are others, judge the token by them.
async fn of_provider(
    world: &impl World,
    text: &str,
    named: Named,
    now: Timestamp,
) -> Result<Option<Caller>, Failure> {
    // 1
    let audiences: Vec<String> = named.audiences.into_iter().take(MAX_AUDIENCES).collect();
    let known = world.store().settings_of_provider(&named.issuer, &audiences).await?;
    let Some(mut settings) = known else { return Ok(None) };
    let claims = match sign_on::claims(world, &settings, text, now).await {
        Err(Refused::Fault(fault)) => {
            // The settings may have been changed meanwhile.
            let fresh = world.store().settings(&settings.merchant).await?;
            let fresh = fresh.filter(|fresh| fresh.single_sign_on != settings.single_sign_on);
            settings = fresh.ok_or(Refused::Fault(fault))?;
            sign_on::claims(world, &settings, text, now).await?
        }
        judged => judged?,
    };
    // 2
    let key = folded(&claims.username);
    let Some(found) = found_user(world, UserKey::Name(&key), &settings.merchant).await? else {
        return Ok(None);
    };
    // 3
    if !is_same(&found.settings, &settings) {
        let again = sign_on::claims(world, &found.settings, text, now).await?;
        if folded(&again.username) != key {
            return Ok(None);
        }
    }
    Ok(Some(caller_of(found)))
}

fn is_same(one: &Rc<MerchantSettings>, other: &Rc<MerchantSettings>) -> bool {
    one.version == other.version || one.single_sign_on == other.single_sign_on
}

/// A user of a merchant who may sign in.
async fn found_user(
    world: &impl World,
    key: UserKey<'_>,
    merchant: &MerchantId,
) -> Result<Option<FoundUser>, Failure> {
    let found = world.store().user(key).await?;
    Ok(found.filter(|found| found.is_active && found.settings.merchant == *merchant))
}

fn caller_of(found: FoundUser) -> Caller {
    Caller { rights: Rights::User(found.user), settings: found.settings }
}
