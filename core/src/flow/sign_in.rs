//! Signing in by name and password.
//!
//! Decisions: a name that nobody has is answered exactly like a wrong password, after the same work, and counted in the
//! same way. Tries are counted before the password is looked at, so that many at once are not more than one after the
//! other. A sign-in that was right is remembered for a minute in the isolate, because hashing takes longer than all else;
//! the stored hash belongs to what is remembered, so that another password ends it at once.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::Failure;
use crate::access::header::Login;
use crate::access::password::NOBODYS;
use crate::access::user::folded;
use crate::port::{Clock, FoundUser, Limited, TrySubject, UserKey, Users, World};
use crate::rejection::Rejection;
use crate::value::digest::digest;

/// The most wrong passwords for one name from one address in a period.
const MOST_TOGETHER: u32 = 10;
/// The most from one address, whatever the name.
const MOST_OF_ADDRESS: u32 = 30;
/// The most for one name, wherever they come from.
const MOST_OF_NAME: u32 = 100;

/// The user who has this name and this password:
///
/// 1. find the user; a sign-in that was right a short while ago is right;
/// 2. count the try; too many are refused whether or not there is such a user, unless the same sign-in was found right
///    meanwhile: a server sends many requests at once;
/// 3. compare the password, with nobody's if there is no user, or the user has none or was switched off;
/// 4. take the count back if it is right.
///
/// # Errors
/// [`Rejection::CredentialsInvalid`], [`Rejection::TooManySignIns`], or a failure of the world.
pub(super) async fn sign_in(world: &impl World, login: &Login) -> Result<FoundUser, Failure> {
    // 1
    let name = folded(&login.username);
    let found = world.store().user(UserKey::Name(&name)).await?;
    let found = found.filter(|found| found.is_active && found.password.is_some());
    let stored = found.as_ref().and_then(|found| found.password.as_deref()).unwrap_or(NOBODYS);
    let mark = mark(&name, login, stored);
    let is_recalled = || found.is_some() && world.recalls_sign_in(&mark);
    let mut is_right = is_recalled();
    if !is_right {
        // 2
        let address = world.caller_network().map(|network| network.to_string());
        let subjects = subjects(&name, address.as_deref());
        let now = world.clock().now();
        let blocked_until = world.store().count_tries(&subjects, now).await?;
        is_right = is_recalled();
        if let Some(until) = blocked_until.filter(|_| !is_right) {
            let retry_after = until.since(now).as_secs().saturating_add(1);
            world.limited(&Limited { limit: "sign_ins", merchant: None, retry_after });
            return Err(Rejection::TooManySignIns { retry_after }.into());
        }
        // 3
        is_right = is_right || (login.password.matches(stored) && found.is_some());
        // 4
        if is_right {
            world.remember_sign_in(&mark);
            // Who has the right password is not refused because a count stays.
            let _ = world.store().take_back_tries(&subjects).await;
        }
    }
    Ok(found.filter(|_| is_right).ok_or(Rejection::CredentialsInvalid)?)
}

/// What is remembered of a sign-in: name, password and stored hash, each with its length.
fn mark(name: &str, login: &Login, stored: &str) -> Vec<u8> {
    let mut mark = Vec::new();
    for part in [name, login.password.text(), stored] {
        mark.extend_from_slice(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        mark.extend_from_slice(part.as_bytes());
    }
    mark
}

/// For what a try is counted. Where the address is not known, nothing is counted for it alone.
fn subjects(name: &str, address: Option<&str>) -> Vec<TrySubject> {
    let subject = |parts: [&str; 3], most| TrySubject { key: digest(&parts), most };
    let mut subjects = alloc::vec![
        subject(["together", name, address.unwrap_or_default()], MOST_TOGETHER),
        subject(["name", name, ""], MOST_OF_NAME),
    ];
    subjects.extend(address.map(|address| subject(["address", address, ""], MOST_OF_ADDRESS)));
    subjects
}
