//! For how long what identifies payers is stored.

use core::time::Duration;

use super::reader::DocumentReader;
use crate::settings::RETENTION_DAYS;
use crate::violation::Rule;
use crate::wire::members::Members;

impl DocumentReader<'_> {
    /// The member `retention_days`: a whole number. Without it nothing is erased by age.
    pub(super) fn retention(&mut self, root: &Members<'_>) -> Option<Duration> {
        let raw = root.get("retention_days")?;
        let (min, max) = RETENTION_DAYS;
        let days: Option<u32> = raw.get().parse().ok();
        match days.filter(|days| (min..=max).contains(days)) {
            Some(days) => Some(Duration::from_hours(u64::from(days).saturating_mul(24))),
            None => {
                self.refuse("retention_days".into(), Rule::NotInteger { min: min.into(), max: max.into() })
            }
        }
    }
}
