//! The sessions of people who are signed in at the desk.
//!
//! Decisions: the browser holds a secret of 256 random bits and the database its hash only. What the user may do is a part of
//! the session as a mark: with other permissions, another password or another factor the mark is another, and the session has
//! ended, whatever wrote the change. The token of forms is derived from the secret, so that it belongs to one session.

use alloc::string::{String, ToString};
use core::fmt;
use core::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;

use super::factor::FRESH;
use crate::access::user::User;
use crate::value::digest::digest;
use crate::value::id::UserId;
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::words::Language;

/// The random bytes of a secret.
pub(crate) const SECRET_BYTES: usize = 32;
/// After how long without a request a session ends.
pub(crate) const IDLE: Duration = Duration::from_mins(30);
/// After how long a session ends in any case.
pub(crate) const LIFE: Duration = Duration::from_hours(12);
/// How exact it is noted when a session was used.
pub(crate) const NOTED_EVERY: Duration = Duration::from_mins(1);
/// The name of the cookie.
pub(crate) const COOKIE: &str = "__Host-desk";

/// What the browser holds. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionSecret(String);

impl SessionSecret {
    /// The secret of these random bytes.
    #[must_use]
    pub fn of(random: [u8; SECRET_BYTES]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(random))
    }

    /// The secret in a header `Cookie`, if there is one of the right form.
    #[must_use]
    pub fn of_cookies(header: &str) -> Option<Self> {
        cookie_value(header, COOKIE).map(Self)
    }

    /// The header `Set-Cookie` that gives it to the browser.
    #[must_use]
    pub fn cookie(&self) -> String {
        alloc::format!("{COOKIE}={}; Path=/; Secure; HttpOnly; SameSite=Strict", self.0)
    }

    /// The header `Set-Cookie` that takes it from the browser.
    #[must_use]
    pub fn no_cookie() -> String {
        alloc::format!("{COOKIE}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0")
    }

    /// The id of the session.
    #[must_use]
    pub fn id(&self) -> DeskSessionId {
        DeskSessionId(digest(&["desk session", &self.0]))
    }

    /// The token that every form of the session carries.
    #[must_use]
    pub fn form_token(&self) -> String {
        URL_SAFE_NO_PAD.encode(hmac_sha256(self.0.as_bytes(), &[b"desk form"]))
    }

    /// Whether a form carries the token of this session.
    #[must_use]
    pub fn is_form_token(&self, given: Option<&str>) -> bool {
        given.is_some_and(|given| self.form_token().as_bytes().ct_eq(given.as_bytes()).into())
    }
}

/// The secret of a name in a header `Cookie`, if there is one of the right form.
pub(super) fn cookie_value(header: &str, name: &str) -> Option<String> {
    let value = header.split(';').find_map(|pair| {
        let (known, value) = pair.split_once('=')?;
        (known.trim() == name).then(|| value.trim())
    })?;
    let bytes = URL_SAFE_NO_PAD.decode(value).ok()?;
    (bytes.len() == SECRET_BYTES).then(|| value.into())
}

impl fmt::Debug for SessionSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionSecret([redacted])")
    }
}

/// What names a session: the hash of its secret, from which nobody learns the secret.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeskSessionId(String);

impl DeskSessionId {
    /// The id with this text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_id.then(|| Self(text.into()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A session as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskSession {
    /// What names it.
    pub id: DeskSessionId,
    /// Who signed in.
    pub user: UserId,
    /// What the user could do when the session began, as `rights_mark` says it.
    pub rights: String,
    /// From what device, as its browser says.
    pub device: String,
    /// In which language the desk is shown; `None` as the browser prefers.
    pub language: Option<Language>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was used last, exact to `NOTED_EVERY`.
    pub seen_at: Timestamp,
    /// When the user gave a factor last; `None` before the first time, when nothing but that may be done.
    pub factor_at: Option<Timestamp>,
    /// Whether the user has a second factor, as it is stored with the user.
    pub has_factor: bool,
    /// The provider at which the user signed in; `None` for a password.
    pub issuer: Option<String>,
}

impl DeskSession {
    /// Whether it has not ended by itself.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        now < self.seen_at.plus(IDLE) && now < self.created_at.plus(LIFE)
    }

    /// What the visitor has to do before anything else.
    #[must_use]
    pub const fn due(&self) -> Option<FactorDue> {
        match (self.factor_at, self.has_factor) {
            (Some(_), _) => None,
            (None, true) => Some(FactorDue::Code),
            (None, false) => Some(FactorDue::SetUp),
        }
    }

    /// Whether the user signs in at the provider again where others give a factor.
    #[must_use]
    pub const fn asks_provider(&self) -> bool {
        self.issuer.is_some() && !self.has_factor
    }

    /// Whether a factor was given a short while ago.
    #[must_use]
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.factor_at.is_some_and(|at| now < at.plus(FRESH))
    }

    /// Whether its use is to be noted.
    #[must_use]
    pub(crate) fn is_to_be_noted(&self, now: Timestamp) -> bool {
        now >= self.seen_at.plus(NOTED_EVERY)
    }
}

/// What someone has to do who gave the password only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorDue {
    /// Give a code.
    Code,
    /// Set a second factor up.
    SetUp,
}

/// What a user may do and how they sign in, as a mark to compare: `epoch` counts up with what ends their tokens.
#[must_use]
pub(crate) fn rights_mark(user: &User, epoch: i64) -> String {
    let flag = if user.is_superuser { "everything" } else { "" };
    digest(&["desk rights", &epoch.to_string(), flag, &user.permissions.text()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::permission::Permissions;
    use crate::access::user::Preferences;

    #[test]
    fn a_secret_comes_back_from_its_cookie_and_from_nothing_else() {
        let secret = SessionSecret::of([7; SECRET_BYTES]);
        let cookie = secret.cookie();
        let pair = cookie.split(';').next().unwrap();
        assert_eq!(SessionSecret::of_cookies(&alloc::format!("a=b; {pair}; c=d")).as_ref(), Some(&secret));
        for other in
            ["", "__Host-desk=", "__Host-desk=AAAA", "x__Host-desk=AAAA", "desk=AAAA", "__Host-desk=!"]
        {
            assert_eq!(SessionSecret::of_cookies(other), None, "{other}");
        }
        assert!(!alloc::format!("{secret:?}").contains("Bwc"));
        assert!(!secret.id().as_str().is_empty() && DeskSessionId::parse(secret.id().as_str()).is_some());
    }

    #[test]
    fn a_form_token_is_of_one_session() {
        let (one, other) = (SessionSecret::of([1; SECRET_BYTES]), SessionSecret::of([2; SECRET_BYTES]));
        assert!(one.is_form_token(Some(&one.form_token())));
        assert!(!one.is_form_token(Some(&other.form_token())) && !one.is_form_token(None));
        assert!(!one.form_token().contains(one.0.as_str()));
    }

    #[test]
    fn a_session_ends_after_idleness_and_after_its_life() {
        let begun = Timestamp::from_millis(1_000_000);
        let session = DeskSession {
            id: SessionSecret::of([1; SECRET_BYTES]).id(),
            user: UserId(1),
            rights: String::new(),
            device: String::new(),
            language: None,
            created_at: begun,
            seen_at: begun,
            factor_at: None,
            has_factor: false,
            issuer: None,
        };
        let minutes = |count: u64| begun.plus(Duration::from_secs(count.saturating_mul(60)));
        assert!(session.is_open(minutes(29)) && !session.is_open(minutes(30)));
        let used = DeskSession { seen_at: minutes(719), ..session };
        assert!(used.is_open(minutes(719)) && !used.is_open(minutes(720)));
        assert!(used.is_to_be_noted(minutes(720)) && !used.is_to_be_noted(minutes(719)));
    }

    #[test]
    fn other_rights_have_another_mark() {
        let user = User {
            id: UserId(1),
            username: "sara".into(),
            first_name: None,
            last_name: None,
            email: None,
            phone: None,
            is_superuser: false,
            permissions: Permissions::parse("payment.refund").unwrap(),
            preferences: Preferences::default(),
        };
        let mark = rights_mark(&user, 1);
        let more = Permissions::parse("payment.refund,payment.void").unwrap();
        assert_ne!(mark, rights_mark(&user, 2));
        assert_ne!(mark, rights_mark(&User { is_superuser: true, ..user.clone() }, 1));
        assert_ne!(mark, rights_mark(&User { permissions: more, ..user.clone() }, 1));
        assert_eq!(mark, rights_mark(&User { first_name: Some("Sara".into()), ..user }, 1));
    }
}
