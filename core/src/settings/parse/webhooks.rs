//! The webhooks of a plugin in a settings document.

use alloc::format;
use alloc::vec::Vec;

use super::reader::{At, DocumentReader, join};
use crate::settings::webhooks::{About, WebhookFilter};
use crate::state::State;
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;

/// The members of `webhooks`.
const MEMBERS: [&str; 4] = ["enabled", "of_api", "events", "states"];

impl DocumentReader<'_> {
    /// The member `webhooks` of a plugin. A name that is not known is refused: who writes one expects that it decides
    /// something.
    pub(super) fn webhooks(&mut self, base: &str, plugin: &Members<'_>) -> WebhookFilter {
        let usual = WebhookFilter::default();
        let Some(object) = plugin.get("webhooks").and_then(|_| self.object(base, plugin, "webhooks")) else {
            return usual;
        };
        let path = join(base, "webhooks");
        for (name, _) in object.all().filter(|(name, _)| !MEMBERS.contains(name)) {
            self.found.add(join(&path, name), Rule::NotKnown);
        }
        WebhookFilter {
            is_enabled: self.flag(&path, &object, "enabled", usual.is_enabled),
            of_api: self.flag(&path, &object, "of_api", usual.of_api),
            events: self.words_of(At { base: &path, name: "events" }, &object, About::WORDS, About::parse),
            states: self.words_of(At { base: &path, name: "states" }, &object, State::WORDS, State::parse),
        }
    }

    /// A list of words, each once. An empty one is refused: it would say nothing where nothing was meant.
    pub(super) fn words_of<T: PartialEq>(
        &mut self,
        at: At<'_>,
        object: &Members<'_>,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let path = at.path();
        let items = self.list(at.base, object, at.name);
        if items.is_empty() && object.get(at.name).is_some() && !self.found.has(&path) {
            self.found.add(path.clone(), Rule::EmptyList);
        }
        let mut found = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            match text_of(item).and_then(|text| parse(&text)) {
                None => self.found.add(format!("{path}.{place}"), Rule::OneOf(words)),
                Some(word) if found.contains(&word) => {
                    self.found.add(format!("{path}.{place}"), Rule::Repeated);
                }
                Some(word) => found.push(word),
            }
        }
        found
    }
}
