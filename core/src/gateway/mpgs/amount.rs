//! Amounts as the gateway takes them: a text of at most fourteen characters, ten digits before the point and three after it.

use crate::value::money::Currency;
use crate::value::money::totals::Totals;

/// The most digits before the point.
const WHOLE_DIGITS: u32 = 10;
/// The most digits after it.
const MAX_DECIMALS: u8 = 3;

/// The totals that the gateway charges in a currency.
pub(super) fn totals(currency: Currency) -> Totals {
    let decimals = currency.minor_units();
    if decimals > MAX_DECIMALS {
        return Totals::NONE;
    }
    let digits = WHOLE_DIGITS.saturating_add(u32::from(decimals));
    Totals::ALL.within(1, 10_i64.saturating_pow(digits).saturating_sub(1))
}
