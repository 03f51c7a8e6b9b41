//! The links by which a user chooses a password: an invitation, or one for a lost password.
//!
//! Decisions: a link is 256 random bits, of which the database has the hash, and the letter on its way a sealed copy. A user
//! has one at a time: another takes its place. It is used once, and opens nothing but the choice of a password.

use alloc::string::String;
use core::fmt;
use core::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::route::DeskRoute;
use crate::value::digest::digest;
use crate::value::id::UserId;
use crate::value::time::Timestamp;

/// The random bytes of a link.
pub(crate) const LINK_BYTES: usize = 32;
/// How long a link lives.
pub(crate) const LINK_LIFE: Duration = Duration::from_hours(24);

/// What only the reader of the letter knows. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct LinkToken(String);

impl LinkToken {
    /// The token of these random bytes.
    #[must_use]
    pub(crate) fn of(random: [u8; LINK_BYTES]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(random))
    }

    /// The token in an address, if it has the form of one.
    #[must_use]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == LINK_BYTES).then(|| Self(text.into()))
    }

    /// Its hash, from which nobody learns it.
    #[must_use]
    pub(crate) fn hash(&self) -> String {
        digest(&["desk link", &self.0])
    }

    /// The page of the desk to which it leads.
    #[must_use]
    pub(crate) fn address(&self, desk_url: &str) -> String {
        [desk_url, &DeskRoute::ShowChoice(self.0.clone()).path()].concat()
    }
}

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkToken([redacted])")
    }
}

/// A link as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLink {
    /// Whose password it chooses.
    pub user: UserId,
    /// The hash of its token.
    pub hash: String,
    /// From when it opens nothing.
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_back_from_its_address_and_is_not_shown() {
        let token = LinkToken::of([7; LINK_BYTES]);
        let address = token.address("https://desk.example.com");
        let text = address.strip_prefix("https://desk.example.com/sign-in/link/").unwrap();
        let text = text.strip_suffix('/').unwrap();
        assert_eq!(LinkToken::parse(text).as_ref(), Some(&token));
        assert!(!alloc::format!("{token:?}").contains(text) && !token.hash().contains(text));
        assert_ne!(token.hash(), LinkToken::of([8; LINK_BYTES]).hash());
        for other in ["", "AAAA", "!", &text.to_lowercase(), &[text, "A"].concat()] {
            assert_ne!(LinkToken::parse(other).as_ref(), Some(&token), "{other}");
        }
    }
}
