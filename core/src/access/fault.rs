//! Why a token is refused. The caller is never answered more than that its credentials are invalid; the word is for tests and
//! for the operator.

use crate::words::word_list;

word_list! {
    /// The first rule that a token breaks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TokenFault {
        /// The merchant has no single sign-on, or none with passwords.
        NotConfigured = "not_configured",
        /// It is longer than any token should be.
        TooLong = "too_long",
        /// It is not three parts of base64url without padding.
        NotCompact = "not_compact",
        /// Its header is not one object with text in its known members, each given once.
        Header = "header",
        /// Its header demands something that this service does not know (`crit`, `b64`).
        Critical = "critical",
        /// It is of a type that is no token of access, or contains another token (`typ`, `cty`).
        Type = "type",
        /// Its algorithm is not on the list.
        Algorithm = "algorithm",
        /// No key of the provider, or of this service, has its key id.
        UnknownKey = "unknown_key",
        /// Several keys could be meant.
        AmbiguousKey = "ambiguous_key",
        /// The key with its id is not for its algorithm.
        OtherKey = "other_key",
        /// Its signature is not that of the key.
        Signature = "signature",
        /// Its claims are not one object with the right type in each known member, each given once.
        Claims = "claims",
        /// It is of another issuer.
        Issuer = "issuer",
        /// It is for another audience.
        Audience = "audience",
        /// It is made for something else than access, such as an ID token, or bound to a key of the caller.
        Purpose = "purpose",
        /// It names no subject.
        Subject = "subject",
        /// It names no user.
        Username = "username",
        /// It is over.
        Expired = "expired",
        /// It is not valid yet, or of the future.
        NotYet = "not_yet",
        /// It lives too long.
        Life = "life",
        /// It is not the answer to the sign-in that was begun.
        Nonce = "nonce",
        /// The provider refused the code that it gave to the browser.
        Code = "code",
        /// The provider refused the name and the password.
        Password = "password",
    }
}
