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

/// Where the inboxes of the sandbox are.
const INBOX_PATH: &str = "/sandbox/inbox/";

impl Installation {
    /// Whether notifications may go to `address`, as far as the installation itself is concerned: its own pages and
    /// operations would be told what merchants may not do. The one exception is the sandbox's inbox, which is
    /// delivered to in process.
    #[must_use]
    pub fn may_notify(&self, address: &str) -> bool {
        match address.strip_prefix(self.public_url.as_str()) {
            Some(rest) => {
                rest.starts_with(INBOX_PATH) || !(rest.is_empty() || rest.starts_with(['/', '?', '#']))
            }
            None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications_never_go_to_the_installation_except_to_an_inbox() {
        let installation =
            Installation { public_url: "https://pay.example.com".into(), reach: Reach::Public };
        assert!(installation.may_notify("https://shop.example.com/hook"));
        assert!(installation.may_notify("https://pay.example.com.attacker.example/hook"));
        assert!(installation.may_notify("https://pay.example.com/sandbox/inbox/one/"));
        assert!(!installation.may_notify("https://pay.example.com"));
        assert!(!installation.may_notify("https://pay.example.com/b/operator/v1/merchants/"));
        assert!(!installation.may_notify("https://pay.example.com?x"));
    }
}
