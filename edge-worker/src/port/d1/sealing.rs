//! What is sealed in the tables of merchants and saved cards.

use checkout_core::card::CardToken;
use checkout_core::port::{
    CardReplacement, CardSecret, MerchantSecrets, PortError, SealedCards, SealedSecrets,
};
use checkout_core::record::audit::Entry;
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::{SealKeyId, Sealed};

use super::D1Store;
use super::fault::failed;
use super::merchant;
use super::row::Row;
use super::statement::Values;

impl SealedSecrets for D1Store {
    async fn merchant_secrets(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantSecrets>, PortError> {
        const SQL: &str = "SELECT id, version, document, hmac_key, signing_secrets, previous_until, next_hmac_key, next_hmac_at \
             FROM merchant \
             WHERE id > ? ORDER BY id LIMIT CAST(? AS INTEGER)";
        let values = Values::default().text(after.map_or("", MerchantId::as_str)).number(limit);
        values.rows(&self.db, SQL).await?.into_iter().map(read_merchant).collect()
    }

    async fn replace_sealed(&self, next: &MerchantSecrets, entry: &Entry) -> Result<bool, PortError> {
        merchant::replace_sealed(&self.db, next, entry).await
    }
}

impl SealedCards for D1Store {
    async fn card_secrets(
        &self,
        key: Option<&SealKeyId>,
        after: Option<&CardToken>,
        limit: u32,
    ) -> Result<Vec<CardSecret>, PortError> {
        const SQL: &str = "SELECT token, merchant_id, bank_token FROM card WHERE sealed_by = ? AND token > ? \
             ORDER BY token LIMIT CAST(? AS INTEGER)";
        let values = Values::default()
            .text(key.map_or("", SealKeyId::as_str))
            .text(after.map_or("", CardToken::as_str))
            .number(limit);
        let rows = values.rows(&self.db, SQL).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(CardSecret {
                    token: row.word("card.token", CardToken::parse)?,
                    merchant: row.word("card.merchant_id", MerchantId::parse)?,
                    sealed: Sealed(row.text("card.bank_token")?),
                })
            })
            .collect()
    }

    async fn replace_card_secrets(&self, all: &[CardReplacement]) -> Result<(), PortError> {
        const SQL: &str = "UPDATE card SET bank_token = ? WHERE token = ? AND bank_token = ?";
        if all.is_empty() {
            return Ok(());
        }
        let bound = all.iter().map(|CardReplacement { before, after }| {
            let values = Values::default().text(&after.0).text(before.token.as_str());
            values.text(&before.sealed.0).bind(&self.db, SQL)
        });
        let batch: Vec<_> = bound.collect::<Result<_, _>>()?;
        self.db.batch(batch).await.map_err(|error| failed(&error))
    }

    async fn cards_by_key(&self) -> Result<Vec<(Option<SealKeyId>, u64)>, PortError> {
        const SQL: &str = "WITH RECURSIVE found (id) AS (SELECT min(sealed_by) FROM card UNION ALL \
             SELECT (SELECT min(c.sealed_by) FROM card c WHERE c.sealed_by > found.id) FROM found WHERE found.id IS NOT NULL) \
             SELECT id, (SELECT COUNT(*) FROM card c WHERE c.sealed_by = found.id) FROM found WHERE id IS NOT NULL";
        let rows = Values::default().rows(&self.db, SQL).await?;
        rows.into_iter()
            .map(|mut row| {
                let key = row.word("card.sealed_by", |text| match text {
                    "" => Some(None),
                    id => SealKeyId::parse(id).map(Some),
                })?;
                Ok((key, row.small("card.count")?))
            })
            .collect()
    }
}

fn read_merchant(mut row: Row) -> Result<MerchantSecrets, PortError> {
    let merchant = row.word("merchant.id", MerchantId::parse)?;
    let version = row.number("merchant.version")?;
    let document = row.text("merchant.document")?;
    let webhook = merchant::read_secrets(&mut row)?;
    Ok(MerchantSecrets { merchant, version, document, webhook })
}
