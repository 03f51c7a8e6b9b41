//! Reads JSON and forms, and finds every violation at once.

pub mod field;
pub mod form;
pub mod json;
pub mod members;
pub mod nested;
pub mod noted;
pub mod object;
pub mod patch;
pub(crate) mod query;
pub(crate) mod tree;
