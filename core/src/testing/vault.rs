//! A vault that hides nothing, and still distinguishes merchants.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::port::{DerivedKey, PortError, Vault};
use crate::value::id::MerchantId;
use crate::value::sealed::Sealed;

/// Seals by naming the merchant and writing the secret in hexadecimal.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpenVault;

impl Vault for OpenVault {
    fn seal(&self, merchant: &MerchantId, secret: &str) -> Result<Sealed, PortError> {
        Ok(Sealed(format!("sealed:{merchant}:{}", hex::encode(secret))))
    }

    fn open(&self, merchant: &MerchantId, sealed: &Sealed) -> Result<String, PortError> {
        sealed
            .0
            .strip_prefix(&format!("sealed:{merchant}:"))
            .and_then(|secret| hex::decode(secret).ok())
            .and_then(|secret| String::from_utf8(secret).ok())
            .ok_or_else(|| PortError { port: "vault", detail: format!("not sealed for {merchant}") })
    }

    fn derived(&self, purpose: &str) -> Vec<DerivedKey> {
        [DerivedKey { id: format!("{purpose}-1"), bytes: [7; 32] }].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_opened_only_for_the_merchant_it_was_sealed_for() {
        let [one, other] = ["one", "other"].map(|id| MerchantId::parse(id).unwrap());
        let sealed = OpenVault.seal(&one, "k€y").unwrap();
        assert_eq!(OpenVault.open(&one, &sealed).unwrap(), "k€y");
        assert!(OpenVault.open(&other, &sealed).is_err());
        assert!(OpenVault.open(&one, &Sealed("k€y".into())).is_err());
    }
}
