//! The list of charges of the sandbox bank.

use alloc::format;
use alloc::string::String;

use super::read::{read_charge, report_of, sums_of};
use crate::gateway::listing::{ChargePage, ListedCharge, Period};
use crate::wire::object::Object;

/// The longest cursor, in bytes.
const MAX_CURSOR: usize = 128;

/// The query that follows the address of the charges.
pub(super) fn query(period: Period, cursor: Option<&str>) -> String {
    let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    format!("?from={}&to={}{cursor}", period.from.millis(), period.to.millis())
}

/// The page in a body; `None` if any part of it cannot be read: a charge must not be skipped silently.
pub(super) fn read_page(body: &[u8]) -> Option<ChargePage> {
    let page = Object::read(body, |page| ChargePage {
        charges: page.objects("charges", read_listed),
        next: page.optional_text("next"),
    })?;
    let is_cursor = |text: &String| {
        (1..=MAX_CURSOR).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    page.next.as_ref().is_none_or(is_cursor).then_some(page)
}

fn read_listed(text: &str) -> Option<ListedCharge> {
    let charge = read_charge(text.as_bytes())?;
    Some(ListedCharge { sums: sums_of(&charge)?, report: report_of(charge, text.as_bytes()) })
}
