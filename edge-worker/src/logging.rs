//! One line of JSON per event, for the operator. Only what is listed here is ever logged: no body, no header,
//! no address of a request, because they contain session ids and keys.

use std::cell::Cell;
use std::time::Duration;

use checkout_core::flow::sweep::Swept;
use checkout_core::port::PortError;
use serde_json::{Value, json};
use worker::{console_error, console_log};

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
}

/// A request was answered. Refusals, failures and slow answers are always logged, other answers at a rate: writing a line
/// costs more than anything else that a small request does.
pub(crate) fn answered(answer: &Answered<'_>, successes: SuccessRate) {
    let Answered { request_id, route, status, took } = *answer;
    if status < 400 && took < SLOW && !successes.takes_next() {
        return;
    }
    let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    // Each word here is one of ours or was checked: nothing needs escaping.
    let line = format!(
        r#"{{"event":"answered","request_id":"{request_id}","route":"{route}","status":{status},"ms":{took}}}"#
    );
    console_log!("{line}");
}

/// An external part failed.
pub(crate) fn failed(request_id: &str, error: &PortError) {
    let line =
        json!({"event": "failed", "request_id": request_id, "port": error.port, "detail": error.detail});
    console_error!("{}", line.to_string());
}

/// Scheme and host of an address, because paths contain session ids; a word such as `inline` is kept as it
/// is.
fn origin(address: &str) -> &str {
    let end = address.find("://").and_then(|scheme| {
        let host = scheme.saturating_add(3);
        address.get(host..)?.find(['/', '?', '#']).map(|path| host.saturating_add(path))
    });
    end.and_then(|end| address.get(..end)).unwrap_or(address)
}

/// The installation cannot work.
pub(crate) fn broken(what: &str, detail: &str) {
    console_error!("{}", json!({"event": "broken", "what": what, "detail": detail}).to_string());
}

/// A run of the sweep ended.
pub(crate) fn swept(swept: &Swept) {
    let Swept { inquired, expired, delivered, reconciled, failures: _ } = swept;
    if [inquired, expired, delivered, reconciled].into_iter().any(|count| *count > 0) {
        let line = json!({
            "event": "swept", "inquired": inquired, "expired": expired, "delivered": delivered,
            "reconciled": reconciled,
        });
        console_log!("{}", line.to_string());
    }
}

/// A browser reported a violation of the page's policy: the directive and what was blocked, cut short,
/// because a browser extension, or anyone else, may send anything.
pub(crate) fn policy_reports(request_id: &str, body: &[u8]) {
    let reports = match serde_json::from_slice(body) {
        Ok(Value::Array(reports)) => reports,
        Ok(report @ Value::Object(_)) => vec![report],
        Ok(_) | Err(_) => return,
    };
    for report in reports.iter().take(MAX_REPORTS) {
        let Some(body) = report.get("body").or_else(|| report.get("csp-report")) else { continue };
        let text = |names: [&str; 2]| -> String {
            let found = names.iter().find_map(|name| body.get(*name)?.as_str());
            found.unwrap_or_default().chars().take(MAX_REPORT_CHARS).collect()
        };
        let line = json!({
            "event": "policy_report",
            "request_id": request_id,
            "directive": text(["effectiveDirective", "effective-directive"]),
            "blocked": origin(&text(["blockedURL", "blocked-uri"])),
        });
        console_log!("{}", line.to_string());
    }
}
