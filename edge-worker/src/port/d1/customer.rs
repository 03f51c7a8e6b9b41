//! What customers were sent, and what they agreed to, from the tables of messages and consents.

use checkout_core::card::usage::CardUse;
use checkout_core::port::{CustomerSearch, Customers, GivenConsent, ListedMessage, PortError};
use checkout_core::value::id::SessionId;

use super::D1Store;
use super::card::read_consent;
use super::messages::{columns, listed, read_listed, to_payers};
use super::row::Row;
use super::statement::Values;

/// The newest transactions of a customer: `?1` is the merchant, `?2` the customer, `?3` how many.
macro_rules! of_customer {
    () => {
        "(SELECT x.session_id FROM txn x INDEXED BY txn_by_customer WHERE x.merchant_id = ?1 AND x.customer_id = ?2 \
         AND x.hidden_at IS NULL ORDER BY x.created_at DESC, x.session_id DESC LIMIT CAST(?3 AS INTEGER)) found "
    };
}

fn values(search: CustomerSearch<'_>) -> Values {
    Values::default()
        .text(search.merchant.as_str())
        .text(search.customer_id)
        .number(search.transactions)
        .number(search.limit)
}

impl Customers for D1Store {
    async fn messages_to(&self, search: CustomerSearch<'_>) -> Result<Vec<ListedMessage>, PortError> {
        const SQL: &str = concat!(
            listed!(concat!(
                of_customer!(),
                "CROSS JOIN delivery d INDEXED BY sqlite_autoindex_delivery_1 ON d.id > 'evt_' || found.session_id || '_' \
                 AND d.id < 'evt_' || found.session_id || '_~'"
            )),
            " WHERE d.kind IN ",
            to_payers!(),
            " ORDER BY d.created_at DESC, d.id DESC LIMIT CAST(?4 AS INTEGER)"
        );
        values(search).rows(&self.db, SQL).await?.into_iter().map(read_listed).collect()
    }

    async fn consents_of(&self, search: CustomerSearch<'_>) -> Result<Vec<GivenConsent>, PortError> {
        const SQL: &str = concat!(
            "SELECT c.reference, c.at, c.version, c.language, c.text, c.session_id, a.card_use FROM ",
            of_customer!(),
            "CROSS JOIN consent c INDEXED BY consent_of_transaction ON c.session_id = found.session_id \
             JOIN attempt a ON a.reference = c.reference ORDER BY c.at DESC, c.reference DESC LIMIT CAST(?4 AS INTEGER)"
        );
        values(search).rows(&self.db, SQL).await?.into_iter().map(given).collect()
    }
}

fn given(mut row: Row) -> Result<GivenConsent, PortError> {
    Ok(GivenConsent {
        consent: read_consent(&mut row)?,
        session_id: row.word("consent.session_id", SessionId::parse)?,
        card: row.word("attempt.card_use", CardUse::parse)?.token().cloned(),
    })
}
