//! The installation itself: the origin of every address that Till gives out, and to whom it may send.

use alloc::string::String;

use url::Url;

use crate::value::text::is_slug;
use crate::value::web_address::{Reach, WebAddress};

/// The installation itself, checked once at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The origin of every address that it gives out, without a trailing slash.
    pub public_url: String,
    /// Which addresses merchants may name.
    pub reach: Reach,
    /// Whether the simulated bank and its inboxes are a part of it.
    pub has_sandbox: bool,
}

/// The path of the inboxes of the sandbox.
const INBOX_PATH: &str = "/sandbox/inbox/";
/// The longest name of an inbox.
const MAX_INBOX_NAME: usize = 64;

/// The inbox of the sandbox at an address of the installation, given from its path on; `None` for any other
/// address.
#[must_use]
pub fn inbox_name(path: &str) -> Option<&str> {
    let name = path.split(['?', '#']).next()?.strip_prefix(INBOX_PATH)?;
    let name = name.strip_suffix('/').unwrap_or(name);
    is_inbox_name(name).then_some(name)
}

/// Whether a text can name an inbox.
#[must_use]
pub fn is_inbox_name(name: &str) -> bool {
    is_slug(name) && name.len() <= MAX_INBOX_NAME
}

impl Installation {
    /// An installation at the address that it was configured with, whose origin is written as browsers write
    /// it: lower case, no default port, no slash at the end.
    ///
    /// # Errors
    /// What is wrong with the address, for the operator's log.
    pub fn at(address: &str, reach: Reach, has_sandbox: bool) -> Result<Self, &'static str> {
        let url =
            Url::parse(address.trim()).map_err(|_| "must be an address such as https://pay.example.com")?;
        if url.scheme() != "https" && !(url.scheme() == "http" && reach == Reach::Development) {
            return Err("must start with https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not contain a user name or password");
        }
        if url.path().bytes().any(|byte| byte != b'/') {
            return Err("must not have a path: the installation has its host for itself");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("must have neither a query nor a fragment");
        }
        Ok(Self { public_url: url.origin().ascii_serialization(), reach, has_sandbox })
    }

    /// Whether notifications may go to `address`, as far as the installation itself is concerned: not to its
    /// own pages and operations, which could then be made to do what the merchant may not do. The one
    /// exception is the sandbox's inbox, if there is a sandbox: it is delivered to in process.
    #[must_use]
    pub(crate) fn may_notify(&self, address: &WebAddress) -> bool {
        match address.as_str().strip_prefix(self.public_url.as_str()) {
            Some(rest) => {
                (self.has_sandbox && inbox_name(rest).is_some())
                    || !(rest.is_empty() || rest.starts_with(['/', '?', '#']))
            }
            None => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_installation_is_written_in_one_way() {
        for text in [
            "https://pay.example.com",
            "https://pay.example.com/",
            "https://pay.example.com///",
            " https://pay.example.com:443/\n",
            "HTTPS://Pay.Example.COM",
            "https:\\\\pay.example.com",
        ] {
            let installation = Installation::at(text, Reach::Public, true).unwrap();
            assert_eq!(installation.public_url, "https://pay.example.com", "{text:?}");
        }
        let port = Installation::at("https://pay.example.com:8443/", Reach::Public, true).unwrap();
        assert_eq!(port.public_url, "https://pay.example.com:8443");
        let own = Installation::at("http://LOCALHOST:8787/", Reach::Development, true).unwrap();
        assert_eq!(own.public_url, "http://localhost:8787");
        let plain = Installation::at("http://127.0.0.1:80", Reach::Development, true).unwrap();
        assert_eq!(plain.public_url, "http://127.0.0.1");
    }

    #[test]
    fn an_address_that_is_no_origin_is_refused_with_what_is_wrong() {
        for (text, wrong) in [
            ("", "an address such as"),
            ("pay.example.com", "an address such as"),
            ("https://", "an address such as"),
            ("http://pay.example.com", "https://"),
            ("ftp://pay.example.com", "https://"),
            ("localhost:8787", "https://"),
            ("https://pay.example.com/till/", "a path"),
            ("https://pay.example.com/?x", "a query"),
            ("https://pay.example.com/#x", "a query"),
            ("https://me@pay.example.com", "a user name"),
        ] {
            let problem = Installation::at(text, Reach::Public, true).unwrap_err();
            assert!(problem.contains(wrong), "{text}: {problem}");
        }
    }

    #[test]
    fn an_inbox_is_one_proven_segment() {
        for path in [
            "/sandbox/inbox/demo/",
            "/sandbox/inbox/demo",
            "/sandbox/inbox/demo/?a=b",
            "/sandbox/inbox/demo#x",
        ] {
            assert_eq!(inbox_name(path), Some("demo"), "{path}");
        }
        let too_long = alloc::format!("/sandbox/inbox/{}/", "a".repeat(65));
        for path in
            ["", "/", "/sandbox/inbox/", "/sandbox/inbox/a/answer/", "/sandbox/inbox/a%2fb/", &too_long]
        {
            assert_eq!(inbox_name(path), None, "{path}");
        }
    }

    #[test]
    fn notifications_never_go_to_the_installation_except_to_an_inbox() {
        let installation = Installation {
            public_url: "https://pay.example.com".into(),
            reach: Reach::Public,
            has_sandbox: true,
        };
        let may_notify = |installation: &Installation, text: &str| {
            installation.may_notify(&WebAddress::parse(text, Reach::Public).unwrap())
        };
        assert!(may_notify(&installation, "https://shop.example.com/hook"));
        assert!(may_notify(&installation, "https://pay.example.com.attacker.example/hook"));
        assert!(may_notify(&installation, "https://pay.example.com/sandbox/inbox/one/"));
        assert!(may_notify(&installation, "https://pay.example.com/sandbox/inbox/one?a=b#c"));
        for never in ["", "a/answer/", "a/answer", "a%2fb/", "a//", "../x/", &"a".repeat(65)] {
            let address = alloc::format!("https://pay.example.com/sandbox/inbox/{never}");
            assert!(!may_notify(&installation, &address), "{address}");
        }
        assert!(!may_notify(&installation, "https://pay.example.com"));
        assert!(!may_notify(&installation, "https://pay.example.com/b/operator/v1/merchants/"));
        assert!(!may_notify(&installation, "https://pay.example.com?x"));
        let without = Installation { has_sandbox: false, ..installation };
        assert!(!may_notify(&without, "https://pay.example.com/sandbox/inbox/one/"));
        assert!(may_notify(&without, "https://shop.example.com/hook"));
    }
}
