//! Files in memory.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use crate::port::{Files, PortError};
use crate::record::attachment::AttachmentName;

/// Files in memory, which a test can make late or broken.
#[derive(Debug, Default)]
pub struct MemoryFiles {
    stored: RefCell<BTreeMap<AttachmentName, Vec<u8>>>,
    is_late: Cell<bool>,
    is_broken: Cell<bool>,
}

impl MemoryFiles {
    /// Whether stored files are not visible yet.
    pub fn be_late(&self, is_late: bool) {
        self.is_late.set(is_late);
    }

    /// Whether no file can be stored.
    pub fn be_broken(&self, is_broken: bool) {
        self.is_broken.set(is_broken);
    }

    /// The names of the files, in order.
    #[must_use]
    pub fn names(&self) -> Vec<AttachmentName> {
        self.stored.borrow().keys().cloned().collect()
    }
}

impl Files for MemoryFiles {
    async fn put(&self, name: &AttachmentName, bytes: &[u8]) -> Result<(), PortError> {
        let failed = |detail: &str| Err(PortError { port: "memory files", detail: detail.into() });
        if self.is_broken.get() {
            return failed("no file can be put, as the test asked");
        }
        if self.stored.borrow_mut().insert(name.clone(), bytes.into()).is_some() {
            return failed("a file was overwritten");
        }
        Ok(())
    }

    async fn get(&self, name: &AttachmentName) -> Result<Option<Vec<u8>>, PortError> {
        let found = self.stored.borrow().get(name).cloned();
        Ok(found.filter(|_| !self.is_late.get()))
    }

    async fn delete(&self, name: &AttachmentName) -> Result<(), PortError> {
        self.stored.borrow_mut().remove(name);
        Ok(())
    }
}
