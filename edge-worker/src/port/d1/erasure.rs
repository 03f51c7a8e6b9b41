//! Erasing what identifies payers, in every table that has it.

use checkout_core::api::erasure::ErasureSubject;
use checkout_core::gateway::charge::PERSONAL_PARAMS;
use checkout_core::port::{DeletedCards, Erasures, PortError};
use checkout_core::record::facts::{FactCode, HIDDEN, QUOTING};
use checkout_core::transaction::Transaction;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::approval;
use super::fault::corrupt;
use super::pause::close_pauses;
use super::record::{read_transaction, transaction_columns};
use super::statement::{Db, Statement, Values, json};
use super::term;

/// That a transaction `t` can be erased if nothing happened to it after a time: there is no state in which something can be
/// paid, or money is held, and nothing about which a person has to decide. What was deleted while it could be paid never ends
/// by itself: it is over when its time is.
macro_rules! can_be_erased {
    ($quiet_since:literal) => {
        concat!(
            " AND t.state <> 'authorized' AND (t.state NOT IN ('created', 'pending', 'attempted') \
             OR (t.hidden_at IS NOT NULL AND t.expires_at <= ",
            $quiet_since,
            ")) AND NOT EXISTS (SELECT 1 FROM attention WHERE attention.session_id = t.session_id AND closed_at IS NULL) \
             AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = t.session_id \
             AND (a.stage IN ('sending', 'redirected', 'unknown') OR a.inquire_at IS NOT NULL)) \
             AND NOT EXISTS (SELECT 1 FROM child c WHERE c.parent_id = t.session_id AND c.stage IN ('sending', 'unknown', 'queued')) \
             AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.id > 'evt_' || t.session_id || '_' \
             AND d.id < 'evt_' || t.session_id || '_~' AND d.state = 'due' AND d.kind <> 'approval') \
             AND NOT EXISTS (SELECT 1 FROM approval p WHERE p.session_id = t.session_id AND p.state IN ('asked', 'approved')) \
             AND EXISTS (SELECT 1 FROM txn_event e WHERE e.session_id = t.session_id AND e.number = t.version \
             AND e.kind <> 'erased' AND e.at <= ",
            $quiet_since,
            ")"
        )
    };
}

macro_rules! erasable {
    ($whose:literal) => {
        concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM txn t WHERE ",
            $whose,
            can_be_erased!("CAST(?3 AS INTEGER)"),
            " ORDER BY t.created_at, t.session_id LIMIT CAST(?4 AS INTEGER)"
        )
    };
}

/// Of a merchant and a customer, and of a merchant and a transaction.
macro_rules! of_subject {
    ($subject:expr, $statement:ident) => {
        match $subject {
            ErasureSubject::Customer(_) => $statement!(
                "t.session_id IN (SELECT x.session_id FROM txn x WHERE x.merchant_id = ?1 AND x.customer_id = ?2 \
                 AND x.hidden_at IS NULL UNION ALL SELECT x.session_id FROM txn x WHERE x.merchant_id = ?1 \
                 AND x.customer_id = ?2 AND x.hidden_at IS NOT NULL)"
            ),
            ErasureSubject::Transaction(_) => $statement!("t.merchant_id = ?1 AND t.session_id = ?2"),
        }
    };
}

macro_rules! not_erased {
    ($whose:literal) => {
        concat!(
            "SELECT COUNT(*) FROM txn t WHERE ",
            $whose,
            " AND NOT EXISTS (SELECT 1 FROM txn_event e WHERE e.session_id = t.session_id \
             AND e.number = t.version AND e.kind = 'erased')"
        )
    };
}

fn named(merchant: &MerchantId, subject: &ErasureSubject) -> Values {
    let values = Values::default().text(merchant.as_str());
    match subject {
        ErasureSubject::Customer(customer_id) => values.text(customer_id),
        ErasureSubject::Transaction(session_id) => values.text(session_id.as_str()),
    }
}

impl Erasures for D1Store {
    async fn erasable(
        &self,
        merchant: &MerchantId,
        subject: &ErasureSubject,
        quiet_since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        let sql = of_subject!(subject, erasable);
        let values = named(merchant, subject).number(quiet_since.millis()).number(limit);
        let rows = values.rows(&self.db, sql).await?;
        rows.into_iter().map(|mut row| read_transaction(&mut row)).collect()
    }

    async fn erasable_by_age(
        &self,
        now: Timestamp,
        share: u32,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        // The inner search walks the index `txn_to_erase` of each merchant, whose condition it repeats.
        const SQL: &str = concat!(
            "SELECT ",
            transaction_columns!(),
            " FROM merchant m CROSS JOIN txn t WHERE m.document ->> '$.retention_days' IS NOT NULL \
             AND t.session_id IN (SELECT t.session_id FROM txn t WHERE t.merchant_id = m.id AND t.is_erased = 0 \
             AND (t.state NOT IN ('created', 'pending', 'attempted', 'authorized') OR t.hidden_at IS NOT NULL) \
             AND t.created_at <= CAST(?1 AS INTEGER) + m.clock_offset - (m.document ->> '$.retention_days') * 86400000",
            can_be_erased!(
                "CAST(?1 AS INTEGER) + m.clock_offset - (m.document ->> '$.retention_days') * 86400000"
            ),
            " ORDER BY t.created_at LIMIT CAST(?2 AS INTEGER)) LIMIT CAST(?3 AS INTEGER)"
        );
        let values = Values::default().number(now.millis()).number(share).number(limit);
        let rows = values.rows(&self.db, SQL).await?;
        rows.into_iter().map(|mut row| read_transaction(&mut row)).collect()
    }

    async fn not_erased(&self, merchant: &MerchantId, subject: &ErasureSubject) -> Result<u64, PortError> {
        let sql = of_subject!(subject, not_erased);
        let mut row =
            named(merchant, subject).first(&self.db, sql).await?.ok_or_else(|| corrupt("txn.count"))?;
        row.small("txn.count")
    }

    async fn has_transaction(
        &self,
        merchant: &MerchantId,
        session_id: &SessionId,
    ) -> Result<bool, PortError> {
        const SQL: &str = "SELECT 1 FROM txn WHERE session_id = ? AND merchant_id = ?";
        let values = Values::default().text(session_id.as_str()).text(merchant.as_str());
        Ok(values.first(&self.db, SQL).await?.is_some())
    }

    async fn delete_cards_of(
        &self,
        merchant: &MerchantId,
        customer_id: &str,
        at: Timestamp,
    ) -> Result<DeletedCards, PortError> {
        const AGREEMENTS: &str =
            "DELETE FROM agreement WHERE merchant_id = ? AND customer_id = ? RETURNING id";
        const CARDS: &str = "DELETE FROM card WHERE merchant_id = ? AND customer_id = ? RETURNING token";
        let of_customer = || Values::default().text(merchant.as_str()).text(customer_id);
        self.db.run(close_pauses(&self.db, merchant, customer_id, at)?).await?;
        // The agreements first: a card without its agreement is only a card, and the next call deletes it.
        let agreements = of_customer().rows(&self.db, AGREEMENTS).await?.len();
        let cards = of_customer().rows(&self.db, CARDS).await?.len();
        Ok(DeletedCards { cards, agreements })
    }
}

/// What is erased with a transaction whose row still has its details.
pub(super) fn statements(db: &Db, session_id: &SessionId) -> Result<Vec<Statement>, PortError> {
    const ATTEMPTS: &str = "UPDATE attempt SET agreement = NULL, response = NULL, page_url = NULL, message = NULL, params = \
         (SELECT json_group_object(stored.key, stored.value) FROM json_each(params) stored WHERE stored.key NOT IN (SELECT value FROM json_each(?))) \
         WHERE session_id = ?";
    const CHILDREN: &str = "UPDATE child SET response = NULL, extra = NULL, note = NULL, message = NULL, params = \
         (SELECT json_group_object(stored.key, stored.value) FROM json_each(params) stored WHERE stored.key NOT IN (SELECT value FROM json_each(?))) \
         WHERE parent_id = ?";
    const DELIVERIES: &str = "UPDATE delivery SET body = '', state = CASE state WHEN 'held' THEN 'given_up' ELSE state END WHERE id > 'evt_' || ? || '_' AND id < 'evt_' || ? || '_~'";
    const TRIES: &str = "UPDATE delivery_try SET excerpt = NULL WHERE delivery_id > 'evt_' || ? || '_' AND delivery_id < 'evt_' || ? || '_~'";
    const ANSWERS: &str = "DELETE FROM answer WHERE session_id = ?";
    const ATTACHMENT: &str = "DELETE FROM attachment WHERE name = \
         (SELECT t.details ->> '$.attachment.name' FROM txn t WHERE t.session_id = ?1) \
         AND NOT EXISTS (SELECT 1 FROM txn o WHERE o.details ->> '$.attachment.name' = \
         (SELECT t.details ->> '$.attachment.name' FROM txn t WHERE t.session_id = ?1) AND o.session_id <> ?1)";
    // Without what gateways wrote, and texts that are no facts. While one is open nothing is erased.
    const ATTENTION: &str = "UPDATE attention SET note = NULL, detail = CASE WHEN json_valid(detail) THEN \
         (SELECT json_group_array(json(CASE WHEN stored.value ->> 0 IN (SELECT value FROM json_each(?)) \
         THEN json_set(stored.value, '$[#-1]', ?) ELSE stored.value END)) FROM json_each(detail) stored \
         WHERE stored.value ->> 0 <> 'said') ELSE '' END WHERE session_id = ? AND closed_at IS NOT NULL";
    let personal = json(&PERSONAL_PARAMS, "attempt.params")?;
    let quoting = json(&QUOTING.map(FactCode::as_str), "attention.detail")?;
    let id = session_id.as_str();
    Ok(vec![
        Values::default().text(&personal).text(id).bind(db, ATTEMPTS)?,
        Values::default().text(&personal).text(id).bind(db, CHILDREN)?,
        Values::default().text(id).text(id).bind(db, DELIVERIES)?,
        Values::default().text(id).text(id).bind(db, TRIES)?,
        Values::default().text(id).bind(db, ANSWERS)?,
        Values::default().text(id).bind(db, ATTACHMENT)?,
        Values::default().text(&quoting).text(HIDDEN).text(id).bind(db, ATTENTION)?,
        approval::erase(db, session_id)?,
        term::erase(db, session_id)?,
    ])
}
