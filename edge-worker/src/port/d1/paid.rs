//! Through which gateways a customer has paid.

use checkout_core::port::PortError;
use checkout_core::value::id::{MerchantId, PgCode};

use super::statement::{Db, Values};

/// The smallest code of the customer that comes after `$after`, by the index `txn_paid_by_customer`.
macro_rules! next_code {
    ($after:literal) => {
        concat!(
            "SELECT MIN(settled_by) FROM txn WHERE merchant_id = ?1 AND customer_id = ?2 \
             AND settled_by IS NOT NULL AND state IN ('paid', 'authorized', 'refunded')",
            $after
        )
    };
}

/// The codes, each once. Goes from code to code instead of from payment to payment: a shop may use one
/// customer id for all anonymous customers.
pub(super) async fn codes(
    db: &Db,
    merchant: &MerchantId,
    customer_id: &str,
) -> Result<Vec<PgCode>, PortError> {
    const SQL: &str = concat!(
        "WITH RECURSIVE found (code) AS (",
        next_code!(""),
        " UNION ALL SELECT (",
        next_code!(" AND settled_by > found.code"),
        ") FROM found WHERE found.code IS NOT NULL) SELECT code FROM found WHERE code IS NOT NULL"
    );
    let rows = Values::default().text(merchant.as_str()).text(customer_id).rows(db, SQL).await?;
    rows.into_iter().map(|mut row| row.word("txn.settled_by", PgCode::parse)).collect()
}
