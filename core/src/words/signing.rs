//! The algorithms of the signatures of tokens: RFC 7518 (section 3.1) and RFC 8037.

use super::word_list;

word_list! {
    /// An algorithm with which a provider of single sign-on signs. Each has a public key, so that those who verify cannot
    /// sign. `none` and those with a shared secret are not among them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SigningAlgorithm {
        /// RSA with PKCS #1 v1.5 and SHA-256.
        Rs256 = "RS256",
        /// RSA with PSS and SHA-256, its salt 32 bytes long.
        Ps256 = "PS256",
        /// ECDSA on P-256 with SHA-256.
        Es256 = "ES256",
        /// ECDSA on P-384 with SHA-384.
        Es384 = "ES384",
        /// Ed25519.
        EdDsa = "EdDSA",
    }
}
