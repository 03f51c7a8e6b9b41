//! `GET /b/checkout/v1/totals/` adds up what was paid and given back on days at the merchant.
//!
//! The request is the query: `from` and `to`, days of the calendar at the merchant, both included. Without `to` the last day is
//! today, without `from` it is the only one.

use crate::rejection::Rejection;
use crate::route::query::TOTALS;
use crate::value::time::Date;
use crate::violation::Rule;
use crate::wire::query::Parameters;

/// The most days of one request.
const MAX_DAYS: i64 = 92;

/// From which day to which, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    /// The first.
    pub from: Date,
    /// The last, which is not before it.
    pub to: Date,
}

/// Reads a query. Every wrong parameter is reported.
///
/// # Errors
/// [`Rejection::Invalid`] with the violations in the order of the parameters.
pub fn read(query: &str, today: Date) -> Result<Days, Rejection> {
    let mut parameters = Parameters::of(query, TOTALS);
    let from = parameters.read("from", Rule::NotDate, Date::parse);
    let to = parameters.read("to", Rule::NotDate, Date::parse);
    let last = to.unwrap_or_else(|| from.map_or(today, |from| from.max(today)));
    let first = from.unwrap_or(last);
    if last < first {
        parameters.found.add("to", Rule::Before("from"));
    } else if last.days_since(first) >= MAX_DAYS {
        parameters.found.add("to", Rule::TooManyDays { max: MAX_DAYS });
    }
    parameters.finish()?;
    Ok(Days { from: first, to: last })
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use super::*;

    fn days(query: &str) -> Result<(String, String), Vec<String>> {
        match read(query, Date::parse("2026-11-27").unwrap()) {
            Ok(Days { from, to }) => Ok((from.to_string(), to.to_string())),
            Err(Rejection::Invalid(found)) => {
                Err(found.iter().map(|one| alloc::format!("{} {}", one.path, one.rule)).collect())
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_left_out_is_today() {
        for (query, from, to) in [
            ("", "2026-11-27", "2026-11-27"),
            ("from=2026-11-01", "2026-11-01", "2026-11-27"),
            ("from=2026-12-01", "2026-12-01", "2026-12-01"),
            ("to=2026-11-01", "2026-11-01", "2026-11-01"),
            ("from=2026-08-28&to=2026-11-27", "2026-08-28", "2026-11-27"),
        ] {
            assert_eq!(days(query), Ok((from.into(), to.into())), "{query}");
        }
    }

    #[test]
    fn a_period_that_is_wrong_or_too_long_is_named() {
        for (query, wanted) in [
            ("from=2026-08-27&to=2026-11-27", "to must be at most 92 days, from the first to the last"),
            ("from=2026-08-27", "to must be at most 92 days, from the first to the last"),
            ("from=2026-11-02&to=2026-11-01", "to must not be before from"),
            ("from=today", "from must be a date written YYYY-MM-DD"),
            ("to=2026-11-01T00:00:00Z", "to must be a date written YYYY-MM-DD"),
            ("day=1", "day is unknown: this address takes the parameters from, to"),
        ] {
            assert_eq!(days(query), Err(Vec::from([wanted.into()])), "{query}");
        }
    }
}
