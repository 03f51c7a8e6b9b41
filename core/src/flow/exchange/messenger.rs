//! The account of a merchant at a provider of messages, and the address at which the provider reports.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::gateway::credentials::{Credentials, StoredCredential};
use crate::installation::Installation;
use crate::messenger::provider::Provider;
use crate::messenger::{Messenger, MessengerAccount};
use crate::port::{PortError, Vault, World};
use crate::route::Route;
use crate::settings::MerchantSettings;
use crate::settings::message::ProviderAccount;
use crate::value::id::MerchantId;
use crate::words::message::Channel;

/// The merchant's provider. A merchant that only tests has the inbox of the sandbox, if there is one: anyone may read it.
pub(in crate::flow) fn carrier(
    world: &impl World,
    settings: &MerchantSettings,
    channel: Channel,
) -> Option<ProviderAccount> {
    let has_inbox =
        world.installation().has_sandbox && settings.gateways.iter().all(|gateway| gateway.sandbox);
    let own = settings.messages.of(channel).cloned();
    let inbox = || ProviderAccount {
        provider: Provider::Sandbox,
        from: settings.merchant.as_str().into(),
        ..ProviderAccount::default()
    };
    own.or_else(|| has_inbox.then(inbox)).filter(|own| has_inbox || own.provider != Provider::Sandbox)
}

/// The account of a merchant, opened.
pub(in crate::flow) fn connect(
    world: &impl World,
    settings: &MerchantSettings,
    channel: Channel,
    provided: &ProviderAccount,
) -> Result<Box<dyn Messenger>, PortError> {
    let mut values = BTreeMap::new();
    for (name, stored) in &provided.credentials {
        let value = match stored {
            StoredCredential::Public(value) => value.clone(),
            StoredCredential::Secret(sealed) => world.vault().open(&settings.merchant, sealed)?,
        };
        values.insert(*name, value);
    }
    let callback = report_url(world.installation(), &settings.merchant, channel);
    let credentials = Credentials { endpoint: provided.endpoint.clone(), is_test: false, values };
    Ok((provided.provider.declaration().connect)(MessengerAccount {
        from: provided.from.clone(),
        callback,
        credentials,
    }))
}

/// The address at which the provider of a channel reports.
pub(in crate::flow) fn report_url(
    installation: &Installation,
    merchant: &MerchantId,
    channel: Channel,
) -> String {
    [installation.public_url.as_str(), &Route::MessageReport(merchant.clone(), channel).path()].concat()
}
