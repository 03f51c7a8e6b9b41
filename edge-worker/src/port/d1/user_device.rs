//! The table `user_device`.

use checkout_core::port::{KnownDevice, PortError, UserDevices};
use checkout_core::record::audit::Entry;
use checkout_core::record::outbox::Message;
use checkout_core::value::id::UserId;
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::audit::{self, Of};
use super::commit::insert_message;
use super::fault::failed;
use super::statement::{Columns, Values};

impl UserDevices for D1Store {
    async fn user_device(&self, user: UserId, device: &str) -> Result<KnownDevice, PortError> {
        const SQL: &str = "SELECT max(device = ?) FROM user_device WHERE user_id = CAST(? AS INTEGER) \
             HAVING count(*) > 0";
        let found = Values::default().text(device).number(user.0).first(&self.db, SQL).await?;
        let Some(mut row) = found else { return Ok(KnownDevice::First) };
        let is_known = row.flag("user_device.device")?;
        Ok(if is_known { KnownDevice::Known } else { KnownDevice::New })
    }

    async fn note_user_device(&self, user: UserId, device: &str, at: Timestamp) -> Result<(), PortError> {
        const SQL: &str = "UPDATE user_device SET seen_at = CAST(? AS INTEGER) \
             WHERE user_id = CAST(? AS INTEGER) AND device = ?";
        Values::default().number(at.millis()).number(user.0).text(device).run(&self.db, SQL).await
    }

    async fn add_user_device(
        &self,
        user: UserId,
        device: &str,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<(), PortError> {
        const SEEN: &str = " ON CONFLICT (user_id, device) DO UPDATE SET seen_at = excluded.seen_at";
        let row =
            Columns::default().number("user_id", user.0).text("device", device).time("seen_at", entry.at);
        let mut batch = vec![
            row.insert_or(&self.db, "user_device", SEEN)?,
            audit::insert(&self.db, entry, Of::named(entry))?,
        ];
        if let Some(letter) = letter {
            batch.push(insert_message(&self.db, letter)?);
        }
        self.db.batch(batch).await.map_err(|error| failed(&error))
    }

    async fn delete_user_devices(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        const SQL: &str = "DELETE FROM user_device WHERE (user_id, device) IN (SELECT user_id, device FROM user_device \
             WHERE seen_at < CAST(? AS INTEGER) ORDER BY seen_at LIMIT CAST(? AS INTEGER)) RETURNING 1";
        Values::default().number(before.millis()).number(limit).count(&self.db, SQL).await
    }
}
