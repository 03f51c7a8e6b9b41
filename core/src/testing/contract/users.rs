//! Users, and how often someone tried to sign in.

use alloc::string::String;
use core::time::Duration;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::access::permission::Permissions;
use crate::access::user::{Preferences, User, folded};
use crate::port::{NewUser, Registry, TRY_PERIOD, TrySubject, UserChange, UserEntry, UserKey, Users};
use crate::value::id::UserId;

/// The hash of a password, in the form of one.
const HASH: &str = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA";

/// A merchant of the check.
async fn shop(store: &impl Registry, fixture: &Fixture) -> Result<Fixture, Problem> {
    let fixture = fixture.another()?;
    holds(
        "added",
        store.add_merchant(&fixture.new_merchant(&[])?, &fixture.entry("add_merchant").making(1)).await?,
    )?;
    Ok(fixture)
}

/// A user with every field; the name is unique like the fixture's merchant.
fn sara(fixture: &Fixture) -> NewUser {
    NewUser {
        merchant: fixture.merchant.clone(),
        username: alloc::format!("Sara@{}", fixture.merchant),
        first_name: Some("سارة".into()),
        last_name: Some("O'Neil".into()),
        email: Some("sara@shop.example".into()),
        phone: Some("+96512345678".into()),
        is_superuser: false,
        permissions: Permissions::parse("Can add payment requests,Can use knet").unwrap_or_default(),
        password: Some(HASH.into()),
        at: fixture.now,
    }
}

fn user_of(new: &NewUser, id: UserId) -> User {
    User {
        id,
        username: new.username.clone(),
        first_name: new.first_name.clone(),
        last_name: new.last_name.clone(),
        email: new.email.clone(),
        phone: new.phone.clone(),
        is_superuser: new.is_superuser,
        permissions: new.permissions.clone(),
        preferences: Preferences::default(),
    }
}

pub(super) async fn a_user_is_found_by_name_and_number(
    store: &(impl Registry + Users),
    fixture: &Fixture,
) -> Checked {
    let fixture = shop(store, fixture).await?;
    let new = sara(&fixture);
    let name = folded(&new.username);
    holds("nobody yet", store.user(UserKey::Name(&name), None).await?.is_none())?;
    let id = store.add_user(&new, &fixture.entry("add_user")).await?.ok_or("the name is taken")?;
    // Twice, because what is cached between calls must not change the answer.
    for key in [UserKey::Name(&name), UserKey::Id(id), UserKey::Name(&name), UserKey::Id(id)] {
        let found = store.user(key, None).await?.ok_or("no such user")?;
        same("user", &*found.user, &user_of(&new, id))?;
        same("password", found.password.as_deref(), Some(HASH))?;
        same("state", (found.epoch, found.is_active), (1, true))?;
        same("settings", &*found.merchant.settings, &fixture.new_merchant(&[])?.settings)?;
    }
    holds("another name", store.user(UserKey::Name("no such user"), None).await?.is_none())?;
    holds("another number", store.user(UserKey::Id(UserId(2_147_483_647)), None).await?.is_none())
}

pub(super) async fn a_name_is_taken_in_any_case(
    store: &(impl Registry + Users),
    fixture: &Fixture,
) -> Checked {
    let first = shop(store, fixture).await?;
    let second = shop(store, fixture).await?;
    let new = sara(&first);
    holds("added", store.add_user(&new, &fixture.entry("add_user")).await?.is_some())?;
    for username in [new.username.clone(), new.username.to_lowercase(), new.username.to_uppercase()] {
        let same_name = NewUser { merchant: second.merchant.clone(), username, ..new.clone() };
        holds("taken", store.add_user(&same_name, &fixture.entry("add_user")).await?.is_none())?;
    }
    same("the other merchant has none", store.users(&second.merchant).await?.len(), 0)
}

pub(super) async fn a_user_is_changed_from_its_version_only(
    store: &(impl Registry + Users),
    fixture: &Fixture,
) -> Checked {
    let fixture = shop(store, fixture).await?;
    let new = sara(&fixture);
    let id = store.add_user(&new, &fixture.entry("add_user")).await?.ok_or("the name is taken")?;
    let user = User {
        username: alloc::format!("Noura@{}", fixture.merchant),
        first_name: None,
        is_superuser: true,
        permissions: Permissions::default(),
        ..user_of(&new, id)
    };
    let change = UserChange {
        user: user.clone(),
        is_active: false,
        password: None,
        version: 1,
        ends_tokens: true,
        unbinds: false,
        at: fixture.after(5),
    };
    let foreign = fixture.another()?.merchant;
    holds("not by others", !store.change_user(&foreign, &change, &fixture.entry("change_user")).await?)?;
    holds("changed", store.change_user(&fixture.merchant, &change, &fixture.entry("change_user")).await?)?;
    holds("not twice", !store.change_user(&fixture.merchant, &change, &fixture.entry("change_user")).await?)?;
    holds("the old name", store.user(UserKey::Name(&folded(&new.username)), None).await?.is_none())?;
    let found = store.user(UserKey::Name(&folded(&user.username)), None).await?.ok_or("no such user")?;
    same("user", &*found.user, &user)?;
    same("what it left", (found.password.as_deref(), found.epoch, found.is_active), (Some(HASH), 2, false))?;
    let other: String = HASH.replace("AAAA", "BBBB");
    let next = UserChange {
        password: Some(other.clone()),
        version: 2,
        is_active: true,
        ends_tokens: false,
        ..change
    };
    holds(
        "changed again",
        store.change_user(&fixture.merchant, &next, &fixture.entry("change_user")).await?,
    )?;
    let found = store.user(UserKey::Id(id), None).await?.ok_or("no such user")?;
    same("password", (found.password, found.epoch, found.is_active), (Some(other), 2, true))?;
    let entry = UserEntry {
        user,
        is_active: true,
        has_password: true,
        is_bound: false,
        created_at: fixture.now,
        updated_at: fixture.after(5),
        version: 3,
    };
    same("listed", store.users(&fixture.merchant).await?.as_slice(), [entry].as_slice())
}

pub(super) async fn tries_are_counted_for_each_subject_and_period(
    store: &impl Users,
    fixture: &Fixture,
) -> Checked {
    let subject = |name: &str, most| TrySubject { key: alloc::format!("{name} {}", fixture.merchant), most };
    let (few, many) = (subject("few", 2), subject("many", 9));
    let both = [few.clone(), many.clone()];
    let until = Some(fixture.now.plus(TRY_PERIOD));
    for (second, wanted) in [(0, None), (1, None), (2, until), (3, until)] {
        same("few", store.count_tries(&both, fixture.after(second)).await?, wanted)?;
    }
    same("many", store.count_tries(core::slice::from_ref(&many), fixture.after(4)).await?, None)?;
    // One that was right is taken back: then as many as before are left.
    let third = subject("third", 1);
    for _ in 0..3 {
        same("third", store.count_tries(core::slice::from_ref(&third), fixture.now).await?, None)?;
        store.take_back_tries(core::slice::from_ref(&third)).await?;
    }
    let over = fixture.now.plus(TRY_PERIOD);
    same("the period is over", store.count_tries(core::slice::from_ref(&few), over).await?, None)?;
    same("and begins again", store.count_tries(core::slice::from_ref(&few), over).await?, None)?;
    same(
        "with its own end",
        store.count_tries(core::slice::from_ref(&few), over).await?,
        Some(over.plus(TRY_PERIOD)),
    )?;
    // What is over is deleted, and nothing else.
    store.delete_tries(over, u32::MAX).await?;
    same(
        "not over",
        store.count_tries(core::slice::from_ref(&few), over).await?,
        Some(over.plus(TRY_PERIOD)),
    )?;
    store.delete_tries(over.plus(Duration::from_millis(1)), u32::MAX).await?;
    same("deleted", store.count_tries(&[few], over).await?, None)
}

pub(super) async fn a_user_is_bound_to_one_subject(
    store: &(impl Registry + Users),
    fixture: &Fixture,
) -> Checked {
    const ONE: &str = "https://id.example 7 a";
    let fixture = shop(store, fixture).await?;
    let new = sara(&fixture);
    let id = store.add_user(&new, &fixture.entry("add_user")).await?.ok_or("the name is taken")?;
    let bound = async || {
        Ok::<_, Problem>(store.user(UserKey::Id(id), None).await?.ok_or("no user")?.provider_subject)
    };
    same("at first", bound().await?, None)?;
    holds("not from another", !store.bind_user(id, Some(ONE), "x 1").await?)?;
    holds("bound", store.bind_user(id, None, ONE).await?)?;
    holds("not twice", !store.bind_user(id, None, "https://id.example 8").await?)?;
    same("bound to", bound().await?.as_deref(), Some(ONE))?;
    let is_bound =
        async || Ok::<_, Problem>(store.users(&fixture.merchant).await?.iter().all(|one| one.is_bound));
    holds("is shown", is_bound().await?)?;
    holds("to another", store.bind_user(id, Some(ONE), "https://id.other 8").await?)?;
    let change = UserChange {
        user: user_of(&new, id),
        is_active: true,
        password: None,
        version: 1,
        ends_tokens: false,
        unbinds: false,
        at: fixture.after(5),
    };
    holds("changed", store.change_user(&fixture.merchant, &change, &fixture.entry("change_user")).await?)?;
    holds("still bound", is_bound().await?)?;
    let change = UserChange { version: 2, unbinds: true, ..change };
    holds("unbound", store.change_user(&fixture.merchant, &change, &fixture.entry("change_user")).await?)?;
    same("to none", bound().await?, None)
}

pub(super) async fn places_are_known_until_they_are_deleted(
    store: &impl Users,
    fixture: &Fixture,
) -> Checked {
    let place = |name: &str| alloc::format!("{name} {}", fixture.merchant);
    let (one, other) = (place("one"), place("other"));
    let later = fixture.now.plus(Duration::from_hours(48));
    store.note_place(&one, fixture.now).await?;
    store.note_place(&other, later).await?;
    let knows = async |place: &str, since| Ok::<_, Problem>(store.knows_place(place, since).await?);
    holds("since then", knows(&one, fixture.now).await?)?;
    holds("not later", !knows(&one, fixture.now.plus(Duration::from_hours(24))).await?)?;
    holds("nobody's", !knows(&place("third"), fixture.now).await?)?;
    store.note_place(&one, later).await?;
    holds("noted again", knows(&one, later).await?)?;
    store.note_place(&one, fixture.now.plus(Duration::from_hours(120))).await?;
    store.delete_places(later.plus(Duration::from_millis(1)), u32::MAX).await?;
    holds("deleted", !knows(&other, fixture.now).await?)?;
    holds("not deleted", knows(&one, fixture.now).await?)
}
