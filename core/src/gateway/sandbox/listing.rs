//! The list of charges of the sandbox bank.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::read::{read_charge, report_of, sums_of};
use crate::gateway::listing::{ChargePage, ListedCharge, Period};

/// The longest cursor, in bytes.
const MAX_CURSOR: usize = 128;

/// A page as it stands on the wire.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    charges: Vec<&'a RawValue>,
    next: Option<String>,
}

/// What follows the address of the charges.
pub(super) fn query(period: Period, cursor: Option<&str>) -> String {
    let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    format!("?from={}&to={}{cursor}", period.from.millis(), period.to.millis())
}

/// The page in a body; `None` where anything of it cannot be read: a charge must not be passed over in silence.
pub(super) fn read_page(body: &[u8]) -> Option<ChargePage> {
    let page: Page<'_> = serde_json::from_slice(body).ok()?;
    let is_cursor = |text: &String| {
        (1..=MAX_CURSOR).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    if page.next.as_ref().is_some_and(|next| !is_cursor(next)) {
        return None;
    }
    let charges = page.charges.into_iter().map(|raw| {
        let body = raw.get().as_bytes();
        let charge = read_charge(body)?;
        Some(ListedCharge { sums: sums_of(&charge)?, report: report_of(charge, body) })
    });
    Some(ChargePage { charges: charges.collect::<Option<_>>()?, next: page.next })
}
