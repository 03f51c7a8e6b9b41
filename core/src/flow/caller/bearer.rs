//! Who brings a token: an operator, someone to whom this service gave a token, or a user of a merchant whose provider gave
//! one.
//!
//! Decision: a token says who someone is and never what they may do. The user, or the key, is read with every request, so
//! that what is revoked, changed or switched off ends at once.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use subtle::ConstantTimeEq;

use super::api_key::is_to_be_noted;
use super::sign_on::{self, Refused};
use super::token;
use crate::access::jws::{self, NamedParties};
use crate::access::key::ApiKey;
use crate::access::operator::{Operator, ROOT, parse_key};
use crate::access::user::folded;
use crate::access::{Caller, Principal, Rights};
use crate::flow::Failure;
use crate::port::{
    Clock, FoundUser, KeyHolder, Keyring, Operators, PortError, Registry, UserKey, Users, World,
};
use crate::settings::MerchantSettings;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

/// A token that a request brought.
#[derive(Clone, Copy)]
struct Brought<'a> {
    text: &'a str,
    now: Timestamp,
    /// The transaction that the request names.
    named: Option<&'a SessionId>,
}

/// The most audiences of a token by which a merchant is looked for.
const MAX_AUDIENCES: usize = 8;

/// Who brings a token; `None` if it is nobody's.
///
/// # Errors
/// A refusal, or a failure of the world.
pub(super) async fn holder(
    world: &impl World,
    text: &str,
    named: Option<&SessionId>,
) -> Result<Option<Principal>, Failure> {
    if world.operator_token().as_bytes().ct_eq(text.as_bytes()).into() {
        return Ok(Some(Principal::Operator(ROOT)));
    }
    if let Some(key) = parse_key(text) {
        return Ok(operator(world, &key).await?.map(Principal::Operator));
    }
    let brought = Brought { text, named, now: world.clock().now() };
    let Ok(parties) = jws::named(text) else { return Ok(None) };
    let caller = if parties.issuer == world.installation().public_url {
        of_ours(world, brought).await?
    } else {
        of_provider(world, brought, parties).await?
    };
    Ok(caller.map(Principal::Merchant))
}

/// The operator to whom a key belongs.
async fn operator(world: &impl World, key: &ApiKey) -> Result<Option<Operator>, PortError> {
    let now = world.clock().now();
    let Some((operator, used_at)) = world.directory().operator(key, now).await? else { return Ok(None) };
    if is_to_be_noted(used_at, now) {
        // A key that works is not refused because this cannot be noted.
        let _ = world.directory().note_operator(operator.id, now).await;
    }
    Ok(Some(operator))
}

/// To whom this service gave a token.
async fn of_ours(world: &impl World, brought: Brought<'_>) -> Result<Option<Caller>, Failure> {
    let Brought { text, now, named } = brought;
    let Some(given) = token::read(world, text, now) else { return Ok(None) };
    match given.subject {
        token::TokenSubject::User { id, epoch } => {
            let found = found_user(world, UserKey::Id(id), &given.merchant, named).await?;
            Ok(found.filter(|found| found.epoch == epoch).map(|found| caller_of(found, now)))
        }
        token::TokenSubject::Key { prefix } => {
            let found = world.directory().holder(&given.merchant, &prefix, now, named).await?;
            Ok(found.map(|KeyHolder { caller, .. }| caller))
        }
    }
}

/// The user of a merchant whose provider gave a token. What is known of merchants may be of an earlier version: if it leads to
/// nobody, and is not what is stored, it is looked for once more.
async fn of_provider(
    world: &impl World,
    brought: Brought<'_>,
    parties: NamedParties,
) -> Result<Option<Caller>, Failure> {
    let audiences: Vec<String> = parties.audiences.into_iter().take(MAX_AUDIENCES).collect();
    let known = world.directory().merchant_of_provider(&parties.issuer, &audiences).await?;
    let Some(known) = known else { return Ok(None) };
    let found = of_merchant(world, brought, &known.settings).await;
    if !matches!(found, Ok(None) | Err(Refused::Fault(_))) {
        return Ok(found?);
    }
    let stored = world.directory().merchant(&known.settings.merchant).await?;
    let known = &known.settings.single_sign_on;
    if stored.is_some_and(|stored| stored.settings.single_sign_on == *known) {
        return Ok(found?);
    }
    match world.directory().merchant_of_provider(&parties.issuer, &audiences).await? {
        Some(merchant) => Ok(of_merchant(world, brought, &merchant.settings).await?),
        None => Ok(None),
    }
}

/// The user of a merchant with these settings:
///
/// 1. judge the token by the settings that are known;
/// 2. find the user by name, with the settings as they are;
/// 3. if they are others, judge the token by them;
/// 4. the subject of the token must be the one that the user is bound to.
async fn of_merchant(
    world: &impl World,
    brought: Brought<'_>,
    settings: &Rc<MerchantSettings>,
) -> Result<Option<Caller>, Refused> {
    let Brought { text, now, named } = brought;
    // 1
    let claims = sign_on::claims(world, settings, text, now).await?;
    // 2
    let key = folded(&claims.username);
    let Some(found) = found_user(world, UserKey::Name(&key), &settings.merchant, named).await? else {
        return Ok(None);
    };
    let mut subject = claims.subject;
    // 3
    if !is_same(&found.merchant.settings, settings) {
        let again = sign_on::claims(world, &found.merchant.settings, text, now).await?;
        if folded(&again.username) != key {
            return Ok(None);
        }
        subject = again.subject;
    }
    // 4
    let is_user = sign_on::is_subject(world, &found, &subject).await?;
    Ok(is_user.then(|| caller_of(found, now)))
}

fn is_same(one: &Rc<MerchantSettings>, other: &Rc<MerchantSettings>) -> bool {
    one.version == other.version || one.single_sign_on == other.single_sign_on
}

/// A user of a merchant who may sign in.
async fn found_user(
    world: &impl World,
    key: UserKey<'_>,
    merchant: &MerchantId,
    named: Option<&SessionId>,
) -> Result<Option<FoundUser>, PortError> {
    let found = world.directory().user(key, named).await?;
    Ok(found.filter(|found| found.is_active && found.merchant.settings.merchant == *merchant))
}

fn caller_of(found: FoundUser, now: Timestamp) -> Caller {
    let situation = found.merchant.at(now);
    Caller { rights: Rights::User(found.user), prefix: None, is_basic: false, situation }
}
