//! The bytes of merchants' files, in the KV namespace `FILES`.
//!
//! KV is eventually consistent: a value may be visible elsewhere only after a minute, and so is that there was none.
//! Therefore every name is written once, and asked for only after its row was found in the database.

use checkout_core::attachment::AttachmentName;
use checkout_core::port::{Files, PortError};
use worker::kv::{KvError, KvStore};

/// The namespace.
pub(crate) struct KvFiles(KvStore);

impl KvFiles {
    /// Files in a namespace.
    pub(crate) const fn new(namespace: KvStore) -> Self {
        Self(namespace)
    }
}

impl Files for KvFiles {
    async fn put(&self, name: &AttachmentName, bytes: &[u8]) -> Result<(), PortError> {
        let put = self.0.put_bytes(name.as_str(), bytes).map_err(|error| failed(&error))?;
        put.execute().await.map_err(|error| failed(&error))
    }

    async fn get(&self, name: &AttachmentName) -> Result<Option<Vec<u8>>, PortError> {
        self.0.get(name.as_str()).bytes().await.map_err(|error| failed(&error))
    }
}

fn failed(error: &KvError) -> PortError {
    PortError { port: "kv", detail: error.to_string() }
}
