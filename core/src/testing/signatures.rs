//! Signatures as the test judges them: the core has no cryptography of public keys of its own.

use alloc::boxed::Box;
use core::cell::{Cell, RefCell};
use core::fmt;

use crate::access::jwk::Jwk;
use crate::port::{PortError, Signatures, SignedText};

type Judge = Box<dyn Fn(&Jwk, &SignedText<'_>) -> bool>;

/// Asks the test about each signature. Without a judge, nothing can be verified.
#[derive(Default)]
pub struct GivenSignatures {
    judge: RefCell<Option<Judge>>,
    asked: Cell<u32>,
}

impl GivenSignatures {
    /// Judges signatures by `judge`.
    pub fn judge_by(&self, judge: impl Fn(&Jwk, &SignedText<'_>) -> bool + 'static) {
        *self.judge.borrow_mut() = Some(Box::new(judge));
    }

    /// How many signatures were verified, right or wrong.
    #[must_use]
    pub fn asked(&self) -> u32 {
        self.asked.get()
    }
}

impl Signatures for GivenSignatures {
    async fn verify(&self, key: &Jwk, signed: &SignedText<'_>) -> Result<bool, PortError> {
        self.asked.set(self.asked.get().saturating_add(1));
        let missing = || PortError { port: "signatures", detail: "the test has no judge".into() };
        self.judge.borrow().as_ref().map(|judge| judge(key, signed)).ok_or_else(missing)
    }
}

impl fmt::Debug for GivenSignatures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenSignatures").field("asked", &self.asked).finish_non_exhaustive()
    }
}
