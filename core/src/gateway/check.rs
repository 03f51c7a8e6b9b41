//! Whether a gateway accepts the credentials of a merchant.

use alloc::string::String;

/// What a gateway said about credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// It accepts them.
    Accepted,
    /// It does not; its message, at most 255 characters.
    Refused(Option<String>),
    /// It did not say.
    Unclear,
    /// Its protocol has no request that moves no money and needs them.
    Impossible,
}
