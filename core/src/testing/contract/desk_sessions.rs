//! The sessions of people at the desk.

use alloc::vec::Vec;
use core::time::Duration;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::access::permission::Permissions;
use crate::access::user::Preferences;
use crate::desk::session::{DeskSession, SessionSecret};
use crate::port::{DeskSessions, NewUser, UserKey, Users};
use crate::value::id::UserId;
use crate::value::time::Timestamp;
use crate::words::Language;

/// A user of the fixture's merchant.
pub(super) async fn user(store: &impl Users, fixture: &Fixture, name: &str) -> Result<UserId, Problem> {
    let new = NewUser {
        merchant: fixture.merchant.clone(),
        username: alloc::format!("{name}@{}", fixture.merchant),
        first_name: None,
        last_name: None,
        email: None,
        phone: None,
        is_superuser: true,
        permissions: Permissions::default(),
        password: None,
        at: fixture.now,
    };
    let added = store.add_user(&new, &fixture.entry("add_user")).await?;
    Ok(added.ok_or("the name is taken")?)
}

pub(super) async fn how_a_user_reads_is_stored_with_the_user(
    store: &(impl DeskSessions + Users),
    fixture: &Fixture,
) -> Checked {
    let (own, other) = (user(store, fixture, "reads").await?, user(store, fixture, "writes").await?);
    let sessions = [own, own, other].map(|user| session(fixture, user, fixture.now));
    for session in &sessions {
        store.add_desk_session(session).await?;
    }
    let arabic = Preferences { language: Some(Language::Ar), time_zone: Some("Asia/Kuwait".into()) };
    // Sessions stay in the language that was chosen when none is preferred any more.
    for preferences in [arabic, Preferences::default()] {
        store.choose_preferences(own, &preferences).await?;
        let found = store.user(UserKey::Id(own), None).await?.ok_or("the user is missing")?;
        same("of the user", &found.user.preferences, &preferences)?;
        let listed = store.users(&fixture.merchant).await?;
        let listed = listed.into_iter().find(|entry| entry.user.id == own).ok_or("the user is missing")?;
        same("in the list", &listed.user.preferences, &preferences)?;
        for (session, language) in sessions.iter().zip([Some(Language::Ar), Some(Language::Ar), None]) {
            let (found, _) = store.desk_session(&session.id, None).await?.ok_or("the session is missing")?;
            same("the language of a session", found.language, language)?;
        }
    }
    let found = store.user(UserKey::Id(other), None).await?.ok_or("the user is missing")?;
    same("of nobody else", &found.user.preferences, &Preferences::default())
}

pub(super) fn session(fixture: &Fixture, user: UserId, at: Timestamp) -> DeskSession {
    DeskSession {
        id: SessionSecret::of(fixture.random()).id(),
        user,
        rights: "mark".into(),
        device: "Firefox, Windows".into(),
        language: None,
        created_at: at,
        seen_at: at,
        factor_at: Some(at),
        has_factor: false,
        issuer: Some("https://id.example.com".into()),
    }
}

pub(super) async fn a_desk_session_is_read_back_with_its_user(
    store: &(impl DeskSessions + Users),
    fixture: &Fixture,
) -> Checked {
    let user = user(store, fixture, "sara").await?;
    let mut stored = session(fixture, user, fixture.now);
    store.add_desk_session(&stored).await?;
    let later = fixture.now.plus(Duration::from_mins(5));
    store.note_desk_session(&stored.id, later).await?;
    store.choose_desk_language(&stored.id, Language::Ar).await?;
    stored.seen_at = later;
    stored.language = Some(Language::Ar);
    let (found, of) = store.desk_session(&stored.id, None).await?.ok_or("the session is missing")?;
    same("the session", found, stored)?;
    same("its user", of.user.id, user)?;
    same("its merchant", &of.merchant.settings.merchant, &fixture.merchant)?;
    let unknown = session(fixture, user, fixture.now);
    holds("an unknown one is none", store.desk_session(&unknown.id, None).await?.is_none())
}

pub(super) async fn desk_sessions_are_ended_by_their_own_user(
    store: &(impl DeskSessions + Users),
    fixture: &Fixture,
) -> Checked {
    let (own, other) = (user(store, fixture, "own").await?, user(store, fixture, "other").await?);
    let mut stored = Vec::new();
    for minutes in [0, 1, 2] {
        stored.push(session(fixture, own, fixture.now.plus(Duration::from_mins(minutes))));
    }
    let foreign = session(fixture, other, fixture.now);
    for one in stored.iter().chain([&foreign]) {
        store.add_desk_session(one).await?;
    }
    stored.reverse();
    same("those of a user, the latest first", store.desk_sessions(own).await?, stored.clone())?;
    holds("of someone else", !store.end_desk_session(own, &foreign.id).await?)?;
    let ended = stored.remove(1);
    holds("of their own", store.end_desk_session(own, &ended.id).await?)?;
    holds("only once", !store.end_desk_session(own, &ended.id).await?)?;
    same("those that are left", store.desk_sessions(own).await?, stored)?;
    store.end_desk_sessions(own).await?;
    holds("all are ended", store.desk_sessions(own).await?.is_empty())?;
    same("another user's stay", store.desk_sessions(other).await?, [foreign].to_vec())
}

pub(super) async fn desk_sessions_that_nobody_uses_are_deleted(
    store: &(impl DeskSessions + Users),
    fixture: &Fixture,
) -> Checked {
    let user = user(store, fixture, "idle").await?;
    let old = session(fixture, user, Timestamp::from_millis(1_000));
    let new = session(fixture, user, fixture.now);
    store.add_desk_session(&old).await?;
    store.add_desk_session(&new).await?;
    same("one is over", store.delete_desk_sessions(Timestamp::from_millis(2_000), 10).await?, 1)?;
    same("the other stays", store.desk_sessions(user).await?, [new].to_vec())
}
