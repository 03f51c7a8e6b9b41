//! The links by which users choose a password, and from which devices they signed in.

use core::time::Duration;

use super::desk_sessions::{session, user};
use super::fixture::Fixture;
use super::{Checked, holds, same};
use crate::desk::access_link::{LinkToken, UserLink};
use crate::desk::factor::DeskFactor;
use crate::port::{
    DeskFactors, DeskSessions, KnownDevice, LinkUse, UserChange, UserDevices, UserKey, UserLinks, Users,
};
use crate::record::audit::Entry;
use crate::record::outbox::{Message, MessageKind, Recipient, Subject};
use crate::value::id::{DeliveryId, ReferenceNumber, UserId};
use crate::value::sealed::Sealed;
use crate::value::slot::Slot;
use crate::words::message::Channel;

/// A hash of a password, as the database takes it.
const PASSWORD: &str = "$argon2id$v=19$chosen";

/// A letter to a user.
fn letter(fixture: &Fixture) -> Message {
    Message {
        id: DeliveryId::of_alert(Slot::FIRST, fixture.random()),
        merchant: fixture.merchant.clone(),
        kind: MessageKind::AlertEmail,
        subject: Subject {
            session_id: None,
            reference: ReferenceNumber::generate("USER", Slot::FIRST, fixture.random()),
        },
        recipient: Recipient::Provider(Channel::Email),
        body: "{}".into(),
        due_at: fixture.now.plus(Duration::from_hours(24)),
    }
}

fn link(fixture: &Fixture, user: UserId) -> UserLink {
    let hash = LinkToken::of(fixture.random()).hash();
    UserLink { user, hash, expires_at: fixture.now.plus(Duration::from_hours(24)) }
}

pub(super) async fn a_link_of_a_user_is_used_once(
    store: &(impl DeskSessions + UserLinks + Users),
    fixture: &Fixture,
) -> Checked {
    let (own, other) = (user(store, fixture, "linked").await?, user(store, fixture, "unlinked").await?);
    let (first, second) = (link(fixture, own), link(fixture, own));
    store.add_user_link(&first, &letter(fixture), Some(&fixture.entry("invite_own_user"))).await?;
    same("as it was stored", store.user_link(&first.hash).await?, Some(first.clone()))?;
    store.add_user_link(&second, &letter(fixture), None).await?;
    holds("another takes its place", store.user_link(&first.hash).await?.is_none())?;
    store.add_desk_session(&session(fixture, own, fixture.now)).await?;
    let before = store.user(UserKey::Id(own), None).await?.ok_or("the user is missing")?;
    let used = |link: &UserLink, user| LinkUse {
        hash: link.hash.clone(),
        user,
        password: PASSWORD.into(),
        at: fixture.now,
    };
    let entry = fixture.entry("choose_password").about(&fixture.merchant).on(own);
    for (what, wrong) in [
        ("the one that was replaced", used(&first, own)),
        ("that of someone else", used(&second, other)),
        ("one that is over", LinkUse { at: second.expires_at, ..used(&second, own) }),
    ] {
        holds(what, !store.use_user_link(&wrong, &entry).await?)?;
    }
    let same_user = store.user(UserKey::Id(own), None).await?.ok_or("the user is missing")?;
    same("nothing changed", same_user, before.clone())?;
    holds("the right one", store.use_user_link(&used(&second, own), &entry).await?)?;
    holds("only once", !store.use_user_link(&used(&second, own), &entry).await?)?;
    let after = store.user(UserKey::Id(own), None).await?.ok_or("the user is missing")?;
    same("its password", after.password.as_deref(), Some(PASSWORD))?;
    holds("its tokens have ended", after.epoch > before.epoch)?;
    holds("no session is left", store.desk_sessions(own).await?.is_empty())
}

pub(super) async fn a_link_ends_when_its_user_is_reached_elsewhere(
    store: &(impl UserLinks + Users),
    fixture: &Fixture,
) -> Checked {
    let own = user(store, fixture, "moved").await?;
    let entry = fixture.entry("change_user").about(&fixture.merchant).on(own);
    let [name, email, password] = ["another name", "another address", "another password"];
    for (version, what) in (1_i64..).zip([name, email, password, "switched off"]) {
        let open = link(fixture, own);
        store.add_user_link(&open, &letter(fixture), None).await?;
        let before = store.user(UserKey::Id(own), None).await?.ok_or("the user is missing")?;
        let mut user = (*before.user).clone();
        user.first_name = Some(what.into());
        if what == email {
            user.email = Some("moved@shop.example".into());
        }
        let change = UserChange {
            user,
            is_active: what != "switched off",
            password: (what == password).then(|| PASSWORD.into()),
            version,
            ends_tokens: false,
            unbinds: false,
            at: fixture.now,
        };
        holds("the user is changed", store.change_user(&fixture.merchant, &change, &entry).await?)?;
        let is_there = store.user_link(&open.hash).await?.is_some();
        same(what, is_there, what == name)?;
    }
    Ok(())
}

pub(super) async fn links_that_are_over_are_deleted(
    store: &(impl UserLinks + Users),
    fixture: &Fixture,
) -> Checked {
    let (old, new) = (user(store, fixture, "late").await?, user(store, fixture, "early").await?);
    let over = UserLink { expires_at: fixture.now.minus(Duration::from_hours(9_000)), ..link(fixture, old) };
    let open = link(fixture, new);
    store.add_user_link(&over, &letter(fixture), None).await?;
    store.add_user_link(&open, &letter(fixture), None).await?;
    let limit = fixture.now.minus(Duration::from_hours(8_000));
    same("one is over", store.delete_user_links(limit, 10).await?, 1)?;
    holds("it is gone", store.user_link(&over.hash).await?.is_none())?;
    holds("the other stays", store.user_link(&open.hash).await?.is_some())
}

pub(super) async fn a_desk_factor_is_removed_with_the_sessions(
    store: &(impl DeskFactors + DeskSessions + Users),
    fixture: &Fixture,
) -> Checked {
    let own = user(store, fixture, "reset").await?;
    let entry = fixture.entry("reset_own_factor").about(&fixture.merchant).on(own);
    holds("there is none", !store.remove_desk_factor(own, &entry, None).await?)?;
    let secret = Sealed(alloc::format!("v1.{}", "A".repeat(40)));
    let factor = DeskFactor { secret, used_step: 0, recovery: alloc::vec::Vec::new() };
    store.set_desk_factor(own, &factor, &fixture.entry("set_factor")).await?;
    store.add_desk_session(&session(fixture, own, fixture.now)).await?;
    holds("it is removed", store.remove_desk_factor(own, &entry, Some(&letter(fixture))).await?)?;
    holds("it is gone", store.desk_factor(own).await?.is_none())?;
    holds("no session is left", store.desk_sessions(own).await?.is_empty())
}

pub(super) async fn devices_of_a_user_are_remembered(
    store: &(impl UserDevices + Users),
    fixture: &Fixture,
) -> Checked {
    let (own, other) = (user(store, fixture, "devices").await?, user(store, fixture, "device").await?);
    let entry = |at| Entry { at, ..fixture.entry("new_device") };
    let long_ago = fixture.now.minus(Duration::from_hours(9_000));
    same("none yet", store.user_device(own, "one").await?, KnownDevice::First)?;
    store.add_user_device(own, "one", &entry(long_ago), None).await?;
    same("that one", store.user_device(own, "one").await?, KnownDevice::Known)?;
    same("another one", store.user_device(own, "two").await?, KnownDevice::New)?;
    same("of someone else", store.user_device(other, "one").await?, KnownDevice::First)?;
    store.add_user_device(own, "two", &entry(long_ago), Some(&letter(fixture))).await?;
    store.note_user_device(own, "two", fixture.now).await?;
    same("one is old", store.delete_user_devices(long_ago.plus(Duration::from_hours(1)), 10).await?, 1)?;
    same("it is new again", store.user_device(own, "one").await?, KnownDevice::New)?;
    same("the other is not", store.user_device(own, "two").await?, KnownDevice::Known)
}
