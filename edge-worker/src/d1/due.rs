//! What is due: of one merchant by his time, or of every merchant whose clock was not moved by the real time. Each
//! search has an index that begins with what it goes by.

use checkout_core::id::{DeliveryId, ReferenceNumber, SessionId};
use checkout_core::port::{Due, PortError};
use checkout_core::reconciliation::Reconciliation;
use checkout_core::webhook::delivery::Candidate;

use super::reconciliation;
use super::row::Row;
use super::statement::{Db, Values};

/// Whose rows: a statement of each kind between `$before` and `$after`, for everyone and for one merchant.
macro_rules! of_whom {
    ($before:literal, $after:literal) => {
        [
            concat!(
                $before,
                " AND merchant_id NOT IN (SELECT id FROM merchant WHERE clock_offset > 0) ",
                $after
            ),
            concat!($before, " AND merchant_id = ? ", $after),
        ]
    };
}

/// The rows of a search whose placeholders take the moment so many times, then the merchant, then the limit.
async fn rows(
    db: &Db,
    due: Due<'_>,
    moments: usize,
    [of_everyone, of_one]: [&'static str; 2],
) -> Result<Vec<Row>, PortError> {
    let moment = || Values::default().number(due.now.millis());
    let values = (1..moments).fold(moment(), |values, _| values.number(due.now.millis()));
    match due.merchant {
        Some(merchant) => values.text(merchant.as_str()).number(due.limit).rows(db, of_one).await,
        None => values.number(due.limit).rows(db, of_everyone).await,
    }
}

/// Payable transactions whose time is over and that have no open attempt: those wait for what becomes of it.
pub(super) async fn expiries(db: &Db, due: Due<'_>) -> Result<Vec<SessionId>, PortError> {
    const SQL: [&str; 2] = of_whom!(
        "SELECT t.session_id FROM txn t \
         WHERE t.state IN ('created', 'pending', 'attempted') AND t.expires_at <= CAST(? AS INTEGER) \
         AND t.hidden_at IS NULL AND NOT EXISTS (SELECT 1 FROM attempt a \
         WHERE a.session_id = t.session_id AND a.stage IN ('sending', 'redirected', 'unknown'))",
        "ORDER BY RANDOM() LIMIT CAST(? AS INTEGER)"
    );
    let rows = rows(db, due, 1, SQL).await?;
    rows.into_iter().map(|mut row| row.word("txn.session_id", SessionId::parse)).collect()
}

/// Attempts whose gateway is to be asked, the longest due first.
pub(super) async fn inquiries(db: &Db, due: Due<'_>) -> Result<Vec<ReferenceNumber>, PortError> {
    const SQL: [&str; 2] = of_whom!(
        "SELECT reference FROM attempt WHERE inquire_at <= CAST(? AS INTEGER)",
        "ORDER BY inquire_at LIMIT CAST(? AS INTEGER)"
    );
    let rows = rows(db, due, 1, SQL).await?;
    rows.into_iter().map(|mut row| row.word("attempt.reference", ReferenceNumber::parse)).collect()
}

/// Open operations whose gateway is to be asked, the longest due first.
pub(super) async fn operations(db: &Db, due: Due<'_>) -> Result<Vec<ReferenceNumber>, PortError> {
    const SQL: [&str; 2] = of_whom!(
        "SELECT reference FROM child \
         WHERE stage IN ('sending', 'unknown', 'queued') AND inquire_at <= CAST(? AS INTEGER)",
        "ORDER BY inquire_at LIMIT CAST(? AS INTEGER)"
    );
    let rows = rows(db, due, 1, SQL).await?;
    rows.into_iter().map(|mut row| row.word("child.reference", ReferenceNumber::parse)).collect()
}

/// Reconciliations that are due, the longest due first.
pub(super) async fn reconciliations(db: &Db, due: Due<'_>) -> Result<Vec<Reconciliation>, PortError> {
    const SQL: [&str; 2] = [
        concat!(
            reconciliation::columns!(),
            "WHERE due_at <= CAST(? AS INTEGER) \
             AND merchant_id NOT IN (SELECT id FROM merchant WHERE clock_offset > 0) \
             ORDER BY due_at LIMIT CAST(? AS INTEGER)"
        ),
        concat!(
            reconciliation::columns!(),
            "WHERE due_at <= CAST(? AS INTEGER) AND merchant_id = ? ORDER BY due_at LIMIT CAST(? AS INTEGER)"
        ),
    ];
    rows(db, due, 1, SQL).await?.into_iter().map(reconciliation::read).collect()
}

/// Notifications that are due. Those that failed before come last, so that a receiver that is down does not hold up the
/// others.
pub(super) async fn deliveries(db: &Db, due: Due<'_>) -> Result<Vec<Candidate<DeliveryId>>, PortError> {
    const SQL: [&str; 2] = of_whom!(
        "SELECT id, url, failed_tries > 0, due_at FROM delivery \
         WHERE state = 'due' AND due_at <= CAST(? AS INTEGER) AND lease_until <= CAST(? AS INTEGER)",
        "ORDER BY failed_tries > 0, due_at, id LIMIT CAST(? AS INTEGER)"
    );
    let rows = rows(db, due, 2, SQL).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(Candidate {
                item: row.word("delivery.id", DeliveryId::parse)?,
                receiver: origin(&row.text("delivery.url")?),
                failing: row.flag("delivery.failed_tries")?,
                due_at: row.time("delivery.due_at")?,
            })
        })
        .collect()
}

/// The scheme and the host of an address, which name its receiver.
fn origin(url: &str) -> String {
    url.split('/').take(3).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_the_scheme_and_the_host_of_an_address() {
        for (url, receiver) in [
            ("https://shop.example.com/hook/1?a=/b", "https://shop.example.com"),
            ("https://shop.example.com:8443/", "https://shop.example.com:8443"),
        ] {
            assert_eq!(origin(url), receiver);
        }
    }
}
