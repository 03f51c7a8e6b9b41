//! The tables `txn_event` and `delivery_try`, as the history of one transaction.

use checkout_core::port::{LoggedTry, PortError, Timelines};
use checkout_core::record::event::{EventWord, LoggedEvent};
use checkout_core::state::State;
use checkout_core::value::id::{DeliveryId, ReferenceNumber, SessionId};

use super::D1Store;
use super::audit;
use super::delivery_log::read_try;
use super::fault::corrupt;
use super::log_page::of_session;
use super::row::Row;
use super::statement::Values;

impl Timelines for D1Store {
    async fn logged_events(&self, session_id: &SessionId, limit: u32) -> Result<Vec<LoggedEvent>, PortError> {
        const SQL: &str = "SELECT number, at, kind, state, reference, stage, actor_kind, actor, actor_name, role \
             FROM txn_event WHERE session_id = ? ORDER BY number DESC LIMIT CAST(? AS INTEGER)";
        let rows = Values::default().text(session_id.as_str()).number(limit).rows(&self.db, SQL).await?;
        rows.into_iter().map(read).collect()
    }

    async fn logged_tries(
        &self,
        session_id: &SessionId,
        limit: u32,
    ) -> Result<Vec<(DeliveryId, LoggedTry)>, PortError> {
        const SQL: &str = concat!(
            "SELECT d.id, y.number, y.at, y.status, y.error, y.took_ms, y.excerpt FROM delivery d \
             JOIN delivery_try y ON y.delivery_id = d.id WHERE true",
            of_session!("?1"),
            " ORDER BY y.at DESC, d.id DESC, y.number DESC LIMIT CAST(?2 AS INTEGER)"
        );
        let rows = Values::default().text(session_id.as_str()).number(limit).rows(&self.db, SQL).await?;
        let tries =
            rows.into_iter().map(|mut row| Ok((row.word("delivery.id", DeliveryId::parse)?, read_try(row)?)));
        tries.collect()
    }
}

fn read(mut row: Row) -> Result<LoggedEvent, PortError> {
    Ok(LoggedEvent {
        number: row.number("txn_event.number")?,
        at: row.time("txn_event.at")?,
        event: row.word("txn_event.kind", EventWord::parse)?,
        state: row.word("txn_event.state", State::parse)?,
        subject: subject(&mut row)?,
        actor: audit::actor(&mut row)?,
    })
}

fn subject(row: &mut Row) -> Result<Option<(ReferenceNumber, String)>, PortError> {
    let reference = row.optional_text("txn_event.reference")?;
    let stage = row.optional_text("txn_event.stage")?;
    let Some((reference, stage)) = reference.zip(stage) else { return Ok(None) };
    let reference = ReferenceNumber::parse(&reference).ok_or_else(|| corrupt("txn_event.reference"))?;
    Ok(Some((reference, stage)))
}
