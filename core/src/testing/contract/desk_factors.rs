//! The second factors of users.

use alloc::string::String;
use alloc::vec::Vec;

use super::desk_sessions::{session, user};
use super::fixture::Fixture;
use super::{Checked, holds, same};
use crate::desk::factor::DeskFactor;
use crate::port::{DeskFactors, DeskSessions, Users};
use crate::value::sealed::Sealed;

fn sealed(fill: &str) -> Sealed {
    Sealed(alloc::format!("v1.{}", fill.repeat(40)))
}

pub(super) async fn each_code_of_a_desk_factor_counts_once(
    store: &(impl DeskFactors + DeskSessions + Users),
    fixture: &Fixture,
) -> Checked {
    let (own, other) = (user(store, fixture, "codes").await?, user(store, fixture, "none").await?);
    let hashes: Vec<String> = ["a", "b"].iter().map(|digit| digit.repeat(64)).collect();
    let [first, second] = hashes.as_slice() else { return holds("two hashes", false) };
    let factor = DeskFactor { secret: sealed("A"), used_step: 5, recovery: hashes.clone() };
    store.add_desk_session(&session(fixture, own, fixture.now)).await?;
    store.set_desk_factor(own, &factor, &fixture.entry("set_factor")).await?;
    same("as it was stored", store.desk_factor(own).await?, Some(factor.clone()))?;
    holds("no session is left", store.desk_sessions(own).await?.is_empty())?;
    holds("someone else has none", store.desk_factor(other).await?.is_none())?;
    let mut used = Vec::new();
    for step in [5, 6, 6, 4] {
        used.push(store.use_desk_step(own, step).await?);
    }
    same("steps", used, Vec::from([false, true, false, false]))?;
    holds("a recovery code", store.use_desk_recovery(own, first).await?)?;
    holds("only once", !store.use_desk_recovery(own, first).await?)?;
    holds("and only their own", !store.use_desk_recovery(other, second).await?)?;
    let left = DeskFactor { used_step: 6, recovery: Vec::from([second.clone()]), ..factor.clone() };
    same("what is left", store.desk_factor(own).await?, Some(left))?;
    store.set_desk_factor(own, &factor, &fixture.entry("set_factor")).await?;
    same("another takes its place", store.desk_factor(own).await?, Some(factor))
}

pub(super) async fn a_desk_factor_is_sealed_again_unless_it_changed(
    store: &(impl DeskFactors + Users),
    fixture: &Fixture,
) -> Checked {
    let user = user(store, fixture, "sealed").await?;
    let factor = DeskFactor { secret: sealed("A"), used_step: 0, recovery: Vec::new() };
    store.set_desk_factor(user, &factor, &fixture.entry("set_factor")).await?;
    let before = crate::value::id::UserId(user.0.saturating_sub(1));
    let found = store.desk_factor_secrets(Some(before), 1).await?;
    let [stored] = found.as_slice() else { return holds("its secret is found", false) };
    same("of its merchant", (&stored.merchant, stored.user), (&fixture.merchant, user))?;
    holds("it is replaced", store.replace_desk_factor_secret(stored, &sealed("B")).await?)?;
    holds("once", !store.replace_desk_factor_secret(stored, &sealed("C")).await?)?;
    same("as it is then", store.desk_factor(user).await?.map(|factor| factor.secret), Some(sealed("B")))
}
