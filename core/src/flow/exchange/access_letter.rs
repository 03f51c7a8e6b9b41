//! Letters to a user about their own access.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::messenger::carrier;
use crate::access::user::User;
use crate::desk::access_link::{LINK_BYTES, LINK_LIFE, LinkToken, UserLink};
use crate::message::staff::{StaffLetter, UserNotice};
use crate::messenger::provider::Provider;
use crate::port::{Clock, PortError, Rng, Vault, World};
use crate::record::outbox::{Message, MessageKind, Recipient, Subject};
use crate::settings::situation::Situation;
use crate::value::email::is_email;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::slot::Slotted;
use crate::words::message::Channel;

/// How the references of these letters begin.
const PREFIX: &str = "USER";

/// A letter that says what happened; `None` if the user cannot be written to.
///
/// # Errors
/// If the world fails.
pub(in crate::flow) fn notice(
    world: &impl World,
    situation: &Situation,
    user: &User,
    about: UserNotice,
    facts: Vec<[String; 2]>,
) -> Result<Option<Message>, PortError> {
    let Some(to) = address_of(world, situation, user).map(|(to, _)| to) else { return Ok(None) };
    let named = ["User".to_string(), user.username.clone()];
    let facts = [named].into_iter().chain(facts).collect();
    let (subject, text) = about.words();
    let letter = StaffLetter { to, subject: subject.into(), text: text.into(), facts, link: None };
    message(world, situation, &letter).map(Some)
}

/// A link by which a user chooses a password, with the letter that carries it; `None` if it cannot be sent. The inbox of the
/// sandbox gets none: anyone may read it.
///
/// # Errors
/// If the world fails.
pub(in crate::flow) fn link(
    world: &impl World,
    situation: &Situation,
    user: &User,
    about: UserNotice,
) -> Result<Option<(UserLink, Message)>, PortError> {
    let to = address_of(world, situation, user).filter(|(_, provider)| *provider != Provider::Sandbox);
    let Some(((to, _), desk_url)) = to.zip(world.installation().desk_url.as_deref()) else { return Ok(None) };
    let mut random = [0; LINK_BYTES];
    world.rng().fill(&mut random)?;
    let token = LinkToken::of(random);
    let sealed = world.vault().seal(&situation.settings.merchant, &token.address(desk_url))?;
    let expires_at = world.clock().now().plus(LINK_LIFE);
    let (subject, text) = about.words();
    let facts = Vec::from([
        ["User".to_string(), user.username.clone()],
        ["Until".to_string(), expires_at.to_string()],
    ]);
    let letter = StaffLetter { to, subject: subject.into(), text: text.into(), facts, link: Some(sealed.0) };
    let link = UserLink { user: user.id, hash: token.hash(), expires_at };
    Ok(Some((link, message(world, situation, &letter)?)))
}

/// Where a user is written to, and by whose service.
fn address_of(world: &impl World, situation: &Situation, user: &User) -> Option<(String, Provider)> {
    let to = user.email.clone().filter(|to| is_email(to))?;
    Some((to, carrier(world, &situation.settings, Channel::Email)?.provider))
}

fn message(world: &impl World, situation: &Situation, letter: &StaffLetter) -> Result<Message, PortError> {
    let broken = |_| PortError { port: "letter", detail: "a letter cannot be written".into() };
    let merchant = situation.settings.merchant.clone();
    let slot = merchant.slot();
    let (mut id, mut reference) = ([0; 20], [0; 8]);
    world.rng().fill(&mut id)?;
    world.rng().fill(&mut reference)?;
    Ok(Message {
        id: DeliveryId::of_alert(slot, id),
        merchant,
        kind: MessageKind::AlertEmail,
        subject: Subject { session_id: None, reference: ReferenceNumber::generate(PREFIX, slot, reference) },
        recipient: Recipient::Provider(Channel::Email),
        body: serde_json::to_string(letter).map_err(broken)?,
        due_at: situation.now,
    })
}
