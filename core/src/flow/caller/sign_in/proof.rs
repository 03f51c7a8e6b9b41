//! By what a password is judged.

use alloc::format;
use alloc::string::String;

use crate::port::FoundUser;

/// By what a password is judged.
#[derive(Clone)]
pub(super) enum Proof {
    /// The stored hash of the user's password.
    Hash(String),
    /// The provider of the merchant, for a user who has no password here.
    Provider {
        /// Which one it is.
        issuer: String,
        /// What identifies a sign-in there.
        text: String,
    },
}

impl Proof {
    /// By what the password of a user is judged; `None` if by nothing.
    pub(super) fn of(found: &FoundUser) -> Option<Self> {
        if let Some(hash) = &found.password {
            return Some(Self::Hash(hash.clone()));
        }
        let own = found.merchant.settings.single_sign_on.as_ref()?;
        let client = own.password_client.as_ref()?;
        let text = format!("{}\n{}\n{}", own.issuer, client.id, found.epoch);
        Some(Self::Provider { issuer: own.issuer.clone(), text })
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Hash(text) | Self::Provider { text, .. } => text,
        }
    }
}
