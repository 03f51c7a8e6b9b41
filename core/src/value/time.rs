//! Moments and their texts.
//!
//! A moment is a number of milliseconds, always in UTC, within the years 1 to 9999 so that it can always be
//! printed. It is printed as RFC 3339 with `Z` in whole seconds, and is read from RFC 3339 and from the forms
//! that merchants send. The calendar is that of the crate `time`; nothing here reads a clock.

pub mod date;
mod digits;
mod local;
mod moment;
pub mod period;
mod timestamp;

pub use self::date::Date;
pub use self::local::Local;
pub use self::moment::Moment;
pub use self::period::{PERIOD_PATTERN, parse_period, print_period};
pub use self::timestamp::Timestamp;
