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
    /// By both, which must agree.
    Both {
        /// Its id, as given.
        session_id: String,
        /// Its order number.
        order_no: String,
    },
}

impl Target {
    /// The id alone, if both are given: for what neither moves money nor sends news.
    #[must_use]
    pub(crate) fn by_id_first(self) -> Self {
        match self {
            Self::Both { session_id, .. } => Self::Session(session_id),
            Self::Session(_) | Self::Order(_) => self,
        }
    }

    /// Whether a transaction with this order number is the one that is meant, as far as the order number says it.
    #[must_use]
    pub(crate) fn agrees(&self, order_no: Option<&str>) -> bool {
        match self {
            Self::Both { order_no: given, .. } => order_no == Some(given),
            Self::Session(_) | Self::Order(_) => true,
        }
    }
}

/// Reads the two fields. If neither is given, both are reported.
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
    match (by_id, by_order) {
        (Some(session_id), Some(order_no)) => Some(Target::Both { session_id, order_no }),
        (by_id, by_order) => by_id.map(Target::Session).or_else(|| by_order.map(Target::Order)),
    }
}
