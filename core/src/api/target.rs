//! Which payment transaction a request is about: the fields `session_id` and `order_no`.

use alloc::string::String;

use serde_json::value::RawValue;

use crate::violation::Rule;
use crate::wire::field::{Fields, is_blank};

/// The most characters of an id.
const MAX_ID_CHARS: usize = 128;

/// How the transaction is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// By its id, as given.
    Session(String),
    /// By its order number; of several, the newest.
    Order(String),
}

/// Reads the two fields. If both are given, the id counts; if neither is, both are reported.
pub fn read(
    fields: &mut Fields,
    session_id: Option<&RawValue>,
    order_no: Option<&RawValue>,
) -> Option<Target> {
    let given = |raw: &&RawValue| !is_blank(raw);
    read_strictly(fields, session_id.filter(given), order_no.filter(given))
}

/// As [`read`], for a body that moves money: blank text is a violation.
pub(crate) fn read_strictly(
    fields: &mut Fields,
    session_id: Option<&RawValue>,
    order_no: Option<&RawValue>,
) -> Option<Target> {
    let by_id = fields.unless_absent("session_id", session_id, |f, p, raw| f.line(p, raw, MAX_ID_CHARS));
    let by_order = fields.unless_absent("order_no", order_no, |f, p, raw| f.line(p, raw, MAX_ID_CHARS));
    if by_id.is_none() && by_order.is_none() && !fields.has("session_id") && !fields.has("order_no") {
        fields.violation("order_no", Rule::OneOfTwo { other: "session_id" });
        fields.violation("session_id", Rule::OneOfTwo { other: "order_no" });
    }
    by_id.map(Target::Session).or_else(|| by_order.map(Target::Order))
}
