//! Who a user is, as the OpenID Connect provider of the merchant says: by a token of access that the user brings
//! ([`claims`]), by a name and a password that are exchanged at the provider ([`exchange`]), or by signing in there with a
//! browser (`code`).
//!
//! What a token claims is checked before anything is fetched, so that a token of another issuer causes no request. The
//! permissions of a user are never the provider's to say.

mod bound;
mod code;
mod judge;
mod password;
mod provider;
mod refused;
mod shared;
mod tokens;

use crate::access::claims::{Claims, Purpose};
use crate::access::fault::TokenFault;
use crate::port::World;
use crate::settings::MerchantSettings;
use crate::value::time::Timestamp;

pub(super) use self::bound::is_subject;
pub(in crate::flow) use self::code::{CodeAnswer, CodeRequest, redeem, sign_in_address};
pub use self::judge::verify;
pub use self::password::{Login, exchange};
pub use self::refused::Refused;
pub(in crate::flow) use self::shared::refuse_shared;

/// Who the user is who brings a token of access:
///
/// 1. read the token and what it claims, without a request;
/// 2. find the key that it means among those of the provider, which are fetched if they are not known;
/// 3. verify the signature.
///
/// `now` is the real time, as for all credentials.
///
/// # Errors
/// The rule that the token breaks, or a failure of the provider if its keys are not known.
pub async fn claims(
    world: &impl World,
    settings: &MerchantSettings,
    token: &str,
    now: Timestamp,
) -> Result<Claims, Refused> {
    let sign_on = settings.single_sign_on.as_ref().ok_or(TokenFault::NotConfigured)?;
    let purpose = Purpose::Access { audience: &sign_on.audience };
    judge::judge(world, sign_on, token, purpose, now).await
}
