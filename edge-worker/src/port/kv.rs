//! The bytes of merchants' files, and what was fetched from providers of single sign-on, in the KV namespace `FILES`.
//!
//! KV is eventually consistent: a value may be visible elsewhere only after a minute, and an answer that
//! there is none may be that old too. Therefore every name of a file is written once, and read only after its row was
//! found in the database; a file that was deleted may be visible for as long, but its row is gone. What was fetched is
//! written again and again; nothing depends on which version is read.

use std::cell::RefCell;
use std::time::Duration;

use checkout_core::port::{Cache, Clock, Files, PortError};
use checkout_core::record::attachment::AttachmentName;
use checkout_core::value::time::Timestamp;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use crate::platform;
use crate::port::clock::PlatformClock;

/// For how long an isolate uses a cached text without reading it again.
const RECENT: Duration = Duration::from_mins(1);
/// The most texts that an isolate has in memory.
const MAX_RECENT: usize = 32;

/// A cached text that this isolate read or wrote lately.
struct Recent {
    name: String,
    text: String,
    at: Timestamp,
}

thread_local! {
    /// The oldest first. What is written is visible to this isolate at once, even if the namespace does not have it yet.
    static LATELY: RefCell<Vec<Recent>> = const { RefCell::new(Vec::new()) };
}

/// Notes a text, in the place of an earlier one of its name.
fn note(name: &str, text: &str, at: Timestamp) {
    LATELY.with_borrow_mut(|all| {
        all.retain(|known| known.name != name && at.since(known.at) < RECENT);
        if all.len() >= MAX_RECENT {
            all.remove(0);
        }
        all.push(Recent { name: name.into(), text: text.into(), at });
    });
}

/// The text that was noted lately under a name.
fn recall(name: &str, now: Timestamp) -> Option<String> {
    LATELY.with_borrow(|all| {
        let found = all.iter().find(|known| known.name == name && now.since(known.at) < RECENT);
        found.map(|known| known.text.clone())
    })
}

/// What the namespace has under a name, noted. What another request wrote while it was read is newer and counts: of several
/// requests that ask at the same time whether a provider was asked lately, one finds that it was not.
fn settle(name: &str, found: Option<String>, now: Timestamp) -> Option<String> {
    recall(name, now).or_else(|| {
        let text = found?;
        note(name, &text, now);
        Some(text)
    })
}

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
        platform::put(&self.0, name.as_str(), bytes).await.map_err(failed)
    }

    async fn get(&self, name: &AttachmentName) -> Result<Option<Vec<u8>>, PortError> {
        platform::get(&self.0, name.as_str()).await.map_err(failed)
    }

    async fn delete(&self, name: &AttachmentName) -> Result<(), PortError> {
        platform::remove(&self.0, name.as_str()).await.map_err(failed)
    }
}

impl Cache for KvFiles {
    async fn read(&self, name: &str) -> Result<Option<String>, PortError> {
        if let Some(text) = recall(name, PlatformClock::default().now()) {
            return Ok(Some(text));
        }
        let bytes = platform::get(&self.0, name).await.map_err(failed)?;
        let found = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(settle(name, found, PlatformClock::default().now()))
    }

    async fn write(&self, name: &str, text: &str, life: Duration) -> Result<(), PortError> {
        note(name, text, PlatformClock::default().now());
        platform::cache(&self.0, name, text, life).await.map_err(failed)
    }
}

fn failed(detail: String) -> PortError {
    PortError { port: "kv", detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(second: u64) -> Timestamp {
        Timestamp::from_millis(0).plus(Duration::from_secs(second))
    }

    #[test]
    fn the_newest_text_of_a_name_is_recalled_for_a_minute() {
        note("a", "1", second(0));
        note("b", "2", second(10));
        note("a", "3", second(20));
        assert_eq!(recall("a", second(79)).as_deref(), Some("3"));
        assert_eq!(recall("a", second(80)), None);
        assert_eq!((recall("b", second(69)).as_deref(), recall("b", second(70))), (Some("2"), None));
        assert_eq!(recall("c", second(20)), None);
    }

    #[test]
    fn what_was_written_while_the_namespace_was_read_counts() {
        note("a", "new", second(1));
        assert_eq!(settle("a", Some("old".into()), second(2)).as_deref(), Some("new"));
        assert_eq!(settle("a", None, second(2)).as_deref(), Some("new"));
        assert_eq!(recall("a", second(2)).as_deref(), Some("new"));
        assert_eq!(settle("b", None, second(2)), None);
        assert_eq!(settle("b", Some("found".into()), second(2)).as_deref(), Some("found"));
        assert_eq!(recall("b", second(2)).as_deref(), Some("found"));
    }

    #[test]
    fn the_oldest_text_makes_room_for_a_new_one() {
        for number in 0..=MAX_RECENT {
            note(&number.to_string(), "text", second(0));
        }
        assert_eq!(recall("0", second(1)), None);
        assert_eq!(recall("1", second(1)).as_deref(), Some("text"));
        assert_eq!(recall(&MAX_RECENT.to_string(), second(1)).as_deref(), Some("text"));
        assert_eq!(LATELY.with_borrow(Vec::len), MAX_RECENT);
    }
}
