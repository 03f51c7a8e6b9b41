//! The origins whose pages may call the page's side of the API.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::Reader;
use crate::value::web_address::{Reach, WebAddress};
use crate::violation::Rule;

/// The most origins.
const MAX_ORIGINS: usize = 32;

impl Reader<'_> {
    /// The origins, each as a browser writes it in the header `Origin`: scheme, host, and a port that is not
    /// the usual one.
    pub(super) fn origins(&mut self, root: &Map<String, Value>) -> Vec<String> {
        let items = self.list("", root, "allowed_origins");
        if items.len() > MAX_ORIGINS {
            self.found.add("allowed_origins", Rule::TooManyItems { max: MAX_ORIGINS });
            return Vec::new();
        }
        let reach = self.installation.map_or(Reach::Development, |installation| installation.reach);
        let mut origins = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let rule = match item.as_str().map(|text| (text, WebAddress::parse(text, reach))) {
                None => Rule::NotText,
                Some((_, Err(error))) => Rule::Address(error),
                Some((text, Ok(address))) if address.origin() != text => Rule::NotOrigin,
                Some((text, Ok(_))) if origins.iter().any(|known| known == text) => Rule::Repeated,
                Some((text, Ok(_))) => {
                    origins.push(text.into());
                    continue;
                }
            };
            self.found.add(format!("allowed_origins.{place}"), rule);
        }
        origins
    }
}
