//! HTTP messages as data: what is to be sent, and what came back.

use crate::words::word_list;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

word_list! {
    /// The method of an outgoing request.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum HttpMethod {
        /// `GET`, without a body.
        Get = "GET",
        /// `POST`.
        Post = "POST",
        /// `PUT`.
        Put = "PUT",
        /// `PATCH`.
        Patch = "PATCH",
        /// `DELETE`.
        Delete = "DELETE",
    }
}

/// One request to be sent. Header names are lower case.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The method.
    pub method: HttpMethod,
    /// The absolute address.
    pub url: String,
    /// Names and values.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes of the body; empty for none.
    pub body: Vec<u8>,
    /// The most bytes of an answer that are read.
    pub max_answer: u32,
}

impl Outgoing {
    /// The most bytes of an answer about one thing.
    pub const MAX_ANSWER: u32 = 65_536;
    /// The most bytes of a page of a list.
    pub const MAX_LIST: u32 = 1_048_576;
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &format_args!("[redacted; {} headers]", self.headers.len()))
            .field("body", &format_args!("[redacted; {} bytes]", self.body.len()))
            .field("max_answer", &self.max_answer)
            .finish()
    }
}

/// One answer, or one request that was sent to us.
#[derive(Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The HTTP status; 0 for a request that was sent to us, and where no answer came.
    pub status: u16,
    /// What follows the `?` in the address of a request that was sent to us; empty for an answer.
    pub query: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The bytes of the body, limited in size by the reader.
    pub body: Vec<u8>,
}

impl Incoming {
    /// What is read in the place of an answer that did not come.
    pub(crate) const NONE: Self =
        Self { status: 0, query: String::new(), headers: Vec::new(), body: Vec::new() };

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

/// What the payer's browser brought back from a gateway's page: the fields of the address and of the form, in their order.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Returned {
    /// Names and values, decoded.
    pub fields: Vec<(String, String)>,
}

impl Returned {
    /// The most fields that are read.
    pub const MAX_FIELDS: usize = 64;

    /// The first field of this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for Returned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Returned([redacted; {} fields])", self.fields.len())
    }
}
