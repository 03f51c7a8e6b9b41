//! What a merchant can do to a payment that was created: end it, hide it, or move its money.

use crate::words::{ChildOperation, written_by_word};

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Hides or erases the transaction.
    Delete,
    /// Ends a transaction that is not paid, because the merchant does not want it any more.
    Cancel,
    /// Ends a transaction that is not paid early, as it would end when its time is over.
    Expire,
    /// Moves money of a payment that succeeded.
    Move(ChildOperation),
}

impl Command {
    /// The words on the wire.
    pub const WORDS: &'static [&'static str] = &["delete", "cancel", "expire", "refund", "capture", "void"];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Cancel => "cancel",
            Self::Expire => "expire",
            Self::Move(operation) => operation.as_str(),
        }
    }

    /// The command that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let internal = [Self::Delete, Self::Cancel, Self::Expire].into_iter();
        let mut all = internal.chain(ChildOperation::ALL.into_iter().map(Self::Move));
        all.find(|command| command.as_str() == word)
    }
}

written_by_word!(Command);
