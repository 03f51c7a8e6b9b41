//! Decides what an `Authorization` header claims.
//!
//! Only the form is checked here: a [`Credential`] is a claim, and the keyring says to whom it belongs, if to
//! anyone.

use alloc::string::String;
use core::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::key::{ApiKey, KeyKind};
use super::password::Password;
use super::user::is_username;
use crate::route::Action;

/// What a request offers as proof of who sends it.
///
/// Its `Debug` shows neither keys nor tokens.
#[derive(Clone)]
pub enum Credential {
    /// There is no `Authorization` header.
    Missing,
    /// There is one, but it is empty, combined of several, of an unknown scheme, or not of its scheme's form.
    Malformed,
    /// `Api-Key`, with the text of a private or a public key.
    ApiKey(ApiKey),
    /// `Basic`, with the name and the password of a user.
    Basic(ClaimedLogin),
    /// `Bearer`, with its token as it came.
    Bearer(String),
    /// The id of a payment transaction, in the address or the body.
    Session,
    /// Nothing is asked.
    NotAsked,
}

impl Credential {
    /// Whether a payer's own device offers it: their browser, which has the session id, or what has the public key.
    #[must_use]
    pub fn is_payers(&self) -> bool {
        match self {
            Self::Session => true,
            Self::ApiKey(key) => key.kind() == KeyKind::Public,
            Self::Basic(_) | Self::Bearer(_) | Self::NotAsked | Self::Missing | Self::Malformed => false,
        }
    }

    /// What a request offers for an action: an `Authorization` header, if the action asks for one.
    #[must_use]
    pub fn offered(action: Action, authorization: Option<&str>) -> Self {
        match (action, authorization) {
            (Action::Anything, _) => Self::NotAsked,
            (Action::UseSession, _) => Self::Session,
            (_, Some(header)) => parse_authorization(header),
            (_, None) => Self::Missing,
        }
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("Missing"),
            Self::Malformed => f.write_str("Malformed"),
            Self::ApiKey(key) => f.debug_tuple("ApiKey").field(key).finish(),
            Self::Basic(login) => f.debug_tuple("Basic").field(login).finish(),
            Self::Bearer(token) => write!(f, "Bearer([redacted; {} bytes])", token.len()),
            Self::Session => f.write_str("Session"),
            Self::NotAsked => f.write_str("NotAsked"),
        }
    }
}

/// Reads the value of an `Authorization` header. A request without a header has [`Credential::Missing`],
/// which is never returned here.
///
/// Schemes are case-insensitive. A comma means that several headers were combined into one, so it is not
/// clear who is asking: malformed, like everything else that is not exactly one scheme and one credential.
///
/// ```
/// use checkout_core::access::header::{Credential, parse_authorization};
///
/// assert!(matches!(parse_authorization("bearer abc"), Credential::Bearer(token) if token == "abc"));
/// assert!(matches!(parse_authorization("Bearer abc, Bearer abc"), Credential::Malformed));
/// ```
#[must_use]
pub fn parse_authorization(value: &str) -> Credential {
    let value = value.trim_matches([' ', '\t']);
    let Some((scheme, rest)) = value.split_once(' ') else { return Credential::Malformed };
    let credential = rest.trim_start_matches(' ');
    let is_one_word =
        !credential.is_empty() && credential.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
    if !is_one_word {
        return Credential::Malformed;
    }
    if scheme.eq_ignore_ascii_case("api-key") {
        ApiKey::parse(credential).map_or(Credential::Malformed, Credential::ApiKey)
    } else if scheme.eq_ignore_ascii_case("basic") {
        read_login(credential).map_or(Credential::Malformed, Credential::Basic)
    } else if scheme.eq_ignore_ascii_case("bearer") {
        Credential::Bearer(credential.into())
    } else {
        Credential::Malformed
    }
}

/// A name and a password, as someone claims to have them.
#[derive(Debug, Clone)]
pub struct ClaimedLogin {
    /// The name, as it was given.
    pub username: String,
    /// The password.
    pub password: Password,
}

impl ClaimedLogin {
    /// A name and a password in their form; `None` if no user can have them.
    #[must_use]
    pub fn of(username: &str, password: &str) -> Option<Self> {
        let password = Password::of(password)?;
        is_username(username).then(|| Self { username: username.into(), password })
    }
}

/// Reads what follows `Basic` (RFC 7617): name and password in UTF-8, separated by the first colon.
fn read_login(credential: &str) -> Option<ClaimedLogin> {
    let text = String::from_utf8(STANDARD.decode(credential).ok()?).ok()?;
    let (username, password) = text.split_once(':')?;
    ClaimedLogin::of(username, password)
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    const PRIVATE: &str = "aB3dE6gH.0123456789abcdefghijABCDEFGHIJ45";
    const PUBLIC: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn schemes_are_case_insensitive() {
        for scheme in ["Api-Key", "api-key", "API-KEY"] {
            for key in [PRIVATE, PUBLIC] {
                let credential = parse_authorization(&format!("{scheme} {key}"));
                assert!(matches!(credential, Credential::ApiKey(read) if read.text() == key));
            }
        }
        assert!(
            matches!(parse_authorization("bAsIc dTpw"), Credential::Basic(login) if login.username == "u" && login.password.text() == "p")
        );
        assert!(matches!(parse_authorization("BEARER a.b.c"), Credential::Bearer(token) if token == "a.b.c"));
    }

    #[test]
    fn spaces_around_the_parts_do_not_count() {
        let credential = parse_authorization(&format!(" \tApi-Key   {PUBLIC} "));
        assert!(matches!(credential, Credential::ApiKey(key) if key.text() == PUBLIC));
    }

    #[test]
    fn a_header_that_is_not_one_scheme_and_one_credential_is_malformed() {
        for value in [
            "",
            " ",
            "Bearer",
            "Bearer ",
            "Basic",
            "Api-Key",
            PRIVATE,
            "Api-Key not-a-key",
            "Api-Key aB3dE6gH.short",
            "Bearer a b",
            "Bearer a\tb",
            "Bearer \u{e9}",
            "Bearer a,b",
            "Basic dTpw, Basic dTpw",
            "Token abc",
            "Digest abc",
            "Bearerabc def",
            ", Bearer abc",
        ] {
            assert!(matches!(parse_authorization(value), Credential::Malformed), "{value}");
        }
    }

    #[test]
    fn debug_shows_neither_keys_nor_tokens() {
        let shown = format!(
            "{:?} {:?}",
            parse_authorization("Bearer s3cret"),
            parse_authorization(&format!("Api-Key {PRIVATE}")),
        );
        assert_eq!(shown, "Bearer([redacted; 6 bytes]) ApiKey(ApiKey(Private, [redacted; 41 bytes]))");
    }
}
