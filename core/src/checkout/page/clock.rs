//! What clocks at the merchant show at the moments that a page names.

use alloc::vec::Vec;

use crate::value::time::{Local, Timestamp};

/// Moments, each with how many minutes clocks at the merchant are ahead of UTC then. Any other moment is shown in UTC.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalClock(Vec<(Timestamp, i16)>);

impl From<Vec<(Timestamp, i16)>> for LocalClock {
    fn from(moments: Vec<(Timestamp, i16)>) -> Self {
        Self(moments)
    }
}

impl LocalClock {
    /// A moment as clocks at the merchant show it.
    #[must_use]
    pub(super) fn show(&self, at: Timestamp) -> Local {
        let ahead = self.0.iter().find(|(moment, _)| *moment == at).map_or(0, |(_, ahead)| *ahead);
        Local { at, ahead }
    }
}
