//! A vault that hides nothing, and still distinguishes merchants and keys.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::port::{DerivedKey, PortError, Vault};
use crate::value::id::MerchantId;
use crate::value::sealed::{SealKeyId, Sealed};

/// Seals by writing the merchant and the secret in hexadecimal.
#[derive(Debug, Clone)]
pub struct OpenVault {
    keys: RefCell<Vec<SealKeyId>>,
}

impl Default for OpenVault {
    /// With one key.
    fn default() -> Self {
        Self { keys: RefCell::new(Vec::from([SealKeyId::of(&[0; 32])])) }
    }
}

impl OpenVault {
    /// Sets the keys that open, the one that seals first.
    pub fn set_keys(&self, keys: impl IntoIterator<Item = SealKeyId>) {
        *self.keys.borrow_mut() = keys.into_iter().collect();
    }
}

/// Shorter than what a real vault seals would not be recognised as sealed.
const PADDING: &str = "0000000000000000000000000000000000000000";

impl Vault for OpenVault {
    fn seal(&self, merchant: &MerchantId, secret: &str) -> Result<Sealed, PortError> {
        let keys = self.keys.borrow();
        let key = keys.first().ok_or_else(|| PortError { port: "vault", detail: "no key".into() })?;
        Ok(Sealed::under(key, &format!("{PADDING}{}", hex::encode(format!("{merchant}:{secret}")))))
    }

    fn open(&self, merchant: &MerchantId, sealed: &Sealed) -> Result<String, PortError> {
        let opened = || {
            let (key, text) = sealed.parts()?;
            // What was sealed before keys had ids opens too.
            if !key.is_none_or(|key| self.keys.borrow().contains(&key)) {
                return None;
            }
            let text = String::from_utf8(hex::decode(text.strip_prefix(PADDING)?).ok()?).ok()?;
            text.strip_prefix(&format!("{merchant}:")).map(String::from)
        };
        opened().ok_or_else(|| PortError { port: "vault", detail: format!("not sealed for {merchant}") })
    }

    fn keys(&self) -> Vec<SealKeyId> {
        self.keys.borrow().clone()
    }

    fn derived(&self, purpose: &str) -> Vec<DerivedKey> {
        [DerivedKey { id: format!("{purpose}-1"), bytes: [7; 32] }].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_opened_only_for_the_merchant_it_was_sealed_for_and_under_its_key() {
        let vault = OpenVault::default();
        let [one, other] = ["one", "other"].map(|id| MerchantId::parse(id).unwrap());
        let sealed = vault.seal(&one, "k€y").unwrap();
        assert_eq!(Sealed::recognise(&sealed.0), Some(sealed.clone()));
        assert_eq!(vault.open(&one, &sealed).unwrap(), "k€y");
        assert!(vault.open(&other, &sealed).is_err());
        assert!(vault.open(&one, &Sealed("k€y".into())).is_err());
        let [before] = &vault.keys()[..] else { panic!() };
        vault.set_keys([SealKeyId::of(&[1; 32]), before.clone()]);
        assert_eq!(vault.open(&one, &sealed).unwrap(), "k€y");
        vault.set_keys([SealKeyId::of(&[1; 32])]);
        assert!(vault.open(&one, &sealed).is_err());
    }
}
