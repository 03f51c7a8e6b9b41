//! The inbox of messages to payers: what the e-mails, SMS and messages of `WhatsApp` of a merchant without providers look
//! like. Only Till itself puts anything into it.

mod page;
mod shown;

use checkout_core::gateway::exchange::Incoming;
use checkout_core::installation::is_inbox_name;
use checkout_core::port::PortError;
use checkout_core::value::id::DeliveryId;
use checkout_core::value::json;
use checkout_core::value::time::Timestamp;
use checkout_core::wire::json::text_of;
use checkout_core::wire::members::Members;
use checkout_core::words::Language;
use checkout_core::words::message::{Channel, Fate};
use sandbox_bank::reply::Reply;

use super::database::{batch, corrupt, first, rows, statement};
use super::document::{json, plain};
use super::{Sandbox, SandboxReply, SandboxRequest};
use shown::ShownMessage;

/// A merchant's messages are bounded, and all of them together.
const STORE: &str = "INSERT INTO sandbox_message (id, inbox, received_at, body) VALUES (?1, ?2, CAST(?3 AS INTEGER), ?4) \
    ON CONFLICT (id) DO NOTHING";
const DELETE_OLD: &str = "DELETE FROM sandbox_message WHERE inbox = ?1 AND number <= (\
    SELECT number FROM sandbox_message WHERE inbox = ?1 ORDER BY number DESC LIMIT 1 OFFSET 200)";
const DELETE_OLDEST: &str =
    "DELETE FROM sandbox_message WHERE number <= (SELECT max(number) FROM sandbox_message) - 2000";
const LIST: &str = "SELECT m.received_at, m.body, n.fate, n.detail FROM sandbox_message m \
    LEFT JOIN message_note n ON n.delivery_id = m.id WHERE m.inbox = ?1 ORDER BY m.number DESC LIMIT 50";
const ONE: &str = "SELECT m.received_at, m.body, n.fate, n.detail FROM sandbox_message m \
    LEFT JOIN message_note n ON n.delivery_id = m.id WHERE m.inbox = ?1 AND m.id = ?2";

/// Takes a message inside the Worker; under an id that it has, it is the same one.
pub(super) async fn take(sandbox: &Sandbox<'_>, inbox: &str, body: &[u8]) -> Result<Reply, PortError> {
    let text = core::str::from_utf8(body).unwrap_or_default();
    let id = Members::read(body).ok().and_then(|members| members.get("id").and_then(text_of));
    let Some(id) = id.filter(|id| DeliveryId::parse(id).is_some() && is_inbox_name(inbox)) else {
        return Ok(answer(400, String::new()));
    };
    let at = sandbox.now.millis().to_string();
    let statements = vec![
        statement(STORE, &[&id, inbox, &at, text]),
        statement(DELETE_OLD, &[inbox]),
        statement(DELETE_OLDEST, &[]),
    ];
    batch(sandbox.db, statements).await?;
    Ok(answer(202, format!("{{\"id\":\"{id}\"}}")))
}

fn answer(status: u16, body: String) -> Reply {
    Reply::Answer(Incoming { query: String::new(), status, headers: Vec::new(), body: body.into_bytes() })
}

/// Shows the newest messages.
pub(super) async fn list(
    sandbox: &Sandbox<'_>,
    request: &SandboxRequest<'_>,
    inbox: &str,
) -> Result<SandboxReply, PortError> {
    if !is_inbox_name(inbox) {
        return Ok(unknown());
    }
    let results = batch(sandbox.db, vec![statement(LIST, &[inbox])]).await?;
    let found: Vec<ShownMessage> = rows(&results, 0)?.iter().map(read).collect::<Result<_, _>>()?;
    if request.header("accept").is_some_and(|accept| accept.contains("application/json")) {
        return Ok(json(json::write(&found)?.into_bytes()));
    }
    Ok(page::list(inbox, &found, language(request)))
}

/// Shows one message.
pub(super) async fn detail(
    sandbox: &Sandbox<'_>,
    request: &SandboxRequest<'_>,
    inbox: &str,
    id: &str,
) -> Result<SandboxReply, PortError> {
    let found = one(sandbox, inbox, id).await?;
    Ok(found.map_or_else(unknown, |shown| page::detail(inbox, &shown, language(request))))
}

/// The HTML of an e-mail, alone and without any power.
pub(super) async fn email(sandbox: &Sandbox<'_>, inbox: &str, id: &str) -> Result<SandboxReply, PortError> {
    let found = one(sandbox, inbox, id).await?.filter(|shown| !shown.html.is_empty());
    Ok(found.map_or_else(unknown, |shown| page::email(shown.html)))
}

async fn one(sandbox: &Sandbox<'_>, inbox: &str, id: &str) -> Result<Option<ShownMessage>, PortError> {
    let results = batch(sandbox.db, vec![statement(ONE, &[inbox, id])]).await?;
    first(&results, 0)?.map(read).transpose()
}

fn read(row: &super::database::SandboxRow) -> Result<ShownMessage, PortError> {
    let body = row.text("sandbox_message.body")?;
    let members = Members::read(body.as_bytes()).map_err(|_| corrupt("sandbox_message.body"))?;
    let text = |name: &str| members.get(name).and_then(text_of).map(String::from).unwrap_or_default();
    let fate = row.optional_text("message_note.fate")?;
    Ok(ShownMessage {
        id: text("id"),
        channel: Channel::parse(&text("channel")).ok_or_else(|| corrupt("sandbox_message.body"))?.as_str(),
        from: text("from"),
        to: text("to"),
        subject: text("subject"),
        text: text("text"),
        html: text("html"),
        received_at: Timestamp::from_millis(row.number("sandbox_message.received_at")?).to_string(),
        fate: fate.and_then(|word| Fate::parse(&word)).map(Fate::as_str),
        detail: row.optional_text("message_note.detail")?,
    })
}

fn language(request: &SandboxRequest<'_>) -> Language {
    request.query_value("language").and_then(|word| Language::parse(&word)).unwrap_or_default()
}

fn unknown() -> SandboxReply {
    plain(404, "there is no such message")
}
