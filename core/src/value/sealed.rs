//! A secret in its stored form.

use alloc::string::String;

/// A secret that only the installation can open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed(pub String);
