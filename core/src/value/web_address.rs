//! Which addresses of merchants this service calls or sends a browser to (`redirect_url`, `webhook_url`).
//!
//! The text goes through the parser of the URL standard, the parsed host is checked, and only the
//! re-serialised text is used from then on, so that no two readers see two different hosts. Allowed are
//! public names over https on its default port. The address to which a name resolves cannot be judged from
//! its text: that is left to the network layer. Whether a host is one of our own is checked by the caller,
//! which knows them.

use alloc::string::String;
use core::fmt;

use serde::{Serialize, Serializer};
use thiserror::Error;
use url::{Host, Url};

use crate::value::text::is_host_name;

/// The longest address in characters, as given and as re-serialised.
pub const MAX_ADDRESS_CHARS: usize = 2_000;

/// Names that never belong to a public host, each with all names below it.
const PRIVATE_NAMES: [&str; 8] =
    ["localhost", "local", "internal", "home.arpa", "onion", "invalid", "workers.dev", "localdomain"];

/// How far addresses of merchants may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Public hosts over https.
    Public,
    /// Public hosts over https, and this machine over http or https on any port. Only for development builds.
    Development,
}

/// Why an address of a merchant is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AddressError {
    /// More than `MAX_ADDRESS_CHARS` characters, as given or once it is percent-encoded.
    #[error("must be at most {MAX_ADDRESS_CHARS} characters once percent-encoded")]
    TooLong,
    /// Not an absolute address, or one whose host is not written in ASCII.
    #[error(
        "must be an absolute address such as https://shop.example.com/thanks, its host in ASCII (a name in another script in its xn-- form)"
    )]
    Malformed,
    /// A scheme other than https.
    #[error("must start with https://")]
    NotHttps,
    /// A user name or password before the host.
    #[error("must not contain a user name or password")]
    UserInfo,
    /// A port other than that of https.
    #[error("must use port 443")]
    Port,
    /// A numeric address in any spelling.
    #[error("must name its host, not give an ip address")]
    IpAddress,
    /// A host that is not a public name.
    #[error("must have a public host name")]
    NotPublic,
}

/// Whether a text has nothing that two readers of an address may read differently: control characters, white
/// space of any script, backslashes.
fn is_plain_address(text: &str) -> bool {
    !text.contains(|character: char| character.is_control() || character.is_whitespace() || character == '\\')
}

/// The host of an origin, without its port.
#[must_use]
pub(crate) fn host_of(origin: &str) -> &str {
    let authority = origin.split_once("://").map_or(origin, |(_, authority)| authority);
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}

/// An address of a merchant that may be called or redirected to: the text that the parser serialised.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebAddress(String);

impl WebAddress {
    /// Reads an absolute address within a reach.
    ///
    /// # Errors
    /// Says which rule the address breaks first, in the order of [`AddressError`].
    pub fn parse(text: &str, reach: Reach) -> Result<Self, AddressError> {
        if text.chars().count() > MAX_ADDRESS_CHARS {
            return Err(AddressError::TooLong);
        }
        // The parser accepts spaces, line breaks and backslashes; two readers of them may disagree about the
        // host.
        if !is_plain_address(text) {
            return Err(AddressError::Malformed);
        }
        let url = Url::parse(text).map_err(|_| AddressError::Malformed)?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(AddressError::NotHttps);
        }
        let authority = authority(text).ok_or(AddressError::Malformed)?;
        let is_own_machine = reach == Reach::Development && is_loopback(&url);
        if url.scheme() == "http" && !is_own_machine {
            return Err(AddressError::NotHttps);
        }
        if authority.contains('@') {
            return Err(AddressError::UserInfo);
        }
        if !is_own_machine {
            check_public(&url)?;
        }
        if url.as_str().len() > MAX_ADDRESS_CHARS {
            return Err(AddressError::TooLong);
        }
        Ok(Self(url.into()))
    }

    /// An address that was stored: one that a parser serialised, of a web page. How far addresses reach by now is asked when
    /// it is used.
    #[must_use]
    pub fn stored(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_as_written = url.as_str() == text && matches!(url.scheme(), "https" | "http");
        is_as_written.then(|| Self(url.into()))
    }

    /// Whether it is still permitted within a reach.
    #[must_use]
    pub fn is_within(&self, reach: Reach) -> bool {
        Self::parse(&self.0, reach).is_ok()
    }

    /// The serialised text, the only one to use: ASCII, host in lower case, at least a `/` as its path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host in lower case, in ASCII; an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        let origin = self.origin();
        let (_, authority) = origin.split_once("://").unwrap_or_default();
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            Some(_) | None => authority,
        }
    }

    /// Scheme, host and, if it is not the scheme's default, port: `https://shop.example.com`.
    #[must_use]
    pub fn origin(&self) -> &str {
        let path = self.0.match_indices('/').nth(2).map(|(at, _)| at);
        path.and_then(|at| self.0.get(..at)).unwrap_or(&self.0)
    }

    /// The address with more parameters after those of its query, form-encoded; its fragment stays at the
    /// end.
    #[must_use]
    pub fn with_query(&self, parameters: &[(&str, &str)]) -> String {
        match Url::parse(&self.0) {
            Ok(mut url) if !parameters.is_empty() => {
                url.query_pairs_mut().extend_pairs(parameters);
                url.into()
            }
            Ok(_) | Err(_) => self.0.clone(),
        }
    }
}

/// The text between `//` and the path, the query or the fragment; `None` if the text has no host there, as in
/// `https:shop.example` and `https:///shop.example`.
fn authority(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once(':')?;
    let rest = rest.strip_prefix("//")?;
    let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    (!authority.is_empty()).then_some(authority)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn check_public(url: &Url) -> Result<(), AddressError> {
    if url.port().is_some() {
        return Err(AddressError::Port);
    }
    match url.host() {
        Some(Host::Domain(name)) => check_name(name),
        None => Err(AddressError::NotPublic),
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(AddressError::IpAddress),
    }
}

fn check_name(name: &str) -> Result<(), AddressError> {
    if is_host_name(name) && !is_private(name) { Ok(()) } else { Err(AddressError::NotPublic) }
}

fn is_private(name: &str) -> bool {
    PRIVATE_NAMES
        .iter()
        .any(|private| name.strip_suffix(private).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Stored as its text. It cannot be read back without a [`Reach`]: what is stored is checked by the rules
/// again.
impl Serialize for WebAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
