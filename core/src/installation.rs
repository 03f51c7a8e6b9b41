//! The installation itself: what every address that Till hands out begins with, and whom it may send to.

use alloc::string::String;

use crate::web_address::Reach;

/// The installation itself, checked once at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The origin of every address that it hands out, without a trailing slash.
    pub public_url: String,
    /// Which addresses merchants may name.
    pub reach: Reach,
}
