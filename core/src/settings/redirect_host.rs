//! The hosts to which payers may be sent back.

use alloc::format;
use alloc::string::String;

use crate::value::web_address::{Reach, WebAddress};

/// A host to which payers may be sent back, or every name below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectHost {
    /// In lower case, in ASCII.
    host: String,
    /// Whether the names below it are meant, and not the host itself.
    is_below: bool,
}

/// How the names below a host are written.
const BELOW: &str = "*.";

impl RedirectHost {
    /// Reads `shop.example.com` or `*.example.com`; `None` for what is no public host as an address is serialised. In a
    /// development build this machine is a host, too.
    #[must_use]
    pub fn parse(text: &str, reach: Reach) -> Option<Self> {
        let (host, is_below) = text.strip_prefix(BELOW).map_or((text, false), |host| (host, true));
        let scheme = if reach == Reach::Development { "http" } else { "https" };
        let written = |scheme| WebAddress::parse(&format!("{scheme}://{host}/"), reach).ok();
        let address = written("https").or_else(|| written(scheme))?;
        (address.host() == host).then(|| Self { host: host.into(), is_below })
    }

    /// How it is written.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", if self.is_below { BELOW } else { "" }, self.host)
    }

    /// Whether payers may be sent to an address.
    #[must_use]
    pub fn permits(&self, address: &WebAddress) -> bool {
        let host = address.host();
        if self.is_below {
            host.strip_suffix(self.host.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
        } else {
            host == self.host
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(host: &str, address: &str) -> bool {
        let address = WebAddress::parse(address, Reach::Development).unwrap();
        RedirectHost::parse(host, Reach::Development).unwrap().permits(&address)
    }

    #[test]
    fn a_host_permits_itself_and_a_star_the_names_below() {
        for (host, address, is_permitted) in [
            ("shop.example.com", "https://shop.example.com/thanks?a=b", true),
            ("shop.example.com", "https://SHOP.example.com", true),
            ("shop.example.com", "https://www.shop.example.com/", false),
            ("shop.example.com", "https://shop.example.com.attacker.example/", false),
            ("*.example.com", "https://shop.example.com/", true),
            ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", false),
            ("*.example.com", "https://badexample.com/", false),
            ("localhost", "http://localhost:8787/", true),
        ] {
            assert_eq!(permits(host, address), is_permitted, "{host} {address}");
        }
    }

    #[test]
    fn what_is_no_public_host_is_none() {
        for text in [
            "",
            "*",
            "*.",
            "*.com",
            "com",
            "https://shop.example.com",
            "shop.example.com/",
            "shop.example.com:443",
            "Shop.example.com",
            "user@shop.example.com",
            "10.0.0.1",
            "[::1]",
            "localhost",
            "*.*.example.com",
            "sh op.example.com",
            "shop.example.com?x",
        ] {
            assert_eq!(RedirectHost::parse(text, Reach::Public), None, "{text:?}");
        }
        for text in ["shop.example.com", "*.example.com", "xn--80ak6aa92e.com"] {
            assert_eq!(
                RedirectHost::parse(text, Reach::Public).map(|host| host.text()).as_deref(),
                Some(text)
            );
        }
    }
}
