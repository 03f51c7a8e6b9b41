//! The lines of the table of endpoints.

use alloc::string::String;
use alloc::vec::Vec;

use super::schema::sentence;
use crate::route::endpoint::{Endpoint, Facts, Parameter};
use crate::route::{OperatorRoute, Route};

/// A line of the table, whichever enum it belongs to.
pub(super) struct Line {
    pub(super) paths: &'static [&'static str],
    pub(super) methods: &'static [&'static str],
    pub(super) facts: Facts,
    pub(super) about: String,
    pub(super) parameters: Vec<Parameter>,
}

/// Every line, in the order of the table.
pub(super) fn lines() -> Vec<Line> {
    fn of<R>(endpoint: &Endpoint<R>) -> Line {
        Line {
            paths: endpoint.paths,
            methods: endpoint.methods,
            facts: endpoint.facts,
            about: sentence(endpoint.about),
            parameters: (endpoint.parameters)(),
        }
    }
    Route::ENDPOINTS.iter().map(of).chain(OperatorRoute::ENDPOINTS.iter().map(of)).collect()
}
