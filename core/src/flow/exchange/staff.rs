//! Letters to a merchant's staff about requests for approval.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::access::permission::Permission;
use crate::approval::Approval;
use crate::approval::stage::ApprovalState;
use crate::change::{ApprovalWrite, Change};
use crate::flow::exchange::messenger::carrier;
use crate::message::staff::{StaffLetter, ended, waits};
use crate::port::{PortError, Rng, UserEntry, Users, World};
use crate::record::audit::ActorKind;
use crate::record::outbox::{Message, MessageKind, Recipient, Subject};
use crate::settings::situation::Situation;
use crate::value::email::is_email;
use crate::value::id::DeliveryId;
use crate::value::slot::Slotted;
use crate::words::message::Channel;
use crate::words::operation_reason::OperationReason;

/// The most persons who are written to.
const MOST: usize = 20;

/// Adds the letters to those who can approve a request that was just asked for, but not to who asks.
///
/// # Errors
/// If the store or the world fails.
pub(in crate::flow) async fn add_asked(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
) -> Result<(), PortError> {
    let Some(approval) = change.approval.as_deref().map(ApprovalWrite::approval).cloned() else {
        return Ok(());
    };
    if carrier(world, &situation.settings, Channel::Email).is_none() {
        return Ok(());
    }
    let users = world.directory().users(&approval.merchant).await?;
    let to: Vec<String> = users
        .into_iter()
        .filter(|entry| may_decide(entry, &approval))
        .filter_map(|one| one.user.email)
        .collect();
    let (subject, text) = waits(approval.operation);
    add(world, change, &approval, to, (subject, text))
}

/// Adds the letter to the user who asked for a request that ends with a change; none if it does not, or they ended it.
///
/// # Errors
/// If the world fails.
pub(in crate::flow) fn add_ended(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
) -> Result<(), PortError> {
    let Some(approval) = change.approval.as_deref().map(ApprovalWrite::approval).cloned() else {
        return Ok(());
    };
    let has_carrier = carrier(world, &situation.settings, Channel::Email).is_some();
    let Some(words) = ended(approval.operation, approval.state).filter(|_| has_carrier) else {
        return Ok(());
    };
    let to = approval.initiator.as_deref().and_then(|user| user.email.clone());
    add(world, change, &approval, to.into_iter().collect(), words)
}

fn may_decide(entry: &UserEntry, approval: &Approval) -> bool {
    let user = &entry.user;
    let is_maker = approval.asked_by.kind == ActorKind::User && approval.asked_by.id == user.id.to_string();
    entry.is_active && !is_maker && (user.is_superuser || user.permissions.has(&Permission::Approve))
}

fn add(
    world: &impl World,
    change: &mut Change,
    approval: &Approval,
    to: Vec<String>,
    (subject, text): (&str, &str),
) -> Result<(), PortError> {
    let broken = |_| PortError { port: "letter", detail: "a letter cannot be written".into() };
    let slot = approval.session_id.slot();
    for to in to.into_iter().filter(|to| is_email(to)).take(MOST) {
        let mut random = [0; 20];
        world.rng().fill(&mut random)?;
        let letter = StaffLetter {
            to,
            subject: subject.into(),
            text: text.into(),
            facts: facts(approval),
            link: None,
        };
        change.messages.push(Message {
            id: DeliveryId::of_alert(slot, random),
            merchant: approval.merchant.clone(),
            kind: MessageKind::AlertEmail,
            subject: Subject { session_id: None, reference: approval.id.clone() },
            recipient: Recipient::Provider(Channel::Email),
            body: serde_json::to_string(&letter).map_err(broken)?,
            due_at: change.at,
        });
    }
    Ok(())
}

/// What is said of a request: nothing that identifies the payer, whose data is erased elsewhere only.
fn facts(approval: &Approval) -> Vec<[String; 2]> {
    let name = |name: &str, value: String| [name.to_string(), value];
    let asked_by = approval.asked_by.name.as_ref().unwrap_or(&approval.asked_by.id);
    let mut facts = Vec::from([
        name("Request", approval.id.to_string()),
        name("Payment", approval.session_id.to_string()),
        name("Amount", format!("{} {}", approval.amount, approval.amount.currency())),
        name("Asked by", asked_by.clone()),
    ]);
    facts.extend(
        approval.reason.map(|reason| name("Reason", OperationReason::as_str(reason).replace('_', " "))),
    );
    if approval.state == ApprovalState::Asked {
        facts.push(name("Until", approval.expires_at.text()));
    }
    facts
}
