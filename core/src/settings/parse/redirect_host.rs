//! The hosts to which payers may be sent back.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::reader::DocumentReader;
use crate::settings::redirect_host::RedirectHost;
use crate::value::web_address::Reach;
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;

const NAME: &str = "redirect_hosts";
/// The most hosts.
const MAX_HOSTS: usize = 32;

impl DocumentReader<'_> {
    /// The hosts, each as `shop.example.com`, or `*.example.com` for every name below `example.com`.
    pub(super) fn redirect_hosts(&mut self, root: &Members<'_>) -> Vec<RedirectHost> {
        let items = self.list("", root, NAME);
        if items.len() > MAX_HOSTS {
            self.found.add(NAME, Rule::TooManyItems { max: MAX_HOSTS });
            return Vec::new();
        }
        let reach = self.installation.map_or(Reach::Development, |installation| installation.reach);
        let mut hosts: Vec<RedirectHost> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let rule = match text_of(item).map(|text| RedirectHost::parse(&text, reach)) {
                None => Rule::NotText,
                Some(None) => Rule::NotHost,
                Some(Some(host)) if hosts.contains(&host) => Rule::Repeated,
                Some(Some(host)) => {
                    hosts.push(host);
                    continue;
                }
            };
            self.found.add(format!("{NAME}.{place}"), rule);
        }
        if hosts.is_empty() && root.get(NAME).is_some() && items.is_empty() && !self.found.has(NAME) {
            self.found.add(String::from(NAME), Rule::EmptyList);
        }
        hosts
    }
}
