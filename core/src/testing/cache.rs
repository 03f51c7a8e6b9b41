//! A cache in memory.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::time::Duration;

use crate::port::{Cache, PortError};

/// A cache in memory, which a test can empty or break.
#[derive(Debug, Default)]
pub struct MemoryCache {
    written: RefCell<BTreeMap<String, (String, Duration)>>,
    is_broken: Cell<bool>,
}

impl MemoryCache {
    /// Whether nothing can be written or read.
    pub fn be_broken(&self, is_broken: bool) {
        self.is_broken.set(is_broken);
    }

    /// Loses everything.
    pub fn empty(&self) {
        self.written.borrow_mut().clear();
    }

    /// What is written, and for how long, in the order of the names.
    #[must_use]
    pub fn all(&self) -> Vec<(String, String, Duration)> {
        let written = self.written.borrow();
        written.iter().map(|(name, (text, life))| (name.clone(), text.clone(), *life)).collect()
    }

    fn works(&self) -> Result<(), PortError> {
        let broken = || PortError { port: "memory cache", detail: "broken, as the test asked".into() };
        (!self.is_broken.get()).then_some(()).ok_or_else(broken)
    }
}

impl Cache for MemoryCache {
    async fn read(&self, name: &str) -> Result<Option<String>, PortError> {
        self.works()?;
        Ok(self.written.borrow().get(name).map(|(text, _)| text.clone()))
    }

    async fn write(&self, name: &str, text: &str, life: Duration) -> Result<(), PortError> {
        self.works()?;
        self.written.borrow_mut().insert(name.into(), (text.into(), life));
        Ok(())
    }
}
