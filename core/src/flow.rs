//! What the service does: one operation is one `async fn` over the [ports](crate::port), in numbered steps.
//!
//! A flow reads the time once; if it knows its merchant, it uses the [merchant's time](now_of). It decides
//! with the pure modules, and stores the result as one [`Change`](crate::change::Change).

pub mod account;
mod alert;
mod attachment;
mod author;
mod bearer;
pub mod card;
mod charge;
mod commit;
mod connect;
pub mod deliver;
pub mod demo;
pub mod ending;
pub mod erase;
mod exchange;
mod find;
pub mod gateway;
mod generate;
mod idempotency;
mod inquire;
mod limit;
pub mod merchant;
pub mod message_report;
mod notify;
mod operation;
pub mod operator;
pub mod page_check;
pub mod patience;
pub mod payer;
pub mod receipt;
pub mod reconcile;
mod reverse;
mod routing;
pub mod sdk;
mod settle;
mod sign_in;
pub mod sign_on;
pub mod sweep;
mod together;
pub mod token;
pub mod webhook_check;

use core::time::Duration;

use self::sign_in::sign_in;
use crate::access::header::Credential;
use crate::access::key::ApiKey;
use crate::access::{Caller, Principal, Rights, may};
use crate::port::{Clock, CommitError, FoundUser, KeyHolder, Keyring, PortError, World};
use crate::rejection::Rejection;
use crate::route::Action;
use crate::settings::MerchantSettings;
use crate::value::time::Timestamp;

/// How exact it is noted when a key was used last.
const NOTED_EVERY: Duration = Duration::from_hours(1);

/// Why a flow gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The request is refused.
    Refused(Rejection),
    /// A part of the world failed; the caller is answered that the service is unavailable.
    World(PortError),
}

impl Failure {
    /// A refusal as that of an operation or a payment.
    #[must_use]
    pub fn during(self, operation: &'static str) -> Self {
        match self {
            Self::Refused(rejection) => Self::Refused(rejection.during(operation)),
            world @ Self::World(_) => world,
        }
    }
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        Self::Refused(rejection)
    }
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        Self::World(error)
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict | CommitError::KeyTaken => Self::Refused(Rejection::Conflict),
            CommitError::Failed(error) => Self::World(error),
        }
    }
}

/// The merchant's time: the real time plus how far the merchant's test clock was moved forward. Everything
/// about the merchant's payments uses it; credentials, leases, signatures that receivers check and the
/// operator's log use the real time.
#[must_use]
pub fn now_of(world: &impl World, settings: &MerchantSettings) -> Timestamp {
    world.clock().now().plus(settings.clock_offset)
}

/// Who offers a credential. Keys are found by their prefix and compared by their hash, the token of the Worker's
/// secret is compared as it is, both in constant time; other tokens are verified by whom they say that they come from.
///
/// # Errors
/// [`Rejection::CredentialsMissing`] or [`Rejection::CredentialsInvalid`]; [`Failure::World`] if the store fails.
pub async fn principal(world: &impl World, credential: &Credential) -> Result<Principal, Failure> {
    let found = match credential {
        Credential::ApiKey(key) => holder(world, key).await?.map(Principal::Merchant),
        Credential::Basic(login) => {
            let FoundUser { user, settings, .. } = sign_in(world, login).await?;
            Some(Principal::Merchant(Caller {
                rights: Rights::User(user),
                prefix: None,
                is_basic: true,
                settings,
            }))
        }
        Credential::Bearer(token) => bearer::holder(world, token).await?,
        Credential::Session => Some(Principal::Session),
        Credential::NotAsked => Some(Principal::Anyone),
        Credential::Missing => return Err(Rejection::CredentialsMissing.into()),
        Credential::Malformed => None,
    };
    Ok(found.ok_or(Rejection::CredentialsInvalid)?)
}

/// To whom a key belongs.
async fn holder(world: &impl World, key: &ApiKey) -> Result<Option<Caller>, PortError> {
    let now = world.clock().now();
    let Some(KeyHolder { caller, used_at }) = world.store().caller(key, now).await? else { return Ok(None) };
    if is_to_be_noted(used_at, now) {
        // A key that works is not refused because this cannot be noted.
        let _ = world.store().note_use(caller.merchant(), key.prefix(), now).await;
    }
    Ok(Some(caller))
}

/// Whether the use of a key is noted: at most once an hour.
fn is_to_be_noted(used_at: Option<Timestamp>, now: Timestamp) -> bool {
    used_at.is_none_or(|at| at.plus(NOTED_EVERY) <= now)
}

/// Who is calling, if the caller may do `action`: asked once for each request, before its body is judged.
///
/// # Errors
/// The rejection if the caller is unknown or not permitted; [`Failure::World`] if the store fails.
pub async fn identify(
    world: &impl World,
    credential: &Credential,
    action: Action,
) -> Result<Principal, Failure> {
    let principal = principal(world, credential).await?;
    may(&principal, action)?;
    Ok(principal)
}
