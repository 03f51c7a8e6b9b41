//! How someone reads the desk and letters: the language and the time zone.
//!
//! Decisions: days of totals, filters and exports stay the merchant's, so that everyone reads the same figures. A language that
//! is chosen is copied to the user's sessions, which show it until one is switched by itself.

use alloc::string::String;
use alloc::vec::Vec;

use super::visit::Visitor;
use crate::access::user::Preferences;
use crate::desk::form::DeskForm;
use crate::flow::Failure;
use crate::port::{Clock, DeskSessions, World};
use crate::settings::time_zone::{is_name, offered};
use crate::words::Language;

/// The names of time zones that are offered. Others that the platform knows may be typed.
#[must_use]
pub fn time_zones() -> Vec<&'static str> {
    offered()
}

/// Stores what a visitor chose for themselves; `false` if there is no such time zone, and nothing is stored.
///
/// # Errors
/// If the store fails.
pub async fn choose_preferences(
    world: &impl World,
    visitor: &Visitor,
    form: &DeskForm,
) -> Result<bool, Failure> {
    let is_zone = |zone: &str| is_name(zone) && world.minutes_ahead(zone, world.clock().now()).is_some();
    let time_zone = form.filled("time_zone").map(str::trim).filter(|zone| !zone.is_empty());
    if time_zone.is_some_and(|zone| !is_zone(zone)) {
        return Ok(false);
    }
    let language = form.get("language").and_then(Language::parse);
    let preferences = Preferences { language, time_zone: time_zone.map(String::from) };
    world.directory().choose_preferences(visitor.session.user, &preferences).await?;
    Ok(true)
}
