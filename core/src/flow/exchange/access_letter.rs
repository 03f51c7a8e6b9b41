//! Letters to a user about their own access.

use alloc::string::String;
use alloc::vec::Vec;

use super::messenger::carrier;
use crate::access::user::User;
use crate::desk::access_link::{LINK_BYTES, LINK_LIFE, LinkToken, UserLink};
use crate::flow::reader::{language, moment};
use crate::message::staff::StaffLetter;
use crate::messenger::provider::Provider;
use crate::port::{Clock, PortError, Rng, Vault, World};
use crate::record::outbox::{Message, MessageKind, Recipient, Subject};
use crate::settings::situation::Situation;
use crate::strings::staff::StaffWords;
use crate::value::email::is_email;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::slot::Slotted;
use crate::words::message::Channel;

/// How the references of these letters begin.
const PREFIX: &str = "USER";

/// What happened to the access of a user.
#[derive(Debug, Clone, Copy)]
pub(in crate::flow) enum UserNotice<'a> {
    /// Someone removed the second factor.
    FactorRemoved(&'a str),
    /// The password was given on a device that was not seen before.
    NewDevice(&'a str),
}

/// Why a user gets a link.
#[derive(Debug, Clone, Copy)]
pub(in crate::flow) enum LinkCause {
    /// They are invited.
    Invited,
    /// Someone says that they forgot their password.
    LostPassword,
}

/// A letter that says what happened; `None` if the user cannot be written to.
///
/// # Errors
/// If the world fails.
pub(in crate::flow) fn notice(
    world: &impl World,
    situation: &Situation,
    user: &User,
    about: UserNotice<'_>,
) -> Result<Option<Message>, PortError> {
    let Some((to, _)) = address_of(world, situation, user) else { return Ok(None) };
    let words = StaffWords::of(language(user));
    let ((subject, text), facts) = match about {
        UserNotice::FactorRemoved(by) => {
            (words.factor_removed, Vec::from([[words.by, by].map(String::from)]))
        }
        UserNotice::NewDevice(device) => {
            let when = moment(world, &situation.settings, user, situation.now);
            (
                words.new_device,
                Vec::from([[words.device, device], [words.when, &when]].map(|fact| fact.map(String::from))),
            )
        }
    };
    let named = [words.user, &user.username].map(String::from);
    let facts = [named].into_iter().chain(facts).collect();
    let (subject, text) = (subject.into(), text.into());
    let letter = StaffLetter { to, language: language(user), subject, text, facts, link: None };
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
    cause: LinkCause,
) -> Result<Option<(UserLink, Message)>, PortError> {
    let to = address_of(world, situation, user).filter(|(_, provider)| *provider != Provider::Sandbox);
    let Some(((to, _), desk_url)) = to.zip(world.installation().desk_url.as_deref()) else { return Ok(None) };
    let mut random = [0; LINK_BYTES];
    world.rng().fill(&mut random)?;
    let token = LinkToken::of(random);
    let sealed = world.vault().seal(&situation.settings.merchant, &token.address(desk_url))?;
    let expires_at = world.clock().now().plus(LINK_LIFE);
    let words = StaffWords::of(language(user));
    let (subject, text) = match cause {
        LinkCause::Invited => words.invited,
        LinkCause::LostPassword => words.lost,
    };
    let until = moment(world, &situation.settings, user, expires_at);
    let facts =
        Vec::from([[words.user, &user.username], [words.until, &until]].map(|fact| fact.map(String::from)));
    let (subject, text, link) = (subject.into(), text.into(), Some(sealed.0));
    let letter = StaffLetter { to, language: language(user), subject, text, facts, link };
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
