//! The inbox: an address for `webhook_url` that stores what it receives and answers as it is set, so that a
//! new user can see webhooks and try what happens when a receiver fails.
//!
//! An inbox that is set to hang leaves a delivery inside the Worker without an answer. Over HTTP, where an
//! open connection is of no use, it answers 504 at once.

mod change;
mod page;
mod webhook;

use checkout_core::flow::deliver::check::{ReceivedWebhook, received};
use checkout_core::gateway::exchange::Incoming;
use checkout_core::installation::is_inbox_name;
use checkout_core::port::PortError;
use checkout_core::value::id::MerchantId;
use checkout_core::value::json;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use sandbox_bank::reply::Reply;
use serde::Serialize;
use std::collections::BTreeMap;

use super::database::{batch, corrupt, first, rows, statement};
use super::document::{json, method_not_allowed, plain, see_other};
use super::{MAX_BODY_BYTES, Sandbox, SandboxReply, SandboxRequest};
use change::InboxChange;
use page::{InboxEntry, render};
use webhook::Inbox;
pub(super) use webhook::{InboxAnswer, Webhook};

/// The headers that are stored.
const STORED_HEADERS: [&str; 4] = ["content-type", "webhook-id", "webhook-signature", "webhook-timestamp"];
/// The longest value of a header that is stored.
const MAX_HEADER_CHARS: usize = 1_000;

/// Everyone may post to an inbox, so what is stored is limited: for one inbox, and for all together.
const STORE: &str = "INSERT INTO sandbox_webhook (inbox, received_at, answered, headers, body) \
    VALUES (?1, CAST(?2 AS INTEGER), coalesce((SELECT answer FROM sandbox_inbox WHERE name = ?1), '200'), ?3, ?4) \
    RETURNING answered";
const DELETE_OLD: &str = "DELETE FROM sandbox_webhook WHERE inbox = ?1 AND number <= (\
    SELECT number FROM sandbox_webhook WHERE inbox = ?1 ORDER BY number DESC LIMIT 1 OFFSET 50)";
const DELETE_OLDEST: &str = "DELETE FROM sandbox_webhook WHERE number <= (SELECT max(number) FROM sandbox_webhook) - CAST(?1 AS INTEGER)";
const MAX_STORED: &str = "2000";
const LIST: &str = "SELECT received_at, answered, headers, body FROM sandbox_webhook WHERE inbox = ?1 \
    ORDER BY number DESC LIMIT 50";
const MERCHANTS: &str =
    "SELECT session_id, merchant_id FROM txn WHERE session_id IN (SELECT value FROM json_each(?1))";
const ANSWER: &str = "SELECT answer FROM sandbox_inbox WHERE name = ?1";
const SET_ANSWER: &str = "INSERT INTO sandbox_inbox (name, answer, changed_at) VALUES (?1, ?2, CAST(?3 AS INTEGER)) \
    ON CONFLICT (name) DO UPDATE SET answer = excluded.answer, changed_at = excluded.changed_at";
const DELETE_ANSWERS: &str = "DELETE FROM sandbox_inbox WHERE name IN (\
    SELECT name FROM sandbox_inbox ORDER BY changed_at DESC LIMIT 20 OFFSET 1000)";

/// Receives a webhook inside the Worker.
pub(super) async fn receive(
    sandbox: &Sandbox<'_>,
    name: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Result<Reply, PortError> {
    let status = if !is_inbox_name(name) {
        Some(404)
    } else if body.len() > MAX_BODY_BYTES {
        Some(413)
    } else {
        store(sandbox, name, headers, body).await?.status()
    };
    Ok(match status {
        Some(status) => {
            Reply::Answer(Incoming { query: String::new(), status, headers: Vec::new(), body: Vec::new() })
        }
        None => Reply::Silence,
    })
}

/// Shows an inbox, or receives a webhook over HTTP.
pub(super) async fn page(
    sandbox: &Sandbox<'_>,
    request: &SandboxRequest<'_>,
    name: &str,
    verify: impl AsyncFn(&[(&MerchantId, ReceivedWebhook<'_>)]) -> Result<Vec<bool>, PortError>,
) -> Result<SandboxReply, PortError> {
    if !is_inbox_name(name) {
        return Ok(not_a_name());
    }
    match request.method {
        "GET" | "HEAD" => show(sandbox, request, name, verify).await,
        "POST" => Ok(match store(sandbox, name, request.headers, request.body).await?.status() {
            Some(status) => plain(status, "received"),
            None => plain(504, "this inbox is set to leave webhooks without an answer"),
        }),
        _ => Ok(method_not_allowed("GET, HEAD, POST")),
    }
}

/// Chooses what an inbox answers from now on.
pub(super) async fn set_answer(
    sandbox: &Sandbox<'_>,
    request: &SandboxRequest<'_>,
    name: &str,
) -> Result<SandboxReply, PortError> {
    if !is_inbox_name(name) {
        return Ok(not_a_name());
    }
    if request.method != "POST" {
        return Ok(method_not_allowed("POST"));
    }
    let form = request.form();
    let word = form.iter().find(|(known, _)| known == "answer").map(|(_, value)| value.as_str());
    let Some(answer) = word.and_then(InboxAnswer::parse) else {
        return Ok(plain(400, "answer must be one of 200, 201, 500, hang"));
    };
    let values = [name, answer.as_str(), &sandbox.now.millis().to_string()];
    let statements = vec![statement(SET_ANSWER, &values), statement(DELETE_ANSWERS, &[])];
    batch(sandbox.db, statements).await?;
    Ok(see_other(format!("/sandbox/inbox/{name}/")))
}

fn not_a_name() -> SandboxReply {
    plain(404, "the name of an inbox is 1 to 64 letters, digits, hyphens and underscores")
}

async fn store(
    sandbox: &Sandbox<'_>,
    name: &str,
    headers: &[(String, String)],
    body: &[u8],
) -> Result<InboxAnswer, PortError> {
    let stored = headers.iter().filter(|(known, _)| STORED_HEADERS.contains(&known.as_str()));
    let stored = stored.map(|(known, value)| (known, value.chars().take(MAX_HEADER_CHARS).collect()));
    let stored: BTreeMap<&String, String> = stored.collect();
    let stored = json::write(&stored)?;
    let at = sandbox.now.millis().to_string();
    let statements = vec![
        statement(STORE, &[name, &at, &stored, &String::from_utf8_lossy(body)]),
        statement(DELETE_OLD, &[name]),
        statement(DELETE_OLDEST, &[MAX_STORED]),
    ];
    let results = batch(sandbox.db, statements).await?;
    let row = first(&results, 0)?.ok_or_else(|| corrupt("sandbox_webhook.answered"))?;
    row.word("sandbox_webhook.answered", InboxAnswer::parse)
}

#[derive(Serialize)]
struct InboxView<'a> {
    answer: &'static str,
    webhooks: Vec<WebhookView<'a>>,
}

#[derive(Serialize)]
struct WebhookView<'a> {
    received_at: String,
    answered: &'static str,
    headers: &'a BTreeMap<String, String>,
    body: &'a str,
}

async fn show(
    sandbox: &Sandbox<'_>,
    request: &SandboxRequest<'_>,
    name: &str,
    verify: impl AsyncFn(&[(&MerchantId, ReceivedWebhook<'_>)]) -> Result<Vec<bool>, PortError>,
) -> Result<SandboxReply, PortError> {
    let Inbox { answer, webhooks } = list(sandbox, name).await?;
    if !request.header("accept").is_some_and(|accept| accept.contains("application/json")) {
        let language = request.query_value("language").and_then(|word| Language::parse(&word));
        let entries = judged(sandbox, &webhooks, verify).await?;
        return Ok(render(name, answer, &entries, language.unwrap_or_default()));
    }
    let view = InboxView {
        answer: answer.as_str(),
        webhooks: webhooks
            .iter()
            .map(|webhook| WebhookView {
                received_at: webhook.received_at.to_string(),
                answered: webhook.answered.as_str(),
                headers: &webhook.headers,
                body: &webhook.body,
            })
            .collect(),
    };
    Ok(json(json::write(&view)?.into_bytes()))
}

/// Each webhook with what it says, and whether its merchant signed it.
async fn judged<'w>(
    sandbox: &Sandbox<'_>,
    webhooks: &'w [Webhook],
    verify: impl AsyncFn(&[(&MerchantId, ReceivedWebhook<'_>)]) -> Result<Vec<bool>, PortError>,
) -> Result<Vec<InboxEntry<'w>>, PortError> {
    let change: Vec<InboxChange> = webhooks.iter().map(|webhook| InboxChange::of(&webhook.body)).collect();
    let ids: Vec<&str> = change.iter().filter_map(|change| change.session_id.as_deref()).collect();
    let ids = json::write_texts(ids);
    let results = batch(sandbox.db, vec![statement(MERCHANTS, &[&ids])]).await?;
    let mut merchants = BTreeMap::new();
    for row in rows(&results, 0)? {
        merchants.insert(row.text("txn.session_id")?, row.word("txn.merchant_id", MerchantId::parse)?);
    }
    let mut entries: Vec<InboxEntry<'_>> = webhooks
        .iter()
        .zip(change)
        .map(|(webhook, change)| InboxEntry { webhook, change, is_signed: false })
        .collect();
    let (mut places, mut signed) = (Vec::new(), Vec::new());
    for (place, InboxEntry { webhook, change, .. }) in entries.iter().enumerate() {
        let merchant = change.session_id.as_ref().and_then(|id| merchants.get(id));
        let received = received(|name| webhook.headers.get(name), webhook.body.as_bytes());
        if let (Some(merchant), Some(received)) = (merchant, received) {
            places.push(place);
            signed.push((merchant, received));
        }
    }
    let answers = verify(&signed).await?;
    for (place, is_signed) in places.into_iter().zip(answers) {
        if let Some(entry) = entries.get_mut(place) {
            entry.is_signed = is_signed;
        }
    }
    Ok(entries)
}

async fn list(sandbox: &Sandbox<'_>, name: &str) -> Result<Inbox, PortError> {
    let statements = vec![statement(ANSWER, &[name]), statement(LIST, &[name])];
    let results = batch(sandbox.db, statements).await?;
    let answer = match first(&results, 0)? {
        Some(setting) => setting.word("sandbox_inbox.answer", InboxAnswer::parse)?,
        None => InboxAnswer::default(),
    };
    let webhooks = rows(&results, 1)?.iter().map(|row| {
        Ok(Webhook {
            received_at: Timestamp::from_millis(row.number("sandbox_webhook.received_at")?),
            answered: row.word("sandbox_webhook.answered", InboxAnswer::parse)?,
            headers: row.word("sandbox_webhook.headers", |text| serde_json::from_str(text).ok())?,
            body: row.text("sandbox_webhook.body")?,
        })
    });
    Ok(Inbox { answer, webhooks: webhooks.collect::<Result<_, PortError>>()? })
}
