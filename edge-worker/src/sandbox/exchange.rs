//! What the simulated world is asked, and what it answers.

use checkout_core::value::time::Timestamp;
use sandbox_bank::Bank;
use sandbox_bank::callback::Callback;
use sandbox_bank::listing::PAGE;
use worker::D1Database;

/// The most bytes of a body that are read here: those of a webhook.
pub(crate) const MAX_BODY_BYTES: usize = 65_536;

/// The simulated world at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Sandbox<'a> {
    /// The database with its tables.
    pub(crate) db: &'a D1Database,
    /// The origin of the installation, without a trailing slash.
    pub(crate) public_url: &'a str,
    /// Now.
    pub(crate) now: Timestamp,
}

/// A request of a browser, or of a sender of webhooks, to an address under [`PATH`].
#[derive(Clone, Copy)]
pub(crate) struct SandboxRequest<'a> {
    /// `GET`, `HEAD`, `POST` or another.
    pub(crate) method: &'a str,
    /// The path, percent-encoded as it came.
    pub(crate) path: &'a str,
    /// What is after the question mark.
    pub(crate) query: &'a str,
    /// Names in lower case, and values.
    pub(crate) headers: &'a [(String, String)],
    /// The bytes of the body; more than [`MAX_BODY_BYTES`] are refused.
    pub(crate) body: &'a [u8],
}

impl SandboxRequest<'_> {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn query_value(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.into())
    }

    /// The fields of a posted form.
    pub(crate) fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(self.body).into_owned().collect()
    }
}

/// What a request is answered with.
pub(crate) struct SandboxReply {
    /// The HTTP status.
    pub(crate) status: u16,
    /// Names in lower case, and values; all of them, the security headers included.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The bytes of the body.
    pub(crate) body: Vec<u8>,
    /// What the bank then sends to Till, in this order.
    pub(crate) callbacks: Vec<Callback>,
}

impl<'a> Sandbox<'a> {
    /// The bank at this moment.
    pub(super) fn bank(&self) -> Bank<'a> {
        Bank { public_url: self.public_url, now: self.now, page_size: PAGE }
    }
}
