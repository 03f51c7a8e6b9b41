//! How someone of a merchant's staff reads: in which language, and what clocks show there.

use alloc::string::String;

use crate::access::user::User;
use crate::port::World;
use crate::settings::MerchantSettings;
use crate::strings::Strings;
use crate::value::time::{Date, Local, Timestamp};
use crate::words::Language;

const MILLIS_PER_MINUTE: i64 = 60_000;

/// The time zones of a user and of the merchant, as far as they are chosen.
fn zones<'a>(settings: &'a MerchantSettings, user: Option<&'a User>) -> impl Iterator<Item = &'a str> {
    let own = user.and_then(|user| user.preferences.time_zone.as_deref());
    [own, settings.time_zone.as_deref()].into_iter().flatten()
}

/// A moment as clocks in the time zone of a user show it, or those at the merchant where none is chosen or known; as UTC if
/// the merchant's is not known either.
#[must_use]
pub fn local(world: &impl World, settings: &MerchantSettings, user: Option<&User>, at: Timestamp) -> Local {
    let ahead = zones(settings, user).find_map(|zone| world.minutes_ahead(zone, at)).unwrap_or_default();
    Local { at, ahead }
}

/// The name of the time zone of those clocks.
pub(super) fn zone<'a>(
    world: &impl World,
    settings: &'a MerchantSettings,
    user: Option<&'a User>,
    at: Timestamp,
) -> &'a str {
    zones(settings, user).find(|zone| world.minutes_ahead(zone, at).is_some()).unwrap_or("UTC")
}

/// The first moment of a day on those clocks.
pub(super) fn day_begins(
    world: &impl World,
    settings: &MerchantSettings,
    user: Option<&User>,
    day: Date,
) -> Timestamp {
    let begins = day.begins_at().millis();
    let ahead = |at| i64::from(local(world, settings, user, at).ahead).saturating_mul(MILLIS_PER_MINUTE);
    let before = |ahead: i64| Timestamp::from_millis(begins.saturating_sub(ahead));
    let guessed = before(ahead(day.begins_at()));
    let again = before(ahead(guessed));
    // Where clocks change as the day begins, these differ: the day before still goes on at one of them, or it begins twice.
    let (first, second) = (guessed.min(again), guessed.max(again));
    let has_begun = first == second || first.millis().saturating_add(ahead(first)) >= begins;
    if has_begun { first } else { second }
}

/// The language of letters to a user.
#[must_use]
pub(super) fn language(user: &User) -> Language {
    user.preferences.language.unwrap_or_default()
}

/// A moment, as a letter to a user says it.
#[must_use]
pub(super) fn moment(world: &impl World, settings: &MerchantSettings, user: &User, at: Timestamp) -> String {
    Strings::of(language(user)).moment(local(world, settings, Some(user), at))
}
