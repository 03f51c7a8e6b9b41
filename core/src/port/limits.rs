//! How much one run of the cron handler, or of the consumer of a queue, does: the settings of the installation, which fit
//! the plan of its platform.

use alloc::string::String;
use core::time::Duration;

/// How much one run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// The most rows that one search returns.
    pub rows: u32,
    /// The most of them of one gateway or one receiver of a merchant.
    pub share: u32,
    /// The most statements of the store before a run begins nothing more.
    pub statements: u32,
    /// How long a run begins anything.
    pub beginning: Duration,
    /// How many outgoing requests run at the same time.
    pub slots: usize,
    /// How many of them go to one receiver at the same time, once it answers well.
    pub receiver_slots: usize,
    /// For how many rows of each kind the cron handler rings a doorbell in one run, if a queue is bound.
    pub rings: u32,
}

/// A setting: its name, its least, its most, and its usual value.
struct Setting {
    name: &'static str,
    least: u32,
    most: u32,
    usual: u32,
}

const ROWS: Setting = Setting { name: "RUN_ROWS", least: 1, most: 1_000, usual: 100 };
const SHARE: Setting = Setting { name: "RUN_ROWS_OF_ONE", least: 1, most: 1_000, usual: 20 };
const STATEMENTS: Setting = Setting { name: "RUN_STATEMENTS", least: 10, most: 900, usual: 700 };
const SECONDS: Setting = Setting { name: "RUN_SECONDS", least: 6, most: 20, usual: 20 };
const SLOTS: Setting = Setting { name: "RUN_CONNECTIONS", least: 2, most: 5, usual: 5 };
const RECEIVER_SLOTS: Setting = Setting { name: "RECEIVER_CONNECTIONS", least: 1, most: 4, usual: 4 };
const RINGS: Setting = Setting { name: "RUN_DOORBELLS", least: 100, most: 10_000, usual: 3_000 };

impl Setting {
    fn read(&self, value: &dyn Fn(&str) -> String) -> Result<u32, String> {
        let text = value(self.name);
        let text = text.trim();
        if text.is_empty() {
            return Ok(self.usual);
        }
        let number = text.parse::<u32>().ok().filter(|number| (self.least..=self.most).contains(number));
        let Self { name, least, most, .. } = self;
        number.ok_or_else(|| alloc::format!("{name} must be a whole number from {least} to {most}"))
    }
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl RunLimits {
    /// Those of a plan that is paid for.
    pub const USUAL: Self = Self {
        rows: ROWS.usual,
        share: SHARE.usual,
        statements: STATEMENTS.usual,
        beginning: Duration::from_secs(20),
        slots: 5,
        receiver_slots: 4,
        rings: RINGS.usual,
    };

    /// Reads the settings; `value` answers the text of a setting by its name, empty for its usual value.
    ///
    /// # Errors
    /// Which setting is wrong, and what is allowed.
    pub fn read(value: &dyn Fn(&str) -> String) -> Result<Self, String> {
        Ok(Self {
            rows: ROWS.read(value)?,
            share: SHARE.read(value)?,
            statements: STATEMENTS.read(value)?,
            beginning: Duration::from_secs(SECONDS.read(value)?.into()),
            slots: wide(SLOTS.read(value)?),
            receiver_slots: wide(RECEIVER_SLOTS.read(value)?),
            rings: RINGS.read(value)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, text: &str) -> Result<RunLimits, String> {
        RunLimits::read(&|asked| if asked == name { text.into() } else { String::new() })
    }

    #[test]
    fn without_settings_the_limits_are_the_usual_ones() {
        assert_eq!(with("", ""), Ok(RunLimits::USUAL));
    }

    #[test]
    fn each_setting_changes_its_limit_and_is_refused_by_name_outside_its_range() {
        for setting in [&ROWS, &SHARE, &STATEMENTS, &SECONDS, &SLOTS, &RECEIVER_SLOTS, &RINGS] {
            let Setting { name, least, most, usual } = setting;
            let other = if least == usual { most } else { least };
            assert_ne!(with(name, &alloc::format!(" {other} ")), Ok(RunLimits::USUAL), "{name}");
            let above = most.saturating_add(1);
            for wrong in [alloc::format!("{above}"), "0".into(), "-1".into(), "1.5".into(), "many".into()] {
                let problem = with(name, &wrong).err().unwrap_or_default();
                assert!(
                    problem.contains(name) && problem.contains(&alloc::format!("{least} to {most}")),
                    "{wrong}"
                );
            }
        }
    }
}
