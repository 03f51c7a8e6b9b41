//! The limits of a settings document: how many declines are let through.

use core::ops::RangeInclusive;
use core::time::Duration;

use super::reader::{At, DocumentReader, join};
use crate::settings::limits::DeclineLimits;
use crate::violation::Rule;
use crate::wire::members::Members;

/// The members of `limits`.
const MEMBERS: [&str; 5] =
    ["session_declines", "session_cards", "address_declines", "address_sessions", "seconds"];

impl DocumentReader<'_> {
    /// The member `limits`. A name that is not known is refused: who writes one expects that it limits something.
    pub(super) fn limits(&mut self, root: &Members<'_>) -> DeclineLimits {
        let usual = DeclineLimits::USUAL;
        let Some(object) = root.get("limits").and_then(|_| self.object("", root, "limits")) else {
            return usual;
        };
        for (name, _) in object.all().filter(|(name, _)| !MEMBERS.contains(name)) {
            self.found.add(join("limits", name), Rule::NotKnown);
        }
        let mut number =
            |name, usual, range| self.number_within(At { base: "limits", name }, &object, usual, range);
        let mut threshold = |name, usual| number(name, usual, 0..=DeclineLimits::MOST);
        let session_declines = threshold("session_declines", usual.session_declines);
        let session_cards = threshold("session_cards", usual.session_cards);
        let address_declines = threshold("address_declines", usual.address_declines);
        let address_sessions = threshold("address_sessions", usual.address_sessions);
        let (shortest, longest) = DeclineLimits::WINDOWS;
        let whole = |period: Duration| u32::try_from(period.as_secs()).unwrap_or(u32::MAX);
        let seconds = number("seconds", whole(usual.window), whole(shortest)..=whole(longest));
        let window = Duration::from_secs(seconds.into());
        DeclineLimits { session_declines, session_cards, address_declines, address_sessions, window }
    }

    /// A whole number within a range, with a usual one.
    pub(super) fn number_within(
        &mut self,
        at: At<'_>,
        object: &Members<'_>,
        usual: u32,
        range: RangeInclusive<u32>,
    ) -> u32 {
        let Some(raw) = object.get(at.name) else { return usual };
        raw.get().parse().ok().filter(|number| range.contains(number)).unwrap_or_else(|| {
            let (min, max) = range.into_inner();
            self.found.add(at.path(), Rule::NotInteger { min: min.into(), max: max.into() });
            usual
        })
    }
}
