//! The answer that lists why the payments of a transaction went to their gateways.

use alloc::string::String;
use alloc::vec::Vec;

use crate::value::time::Moment;
use schemars::JsonSchema;
use serde::Serialize;

use crate::record::decision::RoutingDecision;
use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::json::{self, Unwritten};

/// Why payments went to their gateways.
#[derive(Serialize, JsonSchema)]
pub struct RoutingAnswer<'a> {
    /// One entry for each attempt, in order.
    results: Vec<RoutingShown<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct RoutingShown<'a> {
    /// The attempt.
    reference_number: &'a str,
    /// The gateway to which it went.
    pg_code: Option<&'a str>,
    /// When.
    decided_at: Moment,
    /// What decided.
    decided_by: crate::record::decision::Basis,
    /// The rule that applied.
    rule: Option<&'a str>,
    /// With shares, the number from 0 to 99 that chose.
    draw: Option<u8>,
    /// The attempt that did not reach its gateway and that this one replaces.
    replaces: Option<&'a str>,
    /// Every gateway of the transaction, in the order of the decision.
    gateways: Vec<Considered<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Considered<'a> {
    /// The gateway.
    pg_code: &'a str,
    /// What was found about it.
    finding: crate::record::decision::GatewayFinding,
}

/// The JSON text that lists decisions.
///
/// # Errors
/// If it could not be written.
pub fn answer(decisions: &[RoutingDecision]) -> Result<String, Unwritten> {
    let results = decisions.iter().map(|decision| RoutingShown {
        reference_number: decision.reference.as_str(),
        pg_code: decision.chosen().map(PgCode::as_str),
        decided_at: decision.at.into(),
        decided_by: decision.basis,
        rule: decision.rule.as_deref(),
        draw: decision.draw,
        replaces: decision.replaces.as_ref().map(ReferenceNumber::as_str),
        gateways: decision
            .gateways
            .iter()
            .map(|(code, finding)| Considered { pg_code: code.as_str(), finding: *finding })
            .collect(),
    });
    json::write(&RoutingAnswer { results: results.collect() })
}
