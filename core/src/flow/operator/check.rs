//! Asking a gateway whether it accepts the credentials that a merchant has in its settings (`docs/gateways.md`).

use alloc::string::String;

use crate::access::operator::Operator;
use crate::answer::operator::GatewayChecked;
use crate::flow::Failure;
use crate::flow::exchange::connect::open_credentials;
use crate::flow::exchange::exchange;
use crate::flow::exchange::patience::GATEWAY_TIMEOUT;
use crate::flow::situation::known;
use crate::gateway::check::Checked;
use crate::gateway::credentials::{CredentialField, Credentials};
use crate::gateway::profile::Profile;
use crate::port::{Journal, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::value::id::{MerchantId, PgCode};

/// What is said of a gateway that did not answer.
const NO_ANSWER: &str = "the gateway could not be reached, or did not answer in time";
/// How many of a secret's first characters give it away.
const GIVEAWAY: usize = 12;

/// Asks a gateway of a merchant whether it accepts the credentials. It charges nothing, and nothing is stored except that
/// it was asked.
///
/// # Errors
/// [`Rejection::NotFound`] for an unknown merchant, or a code that it does not have; or a failure of the world.
pub async fn check_gateway(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    code: &PgCode,
) -> Result<GatewayChecked, Failure> {
    let situation = known(world, merchant).await?;
    let settings = &situation.settings;
    let profile = settings.gateways.iter().find(|known| known.code == *code).ok_or(Rejection::NotFound)?;
    let entry = Entry::of(by.actor(), "check_gateway", situation.real_now()).about(merchant).on(code);
    world.directory().record(&entry).await?;
    let (result, message) = ask(world, settings, profile).await?;
    Ok(GatewayChecked {
        connector: profile.connector.as_str(),
        message,
        pg_code: profile.code.clone(),
        result,
        sandbox: profile.sandbox,
    })
}

async fn ask(
    world: &impl World,
    settings: &MerchantSettings,
    profile: &Profile,
) -> Result<(&'static str, Option<String>), Failure> {
    let declaration = profile.connector.declaration();
    let Some(connect) = declaration.connect else { return Ok(("impossible", None)) };
    let credentials = open_credentials(world, settings, profile)?;
    let connector = connect(credentials.clone());
    let said = exchange(world, connector.check(), GATEWAY_TIMEOUT).await;
    Ok(match said {
        Ok(Checked::Accepted) => ("accepted", None),
        Ok(Checked::Refused(words)) => {
            ("refused", words.filter(|words| !repeats_a_secret(words, declaration.credentials, &credentials)))
        }
        Ok(Checked::Unclear) => ("unclear", None),
        Ok(Checked::Impossible) => ("impossible", None),
        Err(_) => ("unclear", Some(NO_ANSWER.into())),
    })
}

/// Whether a gateway's words have a secret in them, whole or cut off.
fn repeats_a_secret(words: &str, fields: &[CredentialField], credentials: &Credentials) -> bool {
    let mut secrets =
        fields.iter().filter(|field| field.is_secret).filter_map(|field| credentials.optional(field.name));
    secrets.any(|secret| {
        let beginning: String = secret.chars().take(GIVEAWAY).collect();
        !beginning.is_empty() && words.contains(&beginning)
    })
}
