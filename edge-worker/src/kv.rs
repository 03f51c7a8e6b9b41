//! The bytes of merchants' files, in the KV namespace `FILES`.
//!
//! KV is eventually consistent: a value may be visible elsewhere only after a minute, and an answer that
//! there is none may be that old too. Therefore every name is written once, and read only after its row was
//! found in the database.

use checkout_core::port::{Files, PortError};
use checkout_core::record::attachment::AttachmentName;
use js_sys::{ArrayBuffer, Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use worker::Env;

/// The namespace, whose two methods are called directly: the binding's own reader of their options is 10 KB.
pub(crate) struct KvFiles(JsValue);

impl KvFiles {
    /// Files in the namespace of a binding; `None` if there is no such binding.
    pub(crate) fn bound(env: &Env, binding: &str) -> Option<Self> {
        let namespace = Reflect::get(env, &binding.into()).ok()?;
        namespace.is_object().then_some(Self(namespace))
    }

    async fn call(&self, method: &str, name: &AttachmentName, value: &JsValue) -> Result<JsValue, JsValue> {
        let method: Function = Reflect::get(&self.0, &method.into())?.dyn_into()?;
        let promise: Promise = method.call2(&self.0, &name.as_str().into(), value)?.dyn_into()?;
        JsFuture::from(promise).await
    }
}

impl Files for KvFiles {
    async fn put(&self, name: &AttachmentName, bytes: &[u8]) -> Result<(), PortError> {
        let bytes = Uint8Array::from(bytes);
        self.call("put", name, &bytes).await.map(|_| ()).map_err(|error| failed(&error))
    }

    async fn get(&self, name: &AttachmentName) -> Result<Option<Vec<u8>>, PortError> {
        let value = self.call("get", name, &"arrayBuffer".into()).await.map_err(|error| failed(&error))?;
        Ok(value.dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer).to_vec()))
    }
}

fn failed(error: &JsValue) -> PortError {
    let detail = error.dyn_ref::<js_sys::Error>().map(|error| error.message().into());
    PortError { port: "kv", detail: detail.unwrap_or_else(|| "no Error was thrown".into()) }
}
