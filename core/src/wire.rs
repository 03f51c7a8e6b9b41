//! Reads JSON and forms, and finds every violation at once.

pub mod browser;
pub mod charset;
pub(crate) mod encoded_word;
pub mod field;
pub mod form;
pub mod json;
pub mod members;
pub(crate) mod multipart;
pub mod nested;
pub mod noted;
pub mod object;
pub(crate) mod parameters;
pub mod patch;
pub mod query;
mod scan;
pub(crate) mod tree;
