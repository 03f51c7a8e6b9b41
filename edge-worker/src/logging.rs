//! One line of JSON per event, for the operator. Only what is listed here is ever logged: no body, no header,
//! no address of a request, because they contain session ids and keys.

use std::time::Duration;

use checkout_core::flow::sweep::Swept;
use checkout_core::port::PortError;
use serde_json::{Value, json};
use worker::{console_error, console_log};

/// The most reports of one request that are logged.
const MAX_REPORTS: usize = 10;
/// The most characters of a text of a report.
const MAX_REPORT_CHARS: usize = 120;

/// A request was answered.
pub(crate) fn answered(request_id: &str, route: &str, status: u16, took: Duration) {
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
