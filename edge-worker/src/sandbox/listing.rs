//! The bank's list of what changed in a period, page by page (protocol in `docs/sandbox.md`).

use checkout_core::port::PortError;

use super::ledger::{Wanted, list};
use super::reply::{json, refused};
use super::{Sandbox, SimulatedAnswer};

/// The most charges of a page.
pub(super) const PAGE: usize = 50;

/// Answers a page of an account.
pub(super) async fn answer(
    sandbox: &Sandbox<'_>,
    account: &str,
    query: &str,
) -> Result<SimulatedAnswer, PortError> {
    let wanted = match read(query) {
        Ok(wanted) => wanted,
        Err(message) => return Ok(refused(400, message)),
    };
    let mut found = list(sandbox.db, account, &wanted, PAGE.saturating_add(1)).await?;
    let has_more = found.len() > PAGE;
    found.truncate(PAGE);
    let mut body = br#"{"charges":["#.to_vec();
    for (place, listed) in found.iter().enumerate() {
        if place > 0 {
            body.push(b',');
        }
        body.extend(listed.charge.listed_json(sandbox.public_url, listed.sums));
    }
    body.push(b']');
    if let Some(last) = found.last().filter(|_| has_more) {
        body.extend(format!(r#","next":"{}.{}""#, last.changed_at, last.charge.id).into_bytes());
    }
    body.push(b'}');
    Ok(json(200, body))
}

fn read(query: &str) -> Result<Wanted, &'static str> {
    let value = |name: &str| {
        form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name).map(|(_, value)| value)
    };
    let moment = |name| value(name).and_then(|text| text.parse::<i64>().ok()).filter(|moment| *moment >= 0);
    let (Some(from), Some(to)) = (moment("from"), moment("to")) else {
        return Err("from and to must be milliseconds since 1970");
    };
    let after = match value("cursor") {
        None => (from, String::new()),
        Some(cursor) => {
            let parts =
                cursor.split_once('.').and_then(|(at, id)| Some((at.parse::<i64>().ok()?, id.to_owned())));
            parts
                .filter(|(at, _)| *at >= from)
                .ok_or("cursor must be the next of a page of the same period")?
        }
    };
    Ok(Wanted { to, after })
}
