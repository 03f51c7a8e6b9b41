//! Stored secrets: AES-256-GCM under a key of the installation, bound to the merchant they belong to.
//!
//! The text names the key ([`Sealed`]), and has the base64 of nonce and ciphertext; the merchant's id is authenticated with
//! it, so a sealed secret that is moved to another merchant does not open. One key seals. Others may only open, so that
//! the key can be replaced: see `docs/operating/keys.md`.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::port::{DerivedKey, PortError, Rng, Vault};
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::{SealKeyId, Sealed};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::port::rng::PlatformRng;

const NONCE_BYTES: usize = 12;
/// The characters of the name of a derived key.
const ID_CHARS: usize = 8;

/// One key.
struct SealKey {
    id: SealKeyId,
    cipher: Aes256Gcm,
    /// From which the keys for other purposes are derived.
    root: Hmac<Sha256>,
}

impl SealKey {
    /// Reads a key: 32 bytes in base64; `None` for anything else.
    fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; 32] = STANDARD.decode(text.trim()).ok()?.try_into().ok()?;
        let root = <Hmac<Sha256> as Mac>::new_from_slice(&bytes).ok()?;
        Some(Self { id: SealKeyId::of(&bytes), cipher: Aes256Gcm::new(&Key::<Aes256Gcm>::from(bytes)), root })
    }

    /// The key for a purpose.
    fn derived(&self, purpose: &str) -> DerivedKey {
        let mut id = hex::encode(self.derive(purpose, "id"));
        id.truncate(ID_CHARS);
        DerivedKey { id, bytes: self.derive(purpose, "key") }
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

/// The keys of the installation.
pub(crate) struct SealKeys {
    /// The key that seals.
    present: SealKey,
    /// The keys that only open.
    opening: Vec<SealKey>,
}

impl SealKeys {
    /// Reads the key that seals, and those that only open, which are separated by commas.
    ///
    /// # Errors
    /// What is wrong, for the operator's log. No key is in it.
    pub(crate) fn parse(present: &str, opening: &str) -> Result<Self, &'static str> {
        let present = SealKey::parse(present).ok_or("the secret SEAL_KEY must be 32 bytes in base64")?;
        let mut keys = Self { present, opening: Vec::new() };
        for text in opening.split(',').filter(|_| !opening.trim().is_empty()) {
            let key = SealKey::parse(text).ok_or(
                "the secret SEAL_KEYS_OPENING must be keys of 32 bytes in base64 with commas between them",
            )?;
            if keys.all().any(|known| known.id == key.id) {
                return Err("the secret SEAL_KEYS_OPENING must have each key once, and not that of SEAL_KEY");
            }
            keys.opening.push(key);
        }
        Ok(keys)
    }

    fn all(&self) -> impl Iterator<Item = &SealKey> {
        std::iter::once(&self.present).chain(&self.opening)
    }
}

fn failed(detail: &str) -> PortError {
    PortError { port: "vault", detail: detail.into() }
}

impl Vault for SealKeys {
    fn seal(&self, merchant: &MerchantId, secret: &str) -> Result<Sealed, PortError> {
        let mut nonce = [0; NONCE_BYTES];
        PlatformRng.fill(&mut nonce)?;
        let payload = Payload { msg: secret.as_bytes(), aad: merchant.as_str().as_bytes() };
        let sealed = self
            .present
            .cipher
            .encrypt(&Nonce::from(nonce), payload)
            .map_err(|_| failed("a secret could not be sealed"))?;
        let bytes = [nonce.as_slice(), sealed.as_slice()].concat();
        Ok(Sealed::under(&self.present.id, &STANDARD.encode(bytes)))
    }

    fn open(&self, merchant: &MerchantId, sealed: &Sealed) -> Result<String, PortError> {
        let broken = || failed("a sealed secret does not open: other merchant, or changed");
        let (sealed_by, text) = sealed.parts().ok_or_else(broken)?;
        let bytes = STANDARD.decode(text).map_err(|_| broken())?;
        let (nonce, ciphertext) = bytes.split_at_checked(NONCE_BYTES).ok_or_else(broken)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().map_err(|_| broken())?;
        let nonce = Nonce::from(nonce);
        // What was sealed before keys had ids may be of any key.
        let keys: Vec<&SealKey> =
            self.all().filter(|key| sealed_by.as_ref().is_none_or(|id| key.id == *id)).collect();
        if let (Some(id), true) = (&sealed_by, keys.is_empty()) {
            return Err(failed(&format!(
                "a secret was sealed under the key {}, which is missing",
                id.as_str()
            )));
        }
        let opened = keys.into_iter().find_map(|key| {
            let payload = Payload { msg: ciphertext, aad: merchant.as_str().as_bytes() };
            key.cipher.decrypt(&nonce, payload).ok()
        });
        String::from_utf8(opened.ok_or_else(broken)?).map_err(|_| broken())
    }

    fn keys(&self) -> Vec<SealKeyId> {
        self.all().map(|key| key.id.clone()).collect()
    }

    fn derived(&self, purpose: &str) -> Vec<DerivedKey> {
        self.all().map(|key| key.derived(purpose)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(byte: u8) -> String {
        STANDARD.encode([byte; 32])
    }

    fn keys(present: u8, opening: &[u8]) -> SealKeys {
        let opening: Vec<String> = opening.iter().copied().map(text).collect();
        SealKeys::parse(&text(present), &opening.join(" ,\n")).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    fn merchant(text: &str) -> MerchantId {
        MerchantId::parse(text).unwrap()
    }

    #[test]
    fn a_sealed_secret_opens_for_its_own_merchant_only() {
        let sealed = keys(1, &[]).seal(&merchant("one"), "secret").unwrap();
        assert!(!sealed.0.contains("secret"));
        assert_eq!(Sealed::recognise(&sealed.0), Some(sealed.clone()));
        assert_eq!(keys(1, &[]).open(&merchant("one"), &sealed).unwrap(), "secret");
        assert!(keys(1, &[]).open(&merchant("two"), &sealed).is_err());
        assert!(keys(2, &[]).open(&merchant("one"), &sealed).is_err());
    }

    #[test]
    fn the_same_secret_is_sealed_differently_each_time() {
        let owner = merchant("one");
        assert_ne!(
            keys(1, &[]).seal(&owner, "secret").unwrap(),
            keys(1, &[]).seal(&owner, "secret").unwrap()
        );
    }

    #[test]
    fn every_key_opens_and_the_first_one_seals() {
        let owner = merchant("one");
        let before = keys(1, &[]).seal(&owner, "secret").unwrap();
        let both = keys(2, &[1, 3]);
        assert_eq!(both.open(&owner, &before).unwrap(), "secret");
        let after = both.seal(&owner, "secret").unwrap();
        assert!(after.is_under(&both.keys()[0]) && before.is_under(&both.keys()[1]));
        assert_eq!(keys(1, &[2]).open(&owner, &after).unwrap(), "secret");
        let missing = keys(1, &[]).open(&owner, &after).unwrap_err();
        assert!(missing.detail.contains(both.keys()[0].as_str()), "{missing}");
    }

    #[test]
    fn what_was_sealed_before_keys_had_ids_opens_under_any_of_them() {
        let owner = merchant("one");
        let sealed = keys(1, &[]).seal(&owner, "secret").unwrap();
        let (_, base64) = sealed.parts().unwrap();
        let before = Sealed(format!("v1.{base64}"));
        for keys in [keys(1, &[]), keys(2, &[1]), keys(1, &[2])] {
            assert_eq!(keys.open(&owner, &before).unwrap(), "secret");
        }
        assert!(keys(2, &[3]).open(&owner, &before).is_err());
        // The id is only where to look: a key does not open what another one sealed.
        let renamed = Sealed::under(&keys(2, &[]).keys()[0], base64);
        assert!(keys(1, &[2]).open(&owner, &renamed).is_err());
    }

    #[test]
    fn each_purpose_has_a_key_of_its_own_that_is_always_the_same() {
        let [one, again, other] = [(1, "token"), (1, "token"), (1, "cookie")]
            .map(|(byte, purpose)| keys(byte, &[]).derived(purpose).remove(0));
        assert_eq!(one, again);
        assert!(one.bytes != other.bytes && one.id != other.id);
        assert!(one.bytes != keys(2, &[]).derived("token").remove(0).bytes);
        assert!(
            !hex::encode(one.bytes).contains(&one.id)
                && !format!("{one:?}").contains(&hex::encode(one.bytes))
        );
        assert!(one.id != keys(1, &[]).keys()[0].as_str());
    }

    #[test]
    fn a_purpose_has_a_key_for_each_key_of_the_installation_the_present_one_first() {
        let of = |present, opening: &[u8]| keys(present, opening).derived("token");
        assert_eq!(of(2, &[1, 3]), [of(2, &[]), of(1, &[]), of(3, &[])].concat());
    }

    #[test]
    fn a_key_of_another_length_and_the_same_key_twice_are_refused() {
        let refused = |present: &str, opening: &str| SealKeys::parse(present, opening).err().unwrap();
        let short = STANDARD.encode([1; 31]);
        for wrong in ["", "not base64", &short] {
            assert!(refused(wrong, "").contains("SEAL_KEY must"), "{wrong}");
        }
        let (one, two) = (text(1), text(2));
        for wrong in ["not base64", &short, ",", &format!("{two},"), &format!("{two} {two}")] {
            assert!(refused(&one, wrong).contains("SEAL_KEYS_OPENING must be"), "{wrong}");
        }
        for twice in [&one, &format!("{two},{two}")] {
            assert!(refused(&one, twice).contains("each key once"), "{twice}");
        }
    }
}
