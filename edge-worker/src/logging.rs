//! One line of JSON per event, for the operator. Only what is listed here is ever logged: no body, no header,
//! no address of a request, because they contain session ids and keys.

use std::cell::Cell;
use std::time::Duration;

use checkout_core::flow::Failure;
use checkout_core::flow::deliver::RunReport;
use checkout_core::flow::operator::page_check::CheckOutcome;
use checkout_core::gateway::decline::Unmapped;
use checkout_core::port::{Limited, PortError};
use checkout_core::value::id::MerchantId;
use checkout_core::value::json;
use checkout_core::value::network::Network;
use checkout_core::wire::json::{items, text_of};
use checkout_core::wire::members::Members;
use serde::Serialize;
use serde_json::value::RawValue;
use worker::{console_error, console_log, console_warn};

use crate::plain;

/// The most reports of one request that are logged.
const MAX_REPORTS: usize = 10;
/// The most characters of a text of a report.
const MAX_REPORT_CHARS: usize = 120;

/// An answer that takes this long is always logged.
const SLOW: Duration = Duration::from_secs(1);

thread_local! {
    /// How many hundredths of a line successes have saved up since the last one that was logged.
    static SAVED: Cell<u8> = const { Cell::new(0) };
}

/// Of how many successes in a hundred a line is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SuccessRate(u8);

impl SuccessRate {
    /// 0 to 100; 100 if the text is empty.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "" => Some(Self(100)),
            text => text.parse().ok().filter(|rate| *rate <= 100).map(Self),
        }
    }

    /// Whether the next success is logged: evenly, so that of a hundred in a row exactly as many are.
    fn takes_next(self) -> bool {
        SAVED.with(|saved| {
            let sum = saved.get().saturating_add(self.0);
            let is_taken = sum >= 100;
            saved.set(if is_taken { sum.saturating_sub(100) } else { sum });
            is_taken
        })
    }
}

/// What is logged of an answer.
pub(crate) struct Answered<'a> {
    /// The request's id.
    pub(crate) request_id: &'a str,
    /// The name of its endpoint.
    pub(crate) route: &'static str,
    /// The status of the answer.
    pub(crate) status: u16,
    /// How long it took.
    pub(crate) took: Duration,
    /// How often the database was asked for it.
    pub(crate) db: u32,
}

/// A request was answered. Refusals, failures and slow answers are always logged, other answers at a rate: writing a line
/// costs more than anything else that a small request does.
pub(crate) fn answered(answer: &Answered<'_>, successes: SuccessRate) {
    let Answered { request_id, route, status, took, db } = *answer;
    if status < 400 && took < SLOW && !successes.takes_next() {
        return;
    }
    let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    // Each word here is one of ours or was checked: nothing needs escaping.
    let line = format!(
        r#"{{"event":"answered","request_id":"{request_id}","route":"{route}","status":{status},"ms":{took},"db":{db}}}"#
    );
    console_log!("{line}");
}

/// An external part failed.
pub(crate) fn failed(request_id: &str, error: &PortError) {
    let line = Failed { detail: &error.detail, event: "failed", port: error.port, request_id };
    console_error!("{}", json(&line));
}

/// A request or a turn of the background was not done because something failed; a refusal is no failure.
pub(crate) fn failure(request_id: &str, failure: &Failure) {
    if let Some(error) = failure.fault() {
        failed(request_id, &error);
    }
}

/// A limit refused a request. Of the address only a larger network is shown.
pub(crate) fn rate_limited(limited: &Limited<'_>, request_id: &str, network: Option<Network>) {
    console_warn!("{}", limited_line(limited, request_id, network));
}

fn limited_line(limited: &Limited<'_>, request_id: &str, network: Option<Network>) -> String {
    let Limited { limit, merchant, retry_after } = *limited;
    let from = network.map(Network::around);
    let merchant = merchant.map(MerchantId::as_str);
    json(&Refused { event: "rate_limited", from: from.as_deref(), limit, merchant, request_id, retry_after })
}

/// A payment was declined with a code that no table has.
pub(crate) fn unmapped(unmapped: &Unmapped) {
    console_warn!("{}", unmapped_line(unmapped));
}

fn unmapped_line(unmapped: &Unmapped) -> String {
    let Unmapped { connector, pg_code, code } = unmapped;
    let (connector, pg_code) = (connector.as_str(), pg_code.as_str());
    json(&MissedCode { code, connector, event: "decline_unmapped", pg_code })
}

/// Limiters are not bound, so that what they would limit is not. Once for each isolate.
pub(crate) fn unlimited(names: &str) {
    console_warn!("{}", json(&Unlimited { bindings: names, event: "not_limited" }));
}

/// The installation cannot work.
pub(crate) fn broken(what: &str, detail: &str) {
    console_error!("{}", json(&Broken { detail, event: "broken", what }));
}

/// A run of the sweep ended: what failed in it, and what it did.
pub(crate) fn run(report: &RunReport) {
    for error in &report.failures {
        failed("sweep", error);
    }
    let RunReport { alerts, inquired, expired, delivered, reconciled, erased, failures: _ } = *report;
    if [alerts, inquired, expired, delivered, reconciled, erased].into_iter().any(|count| count > 0) {
        console_log!(
            r#"{{"alerts":{alerts},"delivered":{delivered},"erased":{erased},"event":"swept","expired":{expired},"inquired":{inquired},"reconciled":{reconciled}}}"#
        );
    }
}

/// What browsers get was compared with what was published. Only addresses that this build knows are named.
pub(crate) fn page_checked(found: &CheckOutcome) {
    let CheckOutcome { requested, unanswered, differences } = found;
    for difference in differences {
        let line = Changed { event: "page_changed", part: difference.part, path: &difference.path };
        console_error!("{}", json(&line));
    }
    let count = differences.len();
    console_log!(
        r#"{{"differences":{count},"event":"page_checked","requested":{requested},"unanswered":{unanswered}}}"#
    );
}

/// A browser reported a violation of the page's policy: the directive and what was blocked, as far as they are plain words
/// and hosts, because a browser extension, or anyone else, may send anything.
pub(crate) fn policy_reports(request_id: &str, body: &[u8]) {
    for Violation { directive, blocked } in violations(body) {
        let (blocked, directive) = (plain::blocked(&blocked), plain::directive(&directive));
        let line = Reported { blocked: &blocked, directive, event: "policy_report", request_id };
        console_log!("{}", json(&line));
    }
}

/// What one report says.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    directive: String,
    blocked: String,
}

/// The first reports of a body: a list of them, or one alone. What is not a report is left out.
fn violations(body: &[u8]) -> Vec<Violation> {
    let Ok(all) = serde_json::from_slice::<&RawValue>(body) else { return Vec::new() };
    let reports = items(all).unwrap_or_else(|| vec![all]);
    reports.into_iter().take(MAX_REPORTS).filter_map(read_report).collect()
}

fn read_report(report: &RawValue) -> Option<Violation> {
    let report = Members::of(report)?;
    let body = report.get("body").or_else(|| report.get("csp-report"))?;
    let body = Members::of(body).unwrap_or_default();
    let text = |names: [&str; 2]| -> String {
        let found = names.iter().find_map(|name| text_of(body.get(name)?));
        found.unwrap_or_default().chars().take(MAX_REPORT_CHARS).collect()
    };
    Some(Violation {
        directive: text(["effectiveDirective", "effective-directive"]),
        blocked: text(["blockedURL", "blocked-uri"]),
    })
}

/// A line that browsers get something else than was published.
#[derive(Serialize)]
struct Changed<'a> {
    event: &'static str,
    part: &'static str,
    path: &'a str,
}

/// A line that an external part failed.
#[derive(Serialize)]
struct Failed<'a> {
    detail: &'a str,
    event: &'static str,
    port: &'static str,
    request_id: &'a str,
}

/// A line that a limit refused a request.
#[derive(Serialize)]
struct Refused<'a> {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    limit: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant: Option<&'a str>,
    request_id: &'a str,
    retry_after: u64,
}

/// A line that a decline code is missing in a table.
#[derive(Serialize)]
struct MissedCode<'a> {
    code: &'a str,
    connector: &'static str,
    event: &'static str,
    pg_code: &'a str,
}

/// A line that the installation cannot work.
#[derive(Serialize)]
struct Broken<'a> {
    detail: &'a str,
    event: &'static str,
    what: &'a str,
}

/// A line that limiters are not bound.
#[derive(Serialize)]
struct Unlimited<'a> {
    bindings: &'a str,
    event: &'static str,
}

/// A line about a violation that a browser reported.
#[derive(Serialize)]
struct Reported<'a> {
    blocked: &'a str,
    directive: &'a str,
    event: &'static str,
    request_id: &'a str,
}

/// A line.
fn json(line: &impl Serialize) -> String {
    json::write(line).unwrap_or_else(|unwritten| unwritten.to_string())
}

#[cfg(test)]
mod tests {
    use checkout_core::gateway::ConnectorKind;
    use checkout_core::gateway::charge::PgParams;
    use checkout_core::gateway::decline::{DeclineReason, note};
    use checkout_core::value::id::PgCode;

    use super::*;

    fn read(body: &str) -> Vec<(String, String)> {
        violations(body.as_bytes()).into_iter().map(|found| (found.directive, found.blocked)).collect()
    }

    fn found(directive: &str, blocked: &str) -> (String, String) {
        (directive.into(), blocked.into())
    }

    #[test]
    fn reports_are_read_in_both_forms_alone_and_in_a_list() {
        let older =
            r#"{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://a.example.com/b?c"}}"#;
        let newer =
            r#"{"type":"csp-violation","body":{"effectiveDirective":"script-src","blockedURL":"inline"}}"#;
        assert_eq!(read(older), [found("img-src", "https://a.example.com/b?c")]);
        let both = [found("script-src", "inline"), found("img-src", "https://a.example.com/b?c")];
        assert_eq!(read(&format!("[{newer},{older}]")), both);
        assert_eq!(read(&format!("[{}]", [newer; 12].join(","))).len(), MAX_REPORTS);
    }

    #[test]
    fn what_is_not_a_report_is_left_out_and_what_is_long_is_cut() {
        for body in ["", "{", "7", "\"body\"", "[]", "[1,[],null,{}]", r#"{"other":{}}"#, "\u{0}"] {
            assert_eq!(read(body), [], "{body}");
        }
        assert_eq!(read(r#"[{"body":[]},{"body":{"blockedURL":7}}]"#), [found("", ""), found("", "")]);
        let long = format!(r#"{{"body":{{"effectiveDirective":"{}"}}}}"#, "ä".repeat(1_000));
        assert_eq!(read(&long), [found(&"ä".repeat(MAX_REPORT_CHARS), "")]);
    }

    #[test]
    fn a_refused_request_is_one_line_that_shows_no_whole_address() {
        let merchant = MerchantId::parse("shop").unwrap();
        let limited = Limited { limit: "address_declines", merchant: Some(&merchant), retry_after: 900 };
        let expected = r#"{"event":"rate_limited","from":"203.0.113.0/24","limit":"address_declines","merchant":"shop","request_id":"r1","retry_after":900}"#;
        assert_eq!(limited_line(&limited, "r1", Network::of("203.0.113.77")), expected);
        let limited = Limited { limit: "sign_ins", merchant: None, retry_after: 1 };
        let expected = r#"{"event":"rate_limited","limit":"sign_ins","request_id":"r1","retry_after":1}"#;
        assert_eq!(limited_line(&limited, "r1", None), expected);
    }

    #[test]
    fn a_code_that_is_missing_is_one_line_of_json() {
        let mut params = PgParams::new();
        note(&mut params, DeclineReason::Other, "a\"}\n{\"b");
        let found = Unmapped::of(ConnectorKind::Sandbox, &PgCode::parse("card").unwrap(), &params).unwrap();
        let expected =
            r#"{"code":"a????b","connector":"sandbox","event":"decline_unmapped","pg_code":"card"}"#;
        assert_eq!(unmapped_line(&found), expected);
    }
}
