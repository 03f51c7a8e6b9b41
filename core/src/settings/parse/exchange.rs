//! The exchange rates of a settings document, and the currencies that a gateway accepts because of them.

use alloc::format;
use alloc::vec::Vec;

use super::reader::{DocumentReader, NamedRate, join};
use crate::gateway::profile::Exchange;
use crate::value::money::{Currency, ExchangeRate};
use crate::violation::{ExchangeRule, Rule};
use crate::wire::json::text_of;
use crate::wire::members::Members;

/// The most exchange rates of a merchant.
const MAX_RATES: usize = 500;

impl DocumentReader<'_> {
    /// The merchant's exchange rates.
    pub(super) fn exchange_rates(&mut self, root: &Members<'_>) -> Vec<NamedRate> {
        let items = self.list("", root, "exchange_rates");
        if items.len() > MAX_RATES {
            self.found.add("exchange_rates", Rule::TooManyItems { max: MAX_RATES });
            return Vec::new();
        }
        let mut rates: Vec<NamedRate> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = format!("exchange_rates.{place}");
            let Some(object) = Members::of(item) else {
                self.found.add(path, Rule::NotObject);
                continue;
            };
            let Some(named) = self.exchange_rate(&path, &object) else { continue };
            if rates.iter().any(|known| (known.source, known.target) == (named.source, named.target)) {
                self.found.add(path, Rule::Repeated);
            }
            rates.push(named);
        }
        rates
    }

    fn exchange_rate(&mut self, path: &str, object: &Members<'_>) -> Option<NamedRate> {
        let source = self.currency(path, object, "source");
        let target = self.currency(path, object, "target");
        let rate = self.text(path, object, "rate").and_then(|text| {
            ExchangeRate::parse(&text)
                .or_else(|| self.refuse(join(path, "rate"), Rule::Exchange(ExchangeRule::NotRate)))
        });
        let (source, target) = (source?, target?);
        if source == target {
            return self.refuse(join(path, "target"), Rule::Exchange(ExchangeRule::SameCurrency));
        }
        Some(NamedRate { source, target, rate })
    }

    /// The currencies that a gateway accepts by exchange into its default currency; `own` are those in which
    /// it charges. The currency of exchange must be named; it is never guessed.
    pub(super) fn exchanges(
        &mut self,
        path: &str,
        object: &Members<'_>,
        own: &[Currency],
        default: Option<Currency>,
    ) -> Vec<Exchange> {
        let items = self.list(path, object, "exchanges");
        let place = join(path, "exchanges");
        if !items.is_empty() && object.get("default_currency").is_none() {
            self.found.add(place, Rule::Needs("default_currency"));
            return Vec::new();
        }
        let mut seen = Vec::with_capacity(items.len());
        let mut exchanges = Vec::with_capacity(items.len());
        for (number, item) in items.iter().enumerate() {
            let rule = match text_of(item).and_then(|text| Currency::parse(&text)) {
                None => Rule::UnknownCurrency,
                Some(source) if own.contains(&source) => Rule::Exchange(ExchangeRule::OwnCurrency),
                Some(source) if seen.contains(&source) => Rule::Repeated,
                Some(source) => {
                    seen.push(source);
                    // Without a default, whose own violation is noted, there is nothing to exchange into.
                    let Some(target) = default else { continue };
                    match self.rates.iter().find(|rate| (rate.source, rate.target) == (source, target)) {
                        None => Rule::Exchange(ExchangeRule::NoRate { source, target }),
                        Some(named) => {
                            exchanges.extend(named.rate.map(|rate| Exchange { source, rate }));
                            continue;
                        }
                    }
                }
            };
            self.found.add(format!("{place}.{number}"), rule);
        }
        exchanges
    }

    /// A currency that must be named.
    pub(super) fn currency(&mut self, path: &str, object: &Members<'_>, name: &str) -> Option<Currency> {
        let text = self.text(path, object, name)?;
        Currency::parse(&text).or_else(|| self.refuse(join(path, name), Rule::UnknownCurrency))
    }
}
