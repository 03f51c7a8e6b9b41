//! HTTP messages as data: what is to be sent, and what came back.

use crate::words::word_list;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

word_list! {
    /// The method of an outgoing request.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Method {
        /// `GET`, without a body.
        Get = "GET",
        /// `POST`.
        Post = "POST",
    }
}

/// One request to be sent. Header names are lower case.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// The absolute address.
    pub url: String,
    /// Names and values.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes of the body; empty for none.
    pub body: Vec<u8>,
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &format_args!("[redacted; {} headers]", self.headers.len()))
            .field("body", &format_args!("[redacted; {} bytes]", self.body.len()))
            .finish()
    }
}

/// One answer, or one request that was sent to us.
#[derive(Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The HTTP status; 0 for a request that was sent to us.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The bytes of the body, limited in size by the reader.
    pub body: Vec<u8>,
}

impl Incoming {
    /// The first header of this lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incoming")
            .field("status", &self.status)
            .field("body", &format_args!("[redacted; {} bytes]", self.body.len()))
            .finish_non_exhaustive()
    }
}
