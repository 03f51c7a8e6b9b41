//! A request to the bank's API: whose it is, and what it asks for.

mod opening;
mod operation;

use alloc::string::String;
use alloc::vec::Vec;

use checkout_core::gateway::exchange::{HttpMethod, Outgoing};
use checkout_core::gateway::sandbox::{ENDPOINT, callback_key};

use crate::charge::Opening;
use crate::listing::Query;
use crate::offer::OfferRequest;
use crate::operation as operations;
use crate::reply::{Reply, refused};
use crate::session::SessionRequest;
use opening::read_opening;
use operation::read_operation;

/// The longest key of the API, in bytes.
const MAX_KEY_BYTES: usize = 256;
/// The longest body, in bytes.
const MAX_BODY_BYTES: usize = 65_536;
/// Refunds of an account whose key has this word are queued.
const QUEUED_KEY: &str = "queued";

/// A request that can be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Whose it is.
    pub account: Account,
    /// What it asks for.
    pub command: Command,
}

/// An account of the bank. Any key is valid, and is a separate account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// What is derived from the key: the bank stores no key.
    pub id: String,
    /// Whether its refunds are queued.
    pub queues_refunds: bool,
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Opens a charge.
    Open(Opening),
    /// Shows a charge.
    Inquire {
        /// The reference of the charge.
        charge: String,
    },
    /// Withdraws a charge.
    Cancel {
        /// The reference of the charge.
        charge: String,
    },
    /// Captures, refunds or voids.
    Operate {
        /// The reference of the charge.
        charge: String,
        /// What is asked for.
        terms: operations::OperationTerms,
    },
    /// Shows an operation.
    InquireOperation {
        /// The reference of the charge.
        charge: String,
        /// The reference of the operation.
        operation: String,
    },
    /// Lists charges.
    List(Query),
    /// Starts a session of Apple Pay.
    StartSession(SessionRequest),
    /// Asks whether the bank lends.
    Offer(OfferRequest),
}

/// What the bank must know of its records to answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed<'a> {
    /// Nothing.
    Nothing,
    /// One charge, by its reference.
    Charge(&'a str),
    /// One operation, by its reference.
    Operation(&'a str),
    /// One charge with everything that was done to it, and the operation of a reference.
    Both {
        /// The reference of the charge.
        charge: &'a str,
        /// The reference of the operation.
        operation: &'a str,
    },
    /// A page of the list.
    Page(&'a Query),
}

impl Request {
    /// What the bank must know to answer.
    #[must_use]
    pub fn wanted(&self) -> Needed<'_> {
        match &self.command {
            Command::Open(opening) => Needed::Charge(&opening.terms.reference),
            Command::Inquire { charge } | Command::Cancel { charge } => Needed::Charge(charge),
            Command::Operate { charge, terms } => Needed::Both { charge, operation: &terms.reference },
            Command::InquireOperation { operation, .. } => Needed::Operation(operation),
            Command::List(query) => Needed::Page(query),
            Command::StartSession(_) | Command::Offer(_) => Needed::Nothing,
        }
    }
}

/// Reads a request.
pub(crate) fn read(request: &Outgoing, public_url: &str) -> Result<Request, Reply> {
    let account = account_of(request)
        .ok_or_else(|| refused(401, "needs the header authorization: Bearer, with a key of the api"))?;
    let target = request.url.strip_prefix(ENDPOINT).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    let wrong = |message: &'static str| refused(400, message);
    let body = || {
        let is_short = request.body.len() <= MAX_BODY_BYTES;
        is_short.then_some(request.body.as_slice()).ok_or("the body must be at most 65536 bytes")
    };
    let command = match (request.method, segments.as_slice()) {
        (HttpMethod::Post, ["v1", "charges"]) => {
            let opening = body().and_then(|body| read_opening(body, public_url, &account.id));
            Command::Open(opening.map_err(wrong)?)
        }
        (HttpMethod::Post, ["v1", "wallets", "apple-pay", "session"]) => {
            Command::StartSession(SessionRequest::read(&request.body)?)
        }
        (HttpMethod::Post, ["v1", "offers"]) => Command::Offer(OfferRequest::read(&request.body)?),
        (HttpMethod::Get, ["v1", "charges"]) => Command::List(Query::read(query).map_err(wrong)?),
        (HttpMethod::Get, ["v1", "charges", charge]) => Command::Inquire { charge: (*charge).into() },
        (HttpMethod::Post, ["v1", "charges", charge, "cancel"]) => {
            Command::Cancel { charge: (*charge).into() }
        }
        (HttpMethod::Post, ["v1", "charges", charge, "operations"]) => {
            let terms = body().and_then(|body| read_operation(body, public_url)).map_err(wrong)?;
            Command::Operate { charge: (*charge).into(), terms }
        }
        (HttpMethod::Get, ["v1", "charges", charge, "operations", operation]) => {
            Command::InquireOperation { charge: (*charge).into(), operation: (*operation).into() }
        }
        (_, _) => return Err(refused(404, "there is no such address")),
    };
    Ok(Request { account, command })
}

fn account_of(request: &Outgoing) -> Option<Account> {
    let (_, value) = request.headers.iter().find(|(name, _)| *name == "authorization")?;
    let key = value.strip_prefix("Bearer ")?;
    let is_key = (1..=MAX_KEY_BYTES).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    is_key.then(|| Account { id: callback_key(key), queues_refunds: key.contains(QUEUED_KEY) })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_bearer_is_one_word() {
        let account = |value: &str| {
            let request = Outgoing {
                method: HttpMethod::Get,
                url: String::new(),
                headers: vec![("authorization", value.into())],
                body: Vec::new(),
                max_answer: Outgoing::MAX_ANSWER,
            };
            account_of(&request)
        };
        let known = account("Bearer k1").unwrap();
        assert_eq!((known.id, known.queues_refunds), (callback_key("k1"), false));
        assert!(account("Bearer queued-1").unwrap().queues_refunds);
        for value in ["Bearer ", "Bearer", "bearer k1", "Basic k1", "Bearer k 1", ""] {
            assert_eq!(account(value), None, "{value:?}");
        }
    }
}
