//! `alerts`: who is notified that a person should look at something.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::reader::{At, DocumentReader, join};
use crate::record::attention::Topic;
use crate::settings::alerts::{AlertSettings, MAX_EMAILS, Patience};
use crate::value::email::is_email;
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;

/// The member of the document.
const ALERTS: &str = "alerts";
/// Its members.
const MEMBERS: [&str; 4] = ["emails", "webhook_url", "on", "webhook_tries"];

impl DocumentReader<'_> {
    /// A name that is not known is refused: who writes one expects that it decides something.
    pub(super) fn alerts(&mut self, root: &Members<'_>) -> AlertSettings {
        let Some(object) = root.get(ALERTS).and_then(|_| self.object("", root, ALERTS)) else {
            return AlertSettings::default();
        };
        for (name, _) in object.all().filter(|(name, _)| !MEMBERS.contains(name)) {
            self.found.add(join(ALERTS, name), Rule::NotKnown);
        }
        AlertSettings {
            emails: self.emails(&object),
            webhook_url: self.address(ALERTS, &object, "webhook_url"),
            topics: self.words_of(At { base: ALERTS, name: "on" }, &object, Topic::WORDS, Topic::parse),
            webhook_tries: self.patience(&object),
        }
    }

    /// After which failed try: a number, or a word.
    fn patience(&mut self, object: &Members<'_>) -> Patience {
        let name = "webhook_tries";
        let Some(raw) = object.get(name) else { return Patience::default() };
        let written = text_of(raw).unwrap_or_else(|| raw.get().into());
        let found = Patience::parse(&written);
        if found.is_none() {
            self.found.add(join(ALERTS, name), Rule::OneOf(Patience::WORDS));
        }
        found.unwrap_or_default()
    }

    /// A list of e-mail addresses, each once.
    fn emails(&mut self, object: &Members<'_>) -> Vec<String> {
        let path = join(ALERTS, "emails");
        let items = self.list(ALERTS, object, "emails");
        if items.len() > MAX_EMAILS {
            self.found.add(path.clone(), Rule::TooManyItems { max: MAX_EMAILS });
        }
        let mut found: Vec<String> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = format!("{path}.{place}");
            match text_of(item).filter(|text| is_email(text)) {
                None => self.found.add(path, Rule::NotEmail),
                Some(email) if found.iter().any(|known| known.eq_ignore_ascii_case(&email)) => {
                    self.found.add(path, Rule::Repeated);
                }
                Some(email) => found.push(email.into_owned()),
            }
        }
        found
    }
}
