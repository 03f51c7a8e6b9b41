//! Stored secrets: AES-256-GCM under the installation's key, bound to the merchant they belong to.
//!
//! The text is `v1.` and the base64 of nonce and ciphertext; the merchant's id is authenticated with it, so a
//! sealed secret that is moved to another merchant does not open.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::port::{DerivedKey, PortError, Rng, Vault};
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::Sealed;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::rng::PlatformRng;

const NONCE_BYTES: usize = 12;
const VERSION: &str = "v1.";
/// The characters of the name of a derived key.
const ID_CHARS: usize = 8;

/// The installation's key.
pub(crate) struct SealKey {
    cipher: Aes256Gcm,
    /// From which the keys for other purposes are derived.
    root: Hmac<Sha256>,
}

impl SealKey {
    /// Reads the key: 32 bytes in base64; `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; 32] = STANDARD.decode(text.trim()).ok()?.try_into().ok()?;
        let root = <Hmac<Sha256> as Mac>::new_from_slice(&bytes).ok()?;
        Some(Self { cipher: Aes256Gcm::new(&Key::<Aes256Gcm>::from(bytes)), root })
    }

    /// What HMAC makes of two words, the second of which is a constant of this file.
    fn derive(&self, purpose: &str, part: &str) -> [u8; 32] {
        self.root
            .clone()
            .chain_update(purpose)
            .chain_update([0])
            .chain_update(part)
            .finalize()
            .into_bytes()
            .into()
    }
}

fn failed(detail: &str) -> PortError {
    PortError { port: "vault", detail: detail.into() }
}

impl Vault for SealKey {
    fn seal(&self, merchant: &MerchantId, secret: &str) -> Result<Sealed, PortError> {
        let mut nonce = [0; NONCE_BYTES];
        PlatformRng.fill(&mut nonce)?;
        let payload = Payload { msg: secret.as_bytes(), aad: merchant.as_str().as_bytes() };
        let sealed = self
            .cipher
            .encrypt(&Nonce::from(nonce), payload)
            .map_err(|_| failed("a secret could not be sealed"))?;
        let bytes = [nonce.as_slice(), sealed.as_slice()].concat();
        Ok(Sealed(format!("{VERSION}{}", STANDARD.encode(bytes))))
    }

    fn open(&self, merchant: &MerchantId, sealed: &Sealed) -> Result<String, PortError> {
        let broken = || failed("a sealed secret does not open: other key, other merchant, or changed");
        let text = sealed.0.strip_prefix(VERSION).ok_or_else(broken)?;
        let bytes = STANDARD.decode(text).map_err(|_| broken())?;
        let (nonce, ciphertext) = bytes.split_at_checked(NONCE_BYTES).ok_or_else(broken)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().map_err(|_| broken())?;
        let payload = Payload { msg: ciphertext, aad: merchant.as_str().as_bytes() };
        let secret = self.cipher.decrypt(&Nonce::from(nonce), payload).map_err(|_| broken())?;
        String::from_utf8(secret).map_err(|_| broken())
    }

    fn derived(&self, purpose: &str) -> Vec<DerivedKey> {
        let mut id = hex::encode(self.derive(purpose, "id"));
        id.truncate(ID_CHARS);
        vec![DerivedKey { id, bytes: self.derive(purpose, "key") }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> SealKey {
        SealKey::parse(&STANDARD.encode([byte; 32])).unwrap()
    }

    fn merchant(text: &str) -> MerchantId {
        MerchantId::parse(text).unwrap()
    }

    #[test]
    fn a_sealed_secret_opens_for_its_own_merchant_only() {
        let sealed = key(1).seal(&merchant("one"), "secret").unwrap();
        assert!(!sealed.0.contains("secret"));
        assert_eq!(key(1).open(&merchant("one"), &sealed).unwrap(), "secret");
        assert!(key(1).open(&merchant("two"), &sealed).is_err());
        assert!(key(2).open(&merchant("one"), &sealed).is_err());
    }

    #[test]
    fn the_same_secret_is_sealed_differently_each_time() {
        let owner = merchant("one");
        assert_ne!(key(1).seal(&owner, "secret").unwrap(), key(1).seal(&owner, "secret").unwrap());
    }

    #[test]
    fn each_purpose_has_a_key_of_its_own_that_is_always_the_same() {
        let [one, again, other] = [(1, "token"), (1, "token"), (1, "cookie")]
            .map(|(byte, purpose)| key(byte).derived(purpose).remove(0));
        assert_eq!(one, again);
        assert!(one.bytes != other.bytes && one.id != other.id);
        assert!(one.bytes != key(2).derived("token").remove(0).bytes);
        assert!(
            !hex::encode(one.bytes).contains(&one.id)
                && !format!("{one:?}").contains(&hex::encode(one.bytes))
        );
    }

    #[test]
    fn a_key_of_another_length_is_refused() {
        assert!(SealKey::parse(&STANDARD.encode([1; 31])).is_none());
        assert!(SealKey::parse("not base64").is_none());
    }
}
