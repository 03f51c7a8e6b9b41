//! What one person or key refunded in a day, in the tables `child` and `approval`.

use checkout_core::approval::day::{RefundClaim, RefundDay};
use checkout_core::port::PortError;
use checkout_core::value::money::SumOfMoney;

use super::fault::corrupt;
use super::statement::{Db, Values};

/// The sum of a day, by the rules of [`RefundDay`].
macro_rules! sum {
    () => {
        "(SELECT COALESCE(SUM(c.amount), 0) FROM child c INDEXED BY child_refund_made WHERE c.operation = 'refund' \
         AND c.merchant_id = ? AND c.made_by = ? AND c.opened_at >= CAST(? AS INTEGER) AND c.opened_at < CAST(? AS INTEGER) \
         AND c.currency = ? AND c.stage NOT IN ('refused', 'rejected') AND COALESCE(c.tracking_key, '') NOT LIKE 'approval %') \
         + (SELECT COALESCE(SUM(p.amount), 0) FROM approval p INDEXED BY approval_of_merchant WHERE p.operation = 'refund' \
         AND p.merchant_id = ? AND p.asked_by ->> 'kind' || ':' || (p.asked_by ->> 'id') = ? AND p.asked_at >= CAST(? AS INTEGER) \
         AND p.asked_at < CAST(? AS INTEGER) AND p.currency = ? AND p.state IN ('asked', 'approved', 'done'))"
    };
}

/// That a refund fits its day, and its values, to be added to others.
pub(super) const REFUND_FITS: &str = concat!(" AND ", sum!(), " <= CAST(? AS INTEGER)");

/// The values of [`REFUND_FITS`].
pub(super) fn refund_values(values: Values, claim: &RefundClaim) -> Values {
    day_values(values, &claim.day).number(claim.most_before)
}

fn day_values(values: Values, day: &RefundDay) -> Values {
    // Of operations, and of requests.
    (0..2).fold(values, |values, _| {
        values
            .text(day.merchant.as_str())
            .text(&day.by.to_string())
            .number(day.from.millis())
            .number(day.until.millis())
            .text(day.currency.code())
    })
}

/// The sum of a day.
pub(super) async fn refunded(db: &Db, day: &RefundDay) -> Result<SumOfMoney, PortError> {
    const SQL: &str = concat!("SELECT ", sum!());
    let row = day_values(Values::default(), day).first(db, SQL).await?;
    let minor = row.ok_or_else(|| corrupt("child.amount"))?.number("child.amount")?;
    Ok(SumOfMoney::new(minor, day.currency))
}
