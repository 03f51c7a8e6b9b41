//! The routing of a settings document: the rules, and the groups of gateways to which they apply.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::value::RawValue;

use super::reader::{At, DocumentReader, MAX_NAME, join};
use crate::gateway::profile::Profile;
use crate::settings::routing::{Condition, MAX_RULES, Routing, RoutingRule, Share, Skip};
use crate::value::country::is_country;
use crate::value::id::PgCode;
use crate::value::money::{Currency, Money};
use crate::value::text::is_slug;
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::card_brand::CardBrand;

/// The longest name of a group.
const MAX_GROUP: usize = 32;

impl DocumentReader<'_> {
    /// The group of a gateway.
    pub(super) fn group(&mut self, path: &str, object: &Members<'_>) -> Option<String> {
        object.get("group")?;
        let group = self.line(path, object, "group", MAX_GROUP)?;
        if is_slug(&group) { Some(group) } else { self.refuse(join(path, "group"), Rule::NotSlug) }
    }

    /// The member `routing`; `gateways` are those of the document.
    pub(super) fn routing(&mut self, root: &Members<'_>, gateways: &[Profile]) -> Option<Routing> {
        root.get("routing")?;
        let object = self.object("", root, "routing")?;
        let items = self.list("routing", &object, "rules");
        if items.len() > MAX_RULES {
            return self.refuse("routing.rules".into(), Rule::TooManyItems { max: MAX_RULES });
        }
        let mut rules: Vec<RoutingRule> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = format!("routing.rules.{place}");
            let Some(object) = Members::of(item) else {
                self.found.add(path, Rule::NotObject);
                continue;
            };
            let Some(rule) = self.rule(&path, &object, gateways) else { continue };
            if rules.iter().any(|known| known.name == rule.name) {
                self.found.add(join(&path, "name"), Rule::Repeated);
            }
            rules.push(rule);
        }
        let after = self.whole_number(At { base: "routing", name: "skip_after" }, &object, 3, 100);
        let seconds = self.whole_number(At { base: "routing", name: "skip_seconds" }, &object, 60, 3_600);
        let skip = Skip { after, period: Duration::from_secs(seconds.into()) };
        let has_fallback = self.flag("routing", &object, "fallback", true);
        let goes_on = self.flag("routing", &object, "after_decline", false);
        Some(Routing { rules, has_fallback, goes_on, skip })
    }

    /// A number from 1 to a largest one, with a usual one.
    fn whole_number(&mut self, at: At<'_>, object: &Members<'_>, usual: u32, max: u32) -> u32 {
        let Some(raw) = object.get(at.name) else { return usual };
        raw.get().parse().ok().filter(|number| (1..=max).contains(number)).unwrap_or_else(|| {
            self.found.add(at.path(), Rule::NotInteger { min: 1, max: max.into() });
            usual
        })
    }

    fn rule(&mut self, path: &str, object: &Members<'_>, gateways: &[Profile]) -> Option<RoutingRule> {
        let name = self.line(path, object, "name", MAX_NAME);
        let when = match object.get("when") {
            None => Some(Condition::default()),
            Some(_) => {
                self.object(path, object, "when").map(|when| self.condition(&join(path, "when"), &when))
            }
        };
        let listed = self.shares(path, object, gateways);
        Some(RoutingRule { name: name?, when: when?, gateways: listed })
    }

    fn condition(&mut self, path: &str, when: &Members<'_>) -> Condition {
        let currencies =
            if when.get("currencies").is_some() { self.currencies(path, when) } else { Vec::new() };
        let card_brands =
            self.words(At { base: path, name: "card_brands" }, when, CardBrand::WORDS, CardBrand::parse);
        let (at_least, at_most) = self.amounts(path, when);
        Condition { currencies, countries: self.countries(path, when), at_least, at_most, card_brands }
    }

    fn countries(&mut self, path: &str, when: &Members<'_>) -> Vec<String> {
        let mut countries: Vec<String> = Vec::new();
        for (place, item) in self.list(path, when, "countries").iter().enumerate() {
            let rule = match text_of(item).filter(|text| is_country(text)) {
                None => Rule::NotCountryCode,
                Some(text) if countries.iter().any(|known| *known == text) => Rule::Repeated,
                Some(text) => {
                    countries.push(text.into_owned());
                    continue;
                }
            };
            self.found.add(format!("{path}.countries.{place}"), rule);
        }
        countries
    }

    /// The smallest and the largest amount, in the currency that is named next to them.
    fn amounts(&mut self, path: &str, when: &Members<'_>) -> (Option<Money>, Option<Money>) {
        if when.get("amount").is_none() {
            return (None, None);
        }
        let Some(amount) = self.object(path, when, "amount") else { return (None, None) };
        let path = join(path, "amount");
        let Some(currency) = self.currency(&path, &amount, "currency") else { return (None, None) };
        let least = self.limit(At { base: &path, name: "min" }, &amount, currency);
        let most = self.limit(At { base: &path, name: "max" }, &amount, currency);
        if amount.get("min").is_none() && amount.get("max").is_none() {
            self.found.add(join(&path, "min"), Rule::OneOfTwo { other: "max" });
        }
        if let (Some(least), Some(most)) = (least, most)
            && least.minor() > most.minor()
        {
            self.found.add(join(&path, "max"), Rule::LessThan("min"));
        }
        (least, most)
    }

    pub(super) fn limit(&mut self, at: At<'_>, amount: &Members<'_>, currency: Currency) -> Option<Money> {
        amount.get(at.name)?;
        let text = self.text(at.base, amount, at.name)?;
        match Money::parse(&text, currency) {
            Ok(limit) => Some(limit),
            Err(error) => self.refuse(at.path(), Rule::Amount(error)),
        }
    }

    fn shares(&mut self, path: &str, rule: &Members<'_>, gateways: &[Profile]) -> Vec<Share> {
        let place = join(path, "gateways");
        let mut shares: Vec<Share> = Vec::new();
        for (number, item) in self.list(path, rule, "gateways").iter().enumerate() {
            let path = format!("{place}.{number}");
            let Some(share) = self.share(&path, item, gateways) else { continue };
            if shares.iter().any(|known| known.code == share.code) {
                self.found.add(join(&path, "code"), Rule::Repeated);
            }
            shares.push(share);
        }
        if shares.is_empty() && !self.found.has_within(&place) {
            self.found.add(place, Rule::EmptyList);
        } else if !self.found.has_within(&place) && !is_whole(&shares) {
            self.found.add(place, Rule::NotShares);
        }
        shares
    }

    fn share(&mut self, path: &str, item: &RawValue, gateways: &[Profile]) -> Option<Share> {
        let Some(object) = Members::of(item) else { return self.refuse(path.into(), Rule::NotObject) };
        let code = self.text(path, &object, "code").and_then(|text| {
            let known =
                PgCode::parse(&text).filter(|code| gateways.iter().any(|gateway| gateway.code == *code));
            known.or_else(|| self.refuse(join(path, "code"), Rule::UnknownGateway))
        });
        let percent = match object.get("percent").map(|raw| raw.get().parse::<u8>()) {
            None => None,
            Some(Ok(percent)) if (1..=100).contains(&percent) => Some(percent),
            Some(_) => return self.refuse(join(path, "percent"), Rule::NotInteger { min: 1, max: 100 }),
        };
        Some(Share { code: code?, percent })
    }
}

/// Whether no gateway has a share, or every one has, and together they are all.
fn is_whole(shares: &[Share]) -> bool {
    let given = shares.iter().filter_map(|share| share.percent);
    let sum: u32 = given.clone().map(u32::from).sum();
    given.count() == 0 || (sum == 100 && shares.iter().all(|share| share.percent.is_some()))
}
