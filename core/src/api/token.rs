//! `POST /b/auth/v1/token/`: a token is asked for, in a form (RFC 6749, 4.3.2 and 4.4.2).

use alloc::borrow::Cow;
use alloc::string::String;

use form_urlencoded::parse;

use crate::answer::oauth::TokenRefusal;

/// What a token is given for.
#[derive(Clone)]
pub enum Grant {
    /// The name and the password of a user.
    Password {
        /// The name.
        username: String,
        /// The password.
        password: String,
    },
    /// The key by which the client names itself.
    ClientCredentials,
}

/// The form. It has no `Debug`: it contains secrets.
#[derive(Clone)]
pub struct TokenForm {
    /// What a token is given for.
    pub grant: Grant,
    /// The id of the client: the prefix of a private key.
    pub client_id: Option<String>,
    /// The secret of the client: what follows the dot of the key.
    pub client_secret: Option<String>,
}

/// The parameters that have a meaning.
const PARAMETERS: [&str; 6] = ["grant_type", "username", "password", "scope", "client_id", "client_secret"];
/// The grants that are known.
pub const GRANTS: [&str; 2] = ["password", "client_credentials"];

impl TokenForm {
    /// Reads the form. Parameters without a value are left out, and unknown ones ignored (RFC 6749, 3.2).
    ///
    /// # Errors
    /// [`TokenRefusal::InvalidRequest`], [`TokenRefusal::UnsupportedGrantType`] or [`TokenRefusal::InvalidScope`].
    pub fn read(body: &[u8]) -> Result<Self, TokenRefusal> {
        let mut found: [Option<Cow<'_, str>>; PARAMETERS.len()] = Default::default();
        for (name, value) in parse(body).filter(|(_, value)| !value.is_empty()) {
            let places = PARAMETERS.iter().zip(&mut found);
            let Some((_, place)) = places.into_iter().find(|(known, _)| **known == name) else { continue };
            if place.replace(value).is_some() {
                return Err(TokenRefusal::InvalidRequest("each parameter may be given only once"));
            }
        }
        let [grant, username, password, scope, client_id, client_secret] =
            found.map(|one| one.map(Cow::into_owned));
        let grant = match (grant.as_deref(), username, password) {
            (None, ..) => return Err(TokenRefusal::InvalidRequest("`grant_type` is required")),
            (Some("password"), Some(username), Some(password)) => Grant::Password { username, password },
            (Some("password"), ..) => {
                return Err(TokenRefusal::InvalidRequest("`username` and `password` are required"));
            }
            (Some("client_credentials"), ..) => Grant::ClientCredentials,
            (Some(_), ..) => return Err(TokenRefusal::UnsupportedGrantType),
        };
        if scope.is_some() {
            return Err(TokenRefusal::InvalidScope);
        }
        Ok(Self { grant, client_id, client_secret })
    }
}
