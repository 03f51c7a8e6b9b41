//! Every address of the API and of the page, in one [table] that is read in both directions.
//!
//! Each address answers with and without its trailing slash; a wrong method gets 405 with `Allow`.
//!
//! [table]: Route

mod action;
pub(crate) mod endpoint;
mod image;
mod operators;
pub(crate) mod query;
mod segment;
mod strict;
mod table;

use alloc::string::String;
use alloc::vec::Vec;

use crate::value::id::SessionId;
use crate::words::Wallet;

pub use action::{Action, Needs};
pub(crate) use endpoint::fill;
pub use endpoint::{
    Answered, Endpoint, EndpointAudience, EndpointBody, EndpointFacts, Media, Origins, Refusals, Waits,
};
pub use image::ImageFormat;
pub use operators::OperatorRoute;
pub use query::Query;
pub use segment::QrCode;
pub(crate) use segment::Segment;
pub use table::Route;

/// What an address and a method mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// This operation.
    Route(Route),
    /// The address answers only other methods.
    WrongMethod {
        /// For the header `Allow`.
        allow: String,
    },
    /// There is no such address.
    Nothing,
}

/// In which order `Allow` names methods.
const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// What `method` on `path` means. `HEAD` is read as `GET`. An address whose parts are malformed does not exist, whatever
/// the method.
#[must_use]
pub fn find(method: &str, path: &str) -> Match {
    let method = if method == "HEAD" { "GET" } else { method };
    let path = path.trim_end_matches('/');
    let mut allowed = Vec::new();
    let found = search(Route::ENDPOINTS, method, path, &mut allowed)
        .or_else(|| search(OperatorRoute::ENDPOINTS, method, path, &mut allowed).map(Route::Operator));
    match found {
        Some(route) => Match::Route(route),
        None if allowed.is_empty() => Match::Nothing,
        None => {
            let in_order = METHODS.into_iter().filter(|known| allowed.contains(known));
            Match::WrongMethod { allow: in_order.collect::<Vec<_>>().join(", ") }
        }
    }
}

fn search<R>(
    endpoints: &'static [Endpoint<R>],
    method: &str,
    path: &str,
    allowed: &mut Vec<&'static str>,
) -> Option<R> {
    for endpoint in endpoints {
        let Some(route) = endpoint.read(path) else { continue };
        if endpoint.methods.contains(&method) {
            return Some(route);
        }
        allowed.extend(endpoint.methods);
        if endpoint.facts.origins != Origins::Own {
            allowed.push("OPTIONS");
        }
    }
    None
}

/// The endpoint that a preflight request is about, if a page of a merchant may call it: whatever the method, because a
/// browser asks again for none that it was not permitted.
#[must_use]
pub fn find_page_side(path: &str) -> Option<Route> {
    let path = path.trim_end_matches('/');
    let mut called = Route::ENDPOINTS.iter().filter(|endpoint| endpoint.facts.origins != Origins::Own);
    called.find_map(|endpoint| endpoint.read(path))
}

impl Route {
    /// The transaction, named by the address, of whose merchant a page may call; `None` for all other addresses.
    #[must_use]
    pub fn called_from_pages_of(&self) -> Option<&SessionId> {
        self.session().filter(|_| self.facts().origins == Origins::OfAddress)
    }

    /// Where a page pays by a device wallet.
    #[must_use]
    pub const fn of_page_wallet(wallet: Wallet) -> Self {
        match wallet {
            Wallet::ApplePay => Self::SdkPayByApplePay,
            Wallet::GooglePay => Self::SdkPayByGooglePay,
        }
    }
}

#[cfg(test)]
mod tests;
