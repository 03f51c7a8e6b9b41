//! When a sample page is shown, and in which language.

use alloc::string::String;

use crate::settings::brand::Brand;
use crate::value::money::Currency;
use crate::value::time::Timestamp;
use crate::words::Language;

/// The moment of everything that happened: 21 November 2026, 10:15 UTC.
pub(super) const AT: Timestamp = Timestamp::from_millis(1_795_256_100_000);

/// Until when the samples can be paid: a day later.
pub(super) const OPEN_UNTIL: Timestamp = Timestamp::from_millis(1_795_342_500_000);

/// Whose page is shown, and in which language.
#[derive(Debug, Clone)]
pub struct Sample {
    pub(super) language: Language,
    pub(super) merchant: String,
    pub(super) brand: Brand,
    pub(super) currency: Currency,
    pub(super) public_url: String,
}
