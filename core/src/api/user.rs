//! A new user of a merchant, and what is changed of one.

use alloc::string::{String, ToString};

use serde_json::value::RawValue;

use super::administration::{permissions, refuse_unknown};
use crate::access::grantor::Grantor;
use crate::access::password::{MAX_BYTES, MIN_CHARS, Password};
use crate::access::permission::{Permission, Permissions};
use crate::access::user::{
    MAX_EMAIL, MAX_NAME, MAX_PHONE, MAX_USERNAME, USERNAME_PATTERN, folded, is_username,
};
use crate::value::id::PgCode;
use crate::violation::{AccessRule, Rule};
use crate::wire::field::{Fields, is_blank};
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::words::role::StaffRole;

/// The members of a body that makes a user.
const NEW: [&str; 9] = [
    "username",
    "password",
    "first_name",
    "last_name",
    "email",
    "phone",
    "role",
    "is_superuser",
    "permissions",
];
/// The members of a body that changes one.
const CHANGED: [&str; 11] = [
    "username",
    "password",
    "first_name",
    "last_name",
    "email",
    "phone",
    "role",
    "is_superuser",
    "permissions",
    "is_active",
    "is_bound",
];

/// What a body says of a name, an address or a number.
#[derive(Default)]
pub enum UserLine {
    /// Nothing.
    #[default]
    Unsaid,
    /// It is removed: given as `null`, or blank.
    Removed,
    /// It becomes this.
    Set(String),
}

impl UserLine {
    /// The value, with the one that is stored if nothing is body.
    pub(crate) fn or(self, stored: Option<&String>) -> Option<String> {
        match self {
            Self::Unsaid => stored.cloned(),
            Self::Removed => None,
            Self::Set(text) => Some(text),
        }
    }
}

/// What a body says of a user; `None` for what it does not say.
#[derive(Default)]
pub struct UserRequest {
    /// The name with which the user signs in.
    pub username: Option<String>,
    /// The password.
    pub password: Option<Password>,
    /// The first name.
    pub first_name: UserLine,
    /// The last name.
    pub last_name: UserLine,
    /// The e-mail address.
    pub email: UserLine,
    /// The telephone number.
    pub phone: UserLine,
    /// Whether the user may do everything that users can be permitted.
    pub is_superuser: Option<bool>,
    /// What the user may do.
    pub permissions: Option<Permissions>,
    /// Whether the user may sign in.
    pub is_active: Option<bool>,
    /// Whether the next sign-in at the provider says again which of its subjects the user is.
    pub unbinds: bool,
}

impl UserRequest {
    /// Reads what is said of a new user, who needs a name, which is refused here if it is wrong or missing.
    /// A role lets use the `gateways`, which are the merchant's.
    pub fn of_new(
        fields: &mut Fields,
        members: &Members<'_>,
        grantor: Grantor<'_>,
        gateways: &[PgCode],
    ) -> Self {
        noted::note("username", &Noted::Required);
        let body = Self::read(fields, members, grantor, gateways, None);
        if body.username.is_none() && !fields.has("username") {
            fields.violation("username", Rule::Required);
        }
        body
    }

    /// Reads what is to be changed of a user who is called `stored_name`. A role lets use the `gateways`, which are the
    /// merchant's.
    pub fn of_change(
        fields: &mut Fields,
        members: &Members<'_>,
        grantor: Grantor<'_>,
        gateways: &[PgCode],
        stored_name: &str,
    ) -> Self {
        Self::read(fields, members, grantor, gateways, Some(stored_name))
    }

    fn read(
        fields: &mut Fields,
        members: &Members<'_>,
        grantor: Grantor<'_>,
        gateways: &[PgCode],
        stored_name: Option<&str>,
    ) -> Self {
        let mut body = Self::default();
        let known: &[&str] = if stored_name.is_none() { &NEW } else { &CHANGED };
        let given = |name: &str| members.get(name).filter(|_| known.contains(&name));
        body.username = given("username").and_then(|raw| {
            noted::note("username", &Noted::Chars(1, MAX_USERNAME));
            noted::note("username", &Noted::Matching(USERNAME_PATTERN));
            let check = |text: &str| {
                let is_name = is_username(text);
                if is_name { Ok(text.to_string()) } else { Err(Rule::Access(AccessRule::NotUsername)) }
            };
            fields.checked("username", raw, check)
        });
        let name = body.username.as_deref().or(stored_name).unwrap_or_default().to_string();
        body.password = given("password").and_then(|raw| {
            noted::note("password", &Noted::Chars(MIN_CHARS, MAX_BYTES));
            fields.checked("password", raw, |text| chosen_password(text, &name))
        });
        let line = |fields: &mut Fields, name: &'static str, max| {
            // `null` reads as no member, so that it is looked up by name.
            let is_named = members.all().any(|(known, _)| known == name);
            if is_named { line_of(fields, name, members.get(name), max) } else { UserLine::Unsaid }
        };
        body.first_name = line(fields, "first_name", MAX_NAME);
        body.last_name = line(fields, "last_name", MAX_NAME);
        body.email = line(fields, "email", MAX_EMAIL);
        body.phone = line(fields, "phone", MAX_PHONE);
        body.read_rights(fields, given, grantor, gateways);
        body.is_active = given("is_active").and_then(|raw| fields.flag("is_active", raw));
        let is_bound = given("is_bound").and_then(|raw| fields.flag("is_bound", raw));
        if is_bound == Some(true) {
            fields.violation("is_bound", Rule::Access(AccessRule::BoundBySignIn));
        }
        body.unbinds = is_bound == Some(false);
        refuse_unknown(fields, members, known);
        body
    }
}

impl UserRequest {
    /// Reads what the user may do: what a role fills in, and what is said next to it.
    fn read_rights<'a>(
        &mut self,
        fields: &mut Fields,
        given: impl Fn(&str) -> Option<&'a RawValue>,
        grantor: Grantor<'_>,
        gateways: &[PgCode],
    ) {
        let not_own = || Rule::Access(AccessRule::NotOwn);
        self.is_superuser = given("is_superuser").and_then(|raw| fields.flag("is_superuser", raw));
        if self.is_superuser == Some(true) && !grantor.is_unlimited() {
            fields.violation("is_superuser", not_own());
        }
        self.permissions = given("permissions").and_then(|raw| {
            let is_fit = |permission: &Permission| {
                if permission.is_for_keys() { Err(AccessRule::ForKeys) } else { Ok(()) }
            };
            permissions(fields, raw, grantor, is_fit)
        });
        let role = given("role").and_then(|raw| fields.word("role", raw, StaffRole::WORDS, StaffRole::parse));
        let Some(role) = role else { return };
        let filled = role.permissions(gateways.iter());
        let is_own = if role.is_superuser() {
            grantor.is_unlimited()
        } else {
            filled.iter().all(|one| grantor.has(one))
        };
        if !is_own {
            fields.violation("role", not_own());
        }
        self.is_superuser = self.is_superuser.or(Some(role.is_superuser()));
        self.permissions =
            Some(self.permissions.take().map_or_else(|| filled.clone(), |more| filled.and(&more)));
    }
}

/// What is said of one line of text; nothing if it is wrong.
fn line_of(fields: &mut Fields, name: &'static str, raw: Option<&RawValue>, max: usize) -> UserLine {
    let Some(raw) = raw.filter(|raw| !is_blank(raw)) else { return UserLine::Removed };
    let read = if name == "email" { fields.email(name, raw, max) } else { fields.line(name, raw, max) };
    noted::note(name, &Noted::Nullable);
    read.map_or(UserLine::Unsaid, UserLine::Set)
}

/// A password that is long enough to be one. No other rule helps: what is long and nobody's name is hard to guess.
///
/// # Errors
/// The rule that it breaks.
pub(crate) fn chosen_password(text: &str, username: &str) -> Result<Password, Rule> {
    if text.chars().count() < MIN_CHARS {
        return Err(Rule::Access(AccessRule::TooShort { min: MIN_CHARS }));
    }
    if !username.is_empty() && folded(text).contains(&folded(username)) {
        return Err(Rule::Access(AccessRule::ContainsUsername));
    }
    Password::of(text).ok_or(Rule::Access(AccessRule::TooManyBytes { max: MAX_BYTES }))
}
