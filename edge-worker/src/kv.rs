//! The bytes of merchants' files, in the KV namespace `FILES`.
//!
//! KV is eventually consistent: a value may be visible elsewhere only after a minute, and an answer that
//! there is none may be that old too. Therefore every name is written once, and read only after its row was
//! found in the database. A file that was deleted may be visible for as long, but its row is gone.

use checkout_core::port::{Files, PortError};
use checkout_core::record::attachment::AttachmentName;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use crate::platform;

/// The namespace.
pub(crate) struct KvFiles(JsValue);

impl KvFiles {
    /// Files in the namespace of a binding; `None` if there is no such binding.
    pub(crate) fn bound(env: &Env, binding: &str) -> Option<Self> {
        let namespace = Reflect::get(env, &binding.into()).ok()?;
        namespace.is_object().then_some(Self(namespace))
    }
}

impl Files for KvFiles {
    async fn put(&self, name: &AttachmentName, bytes: &[u8]) -> Result<(), PortError> {
        platform::put(&self.0, name.as_str(), bytes).await.map(|_| ()).map_err(failed)
    }

    async fn get(&self, name: &AttachmentName) -> Result<Option<Vec<u8>>, PortError> {
        platform::get(&self.0, name.as_str()).await.map(|file| file.bytes).map_err(failed)
    }

    async fn delete(&self, name: &AttachmentName) -> Result<(), PortError> {
        platform::remove(&self.0, name.as_str()).await.map(|_| ()).map_err(failed)
    }
}

fn failed(detail: String) -> PortError {
    PortError { port: "kv", detail }
}
