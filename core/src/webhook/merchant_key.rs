//! The Ed25519 key of each merchant's webhooks, which is derived from the key of the installation.
//!
//! Decision: one key for each merchant, and not one for all. A merchant chooses where its webhooks go; with one key for
//! all it could send a webhook of its own to the receiver of another merchant, where the signature would be right.

use super::signature::hmac_sha256;
use crate::value::id::MerchantId;

/// Separates these keys from everything else that may be derived from the same key.
const PURPOSE: &[u8] = b"till webhook v1a\0";

/// The private key of a merchant's webhooks, 32 bytes, from the private key of the installation.
#[must_use]
pub fn derive(installation: &[u8; 32], merchant: &MerchantId) -> [u8; 32] {
    hmac_sha256(installation, &[PURPOSE, merchant.as_str().as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with Python's `hmac`.
    #[test]
    fn the_key_of_a_merchant_is_a_digest_of_its_id() {
        let merchant = MerchantId::parse("shop").unwrap();
        let expected = "0574b1f3f192d60600388ab89df9bc6f52b18611275f84bd34850d50444e4f41";
        assert_eq!(hex::encode(derive(&[7; 32], &merchant)), expected);
    }

    #[test]
    fn another_merchant_or_another_installation_has_another_key() {
        let [shop, store] = ["shop", "shop2"].map(|id| MerchantId::parse(id).unwrap());
        assert_ne!(derive(&[7; 32], &shop), derive(&[7; 32], &store));
        assert_ne!(derive(&[7; 32], &shop), derive(&[8; 32], &shop));
    }
}
