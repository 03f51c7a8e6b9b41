//! Sign-ins that were right a short while ago, in the memory of the isolate: hashing a password takes longer than all
//! else that a request does.
//!
//! What is remembered is an HMAC under a key that is random for each isolate and is stored nowhere. The stored hash of the
//! password is part of it, so that another password, or a user who is switched off, ends it at once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use checkout_core::port::{Clock, Rng};
use checkout_core::value::time::Timestamp;
use checkout_core::webhook::signature::hmac_sha256;

use crate::port::clock::PlatformClock;
use crate::port::rng::PlatformRng;

/// How long a sign-in is remembered.
const REMEMBERED: Duration = Duration::from_mins(1);
/// The most that are remembered.
const CAPACITY: usize = 256;

#[derive(Default)]
struct Memory {
    key: Option<[u8; 32]>,
    /// Until when each is right.
    marks: BTreeMap<[u8; 32], Timestamp>,
}

thread_local! {
    // Borrowed within one function only: never across an await.
    static MEMORY: RefCell<Memory> = RefCell::default();
}

impl Memory {
    /// The HMAC of a mark; `None` if the platform has no random numbers.
    fn seal(&mut self, mark: &[u8]) -> Option<[u8; 32]> {
        let key = if let Some(key) = self.key {
            key
        } else {
            let mut key = [0; 32];
            PlatformRng.fill(&mut key).ok()?;
            *self.key.insert(key)
        };
        Some(hmac_sha256(&key, &[mark]))
    }
}

/// Whether this sign-in was right a short while ago.
pub(crate) fn recalls(mark: &[u8]) -> bool {
    let now = PlatformClock::default().now();
    MEMORY.with_borrow_mut(|memory| {
        let Some(sealed) = memory.seal(mark) else { return false };
        memory.marks.get(&sealed).is_some_and(|until| now < *until)
    })
}

/// Remembers that this sign-in is right.
pub(crate) fn remember(mark: &[u8]) {
    let now = PlatformClock::default().now();
    MEMORY.with_borrow_mut(|memory| {
        let Some(sealed) = memory.seal(mark) else { return };
        memory.marks.retain(|_, until| now < *until);
        if memory.marks.len() >= CAPACITY {
            memory.marks.clear();
        }
        memory.marks.insert(sealed, now.plus(REMEMBERED));
    });
}
