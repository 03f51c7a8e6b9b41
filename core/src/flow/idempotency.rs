//! Idempotency keys: the same key with the same body does nothing twice; with another body it is refused.

use alloc::string::{String, ToString};

use sha2::{Digest, Sha256};

use super::Failure;
use crate::access::Caller;
use crate::port::{Store, World};
use crate::record::attachment::FilePart;
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::value::time::Timestamp;
use crate::wire::json::unquote;

/// The status under which a claim is stored: no answer has it.
pub(crate) const CLAIMED: u16 = 0;

/// An idempotency key and the request that it was sent with.
pub(crate) struct Key<'a> {
    pub(crate) text: &'a str,
    pub(crate) fingerprint: String,
}

/// The content of a claim: which attempt was begun with its key.
pub(crate) struct Kept {
    pub(crate) reference: String,
}

impl<'a> Key<'a> {
    /// Reads the header; a key may be in quotes.
    pub(crate) fn read(header: &'a str, body: &[u8], file: Option<&FilePart<'_>>) -> Result<Self, Rejection> {
        let text = unquote(header);
        let is_good = (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_good {
            return Err(Rejection::IdempotencyKeyMalformed);
        }
        let mut digest = Sha256::new_with_prefix(body);
        if let Some(file) = file {
            // No JSON text has this byte, and the length ends the name: no two different requests give the
            // same digest.
            digest.update([0]);
            digest.update(file.file_name.len().to_be_bytes());
            digest.update(file.file_name);
            digest.update(file.bytes);
        }
        Ok(Self { text, fingerprint: hex::encode(digest.finalize()) })
    }

    /// The claim of a request that begins an attempt, to be stored in the same batch.
    pub(crate) fn claim(
        &self,
        caller: &Caller,
        operation: &'static str,
        reference: &str,
        at: Timestamp,
    ) -> StoredAnswer {
        StoredAnswer {
            merchant: caller.merchant().clone(),
            operation,
            key: self.text.to_string(),
            fingerprint: self.fingerprint.clone(),
            status: CLAIMED,
            body: reference.to_string(),
            at,
        }
    }

    /// The answer that is stored under the key.
    ///
    /// # Errors
    /// [`Rejection::IdempotencyKeyReused`] if it was sent with another body, or a failure of the world.
    pub(crate) async fn stored(
        &self,
        world: &impl World,
        caller: &Caller,
        operation: &'static str,
    ) -> Result<Option<StoredAnswer>, Failure> {
        match world.store().answer(caller.merchant(), operation, self.text).await? {
            Some(stored) if stored.fingerprint != self.fingerprint => {
                Err(Rejection::IdempotencyKeyReused.into())
            }
            stored => Ok(stored),
        }
    }

    /// The claim that is stored under the key.
    ///
    /// # Errors
    /// As [`stored`](Self::stored).
    pub(crate) async fn kept(
        &self,
        world: &impl World,
        caller: &Caller,
        operation: &'static str,
    ) -> Result<Option<Kept>, Failure> {
        let stored = self.stored(world, caller, operation).await?;
        Ok(stored.filter(|stored| stored.status == CLAIMED).map(|stored| Kept { reference: stored.body }))
    }
}
