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
    /// The origin of the desk, without a trailing slash; `None` if there is no desk.
    pub desk_url: Option<String>,
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
        Ok(Self { public_url: origin_of(address, reach)?, desk_url: None, reach, has_sandbox })
    }

    /// The installation with a desk at another address; an empty one is none.
    ///
    /// # Errors
    /// What is wrong with the address, for the operator's log.
    pub fn with_desk(mut self, address: &str) -> Result<Self, &'static str> {
        if address.trim().is_empty() {
            return Ok(self);
        }
        let origin = origin_of(address, self.reach)?;
        // Pages of one host share cookies whatever the port and the scheme.
        if host_of(&origin) == host_of(&self.public_url) {
            return Err("must have another host than PUBLIC_URL");
        }
        self.desk_url = Some(origin);
        Ok(self)
    }

    /// Whether a request is for the desk, by its address.
    #[must_use]
    pub fn is_desk(&self, address: &str) -> bool {
        let authority = |address: &str| {
            let (_, rest) = address.split_once("://")?;
            rest.split(['/', '?', '#']).next().map(str::to_ascii_lowercase)
        };
        self.desk_url.as_deref().is_some_and(|desk| authority(desk) == authority(address))
    }

    /// Whether notifications may go to `address`, as far as the installation itself is concerned: not to its
    /// own pages and operations, which could then be made to do what the merchant may not do. The one
    /// exception is the sandbox's inbox, if there is a sandbox: it is delivered to in process.
    #[must_use]
    pub(crate) fn may_notify(&self, address: &WebAddress) -> bool {
        let is_of_desk = self.desk_url.as_deref().and_then(|desk| address.as_str().strip_prefix(desk));
        if is_of_desk.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#'])) {
            return false;
        }
        match address.as_str().strip_prefix(self.public_url.as_str()) {
            Some(rest) => {
                (self.has_sandbox && inbox_name(rest).is_some())
                    || !(rest.is_empty() || rest.starts_with(['/', '?', '#']))
            }
            None => true,
        }
    }
}

/// The host of an origin.
fn host_of(origin: &str) -> Option<String> {
    Url::parse(origin).ok()?.host_str().map(String::from)
}

/// The origin at an address, as browsers write it.
fn origin_of(address: &str, reach: Reach) -> Result<String, &'static str> {
    let url = Url::parse(address.trim()).map_err(|_| "must be an address such as https://pay.example.com")?;
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
    Ok(url.origin().ascii_serialization())
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
    fn the_desk_has_a_host_of_its_own() {
        let at = |desk: &str| {
            Installation::at("https://pay.example.com", Reach::Public, true).unwrap().with_desk(desk)
        };
        assert_eq!(at(" ").unwrap().desk_url, None);
        let desk = at("https://Desk.example.com/").unwrap();
        assert_eq!(desk.desk_url.as_deref(), Some("https://desk.example.com"));
        for address in
            ["https://desk.example.com/", "http://DESK.example.com/payments/?a", "https://desk.example.com"]
        {
            assert!(desk.is_desk(address), "{address}");
        }
        for address in [
            "https://pay.example.com/",
            "https://desk.example.com.evil.example/",
            "https://desk.example.com:8443/",
            "/",
        ] {
            assert!(!desk.is_desk(address), "{address}");
        }
        for own in [
            "https://pay.example.com",
            "https://pay.example.com:8443",
            "http://desk.example.com",
            "desk",
            "https://desk.example.com/desk/",
        ] {
            assert!(at(own).is_err(), "{own}");
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
            desk_url: Some("https://desk.example.com".into()),
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
        assert!(!may_notify(&installation, "https://desk.example.com/payments/"));
        assert!(may_notify(&installation, "https://desk.example.com.shop.example/"));
        let without = Installation { has_sandbox: false, ..installation };
        assert!(!may_notify(&without, "https://pay.example.com/sandbox/inbox/one/"));
        assert!(may_notify(&without, "https://shop.example.com/hook"));
    }
}
