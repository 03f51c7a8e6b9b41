//! A heading and what it heads.

/// The heading of a message and the sentences under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadedText {
    /// A few words.
    pub title: &'static str,
    /// What it means, and what to do.
    pub text: &'static str,
}
