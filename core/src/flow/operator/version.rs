//! The versions of a merchant's settings: their history, what differs between two, and the return to an earlier one.

use super::document;
use super::merchant::{NOT_NUMBER, ProposedDocument, replace};
use crate::access::operator::Operator;
use crate::answer::administration::{SettingsCompared, SettingsHistory, VersionRead, VersionShown};
use crate::answer::operator::SettingsReplaced;
use crate::api::settings_version::VersionRequest;
use crate::flow::Failure;
use crate::port::{Clock, Registry, StoredVersion, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::route::query::{COMPARED, HISTORY};
use crate::value::id::{MerchantId, SettingsVersion};
use crate::wire::members::Members;
use crate::wire::patch::steps;
use crate::wire::query::{MAX_LIMIT, Parameters};

/// The versions of a merchant's settings, the newest first, a page at a time: `before` a version, at most `limit`.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`], or a failure of the world.
pub async fn read_history(
    world: &impl World,
    merchant: &MerchantId,
    query: &str,
) -> Result<SettingsHistory, Failure> {
    let mut parameters = Parameters::of(query, HISTORY);
    let before = parameters.read("before", NOT_NUMBER, SettingsVersion::parse);
    let limit = parameters.limit(MAX_LIMIT);
    parameters.finish()?;
    world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let before = before.map(|before| i64::from(before.0));
    let mut found = world.directory().versions(merchant, before, limit.saturating_add(1)).await?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| has_more).map(|last| last.version);
    Ok(SettingsHistory { next, results: found.into_iter().map(shown).collect() })
}

fn shown(StoredVersion { version, at, made }: StoredVersion) -> VersionShown {
    let (actor, action) = made.unzip();
    VersionShown { action, actor: actor.map(Into::into), at: at.into(), version }
}

/// Shows a version of a merchant's settings, its credentials hidden.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_version(
    world: &impl World,
    merchant: &MerchantId,
    version: SettingsVersion,
) -> Result<VersionRead, Failure> {
    let number = i64::from(version.0);
    let text = world.directory().version(merchant, number).await?.ok_or(Rejection::NotFound)?;
    let versions = world.directory().versions(merchant, Some(number.saturating_add(1)), 1).await?;
    let stored = versions.into_iter().find(|found| found.version == number).ok_or(Rejection::NotFound)?;
    let settings = document::hidden(&text)?.to_raw()?;
    let VersionShown { action, actor, at, version } = shown(stored);
    Ok(VersionRead { action, actor, at, merchant_id: merchant.clone(), settings, version })
}

/// What leads from a version to the one that the query names `with`, or to the current one. Of a credential it says only
/// that it changed.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`], or a failure of the world.
pub async fn compare_versions(
    world: &impl World,
    merchant: &MerchantId,
    version: SettingsVersion,
    query: &str,
) -> Result<SettingsCompared, Failure> {
    let mut parameters = Parameters::of(query, COMPARED);
    let with = parameters.read("with", NOT_NUMBER, SettingsVersion::parse);
    parameters.finish()?;
    let from = i64::from(version.0);
    let old = world.directory().version(merchant, from).await?.ok_or(Rejection::NotFound)?;
    let (to, new) = if let Some(with) = with {
        let to = i64::from(with.0);
        (to, world.directory().version(merchant, to).await?.ok_or(Rejection::NotFound)?)
    } else {
        let current = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
        (current.version, current.text)
    };
    let changes = steps(&document::hidden(&old)?, &document::hidden(&new)?);
    Ok(SettingsCompared { changes, from, merchant_id: merchant.clone(), to })
}

/// Makes the document of an earlier version the current one again, as a new version:
///
/// 1. read the `version` that the caller expects to be the current one;
/// 2. load the earlier document and the current one;
/// 3. check the earlier one as every document that comes in; its credentials return with it, if they can still be opened.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Conflict`] if another version is the current one, [`Rejection::Invalid`] with the
/// fields of the earlier document that are no longer right, or a failure of the world.
pub async fn restore_version(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    version: SettingsVersion,
    body: &[u8],
) -> Result<SettingsReplaced, Failure> {
    // 1
    let members = Members::read(body)?;
    // 2
    let current = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let earlier =
        world.directory().version(merchant, i64::from(version.0)).await?.ok_or(Rejection::NotFound)?;
    let VersionRequest { version: expected } = VersionRequest::read(&members)?;
    // 3
    document::refuse_closed(world, merchant, &earlier)?;
    let text = document::hidden(&earlier)?.to_json();
    let entry = Entry::of(by.actor(), "restore_version", world.clock().now());
    let given = ProposedDocument { merchant, text: &text, sealed_in: &earlier, stored: &current, expected };
    replace(world, entry, given).await
}
