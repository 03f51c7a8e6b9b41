//! The single sign-on of a merchant: an OpenID Connect provider that says who its users are.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use crate::value::sealed::Sealed;
use crate::words::signing::SigningAlgorithm;

/// The single sign-on of a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleSignOn {
    /// The provider, exactly as it writes itself in its tokens.
    pub issuer: String,
    /// The audience that tokens of access must have: the name of this service at the provider.
    pub audience: String,
    /// The claim that has the name of the user.
    pub username_claim: String,
    /// The algorithms that its signatures may have.
    pub algorithms: Vec<SigningAlgorithm>,
    /// How long its tokens live at most, from when they were issued.
    pub max_life: Duration,
    /// Whether its tokens are also those of users who have a password here.
    pub accepts_users_with_password: bool,
    /// As which client names and passwords are exchanged at the provider; `None` if they are not.
    pub password_client: Option<Client>,
    /// As which client users are sent to the provider to sign in at the desk; `None` if they are not.
    pub desk_client: Option<Client>,
}

/// This service as a client of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// Its secret; `None` for a public client.
    pub secret: Option<Sealed>,
}
