//! Making, listing, reading and changing the users of a merchant. A user is never deleted, because payments name it; one
//! that is switched off cannot sign in.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::changes::changed;
use super::end::{end_of, refuse_endless};
use crate::access::Caller;
use crate::access::grantor::Grantor;
use crate::access::password::{Password, SALT_BYTES};
use crate::access::user::{Preferences, User, folded};
use crate::answer::operator::{RoleShown, UserShown};
use crate::api::user::UserRequest;
use crate::flow::Failure;
use crate::port::{Clock, NewUser, PortError, Registry, Rng, UserChange, UserEntry, UserKey, Users, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::{MerchantSettings, SEALED};
use crate::value::id::{MerchantId, PgCode, UserId};
use crate::value::json;
use crate::violation::{AccessRule, Rule, Violation};
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::tree::Tree;
use crate::words::role::StaffRole;

/// Makes a user. One without a password can sign in at the merchant's provider only.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_user(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    body: &[u8],
) -> Result<UserShown, Failure> {
    world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    refuse_endless(end_of(world, merchant, grantor).await?)?;
    let mut fields = Fields::default();
    let gateways = gateways(world, merchant, grantor).await?;
    let body = UserRequest::of_new(&mut fields, &Members::read(body)?, grantor, &gateways);
    let Some(username) = body.username else { return Err(Rejection::Invalid(fields.finish()).into()) };
    refuse_if_wrong(fields)?;
    let password = body.password.map(|password| hash(world, &password)).transpose()?;
    let at = world.clock().now();
    let new = NewUser {
        merchant: merchant.clone(),
        username,
        first_name: body.first_name.or(None),
        last_name: body.last_name.or(None),
        email: body.email.or(None),
        phone: body.phone.or(None),
        is_superuser: body.is_superuser.unwrap_or(false),
        permissions: body.permissions.unwrap_or_default(),
        password,
        at,
    };
    let has_password = new.password.is_some();
    let record = Entry::of(grantor.actor(), grantor.endpoint("add_user", "add_own_user"), at).about(merchant);
    let record = record.to(&UserRecorded {
        has_password,
        is_superuser: new.is_superuser,
        permissions: new.permissions.names(),
        username: &new.username,
    });
    let Some(id) = world.directory().add_user(&new, &record).await? else { return Err(taken().into()) };
    let user = User {
        id,
        username: new.username,
        first_name: new.first_name,
        last_name: new.last_name,
        email: new.email,
        phone: new.phone,
        is_superuser: new.is_superuser,
        permissions: new.permissions,
        preferences: Preferences::default(),
    };
    let entry = UserEntry {
        user,
        is_active: true,
        has_password,
        is_bound: false,
        created_at: at,
        updated_at: at,
        version: 1,
    };
    Ok(shown(entry))
}

/// Lists the users of a merchant, in the order of their numbers.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn list_users(world: &impl World, merchant: &MerchantId) -> Result<Vec<UserShown>, Failure> {
    world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let users = world.directory().users(merchant).await?;
    Ok(users.into_iter().map(shown).collect())
}

/// Shows a user of a merchant.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_user(world: &impl World, merchant: &MerchantId, id: UserId) -> Result<UserShown, Failure> {
    find(world, merchant, id).await.map(shown)
}

pub(super) async fn find(
    world: &impl World,
    merchant: &MerchantId,
    id: UserId,
) -> Result<UserEntry, Failure> {
    let users = world.directory().users(merchant).await?;
    Ok(users.into_iter().find(|entry| entry.user.id == id).ok_or(Rejection::NotFound)?)
}

/// Changes what the body says of a user. Another password, and being switched off, end the user's tokens; other
/// permissions count at once.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn change_user(
    world: &impl World,
    merchant: &MerchantId,
    id: UserId,
    grantor: Grantor<'_>,
    body: &[u8],
) -> Result<UserShown, Failure> {
    let before = find(world, merchant, id).await?;
    let held = (!before.user.is_superuser).then_some(&before.user.permissions);
    grantor.may_change(held)?;
    refuse_endless(end_of(world, merchant, grantor).await?)?;
    let mut fields = Fields::default();
    let gateways = gateways(world, merchant, grantor).await?;
    let (members, name) = (Members::read(body)?, &before.user.username);
    let body = UserRequest::of_change(&mut fields, &members, grantor, &gateways, name);
    refuse_if_wrong(fields)?;
    let user = User {
        id,
        username: body.username.unwrap_or_else(|| before.user.username.clone()),
        first_name: body.first_name.or(before.user.first_name.as_ref()),
        last_name: body.last_name.or(before.user.last_name.as_ref()),
        email: body.email.or(before.user.email.as_ref()),
        phone: body.phone.or(before.user.phone.as_ref()),
        is_superuser: body.is_superuser.unwrap_or(before.user.is_superuser),
        permissions: body.permissions.unwrap_or_else(|| before.user.permissions.clone()),
        preferences: before.user.preferences.clone(),
    };
    let name = folded(&user.username);
    let holder = world.directory().user(UserKey::Name(&name), None).await?;
    if holder.is_some_and(|holder| holder.user.id != id) {
        return Err(taken().into());
    }
    let is_active = body.is_active.unwrap_or(before.is_active);
    // Permissions are read with every request: a token need not end when they change.
    let ends_tokens = body.password.is_some() || (before.is_active && !is_active);
    let password = body.password.map(|password| hash(world, &password)).transpose()?;
    let at = world.clock().now();
    let has_password = before.has_password || password.is_some();
    let version = before.version;
    let unbinds = body.unbinds && before.is_bound;
    let change = UserChange { user, is_active, password, version, ends_tokens, unbinds, at };
    let created_at = before.created_at;
    let user = change.user.clone();
    let version = version.saturating_add(1);
    let is_bound = before.is_bound && !unbinds;
    let entry = UserEntry { user, is_active, has_password, is_bound, created_at, updated_at: at, version };
    let after = shown(entry);
    let record = Entry::of(grantor.actor(), grantor.endpoint("change_user", "change_own_user"), at);
    let record = recorded(record.about(merchant).on(id), &shown(before), &after, change.password.is_some());
    if !world.directory().change_user(merchant, &change, &record).await? {
        return Err(Rejection::Conflict.into());
    }
    Ok(after)
}

/// The gateways that a role lets use: the merchant's.
async fn gateways(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
) -> Result<Vec<PgCode>, Failure> {
    let codes = |settings: &MerchantSettings| settings.gateways.iter().map(|one| one.code.clone()).collect();
    match grantor {
        Grantor::Merchant(caller) => Ok(codes(&caller.situation.settings)),
        Grantor::Operator(_) => {
            let found = world.directory().merchant(merchant).await?.ok_or(Rejection::NotFound)?;
            Ok(codes(&found.settings))
        }
    }
}

/// The roles, with what each fills in for a user of the caller's merchant.
#[must_use]
pub fn roles(caller: &Caller) -> Vec<RoleShown> {
    let gateways = || caller.situation.settings.gateways.iter().map(|one| &one.code);
    let shown = |role: StaffRole| RoleShown {
        is_superuser: role.is_superuser(),
        permissions: role.permissions(gateways()).names(),
        role,
    };
    StaffRole::ALL.map(shown).into()
}

/// What is recorded of a new user.
#[derive(Serialize)]
struct UserRecorded<'a> {
    has_password: bool,
    is_superuser: bool,
    permissions: Vec<String>,
    username: &'a str,
}

/// An entry with what differs between two states of a user. Of a password it says only that it changed.
fn recorded(entry: Entry, before: &UserShown, after: &UserShown, has_new_password: bool) -> Entry {
    let texts = [before, after].map(|shown| json::write(shown).ok());
    let trees = texts.each_ref().map(|text| text.as_deref().and_then(Tree::parse));
    let [Some(before), Some(mut after)] = trees else {
        return entry;
    };
    if has_new_password {
        after.set("password", Tree::Text(SEALED.into()));
    }
    changed(entry, &before, &after)
}

fn shown(entry: UserEntry) -> UserShown {
    let UserEntry { user, is_active, has_password, is_bound, created_at, updated_at, version: _ } = entry;
    UserShown {
        created_at: created_at.to_string(),
        email: user.email,
        first_name: user.first_name,
        has_password,
        id: user.id.0,
        is_active,
        is_bound,
        is_superuser: user.is_superuser,
        last_name: user.last_name,
        permissions: user.permissions.names(),
        phone: user.phone,
        updated_at: updated_at.to_string(),
        username: user.username,
    }
}

fn taken() -> Rejection {
    Rejection::Invalid([Violation::new("username", Rule::Access(AccessRule::UsernameTaken))].into())
}

fn refuse_if_wrong(fields: Fields) -> Result<(), Rejection> {
    let found = fields.finish();
    if found.is_empty() { Ok(()) } else { Err(Rejection::Invalid(found)) }
}

/// The hash of a password, to be stored.
pub(in crate::flow) fn hash(world: &impl World, password: &Password) -> Result<String, PortError> {
    let mut salt = [0; SALT_BYTES];
    world.rng().fill(&mut salt)?;
    let failed = || PortError { port: "password", detail: "a password cannot be hashed".into() };
    password.hash(&salt).ok_or_else(failed)
}
