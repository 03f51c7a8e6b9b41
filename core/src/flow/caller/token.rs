//! Tokens of ours: given for a user's name and password, or for a private key, and read again (RFC 6749, 4.3 and 4.4; RFC
//! 9068).
//!
//! Decision: the client of `client_credentials` is a private key of the merchant: its id is the key's prefix and its secret
//! what follows the dot. A token of a key may what the key may, and ends with it; a token of a user ends with a new
//! password, or when the user is switched off.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::api_key;
use super::sign_in::sign_in;
use crate::access::header::{ClaimedLogin, Credential, parse_authorization};
use crate::access::key::{ApiKey, KeyKind};
use crate::access::ours::{self, ExpectedToken, Secret, TokenClaims};
use crate::access::{Caller, Rights};
use crate::answer::oauth::{TokenGiven, TokenRefusal};
use crate::api::token::{Grant, TokenForm};
use crate::flow::Failure;
use crate::port::{Clock, FoundUser, PortError, Rng, Vault, World};
use crate::rejection::{RefusedRequest, Rejection};
use crate::value::id::{MerchantId, UserId};
use crate::value::json::Unwritten;
use crate::value::time::Timestamp;

/// How long a token lives.
const LIFE: Duration = Duration::from_hours(1);
/// What the secret of tokens is derived for.
const PURPOSE: &str = "access token";
/// The path of what tokens are for, after the address of the installation.
const AUDIENCE_PATH: &str = "/b/";
/// The random bytes of a token's id.
const ID_BYTES: usize = 16;

/// To whom a token was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenSubject {
    /// A user, as long as nothing ended the tokens of this epoch.
    User { id: UserId, epoch: i64 },
    /// The private key with this prefix.
    Key { prefix: String },
}

impl TokenSubject {
    fn text(&self) -> String {
        match self {
            Self::User { id, epoch } => format!("user:{id}:{epoch}"),
            Self::Key { prefix } => format!("key:{prefix}"),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(':')?;
        match kind {
            "user" => {
                let (id, epoch) = rest.split_once(':')?;
                Some(Self::User { id: UserId(id.parse().ok()?), epoch: epoch.parse().ok()? })
            }
            "key" => Some(Self::Key { prefix: rest.into() }),
            _ => None,
        }
    }
}

/// What a token of ours says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TokenRead {
    pub(super) subject: TokenSubject,
    pub(super) merchant: MerchantId,
}

/// What a token says, if it is one of ours that is valid.
pub(super) fn read(world: &impl World, text: &str, now: Timestamp) -> Option<TokenRead> {
    let keys = world.vault().derived(PURPOSE);
    let secrets: Option<Vec<_>> = keys.iter().map(|key| Secret::new(&key.id, &key.bytes)).collect();
    let issuer = &world.installation().public_url;
    let audience = format!("{issuer}{AUDIENCE_PATH}");
    let expected = ExpectedToken { issuer, audience: &audience, max_life: LIFE };
    let claims = ours::verify(text, &secrets?, &expected, now).ok()?;
    Some(TokenRead { subject: TokenSubject::parse(&claims.subject)?, merchant: claims.merchant })
}

/// Why there is no token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoToken {
    /// It is refused.
    Refused(TokenRefusal),
    /// A part of the world failed.
    World(PortError),
}

impl From<TokenRefusal> for NoToken {
    fn from(refusal: TokenRefusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<PortError> for NoToken {
    fn from(error: PortError) -> Self {
        Self::World(error)
    }
}

/// Gives a token:
///
/// 1. read what is asked for;
/// 2. find who asks: a user by name and password, with their client if one is named, or a private key;
/// 3. sign a token.
///
/// `authorization` is the header by which a client names itself.
///
/// # Errors
/// What RFC 6749 (5.2) says.
pub async fn give(
    world: &impl World,
    body: &[u8],
    authorization: Option<&str>,
) -> Result<TokenGiven, NoToken> {
    let now = world.clock().now();
    // 1
    let request = TokenForm::read(body)?;
    let client = client_of(&request, authorization)?;
    // 2
    let (subject, merchant) = match &request.grant {
        Grant::Password { username, password } => {
            let login = ClaimedLogin::of(username, password).ok_or(TokenRefusal::InvalidGrant)?;
            let FoundUser { user, epoch, merchant, .. } =
                sign_in(world, &login, None).await.map_err(of_user)?;
            let merchant = &merchant.settings.merchant;
            if let Some(client) = client {
                let holder = private_holder(world, &client).await?;
                if holder.merchant() != merchant {
                    return Err(TokenRefusal::InvalidGrant.into());
                }
            }
            (TokenSubject::User { id: user.id, epoch }, merchant.clone())
        }
        Grant::ClientCredentials => {
            let client = client.ok_or(TokenRefusal::InvalidClient)?;
            let holder = private_holder(world, &client).await?;
            (TokenSubject::Key { prefix: client.prefix().into() }, holder.merchant().clone())
        }
    };
    // 3
    let token = sign(world, &subject, merchant, now)?;
    Ok(TokenGiven { access_token: token, token_type: "Bearer", expires_in: LIFE.as_secs() })
}

/// The key that a client names, in the header or in the body, not in both (RFC 6749, 2.3). In the header it may be written as for
/// every other call, too.
fn client_of(request: &TokenForm, authorization: Option<&str>) -> Result<Option<ApiKey>, TokenRefusal> {
    let Some(header) = authorization else {
        return match (&request.client_id, &request.client_secret) {
            (Some(id), Some(secret)) => key_of(id, secret).map(Some),
            (None, Some(_)) => Err(TokenRefusal::InvalidClient),
            // An id alone proves nothing, and is not needed.
            (_, None) => Ok(None),
        };
    };
    if request.client_secret.is_some() {
        let detail = "a client names itself in the header or in the body, not in both";
        return Err(TokenRefusal::InvalidRequest(detail));
    }
    match parse_authorization(header) {
        Credential::Basic(login) => key_of(&login.username, login.password.text()).map(Some),
        Credential::ApiKey(key) => Ok(Some(key)),
        Credential::Bearer(_)
        | Credential::Missing
        | Credential::Malformed
        | Credential::Session
        | Credential::NotAsked => Err(TokenRefusal::InvalidClient),
    }
}

fn key_of(id: &str, secret: &str) -> Result<ApiKey, TokenRefusal> {
    ApiKey::parse(&format!("{id}.{secret}")).ok_or(TokenRefusal::InvalidClient)
}

/// Who holds a private key.
async fn private_holder(world: &impl World, key: &ApiKey) -> Result<Caller, NoToken> {
    let found = api_key::holder(world, key, None, false).await?;
    let is_private = |caller: &Caller| matches!(caller.rights, Rights::Key(KeyKind::Private, _));
    Ok(found.filter(is_private).ok_or(TokenRefusal::InvalidClient)?)
}

/// Why a name and a password give no token.
fn of_user(failure: Failure) -> NoToken {
    match failure {
        Failure::Refused(RefusedRequest { rejection: Rejection::TooManySignIns { retry_after }, .. }) => {
            TokenRefusal::TooMany { retry_after }.into()
        }
        Failure::Refused(_) => TokenRefusal::InvalidGrant.into(),
        Failure::World(error) => error.into(),
        Failure::Unwritten => PortError::from(Unwritten).into(),
    }
}

fn sign(
    world: &impl World,
    subject: &TokenSubject,
    merchant: MerchantId,
    now: Timestamp,
) -> Result<String, NoToken> {
    let mut id = [0; ID_BYTES];
    world.rng().fill(&mut id)?;
    let issuer = world.installation().public_url.clone();
    // Tokens count in whole seconds.
    let now = Timestamp::from_millis(now.seconds().saturating_mul(1_000));
    let claims = TokenClaims {
        audience: format!("{issuer}{AUDIENCE_PATH}"),
        issuer,
        subject: subject.text(),
        merchant,
        issued_at: now,
        not_before: now,
        expires_at: now.plus(LIFE),
        id: hex::encode(id),
    };
    let keys = world.vault().derived(PURPOSE);
    let secret = keys.first().and_then(|key| Secret::new(&key.id, &key.bytes));
    let unusable = || PortError { port: "vault", detail: "there is no key for tokens".into() };
    Ok(secret.and_then(|secret| ours::sign(&claims, secret)).ok_or_else(unusable)?)
}
