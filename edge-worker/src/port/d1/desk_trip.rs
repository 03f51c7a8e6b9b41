//! The table `desk_trip`.

use checkout_core::desk::session::DeskSessionId;
use checkout_core::desk::trip::{DeskTrip, TripId};
use checkout_core::port::{DeskTrips, PortError};
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::Sealed;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;

use super::D1Store;
use super::statement::{Columns, Values};

impl DeskTrips for D1Store {
    async fn add_desk_trip(&self, trip: &DeskTrip) -> Result<(), PortError> {
        let row = Columns::default()
            .text("id", trip.id.as_str())
            .text("merchant_id", trip.merchant.as_str())
            .text("issuer", &trip.issuer)
            .text("device", &trip.device)
            .text("language", trip.language.as_str())
            .text("back", &trip.back.0)
            .optional_text("session", trip.session.as_ref().map(DeskSessionId::as_str))
            .optional_text("form", trip.form.as_ref().map(|form| form.0.as_str()))
            .time("created_at", trip.created_at);
        self.db.run(row.insert(&self.db, "desk_trip")?).await
    }

    async fn take_desk_trip(&self, id: &TripId) -> Result<Option<DeskTrip>, PortError> {
        const SQL: &str = "DELETE FROM desk_trip WHERE id = ? \
             RETURNING merchant_id, issuer, device, language, back, session, form, created_at";
        let Some(mut row) = Values::default().text(id.as_str()).first(&self.db, SQL).await? else {
            return Ok(None);
        };
        Ok(Some(DeskTrip {
            id: id.clone(),
            merchant: row.word("desk_trip.merchant_id", MerchantId::parse)?,
            issuer: row.text("desk_trip.issuer")?,
            device: row.text("desk_trip.device")?,
            language: row.word("desk_trip.language", Language::parse)?,
            back: row.word("desk_trip.back", Sealed::recognise)?,
            session: row.optional_text("desk_trip.session")?.as_deref().and_then(DeskSessionId::parse),
            form: row.optional_text("desk_trip.form")?.as_deref().and_then(Sealed::recognise),
            created_at: row.time("desk_trip.created_at")?,
        }))
    }

    async fn delete_desk_trips(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        const SQL: &str = "DELETE FROM desk_trip WHERE id IN (SELECT id FROM desk_trip \
             WHERE created_at < CAST(? AS INTEGER) ORDER BY created_at LIMIT CAST(? AS INTEGER)) RETURNING 1";
        Values::default().number(before.millis()).number(limit).count(&self.db, SQL).await
    }
}
