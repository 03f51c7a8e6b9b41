//! `messages`: who carries a merchant's messages to payers.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};

use super::reader::{At, DocumentReader, join};
use crate::messenger::provider::Provider;
use crate::settings::message::{MessageSettings, ProviderAccount, template_key};
use crate::value::email::is_email;
use crate::violation::{ConnectorRule, Rule};
use crate::wire::members::Members;
use crate::words::Language;
use crate::words::message::{Channel, MessageOccasion};

/// The most characters of a sender.
const MAX_FROM: usize = 128;
/// The events of which templates are sent.
const WHATSAPP: &[&str] = &["created", "paid", "canceled", "failed", "expired", "authorized"];
/// The most characters of a template's name.
const MAX_TEMPLATE: usize = 128;

impl DocumentReader<'_> {
    pub(super) fn messages(&mut self, root: &Members<'_>) -> MessageSettings {
        if root.get("messages").is_none() {
            return MessageSettings::default();
        }
        let Some(object) = self.object("", root, "messages") else { return MessageSettings::default() };
        if self.installation.is_some() {
            for (name, _) in object.all().filter(|(name, _)| Channel::parse(name).is_none()) {
                self.found.add(join("messages", name), Rule::OneOf(Channel::WORDS));
            }
        }
        MessageSettings {
            email: self.provided(&object, Channel::Email),
            sms: self.provided(&object, Channel::Sms),
            whatsapp: self.provided(&object, Channel::Whatsapp),
        }
    }

    fn provided(&mut self, object: &Members<'_>, channel: Channel) -> Option<ProviderAccount> {
        object.get(channel.as_str())?;
        let path = join("messages", channel.as_str());
        let account = self.object("messages", object, channel.as_str())?;
        let at = At { base: &path, name: "provider" };
        let provider = self.word(at, &account, Provider::WORDS, Provider::parse)?;
        let declaration = provider.declaration();
        let has_sandbox = self.installation.is_none_or(|installation| installation.has_sandbox);
        if !declaration.channels.contains(&channel) || (provider == Provider::Sandbox && !has_sandbox) {
            return self.refuse(at.path(), Rule::Connector(ConnectorRule::NotAble));
        }
        let from = self.line(&path, &account, "from", MAX_FROM);
        if channel == Channel::Email
            && provider != Provider::Sandbox
            && from.as_ref().is_some_and(|from| !is_email(from))
        {
            self.found.add(join(&path, "from"), Rule::NotEmail);
        }
        let credentials =
            self.credentials(&path, &account, provider.declaration().credentials).unwrap_or_default();
        let endpoint = self.address(&path, &account, "endpoint");
        let templates = self.templates(&path, &account);
        Some(ProviderAccount {
            provider,
            from: from?,
            credentials,
            endpoint: endpoint.map(|address| address.as_str().trim_end_matches('/').to_string()),
            templates,
        })
    }

    /// By event, then by language.
    fn templates(&mut self, path: &str, account: &Members<'_>) -> BTreeMap<String, String> {
        let mut templates = BTreeMap::new();
        if account.get("templates").is_none() {
            return templates;
        }
        let Some(events) = self.object(path, account, "templates") else { return templates };
        let base = join(path, "templates");
        for (name, _) in events.all() {
            let occasion = MessageOccasion::parse(name).filter(|occasion| !occasion.is_operation());
            let Some(occasion) = occasion else {
                self.found.add(join(&base, name), Rule::OneOf(WHATSAPP));
                continue;
            };
            let Some(languages) = self.object(&base, &events, name) else { continue };
            for language in Language::ALL {
                if languages.get(language.as_str()).is_some() {
                    let inner = format!("{base}.{name}");
                    let template = self.line(&inner, &languages, language.as_str(), MAX_TEMPLATE);
                    templates.extend(template.map(|template| (template_key(occasion, language), template)));
                }
            }
        }
        templates
    }
}
