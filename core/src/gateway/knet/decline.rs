//! Why KNET declined: the code of the bank (`authRespCode`), and the results without one.

use crate::gateway::decline::DeclineReason;

/// What a code of the bank means; `None` for one that is not known. 05, 14, 33, 36, 38, 51, 54, 55, 61, 62, 65, 75, 76, 78 and 91
/// are published for the same product in Bahrain; the others are those of ISO 8583.
fn of_code(code: &str) -> Option<DeclineReason> {
    Some(match code {
        "01" | "02" | "05" | "78" => DeclineReason::ContactIssuer,
        "04" | "36" | "57" | "58" | "62" | "76" => DeclineReason::NotPermitted,
        "14" => DeclineReason::InvalidCard,
        "33" | "54" => DeclineReason::ExpiredCard,
        "34" | "59" => DeclineReason::SuspectedFraud,
        "38" | "55" | "75" => DeclineReason::WrongPin,
        "41" | "43" => DeclineReason::LostOrStolen,
        "51" => DeclineReason::InsufficientFunds,
        "61" | "65" => DeclineReason::LimitExceeded,
        "68" | "91" | "92" | "96" => DeclineReason::TechnicalError,
        _ => return None,
    })
}

/// Why a payment with this result was declined, and the code that says so. The result is KNET's own decision, except for
/// `NOT CAPTURED`, which is the bank's, and then its code says why.
pub(super) fn of<'a>(result: &'a str, code: Option<&'a str>) -> (DeclineReason, &'a str) {
    match (result, code) {
        ("DENIED BY RISK" | "NOT SUPPORTED", _) => (DeclineReason::NotPermitted, result),
        ("AUTH ERROR", _) => (DeclineReason::AuthenticationFailed, result),
        ("VOIDED", _) => (DeclineReason::TechnicalError, result),
        ("CANCELED", _) => (DeclineReason::CanceledByPayer, result),
        ("NOT CAPTURED", None) => (DeclineReason::DoNotHonor, result),
        (_, Some(code)) => (of_code(code).unwrap_or(DeclineReason::Other), code),
        (_, None) => (DeclineReason::Other, result),
    }
}

/// Errors with which KNET rejects a request before it does anything: its data, the credentials, or what the terminal may
/// do. Any other error, such as a time limit, a duplicate or a problem while processing, does not say that nothing was done.
const REJECTIONS: [&str; 59] = [
    "IPAY0100005",
    "IPAY0100006",
    "IPAY0100007",
    "IPAY0100008",
    "IPAY0100009",
    "IPAY0100013",
    "IPAY0100014",
    "IPAY0100015",
    "IPAY0100017",
    "IPAY0100018",
    "IPAY0100019",
    "IPAY0100020",
    "IPAY0100021",
    "IPAY0100022",
    "IPAY0100023",
    "IPAY0100024",
    "IPAY0100025",
    "IPAY0100027",
    "IPAY0100028",
    "IPAY0100029",
    "IPAY0100030",
    "IPAY0100031",
    "IPAY0100032",
    "IPAY0100033",
    "IPAY0100034",
    "IPAY0100045",
    "IPAY0100057",
    "IPAY0100058",
    "IPAY0100059",
    "IPAY0100060",
    "IPAY0100061",
    "IPAY0100062",
    "IPAY0100063",
    "IPAY0100064",
    "IPAY0100065",
    "IPAY0100066",
    "IPAY0100067",
    "IPAY0100068",
    "IPAY0100095",
    "IPAY0100098",
    "IPAY0100104",
    "IPAY0100109",
    "IPAY0100113",
    "IPAY0100115",
    "IPAY0100116",
    "IPAY0100195",
    "IPAY0100199",
    "IPAY0100208",
    "IPAY0100215",
    "IPAY0100216",
    "IPAY0100232",
    "IPAY0100233",
    "IPAY0100254",
    "IPAY0100263",
    "IPAY0100284",
    "IPAY0100285",
    "IPAY0100287",
    "IPAY0100289",
    "IPAY0300024",
];

/// Errors that say that the credentials are wrong, or that the terminal is closed.
const ACCESS: [&str; 12] = [
    "IPAY0100005",
    "IPAY0100006",
    "IPAY0100008",
    "IPAY0100009",
    "IPAY0100014",
    "IPAY0100015",
    "IPAY0100017",
    "IPAY0100018",
    "IPAY0100019",
    "IPAY0100095",
    "IPAY0100215",
    "IPAY0100254",
];

/// The error that says that there is no such purchase.
pub(super) const NOT_FOUND: &str = "IPAY0100263";

/// Whether an error certainly says that nothing was done.
pub(super) fn is_rejection(error: &str) -> bool {
    REJECTIONS.binary_search(&error).is_ok()
}

/// Whether an error is about the credentials or the terminal.
pub(super) fn is_about_access(error: &str) -> bool {
    ACCESS.binary_search(&error).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_access_is_a_part_of_rejections() {
        assert!(REJECTIONS.is_sorted() && ACCESS.is_sorted());
        assert!(ACCESS.iter().all(|code| is_rejection(code)));
        assert!(is_rejection(NOT_FOUND) && !is_about_access(NOT_FOUND));
    }
}
