//! Judges signatures by the crates of `RustCrypto`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_core::access::jwk::{Jwk, Material};
use checkout_core::port::SignedText;
use checkout_core::words::signing::SigningAlgorithm;
use rsa::sha2::Sha256;
use rsa::signature::Verifier;
use rsa::{BigUint, RsaPublicKey, pkcs1v15, pss};

/// Whether a signature is that of a key.
pub(crate) fn judge(key: &Jwk, signed: &SignedText<'_>) -> bool {
    verify(key, signed).is_some()
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

fn verify(key: &Jwk, signed: &SignedText<'_>) -> Option<()> {
    let SignedText { algorithm, message, signature } = *signed;
    match (key.material(), algorithm) {
        (Material::Rsa { e, n }, SigningAlgorithm::Rs256 | SigningAlgorithm::Ps256) => {
            let [n, e] = [n, e].map(|text| bytes(text).map(|bytes| BigUint::from_bytes_be(&bytes)));
            let key = RsaPublicKey::new_with_max_size(n?, e?, 8_192).ok()?;
            if algorithm == SigningAlgorithm::Rs256 {
                let signature = pkcs1v15::Signature::try_from(signature).ok()?;
                pkcs1v15::VerifyingKey::<Sha256>::new(key).verify(message, &signature).ok()
            } else {
                let signature = pss::Signature::try_from(signature).ok()?;
                pss::VerifyingKey::<Sha256>::new(key).verify(message, &signature).ok()
            }
        }
        (Material::Ec { x, y, .. }, SigningAlgorithm::Es256) => {
            let point = [vec![4], bytes(x)?, bytes(y)?].concat();
            let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(&point).ok()?;
            key.verify(message, &p256::ecdsa::Signature::from_slice(signature).ok()?).ok()
        }
        (Material::Ec { x, y, .. }, SigningAlgorithm::Es384) => {
            let point = [vec![4], bytes(x)?, bytes(y)?].concat();
            let key = p384::ecdsa::VerifyingKey::from_sec1_bytes(&point).ok()?;
            key.verify(message, &p384::ecdsa::Signature::from_slice(signature).ok()?).ok()
        }
        (Material::Okp { x, .. }, SigningAlgorithm::EdDsa) => {
            let key = ed25519_dalek::VerifyingKey::from_bytes(&bytes(x)?.try_into().ok()?).ok()?;
            key.verify_strict(message, &ed25519_dalek::Signature::from_slice(signature).ok()?).ok()
        }
        _ => panic!("a key is used for an algorithm that is not its own"),
    }
}
