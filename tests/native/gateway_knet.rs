//! The connector of KNET against vectors that another implementation of AES made: what it sends, byte for byte, what it
//! makes of every answer, and what it never believes.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what the helpers of a test cannot read fails the test"
)]

mod callbacks;
mod inquiries;
mod refunds;
mod requests;
mod secrets;

use checkout_core::gateway::charge::{Outcome, Report};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::knet::{DECLARATION, PASSWORD, RESOURCE_KEY, TRANPORTAL_ID};
use checkout_core::testing::gateway::{REFERENCE, answer, charge, connect, converse};
use serde::Deserialize;

const KEY: &str = "Q7w2Er9TyU4iOp1Z";
const CREDENTIALS: [(&str, &str); 3] =
    [(TRANPORTAL_ID, "900100200"), (PASSWORD, "Exm9pl"), (RESOURCE_KEY, KEY)];

/// A text that was encrypted with [`KEY`].
#[derive(Deserialize)]
struct Sealed {
    name: String,
    text: String,
    trandata: String,
}

fn sealed() -> Vec<Sealed> {
    serde_json::from_str(include_str!("../vectors/gateways/knet-answers.json")).unwrap()
}

fn trandata(name: &str) -> String {
    sealed().into_iter().find(|sealed| sealed.name == name).unwrap().trandata
}

fn knet() -> Box<dyn Connector> {
    connect(&DECLARATION, &CREDENTIALS)
}

fn with(more: &[(&'static str, &str)]) -> Box<dyn Connector> {
    connect(&DECLARATION, &[&CREDENTIALS, more].concat())
}

/// An answer to an inquiry with this result and code.
fn said(result: &str, code: &str) -> String {
    format!(
        "<result>{result}</result><auth>B24047</auth><ref>632500000042</ref><avr>N</avr><postdate>1122</postdate>\
         <tranid>202632500000099</tranid><trackid>{REFERENCE}</trackid><payid>100202632500099</payid>\
         <udf1>{REFERENCE}</udf1><udf2></udf2><udf5>TrackID</udf5><amt>10.250</amt>\
         <authRespCode>{code}</authRespCode>"
    )
}

fn failed(code: &str, text: &str) -> String {
    format!(
        "<result>!ERROR!-{code}-{text}</result><error_code_tag>{code}</error_code_tag>\
         <error_service_tag>null</error_service_tag>"
    )
}

/// How the connector reads an answer to an inquiry.
fn inquired(answer: &Incoming) -> Report {
    converse(knet().inquire(&charge("10.250", "KWD"), None), core::slice::from_ref(answer)).1
}

fn outcome(body: &str) -> Outcome {
    inquired(&answer(200, body)).outcome
}
