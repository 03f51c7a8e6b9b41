//! Asking for a link because a password is lost, and choosing a password by a link.
//!
//! Decision: who asks is answered before it is looked up whether there is such a user, so that neither words nor time say
//! it. What was asked is counted for names that nobody has, too.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::user::{User, folded};
use crate::api::user::chosen_password;
use crate::desk::access_link::{LinkToken, UserLink};
use crate::desk::form::DeskForm;
use crate::flow::Failure;
use crate::flow::account::user::hash;
use crate::flow::exchange::access_letter::{LinkCause, link};
use crate::port::{Clock, FoundUser, Limited, LinkUse, Ring, TrySubject, UserKey, UserLinks, Users, World};
use crate::record::audit::{Actor, ActorKind, Entry};
use crate::rejection::Rejection;
use crate::value::digest::digest;
use crate::value::id::UserId;

/// The most links for one name in a period of tries.
const MOST_OF_NAME: u32 = 3;
/// The most from one network, whatever the name.
const MOST_OF_NETWORK: u32 = 10;

/// Counts that a link is asked for, whether or not there is such a user.
///
/// # Errors
/// [`Rejection::TooManySignIns`], or a failure of the world.
pub async fn ask_for_link(world: &impl World, username: &str) -> Result<(), Failure> {
    let now = world.clock().now();
    let subject = |parts: [&str; 2], most| TrySubject { key: digest(&parts), most };
    let name = folded(username);
    let mut subjects = Vec::from([subject(["lost password", &name], MOST_OF_NAME)]);
    if let Some(network) = world.scope().network {
        let network = alloc::format!("{network}");
        subjects.push(subject(["lost password from", &network], MOST_OF_NETWORK));
    }
    let Some(until) = world.directory().count_tries(&subjects, now).await? else { return Ok(()) };
    let retry_after = until.since(now).as_secs().saturating_add(1);
    world.limited(&Limited { limit: "lost_passwords", merchant: None, retry_after });
    Err(Rejection::TooManySignIns { retry_after }.into())
}

/// Sends the user of a name a link, if there is one who has a password here and can be written to. Nobody waits for this.
///
/// # Errors
/// If the world fails.
pub async fn send_link(world: &impl World, username: &str) -> Result<(), Failure> {
    let name = folded(username);
    let Some(found) = world.directory().user(UserKey::Name(&name), None).await? else { return Ok(()) };
    // Who signs in at the merchant's provider has no password here.
    if !found.is_active || found.password.is_none() {
        return Ok(());
    }
    let situation = found.merchant.at(world.clock().now());
    if let Some((link, letter)) = link(world, &situation, &found.user, LinkCause::LostPassword)? {
        world.directory().add_user_link(&link, &letter, None).await?;
        world.post([Ring::first(letter.id)].into());
    }
    Ok(())
}

/// The user whose password a link chooses; `None` if it opens nothing: there is none, it is over, or it was used.
///
/// # Errors
/// If the world fails.
pub async fn user_of_link(world: &impl World, token: &str) -> Result<Option<Rc<User>>, Failure> {
    Ok(opened(world, token).await?.map(|(_, found)| found.user))
}

async fn opened(world: &impl World, token: &str) -> Result<Option<(UserLink, FoundUser)>, Failure> {
    let Some(token) = LinkToken::parse(token) else { return Ok(None) };
    let Some(link) = world.directory().user_link(&token.hash()).await? else { return Ok(None) };
    if world.clock().now() >= link.expires_at {
        return Ok(None);
    }
    let found = world.directory().user(UserKey::Id(link.user), None).await?;
    Ok(found.filter(|found| found.is_active).map(|found| (link, found)))
}

/// What came of choosing a password.
#[derive(Debug)]
pub enum Choice {
    /// It is the user's password.
    Done,
    /// The link opens nothing.
    Over,
    /// It cannot be this user's; the link stays.
    Wrong(Rc<User>),
    /// It was typed in two ways; the link stays.
    Differs(Rc<User>),
}

/// Chooses a password by a link, which is used up:
///
/// 1. find the user, and judge what was typed;
/// 2. store the password, if the link is still there: every session and token of the user ends.
///
/// # Errors
/// If the world fails.
pub async fn choose_password(world: &impl World, token: &str, form: &DeskForm) -> Result<Choice, Failure> {
    // 1
    let Some((UserLink { hash: of_token, .. }, found)) = opened(world, token).await? else {
        return Ok(Choice::Over);
    };
    let user = found.user;
    let typed = form.get("password").unwrap_or_default();
    let Ok(password) = chosen_password(typed, &user.username) else { return Ok(Choice::Wrong(user)) };
    if form.get("again") != Some(typed) {
        return Ok(Choice::Differs(user));
    }
    // 2
    let at = world.clock().now();
    let choice = LinkUse { hash: of_token, user: user.id, password: hash(world, &password)?, at };
    let entry = Entry::of(actor(user.id, &user.username), "choose_password", at);
    let entry = entry.about(&found.merchant.settings.merchant).on(user.id);
    let is_done = world.directory().use_user_link(&choice, &entry).await?;
    Ok(if is_done { Choice::Done } else { Choice::Over })
}

/// A user as the audit names them.
pub(super) fn actor(id: UserId, username: &str) -> Actor {
    let name = Some(String::from(username));
    Actor { kind: ActorKind::User, id: alloc::format!("{id}"), name, role: None }
}
