//! The answer that lists why the payments of a transaction went to their gateways.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use crate::record::decision::Decision;
use crate::value::id::{PgCode, ReferenceNumber};

#[derive(Serialize)]
struct Answer<'a> {
    results: Vec<Shown<'a>>,
}

#[derive(Serialize)]
struct Shown<'a> {
    reference_number: &'a str,
    pg_code: Option<&'a str>,
    decided_at: String,
    decided_by: &'static str,
    rule: Option<&'a str>,
    draw: Option<u8>,
    replaces: Option<&'a str>,
    gateways: Vec<Considered<'a>>,
}

#[derive(Serialize)]
struct Considered<'a> {
    pg_code: &'a str,
    finding: &'static str,
}

/// The JSON text that lists decisions.
#[must_use]
pub fn answer(decisions: &[Decision]) -> String {
    let results = decisions.iter().map(|decision| Shown {
        reference_number: decision.reference.as_str(),
        pg_code: decision.chosen().map(PgCode::as_str),
        decided_at: decision.at.to_string(),
        decided_by: decision.basis.as_str(),
        rule: decision.rule.as_deref(),
        draw: decision.draw,
        replaces: decision.replaces.as_ref().map(ReferenceNumber::as_str),
        gateways: decision
            .gateways
            .iter()
            .map(|(code, finding)| Considered { pg_code: code.as_str(), finding: finding.as_str() })
            .collect(),
    });
    // Texts and numbers always serialise.
    checkout_scan::json::write(&Answer { results: results.collect() }).unwrap_or_default()
}
