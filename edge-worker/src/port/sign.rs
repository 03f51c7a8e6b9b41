//! Signs receipts and webhooks by Ed25519, in the platform's own cryptography: a private key is imported once per isolate,
//! that of receipts and those of the webhooks of some merchants.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use checkout_core::port::{PortError, Signer};
use checkout_core::value::id::MerchantId;
use checkout_core::webhook::merchant_key;
use js_sys::{Array, JsString, Reflect, Uint8Array, global};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Crypto, CryptoKey, SubtleCrypto};

/// The bytes of a key, private or public.
const KEY_BYTES: usize = 32;
/// The bytes before the 32 bytes of a private key in PKCS #8 (RFC 8410).
const PKCS8_HEAD: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const ALGORITHM: &str = "Ed25519";
/// Of how many merchants the key of webhooks is kept at most.
const MAX_MERCHANTS: usize = 200;

/// The key of receipts, and the public keys of those before it.
pub(crate) struct ReceiptKey {
    seed: [u8; KEY_BYTES],
    earlier: Vec<String>,
}

#[derive(Clone)]
struct Imported {
    private: CryptoKey,
    public: String,
}

thread_local! {
    /// The configuration of an isolate does not change while it lives, and neither does its key.
    static IMPORTED: RefCell<Option<Imported>> = const { RefCell::new(None) };
    /// The keys of webhooks, which are derived from it.
    static OF_WEBHOOKS: RefCell<BTreeMap<MerchantId, Imported>> = const { RefCell::new(BTreeMap::new()) };
}

impl ReceiptKey {
    /// Reads the private key, 32 bytes in base64, and the public keys before it, 32 bytes in base64url each,
    /// separated by commas.
    pub(crate) fn parse(secret: &str, earlier: &str) -> Option<Self> {
        let seed = STANDARD.decode(secret).ok()?.try_into().ok()?;
        let earlier: Vec<String> =
            earlier.split(',').map(str::trim).filter(|key| !key.is_empty()).map(Into::into).collect();
        let is_key = |key: &String| URL_SAFE_NO_PAD.decode(key).is_ok_and(|bytes| bytes.len() == KEY_BYTES);
        earlier.iter().all(is_key).then_some(Self { seed, earlier })
    }

    async fn import(&self) -> Result<Imported, JsValue> {
        if let Some(imported) = IMPORTED.with_borrow(Option::clone) {
            return Ok(imported);
        }
        let imported = Imported::of(&self.seed).await?;
        IMPORTED.set(Some(imported.clone()));
        Ok(imported)
    }

    async fn of_webhooks(&self, merchant: &MerchantId) -> Result<Imported, JsValue> {
        if let Some(imported) = OF_WEBHOOKS.with_borrow(|keys| keys.get(merchant).cloned()) {
            return Ok(imported);
        }
        let imported = Imported::of(&merchant_key::derive(&self.seed, merchant)).await?;
        OF_WEBHOOKS.with_borrow_mut(|keys| {
            if keys.len() >= MAX_MERCHANTS {
                keys.clear();
            }
            keys.insert(merchant.clone(), imported.clone());
        });
        Ok(imported)
    }
}

impl Imported {
    async fn of(seed: &[u8; KEY_BYTES]) -> Result<Self, JsValue> {
        let bytes = Uint8Array::from([PKCS8_HEAD.as_slice(), seed].concat().as_slice());
        let uses = Array::of1(&JsValue::from_str("sign"));
        let subtle = subtle()?;
        let private: CryptoKey =
            JsFuture::from(subtle.import_key_with_str("pkcs8", &bytes, ALGORITHM, true, &uses)?)
                .await?
                .unchecked_into();
        let shown = JsFuture::from(subtle.export_key("jwk", &private)?).await?;
        let public = Reflect::get(&shown, &JsValue::from_str("x"))?;
        Ok(Self { private, public: public.unchecked_into::<JsString>().into() })
    }

    async fn signature(&self, message: &str) -> Result<Vec<u8>, JsValue> {
        let key = &self.private;
        let bytes = Uint8Array::from(message.as_bytes());
        let signed =
            JsFuture::from(subtle()?.sign_with_str_and_buffer_source(ALGORITHM, key, &bytes)?).await?;
        Ok(Uint8Array::new(&signed).to_vec())
    }
}

fn subtle() -> Result<SubtleCrypto, JsValue> {
    let crypto: Crypto = Reflect::get(&global(), &JsValue::from_str("crypto"))?.unchecked_into();
    Ok(crypto.subtle())
}

fn failed(_: JsValue) -> PortError {
    PortError { port: "signer", detail: "the platform cannot use RECEIPT_KEY".into() }
}

impl Signer for ReceiptKey {
    async fn public_keys(&self) -> Result<Vec<String>, PortError> {
        let current = self.import().await.map_err(failed)?.public;
        Ok([current].into_iter().chain(self.earlier.iter().cloned()).collect())
    }

    async fn sign(&self, message: &str) -> Result<Vec<u8>, PortError> {
        self.import().await.map_err(failed)?.signature(message).await.map_err(failed)
    }

    async fn webhook_key(&self, merchant: &MerchantId) -> Result<String, PortError> {
        Ok(self.of_webhooks(merchant).await.map_err(failed)?.public)
    }

    async fn sign_webhook(&self, merchant: &MerchantId, message: &str) -> Result<Vec<u8>, PortError> {
        self.of_webhooks(merchant).await.map_err(failed)?.signature(message).await.map_err(failed)
    }
}

impl fmt::Debug for ReceiptKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted; 32 bytes]")
    }
}
