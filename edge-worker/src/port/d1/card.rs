//! The rows of saved cards and agreements.

use checkout_core::card::agreement::{
    AgreementKey, AgreementWrite, CyclesTaken, OpenDebits, Pause, SavedAgreement,
};
use checkout_core::card::expiry::Expiry;
use checkout_core::card::usage::ChargeInitiator;
use checkout_core::card::{Card, CardEffect, CardToken, CardWrite, Holder, SavedCard};
use checkout_core::port::{Awaited, CardDeletion, CardName, Cards, PortError, Record};
use checkout_core::record::consent::Consent;
use checkout_core::transaction::agreement::Agreement;
use checkout_core::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use checkout_core::value::sealed::Sealed;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use checkout_core::words::decline::DeclineReason;

use super::D1Store;
use super::fault::corrupt;
use super::pause::{PauseEnd, close_pause};
use super::record;
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values};

/// The columns in the order in which [`read_card`] takes them: the card, the agreements that lock it as a
/// JSON list, and whether another was used later.
macro_rules! select_cards {
    ($rest:literal) => {
        concat!(
            "SELECT c.token, c.merchant_id, c.customer_id, c.is_sandbox, c.pg_code, c.pg_name, c.bank_token, \
             c.fingerprint, c.brand, c.name_on_card, c.number, c.expiry_month, c.expiry_year, c.cvv_required, \
             c.created_at, c.used_at, (SELECT json_group_array(id) FROM (SELECT g.id FROM agreement g \
             WHERE g.card_token = c.token ORDER BY g.id)), NOT EXISTS (SELECT 1 FROM card o \
             WHERE o.merchant_id = c.merchant_id AND o.customer_id = c.customer_id \
             AND o.is_sandbox = c.is_sandbox AND (o.used_at, o.token) > (c.used_at, c.token)) FROM card c ",
            $rest
        )
    };
}

/// The merchant's payments under an agreement whose outcome is still to come. The index is by the same stages.
macro_rules! open_debits {
    () => {
        "FROM attempt d WHERE d.merchant_id = ? AND d.agreement = ? AND d.stage IN ('sending', 'redirected', 'unknown')"
    };
}

fn debits_of(values: Values, key: &AgreementKey) -> Values {
    values.text(key.holder.merchant.as_str()).text(&key.digest())
}

/// That the cycles that are taken of an agreement are those of a claim, and its values, to be added to others.
pub(super) const CYCLE_IS_FREE: &str = concat!(
    " AND EXISTS (SELECT 1 FROM agreement g WHERE g.merchant_id = ? AND g.customer_id = ? \
     AND g.is_sandbox = CAST(? AS INTEGER) AND g.id = ? AND g.card_token = ? AND g.cycles = CAST(? AS INTEGER) \
     AND g.charged_at = CAST(? AS INTEGER)) AND (SELECT COUNT(*) ",
    open_debits!(),
    ") = CAST(? AS INTEGER) AND (SELECT COALESCE(MAX(d.opened_at), 0) ",
    open_debits!(),
    ") = CAST(? AS INTEGER)"
);

/// The values of [`CYCLE_IS_FREE`].
pub(super) fn cycle_values(values: Values, key: &AgreementKey, taken: &CyclesTaken) -> Values {
    let latest = taken.open.latest.map_or(0, Timestamp::millis);
    let values = of_holder(values, &key.holder).text(&key.id).text(taken.card.as_str());
    let values = values.number(taken.cycles).number(taken.charged_at.millis());
    debits_of(debits_of(values, key).number(taken.open.count), key).number(latest)
}

impl Cards for D1Store {
    async fn cards(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedCard>, PortError> {
        const SQL: &str = select_cards!(
            "WHERE c.merchant_id = ? AND c.customer_id = ? AND c.is_sandbox = CAST(? AS INTEGER) \
             ORDER BY c.used_at DESC, c.token DESC LIMIT CAST(? AS INTEGER)"
        );
        let rows = of_holder(Values::default(), holder).number(limit).rows(&self.db, SQL).await?;
        rows.into_iter().map(read_card).collect()
    }

    async fn card(&self, merchant: &MerchantId, name: CardName<'_>) -> Result<Option<SavedCard>, PortError> {
        const BY_TOKEN: &str = select_cards!("WHERE c.merchant_id = ? AND c.token = ?");
        const BY_FINGERPRINT: &str = select_cards!("WHERE c.merchant_id = ? AND c.fingerprint = ?");
        let (sql, name) = match name {
            CardName::Token(token) => (BY_TOKEN, token.as_str()),
            CardName::Fingerprint(fingerprint) => (BY_FINGERPRINT, fingerprint),
        };
        let values = Values::default().text(merchant.as_str()).text(name);
        values.first(&self.db, sql).await?.map(read_card).transpose()
    }

    async fn delete_card(&self, holder: &Holder, token: &CardToken) -> Result<CardDeletion, PortError> {
        const DELETE: &str = "DELETE FROM card WHERE token = ? AND merchant_id = ? AND customer_id = ? \
             AND is_sandbox = CAST(? AS INTEGER) \
             AND NOT EXISTS (SELECT 1 FROM agreement WHERE card_token = card.token) RETURNING token";
        let values = of_holder(Values::default().text(token.as_str()), holder);
        if values.first(&self.db, DELETE).await?.is_some() {
            return Ok(CardDeletion::Deleted);
        }
        let found = self.card(&holder.merchant, CardName::Token(token)).await?;
        let is_locked = found.is_some_and(|saved| saved.card.holder == *holder);
        Ok(if is_locked { CardDeletion::Locked } else { CardDeletion::Unknown })
    }

    async fn awaiting_card(&self, awaited: Awaited<'_>) -> Result<Vec<Record>, PortError> {
        record::awaiting_card(&self.db, awaited).await
    }

    async fn agreement(&self, key: &AgreementKey) -> Result<Option<SavedAgreement>, PortError> {
        const SQL: &str = concat!(
            "SELECT terms, amount, currency, card_token, cycles, charged_at, (SELECT COUNT(*) ",
            open_debits!(),
            "), (SELECT MAX(d.opened_at) ",
            open_debits!(),
            "), paused_at, pause_reason, paused_by FROM agreement \
             WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) AND id = ?"
        );
        let debits = debits_of(debits_of(Values::default(), key), key);
        let values = of_holder(debits, &key.holder).text(&key.id);
        let Some(mut row) = values.first(&self.db, SQL).await? else { return Ok(None) };
        Ok(Some(SavedAgreement {
            key: key.clone(),
            terms: row.word("agreement.terms", Agreement::from_json)?,
            amount: row.money("agreement.amount")?,
            card: row.word("agreement.card_token", CardToken::parse)?,
            cycles: row.small("agreement.cycles")?,
            charged_at: row.time("agreement.charged_at")?,
            open: OpenDebits {
                count: row.small("attempt.agreement")?,
                latest: row.optional_time("attempt.opened_at")?,
            },
            paused: read_pause(&mut row)?,
        }))
    }

    async fn consent(&self, reference: &ReferenceNumber) -> Result<Option<Consent>, PortError> {
        const SQL: &str = "SELECT reference, at, version, language, text FROM consent WHERE reference = ?";
        let values = Values::default().text(reference.as_str());
        let Some(mut row) = values.first(&self.db, SQL).await? else { return Ok(None) };
        read_consent(&mut row).map(Some)
    }
}

/// Reads what a payer agreed to.
pub(super) fn read_consent(row: &mut Row) -> Result<Consent, PortError> {
    Ok(Consent {
        reference: row.word("consent.reference", ReferenceNumber::parse)?,
        at: row.time("consent.at")?,
        version: row.small("consent.version")?,
        language: row.word("consent.language", Language::parse)?,
        text: row.text("consent.text")?,
    })
}

/// Why an agreement is paused, if it is.
fn read_pause(row: &mut Row) -> Result<Option<Pause>, PortError> {
    let (at, reason) =
        (row.optional_time("agreement.paused_at")?, row.optional_text("agreement.pause_reason")?);
    let by = row.optional_text("agreement.paused_by")?;
    let Some(((at, reason), by)) = at.zip(reason).zip(by) else { return Ok(None) };
    let reason = DeclineReason::parse(&reason).ok_or_else(|| corrupt("agreement.pause_reason"))?;
    let session_id = SessionId::parse(&by).ok_or_else(|| corrupt("agreement.paused_by"))?;
    Ok(Some(Pause { at, reason, session_id }))
}

/// The agreements of a holder, without what is open of them.
macro_rules! select_agreements {
    ($rest:literal) => {
        concat!(
            "SELECT id, terms, amount, currency, card_token, cycles, charged_at, paused_at, pause_reason, paused_by \
             FROM agreement WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) ",
            $rest
        )
    };
}
pub(super) use select_agreements;

/// Reads a row of `select_agreements`.
pub(super) fn read_agreement(mut row: Row, holder: &Holder) -> Result<SavedAgreement, PortError> {
    Ok(SavedAgreement {
        key: AgreementKey { holder: holder.clone(), id: row.text("agreement.id")? },
        terms: row.word("agreement.terms", Agreement::from_json)?,
        amount: row.money("agreement.amount")?,
        card: row.word("agreement.card_token", CardToken::parse)?,
        cycles: row.small("agreement.cycles")?,
        charged_at: row.time("agreement.charged_at")?,
        open: OpenDebits::default(),
        paused: read_pause(&mut row)?,
    })
}

pub(super) fn of_holder(values: Values, holder: &Holder) -> Values {
    values.text(holder.merchant.as_str()).text(&holder.customer_id).number(holder.is_sandbox)
}

fn read_card(mut row: Row) -> Result<SavedCard, PortError> {
    let token = row.word("card.token", CardToken::parse)?;
    let holder = Holder {
        merchant: row.word("card.merchant_id", MerchantId::parse)?,
        customer_id: row.text("card.customer_id")?,
        is_sandbox: row.flag("card.is_sandbox")?,
    };
    let card = Card {
        token,
        holder,
        pg_code: row.word("card.pg_code", PgCode::parse)?,
        pg_name: row.text("card.pg_name")?,
        bank_token: Sealed(row.text("card.bank_token")?),
        fingerprint: row.text("card.fingerprint")?,
        brand: row.optional_text("card.brand")?,
        name_on_card: row.optional_text("card.name_on_card")?,
        number: row.optional_text("card.number")?,
        expiry: {
            let (month, year) = (row.text("card.expiry_month")?, row.text("card.expiry_year")?);
            Expiry::parse(&month, &year).ok_or_else(|| corrupt("card.expiry_month"))?
        },
        cvv_required: row.flag("card.cvv_required")?,
        created_at: row.time("card.created_at")?,
        used_at: row.time("card.used_at")?,
    };
    Ok(SavedCard {
        card,
        agreements: row.word("agreement.id", |text| serde_json::from_str(text).ok())?,
        is_preferred: row.flag("card.is_preferred")?,
    })
}

/// The statements of a change for a card.
pub(super) fn write_card(db: &Db, write: &CardWrite, at: Timestamp) -> Result<Vec<Statement>, PortError> {
    let CardEffect::Saved(agreement) = &write.effect else { return Ok(Vec::new()) };
    let mut statements = vec![upsert_card(db, &write.saved.card)?];
    if let Some(agreement) = agreement {
        statements.push(close_pause(db, &agreement.agreement.key, PauseEnd::Changed(at))?);
        statements.push(write_agreement(db, agreement)?);
    }
    Ok(statements)
}

fn upsert_card(db: &Db, card: &Card) -> Result<Statement, PortError> {
    Columns::default()
        .text("token", card.token.as_str())
        .text("merchant_id", card.holder.merchant.as_str())
        .text("customer_id", &card.holder.customer_id)
        .number("is_sandbox", card.holder.is_sandbox)
        .text("pg_code", card.pg_code.as_str())
        .text("pg_name", &card.pg_name)
        .text("bank_token", &card.bank_token.0)
        .text("fingerprint", &card.fingerprint)
        .optional_text("brand", card.brand.as_deref())
        .optional_text("name_on_card", card.name_on_card.as_deref())
        .optional_text("number", card.number.as_deref())
        .text("expiry_month", &card.expiry.month())
        .text("expiry_year", &card.expiry.year())
        .number("cvv_required", card.cvv_required)
        .time("created_at", card.created_at)
        .time("used_at", card.used_at)
        .insert_or(
            db,
            "card",
            // The gateway's token of a card never changes; sealed under another key meanwhile, it stays so.
            " ON CONFLICT (token) DO UPDATE SET brand = excluded.brand, \
             name_on_card = excluded.name_on_card, number = excluded.number, \
             expiry_month = excluded.expiry_month, expiry_year = excluded.expiry_year, \
             cvv_required = excluded.cvv_required, used_at = excluded.used_at",
        )
}

/// Stores what a payer agreed to.
pub(super) fn insert_consent(
    db: &Db,
    session_id: &SessionId,
    consent: &Consent,
) -> Result<Statement, PortError> {
    Columns::default()
        .text("reference", consent.reference.as_str())
        .text("session_id", session_id.as_str())
        .time("at", consent.at)
        .number("version", consent.version)
        .text("language", consent.language.as_str())
        .text("text", &consent.text)
        .insert(db, "consent")
}

fn write_agreement(db: &Db, write: &AgreementWrite) -> Result<Statement, PortError> {
    const COUNT: &str = "UPDATE agreement SET cycles = cycles + 1, charged_at = CAST(? AS INTEGER), \
         paused_at = NULL, pause_reason = NULL, paused_by = NULL \
         WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) AND id = ?";
    let AgreementWrite { agreement, initiator } = write;
    let AgreementKey { holder, id } = &agreement.key;
    if *initiator == ChargeInitiator::Merchant {
        let values = Values::default().number(agreement.charged_at.millis());
        return of_holder(values, holder).text(id).bind(db, COUNT);
    }
    let terms = serde_json::to_string(&agreement.terms).map_err(|_| corrupt("agreement.terms"))?;
    Columns::default()
        .text("merchant_id", holder.merchant.as_str())
        .text("customer_id", &holder.customer_id)
        .number("is_sandbox", holder.is_sandbox)
        .text("id", id)
        .text("terms", &terms)
        .money("amount", "currency", agreement.amount)
        .text("card_token", agreement.card.as_str())
        .time("charged_at", agreement.charged_at)
        .time("created_at", agreement.charged_at)
        .insert_or(
            db,
            "agreement",
            " ON CONFLICT (merchant_id, customer_id, is_sandbox, id) \
             DO UPDATE SET card_token = excluded.card_token, charged_at = excluded.charged_at, \
             paused_at = NULL, pause_reason = NULL, paused_by = NULL",
        )
}
