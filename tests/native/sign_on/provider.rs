//! A provider in memory: it publishes its description and its keys, signs tokens by Ed25519, and exchanges passwords.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checkout_core::access::claims::Claims;
use checkout_core::access::fault::TokenFault;
use checkout_core::flow::caller::sign_on::{Refused, claims};
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::port::{SendError, Vault, World as _};
use checkout_core::settings::{MerchantSettings, WebhookSecrets, parse};
use checkout_core::testing::http::{HttpResult, json};
use checkout_core::testing::world::World;
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::Sealed;
use checkout_tests::shop::DEMO_SETTINGS;
use ed25519_dalek::{Signer, SigningKey};
use pollster::block_on;
use serde_json::{Value, json as value};

use super::judge::judge;

pub(crate) const ISSUER: &str = "https://id.example.com/realms/shop";
pub(crate) const DISCOVERY: &str = "https://id.example.com/realms/shop/.well-known/openid-configuration";
pub(crate) const KEYS: &str = "https://keys.example.com/shop.json";
pub(crate) const TOKENS: &str = "https://id.example.com/token";

/// What the provider answers, which a test can change while it is used.
pub(crate) struct Published {
    /// Its description, or what it answers in its place.
    pub(crate) description: HttpResult,
    /// Its keys.
    pub(crate) keys: HttpResult,
    /// The answers of its token endpoint.
    pub(crate) tokens: HttpResult,
}

/// A provider, a merchant that uses it, and the world around them.
pub(crate) struct Realm {
    pub(crate) world: World,
    pub(crate) settings: MerchantSettings,
    pub(crate) published: Rc<RefCell<Published>>,
}

pub(crate) fn key(number: u8) -> SigningKey {
    SigningKey::from_bytes(&[number; 32])
}

/// The public key of a number, under a key id.
pub(crate) fn jwk(number: u8, key_id: &str) -> Value {
    let x = URL_SAFE_NO_PAD.encode(key(number).verifying_key().as_bytes());
    value!({"kty": "OKP", "crv": "Ed25519", "x": x, "kid": key_id, "use": "sig", "alg": "EdDSA"})
}

#[expect(clippy::unnecessary_wraps, reason = "it is one of the answers, some of which fail")]
pub(crate) fn set(keys: &[Value]) -> HttpResult {
    Ok(json(200, &value!({ "keys": keys }).to_string()))
}

pub(crate) fn description() -> Value {
    value!({"issuer": ISSUER, "jwks_uri": KEYS, "token_endpoint": TOKENS, "more": {}})
}

/// A token with this header and these claims, signed by the key of a number.
pub(crate) fn signed(number: u8, header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let input = format!("{}.{}", part(header), part(claims));
    let signature = key(number).sign(input.as_bytes()).to_bytes();
    format!("{input}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// The settings of the merchant, with these members of `single_sign_on` in addition.
pub(crate) fn settings(world: &World, more: &Value) -> MerchantSettings {
    let mut document: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let mut own = value!({"issuer": ISSUER, "audience": "till"});
    own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    document.as_object_mut().unwrap().insert("single_sign_on".into(), own);
    let secrets = WebhookSecrets {
        hmac_key: Sealed("h".into()),
        signing: Vec::new(),
        previous_until: None,
        next_hmac: None,
    };
    let merchant = MerchantId::parse("demo").unwrap();
    let mut settings =
        parse::parse(&merchant, 1, &document.to_string(), secrets, Some(&world.installation)).unwrap();
    let client = settings.single_sign_on.as_mut().and_then(|own| own.password_client.as_mut());
    if let Some(secret) = client.and_then(|client| client.secret.as_mut()) {
        *secret = world.vault.seal(&merchant, &secret.0).unwrap();
    }
    settings
}

impl Realm {
    /// A realm whose provider has the key 1 under the id `one`.
    pub(crate) fn new() -> Self {
        Self::with(&value!({}))
    }

    /// A realm with more members of the merchant's `single_sign_on`.
    pub(crate) fn with(more: &Value) -> Self {
        let world = World::new(1);
        world.signatures.judge_by(judge);
        let published = Rc::new(RefCell::new(Published {
            description: Ok(json(200, &description().to_string())),
            keys: set(&[jwk(1, "one")]),
            tokens: Ok(json(400, r#"{"error":"invalid_grant"}"#)),
        }));
        let answers = Rc::clone(&published);
        world.http.answer_by(move |request: &Outgoing| {
            let published = answers.borrow();
            match request.url.as_str() {
                DISCOVERY => published.description.clone(),
                KEYS => published.keys.clone(),
                TOKENS => published.tokens.clone(),
                other => panic!("nothing is at {other}"),
            }
        });
        let settings = settings(&world, more);
        Self { world, settings, published }
    }

    pub(crate) fn now(&self) -> i64 {
        use checkout_core::port::Clock;
        self.world.clock().now().seconds()
    }

    /// Claims that are right now, except for these.
    pub(crate) fn claims(&self, changes: &Value) -> Value {
        let now = self.now();
        let mut claims = value!({
            "iss": ISSUER, "aud": "till", "sub": "7", "preferred_username": "noura", "iat": now, "exp": now + 300,
        });
        claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        claims
    }

    /// A token that is right now, of the key of a number, which it names by an id.
    pub(crate) fn token(&self, number: u8, key_id: &str) -> String {
        let header = value!({"alg": "EdDSA", "kid": key_id, "typ": "at+jwt"});
        signed(number, &header, &self.claims(&value!({})))
    }

    /// What comes of a token now.
    pub(crate) fn judge(&self, token: &str) -> Result<Claims, Refused> {
        use checkout_core::port::Clock;
        block_on(claims(&self.world, &self.settings, token, self.world.clock().now()))
    }

    /// Why a token is refused now; `None` if it is not.
    pub(crate) fn fault(&self, token: &str) -> Option<TokenFault> {
        match self.judge(token) {
            Ok(_) => None,
            Err(Refused::Fault(fault)) => Some(fault),
            Err(Refused::World(error)) => panic!("{error}"),
        }
    }

    /// What a provider that is away leaves to say about a token.
    pub(crate) fn is_away(&self, token: &str) -> bool {
        matches!(self.judge(token), Err(Refused::World(_)))
    }

    /// The provider does not answer.
    pub(crate) fn go_away(&self) {
        let mut published = self.published.borrow_mut();
        published.description = Err(SendError::Unknown);
        published.keys = Err(SendError::Unknown);
        published.tokens = Err(SendError::Unknown);
    }

    pub(crate) fn publish(&self, keys: HttpResult) {
        self.published.borrow_mut().keys = keys;
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.world.clock.advance(Duration::from_secs(seconds));
    }

    /// The addresses that were asked since the last call.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.world.http.take_sent().into_iter().map(|request| request.url).collect()
    }
}
