//! What gateways sign is verified as implementations of others sign it: `tests/vectors/gateways/signatures.json`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::gateway::callback::CallbackContext;
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::{adyen, stripe, tamara, tap};
use checkout_core::testing::gateway::{REFERENCE, callback, connect, reference};
use checkout_core::value::time::Timestamp;
use serde::Deserialize;

/// A message that others have signed.
#[derive(Deserialize)]
struct Signed {
    family: String,
    name: String,
    secret: String,
    message: String,
    /// The header with the signature; `None` if it is in the message.
    header: Option<String>,
    expected: String,
    source: Vec<String>,
}

fn all() -> Vec<Signed> {
    serde_json::from_str(include_str!("../vectors/gateways/signatures.json")).unwrap()
}

/// A connector that knows the secret; `None` for a family whose signatures are read elsewhere.
fn connector(family: &str, secret: &str) -> Option<Box<dyn Connector>> {
    Some(match family {
        "adyen" => connect(
            &adyen::DECLARATION,
            &[(adyen::API_KEY, "key"), (adyen::MERCHANT_ACCOUNT, "ShopECOM"), (adyen::HMAC_KEY, secret)],
        ),
        "stripe" => connect(
            &stripe::DECLARATION,
            &[(stripe::SECRET_KEY, "sk_test_1"), (stripe::WEBHOOK_SECRET, secret)],
        ),
        "tamara" => connect(&tamara::DECLARATION, &[("api_token", "token"), ("notification_token", secret)]),
        "tap" => connect(&tap::DECLARATION, &[(tap::SECRET_KEY, secret)]),
        _ => return None,
    })
}

impl Signed {
    /// Whether a connector with this secret believes the message.
    fn is_believed(&self, secret: &str, message: &str) -> Option<bool> {
        let moment = self.expected.strip_prefix("t=").and_then(|rest| rest.split(',').next());
        let seconds: i64 = moment.map_or(0, |moment| moment.parse().unwrap());
        let context = CallbackContext {
            now: Timestamp::from_millis(seconds.checked_mul(1_000).unwrap()),
            subject: (self.family == "tap").then(|| reference(REFERENCE)),
            return_url: None,
        };
        let header = self.header.as_deref().map(|name| (name, self.expected.as_str()));
        let request = callback(header.as_slice(), message);
        Some(connector(&self.family, secret)?.read_callback(&request, &context).is_some())
    }
}

#[test]
fn what_others_sign_is_believed_and_nothing_else() {
    let signed = all();
    for family in ["adyen", "stripe", "tamara", "tap"] {
        assert!(signed.iter().filter(|one| one.family == family).count() >= 2, "{family}");
    }
    for one in &signed {
        let Some(is_believed) = one.is_believed(&one.secret, &one.message) else { continue };
        let name = format!("{}: {}", one.family, one.name);
        assert!(is_believed, "{name}");
        assert!(one.source.len() >= 2, "{name} was signed by one implementation only");
        let last = if one.secret.ends_with('6') { "7" } else { "6" };
        let other = [one.secret.get(..one.secret.len().checked_sub(1).unwrap()).unwrap(), last].concat();
        assert_eq!(one.is_believed(&other, &one.message), Some(false), "{name} under another secret");
        // One digit or letter of what is signed is another one.
        for (known, changed) in
            [("chg_TS", "chg_TX"), ("auth_TS", "auth_TX"), ("evt_", "evx_"), ("\"value\":", "\"value\":1")]
        {
            if one.message.contains(known) {
                let message = one.message.replacen(known, changed, 1);
                assert_eq!(one.is_believed(&one.secret, &message), Some(false), "{name} with {changed}");
            }
        }
    }
}
