//! The table `desk_factor`.

use checkout_core::desk::factor::{DeskFactor, FactorSecret};
use checkout_core::port::{DeskFactors, PortError};
use checkout_core::record::audit::Entry;
use checkout_core::record::outbox::Message;
use checkout_core::value::id::{MerchantId, UserId};
use checkout_core::value::sealed::Sealed;

use super::D1Store;
use super::audit::{self, Of};
use super::commit::insert_message;
use super::fault::failed;
use super::statement::{Columns, Values};

/// Ends every session of a user.
const ENDED: &str = "DELETE FROM desk_session WHERE user_id = CAST(? AS INTEGER)";

impl DeskFactors for D1Store {
    async fn desk_factor(&self, user: UserId) -> Result<Option<DeskFactor>, PortError> {
        const SQL: &str =
            "SELECT secret, used_step, recovery FROM desk_factor WHERE user_id = CAST(? AS INTEGER)";
        let Some(mut row) = Values::default().number(user.0).first(&self.db, SQL).await? else {
            return Ok(None);
        };
        Ok(Some(DeskFactor {
            secret: row.word("desk_factor.secret", Sealed::recognise)?,
            used_step: row.number("desk_factor.used_step")?,
            recovery: row.text("desk_factor.recovery")?.split_ascii_whitespace().map(Into::into).collect(),
        }))
    }

    async fn set_desk_factor(
        &self,
        user: UserId,
        factor: &DeskFactor,
        entry: &Entry,
    ) -> Result<(), PortError> {
        const REPLACED: &str = " ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, \
             used_step = excluded.used_step, recovery = excluded.recovery";
        let row = Columns::default()
            .number("user_id", user.0)
            .text("secret", &factor.secret.0)
            .number("used_step", factor.used_step)
            .text("recovery", &factor.recovery.join(" "));
        let batch = vec![
            row.insert_or(&self.db, "desk_factor", REPLACED)?,
            Values::default().number(user.0).bind(&self.db, ENDED)?,
            audit::insert(&self.db, entry, Of::named(entry))?,
        ];
        self.db.batch(batch).await.map_err(|error| failed(&error))
    }

    async fn remove_desk_factor(
        &self,
        user: UserId,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<bool, PortError> {
        const OF_FACTOR: &str = "(SELECT u.merchant_id FROM desk_factor f JOIN user u ON u.id = f.user_id \
             WHERE f.user_id = CAST(? AS INTEGER))";
        const REMOVED: &str = "DELETE FROM desk_factor WHERE user_id = CAST(? AS INTEGER)";
        let of = || Values::default().number(user.0);
        let mut changes = vec![of().bind(&self.db, REMOVED)?, of().bind(&self.db, ENDED)?];
        if let Some(letter) = letter {
            changes.push(insert_message(&self.db, letter)?);
        }
        audit::change_all(&self.db, entry, Of::row(entry, OF_FACTOR, of()), changes).await
    }

    async fn use_desk_step(&self, user: UserId, step: i64) -> Result<bool, PortError> {
        const SQL: &str = "UPDATE desk_factor SET used_step = CAST(?1 AS INTEGER) \
             WHERE user_id = CAST(?2 AS INTEGER) AND used_step < CAST(?1 AS INTEGER) RETURNING 1";
        Ok(Values::default().number(step).number(user.0).count(&self.db, SQL).await? > 0)
    }

    async fn use_desk_recovery(&self, user: UserId, hash: &str) -> Result<bool, PortError> {
        const SQL: &str = "UPDATE desk_factor SET recovery = replace(recovery, ?1, '') \
             WHERE user_id = CAST(?2 AS INTEGER) AND instr(recovery, ?1) > 0 RETURNING 1";
        Ok(Values::default().text(hash).number(user.0).count(&self.db, SQL).await? > 0)
    }

    async fn desk_factor_secrets(
        &self,
        after: Option<UserId>,
        limit: u32,
    ) -> Result<Vec<FactorSecret>, PortError> {
        const SQL: &str = "SELECT f.user_id, u.merchant_id, f.secret FROM desk_factor f JOIN user u ON u.id = f.user_id \
             WHERE f.user_id > CAST(? AS INTEGER) ORDER BY f.user_id LIMIT CAST(? AS INTEGER)";
        let values = Values::default().number(after.map_or(0, |user| user.0)).number(limit);
        let rows = values.rows(&self.db, SQL).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(FactorSecret {
                    user: UserId(row.small("desk_factor.user_id")?),
                    merchant: row.word("user.merchant_id", MerchantId::parse)?,
                    sealed: row.word("desk_factor.secret", Sealed::recognise)?,
                })
            })
            .collect()
    }

    async fn replace_desk_factor_secret(
        &self,
        before: &FactorSecret,
        after: &Sealed,
    ) -> Result<bool, PortError> {
        const SQL: &str =
            "UPDATE desk_factor SET secret = ? WHERE user_id = CAST(? AS INTEGER) AND secret = ? RETURNING 1";
        let values = Values::default().text(&after.0).number(before.user.0).text(&before.sealed.0);
        Ok(values.count(&self.db, SQL).await? > 0)
    }
}
