//! Who carries a merchant's messages to payers.

use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::gateway::credentials::StoredCredentials;
use crate::messenger::provider::Provider;
use crate::words::Language;
use crate::words::message::{Channel, MessageOccasion};

/// The providers of a merchant; without one, messages go to the inbox of the sandbox if the installation has it, and are not
/// sent otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageSettings {
    /// Of e-mails.
    pub email: Option<ProviderAccount>,
    /// Of text messages.
    pub sms: Option<ProviderAccount>,
    /// Of messages of `WhatsApp`.
    pub whatsapp: Option<ProviderAccount>,
}

/// A merchant's account at a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderAccount {
    /// Who it is.
    pub provider: Provider,
    /// From whom messages come.
    pub from: String,
    /// What the provider needs, its secrets sealed.
    pub credentials: StoredCredentials,
    /// Its address, without a trailing slash; `None` for the usual one.
    pub endpoint: Option<String>,
    /// The templates that `WhatsApp` approved, by occasion and language.
    pub templates: BTreeMap<String, String>,
}

impl MessageSettings {
    /// The account of a channel.
    #[must_use]
    pub const fn of(&self, channel: Channel) -> Option<&ProviderAccount> {
        match channel {
            Channel::Email => self.email.as_ref(),
            Channel::Sms => self.sms.as_ref(),
            Channel::Whatsapp => self.whatsapp.as_ref(),
        }
    }
}

impl ProviderAccount {
    /// The template of an occasion in a language.
    #[must_use]
    pub fn template(&self, occasion: MessageOccasion, language: Language) -> Option<&str> {
        self.templates.get(template_key(occasion, language).as_str()).map(String::as_str)
    }
}

/// Under which name a template is stored.
pub(crate) fn template_key(occasion: MessageOccasion, language: Language) -> String {
    [occasion.as_str(), ".", language.as_str()].concat()
}
