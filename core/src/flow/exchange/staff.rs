//! Letters to a merchant's staff about requests for approval.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::access::permission::Permission;
use crate::access::user::User;
use crate::approval::Approval;
use crate::approval::stage::ApprovalState;
use crate::change::{ApprovalWrite, Change};
use crate::flow::exchange::messenger::carrier;
use crate::flow::reader::{language, moment};
use crate::message::staff::{StaffLetter, ended};
use crate::port::{PortError, Rng, UserEntry, UserKey, Users, World};
use crate::record::audit::ActorKind;
use crate::record::outbox::{Message, MessageKind, Recipient, Subject};
use crate::settings::situation::Situation;
use crate::strings::desk::DeskWords;
use crate::strings::staff::{Said, StaffWords, waits};
use crate::value::email::is_email;
use crate::value::id::{DeliveryId, UserId};
use crate::value::slot::Slotted;
use crate::words::Language;
use crate::words::message::Channel;

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
    let who = users.into_iter().filter(|entry| may_decide(entry, &approval)).map(|entry| entry.user);
    for user in who.filter(is_reachable).take(MOST) {
        let said = waits(language(&user), approval.operation);
        let letter = letter(world, situation, &approval, &user, said);
        add(world, change, &approval, &letter)?;
    }
    Ok(())
}

/// Adds the letter to the user who asked for a request that ends with a change; none if it does not, or they ended it.
///
/// # Errors
/// If the store or the world fails.
pub(in crate::flow) async fn add_ended(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
) -> Result<(), PortError> {
    // In a box, because few of the futures that may do this ever do.
    Box::pin(add_to_maker(world, change, situation)).await
}

async fn add_to_maker(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
) -> Result<(), PortError> {
    let Some(approval) = change.approval.as_deref().map(ApprovalWrite::approval).cloned() else {
        return Ok(());
    };
    let has_carrier = carrier(world, &situation.settings, Channel::Email).is_some();
    let has_words = ended(Language::default(), approval.operation, approval.state).is_some();
    let Some(maker) = approval.initiator.as_deref().filter(|_| has_carrier && has_words) else {
        return Ok(());
    };
    // As the user reads and is reached now.
    let found = world.directory().user(UserKey::Id(UserId(maker.id)), None).await?;
    let found = found.filter(|found| found.is_active).map(|found| found.user);
    let Some(user) = found.filter(|user| is_reachable(user)) else { return Ok(()) };
    let Some(said) = ended(language(&user), approval.operation, approval.state) else { return Ok(()) };
    let letter = letter(world, situation, &approval, &user, said);
    add(world, change, &approval, &letter)
}

fn is_reachable(user: &User) -> bool {
    user.email.as_deref().is_some_and(is_email)
}

fn may_decide(entry: &UserEntry, approval: &Approval) -> bool {
    let user = &entry.user;
    let is_maker = approval.asked_by.kind == ActorKind::User && approval.asked_by.id == user.id.to_string();
    entry.is_active && !is_maker && (user.is_superuser || user.permissions.has(&Permission::Approve))
}

fn letter(
    world: &impl World,
    situation: &Situation,
    approval: &Approval,
    user: &User,
    (subject, text): Said,
) -> StaffLetter {
    let until = moment(world, &situation.settings, user, approval.expires_at);
    StaffLetter {
        to: user.email.clone().unwrap_or_default(),
        language: language(user),
        subject: subject.into(),
        text: text.into(),
        facts: facts(approval, language(user), until),
        link: None,
    }
}

fn add(
    world: &impl World,
    change: &mut Change,
    approval: &Approval,
    letter: &StaffLetter,
) -> Result<(), PortError> {
    let broken = |_| PortError { port: "letter", detail: "a letter cannot be written".into() };
    let mut random = [0; 20];
    world.rng().fill(&mut random)?;
    change.messages.push(Message {
        id: DeliveryId::of_alert(approval.session_id.slot(), random),
        merchant: approval.merchant.clone(),
        kind: MessageKind::AlertEmail,
        subject: Subject { session_id: None, reference: approval.id.clone() },
        recipient: Recipient::Provider(Channel::Email),
        body: serde_json::to_string(letter).map_err(broken)?,
        due_at: change.at,
    });
    Ok(())
}

/// What is said of a request: nothing that identifies the payer, whose data is erased elsewhere only.
fn facts(approval: &Approval, language: Language, until: String) -> Vec<[String; 2]> {
    let words = StaffWords::of(language);
    let name = |name: &str, value: String| [name.to_string(), value];
    let asked_by = approval.asked_by.name.as_ref().unwrap_or(&approval.asked_by.id);
    let mut facts = Vec::from([
        name(words.request, approval.id.to_string()),
        name(words.payment, approval.session_id.to_string()),
        name(words.amount, format!("{} {}", approval.amount, approval.amount.currency())),
        name(words.asked_by, asked_by.clone()),
    ]);
    let reason = |reason| DeskWords::of(language).operation_reason(reason);
    facts.extend(approval.reason.map(|one| name(words.reason, reason(one).into())));
    if approval.state == ApprovalState::Asked {
        facts.push(name(words.until, until));
    }
    facts
}
