//! What users, keys and their permissions must be like.

use core::fmt;

/// The rules for what is said about users and keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessRule {
    /// The name has other characters than user names have, or too many.
    NotUsername,
    /// Another user of the installation has the name.
    UsernameTaken,
    /// The password has too few characters.
    TooShort {
        /// The fewest.
        min: usize,
    },
    /// The password has too many bytes.
    TooManyBytes {
        /// The most.
        max: usize,
    },
    /// The password contains the name of the user.
    ContainsUsername,
    /// There is no such permission.
    NotPermission,
    /// Only keys can have the permission.
    ForKeys,
    /// Only users can have the permission.
    ForUsers,
    /// A public key can be limited to gateways only.
    ForGateways,
    /// Who asks does not have it, and so cannot give it.
    NotOwn,
    /// Not the issuer of tokens as a provider writes it.
    NotIssuer,
    /// It was sealed with a key that is not there any more.
    NotOpened,
    /// It names no actor of the audit.
    NotActor,
    /// The text does not name a user or a key.
    NotMaker,
    /// Another merchant has the provider for the same audience.
    ProviderTaken,
    /// Only a sign-in at the provider says which of its subjects a user is.
    BoundBySignIn,
    /// The user has no e-mail address, or nothing writes to it.
    NotReachable,
    /// A user is recorded as who made the transaction, and cannot name another one.
    OtherUser,
}

impl fmt::Display for AccessRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUsername => {
                f.write_str("must be 1 to 150 letters, digits and the characters _ . @ + -, without spaces")
            }
            Self::UsernameTaken => f.write_str("is the name of another user; upper and lower case are the same"),
            Self::TooShort { min } => write!(f, "must have at least {min} characters"),
            Self::TooManyBytes { max } => write!(f, "must have at most {max} bytes"),
            Self::ContainsUsername => f.write_str("must not contain the user name"),
            Self::NotPermission => f.write_str(
                "must be one of Can add e-commerce payments, Can add payment requests, Can change e-commerce payments, \
                 Can change payment requests, Can view e-commerce payments, Can view payment requests, \
                 Can use <pg_code>, payment.capture, payment.refund, payment.void, payment.cancel, payment.expire, \
                 payment.delete, payment.inquiry, Can manage access, Can export payments, for users Can approve, \
                 Can see personal data, and for keys Can manage cards, Can acknowledge cash",
            ),
            Self::ForKeys => f.write_str("must be a permission of users: saved cards and cash are for keys only"),
            Self::ForUsers => f.write_str("must be a permission of keys: only a person approves, or sees personal data at the desk"),
            Self::ForGateways => f.write_str("must be Can use <pg_code>: a public key can be limited to gateways only"),
            Self::NotOwn => f.write_str("must not be more than the caller may do"),
            Self::NotIssuer => f.write_str(
                "must be the issuer exactly as the provider writes it, without a query, such as https://id.example.com/realms/shop",
            ),
            Self::NotOpened => f.write_str(
                "cannot be opened any more: send the document as new settings, with this secret in it",
            ),
            Self::NotActor => f.write_str("must be operator:<id>, key:<prefix> or user:<id>"),
            Self::NotMaker => f.write_str("must be key:<prefix> or user:<id>"),
            Self::ProviderTaken => f.write_str(
                "must not be the audience of another merchant at the same provider: a token names its merchant by both",
            ),
            Self::BoundBySignIn => {
                f.write_str("must be false, or be left out: the next sign-in at the provider makes it true")
            }
            Self::NotReachable => f.write_str(
                "must be there, with a provider of e-mail in the merchant's settings and a desk: the link is sent by e-mail",
            ),
            Self::OtherUser => f.write_str("must be the user who calls, or be left out"),
        }
    }
}
