//! Keys that the isolate remembers, and the proof that they are still what they were.
//!
//! What is remembered is never trusted. The first batch of a request begins with a guard that fails all of it unless the key
//! lives and the settings have their version; what is read before that proves them first. Once the proof has failed, nothing
//! reaches the database until the caller is loaded.

use std::cell::RefCell;

use checkout_core::port::PortError;

use super::fault::{D1Fault, is_broken};
use super::key_facts::Recalled;
use super::settings_cache as cache;

macro_rules! stands {
    () => {
        "SELECT 1 FROM api_key c JOIN merchant v ON v.id = c.merchant_id WHERE c.prefix = ? AND c.merchant_id = ? \
         AND c.hash = ? AND c.kind = ? AND c.scope IS ? AND c.revoked_at IS NULL \
         AND (c.expires_at IS NULL OR c.expires_at > CAST(? AS INTEGER)) AND v.version = CAST(? AS INTEGER)"
    };
}

/// Finds a row if the key lives and the settings have their version.
pub(super) const STANDS: &str = stands!();
/// Stores nothing if the key and the settings are as remembered, and otherwise a key without a prefix, which fails.
pub(super) const GUARD: &str =
    concat!("INSERT INTO api_key (prefix) SELECT NULL WHERE NOT EXISTS (", stands!(), ")");
/// The column by which the database says that the guard failed.
const GUARDED: &str = "api_key.prefix";

/// What is known of the caller of a request.
#[derive(Default)]
enum Standing {
    /// Nobody was recalled, or who was is proved.
    #[default]
    Proved,
    /// To be proved.
    Recalled(Recalled),
    /// Not so any more.
    Refuted,
}

/// The proof of one request.
#[derive(Default)]
pub(super) struct Proof(RefCell<Standing>);

impl Proof {
    /// The caller was loaded.
    pub(super) fn is_loaded(&self) {
        self.0.take();
    }

    /// Someone is recalled.
    pub(super) fn begin(&self, recalled: Recalled) {
        self.0.replace(Standing::Recalled(recalled));
    }

    /// The values of [`STANDS`] and [`GUARD`]; `None` if nothing is to be proved.
    pub(super) fn values(&self) -> Result<Option<[Option<String>; 7]>, PortError> {
        match &*self.0.borrow() {
            Standing::Proved => Ok(None),
            Standing::Recalled(recalled) => Ok(Some(recalled.values.clone())),
            Standing::Refuted => Err(Self::refuted()),
        }
    }

    /// Why nothing reaches the database.
    pub(super) fn refuted() -> PortError {
        PortError { port: "d1", detail: "the caller is not who was remembered".into() }
    }

    /// Notes how a batch with a guard ended. Statements run in their order: one that broke a rule of its own came after it.
    pub(super) fn learn(&self, ended: &Result<(), D1Fault>) {
        match ended {
            Ok(()) => self.settle(true),
            Err(fault) if is_broken(fault, GUARDED) => self.settle(false),
            Err(fault) if is_broken(fault, "") => self.settle(true),
            Err(_) => {}
        }
    }

    /// Notes whether the key and the settings are as remembered.
    pub(super) fn settle(&self, stands: bool) {
        let next = if stands { Standing::Proved } else { Standing::Refuted };
        if let (Standing::Recalled(recalled), false) = (self.0.replace(next), stands) {
            cache::drop_key(&recalled.prefix);
        }
    }

    /// Whether they were found not to be.
    pub(super) fn is_refuted(&self) -> bool {
        matches!(&*self.0.borrow(), Standing::Refuted)
    }
}
