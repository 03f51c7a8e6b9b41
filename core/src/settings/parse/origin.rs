//! The origins whose pages may call the page's side of the API.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::reader::DocumentReader;
use crate::value::web_address::{Reach, WebAddress};
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;

/// The most origins.
const MAX_ORIGINS: usize = 32;

impl DocumentReader<'_> {
    /// The origins, each as a browser writes it in the header `Origin`: scheme, host, and a port that is not
    /// the usual one.
    pub(super) fn origins(&mut self, root: &Members<'_>) -> Vec<String> {
        let items = self.list("", root, "allowed_origins");
        if items.len() > MAX_ORIGINS {
            self.found.add("allowed_origins", Rule::TooManyItems { max: MAX_ORIGINS });
            return Vec::new();
        }
        let reach = self.installation.map_or(Reach::Development, |installation| installation.reach);
        let mut origins = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let rule = match text_of(item).map(|text| (WebAddress::parse(&text, reach), text)) {
                None => Rule::NotText,
                Some((Err(error), _)) => Rule::Address(error),
                Some((Ok(address), text)) if address.origin() != text => Rule::NotOrigin,
                Some((Ok(_), text)) if origins.iter().any(|known| *known == text) => Rule::Repeated,
                Some((Ok(_), text)) => {
                    origins.push(text.into_owned());
                    continue;
                }
            };
            self.found.add(format!("allowed_origins.{place}"), rule);
        }
        origins
    }
}
