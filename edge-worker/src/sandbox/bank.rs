//! The bank's API over the tables of the sandbox: what is recorded is looked up, the bank decides, and what it
//! decides is recorded if the records are still as they were. No name server knows its host; only this
//! installation's own requests get here.

use checkout_core::gateway::exchange::Outgoing;
use checkout_core::port::{PortError, Rng};
use sandbox_bank::bank::Records;
use sandbox_bank::callback::Callback;
use sandbox_bank::operation::Operation;
use sandbox_bank::reply::Reply;
use sandbox_bank::request::Command;

use super::Sandbox;
use super::records::{Change, change_all, due, look_up, write};

/// How often a request is decided again because another one changed the records meanwhile.
const MOST_TRIES: u32 = 20;

/// Answers one request.
pub(super) async fn answer(
    sandbox: &Sandbox<'_>,
    rng: &impl Rng,
    request: &Outgoing,
) -> Result<Reply, PortError> {
    let bank = sandbox.bank();
    let request = match bank.read(request) {
        Ok(request) => request,
        Err(reply) => return Ok(reply),
    };
    let mut nonce = [0; 16];
    rng.fill(&mut nonce)?;
    let look_up = async || look_up(sandbox.db, &request, bank.page_size).await;
    // Almost every charge is new: the first try takes it for new, and needs one statement.
    let is_opening = matches!(request.command, Command::Open(_));
    let mut records = if is_opening { Records::default() } else { look_up().await? };
    for _ in 0..MOST_TRIES {
        let step = bank.answer(&request, &records, &nonce);
        match &step.write {
            Some(change) if !write(sandbox.db, change).await? => records = look_up().await?,
            Some(_) | None => return Ok(step.reply),
        }
    }
    Err(PortError { port: "sandbox", detail: "the records of the bank change all the time".into() })
}

/// Finishes what is due, a few at a time; what the bank reports about it.
pub(super) async fn finish_due(sandbox: &Sandbox<'_>) -> Result<Vec<Callback>, PortError> {
    let now = sandbox.now;
    let due = due(sandbox.db, now).await?;
    let charges: Vec<Change> = due
        .charges
        .into_iter()
        .filter_map(|before| Some(Change { after: before.finish(now)?, before }))
        .collect();
    let operations: Vec<Operation> =
        due.operations.iter().filter_map(|operation| operation.finish(now)).collect();
    if charges.is_empty() && operations.is_empty() {
        return Ok(Vec::new());
    }
    let changed = change_all(sandbox.db, &charges, &operations).await?;
    let of_charges = changed.charges.iter().map(|charge| charge.callback(sandbox.public_url));
    Ok(of_charges.chain(changed.operations.iter().map(Operation::callback)).collect())
}
