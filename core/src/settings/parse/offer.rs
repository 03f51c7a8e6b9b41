//! What a gateway of a settings document offers in addition to payments: the tags by which the payment
//! methods listing finds it, and what can be done to a payment afterwards.

use alloc::format;
use alloc::vec::Vec;

use super::reader::{At, DocumentReader, join};
use crate::gateway::ConnectorKind;
use crate::gateway::capabilities::Capabilities;
use crate::gateway::restriction::Restriction;
use crate::gateway::tag::Tag;
use crate::value::money::Currency;
use crate::violation::{ConnectorRule, Rule};
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::card_brand::CardBrand;
use crate::words::{ChildOperation, Operation, Plugin};

impl DocumentReader<'_> {
    /// The currency that is named as the default, otherwise the first of `currencies`.
    pub(super) fn default_currency(
        &mut self,
        path: &str,
        object: &Members<'_>,
        currencies: &[Currency],
    ) -> Option<Currency> {
        if object.get("default_currency").is_none() {
            return currencies.first().copied();
        }
        let place = join(path, "default_currency");
        match Currency::parse(&self.text(path, object, "default_currency")?) {
            None => self.refuse(place, Rule::UnknownCurrency),
            Some(currency) if currencies.contains(&currency) => Some(currency),
            // Without currencies, whose own violation is already noted, there is nothing to compare with.
            Some(_) if currencies.is_empty() => None,
            Some(_) => self.refuse(place, Rule::NotOwnCurrency),
        }
    }

    pub(super) fn tags(&mut self, path: &str, object: &Members<'_>) -> Vec<Tag> {
        self.words(At { base: path, name: "tags" }, object, Tag::WORDS, Tag::parse)
    }

    /// The brands of cards whose marks payers see; cash takes none. A stored document stays readable.
    pub(super) fn card_brands(
        &mut self,
        path: &str,
        object: &Members<'_>,
        connector: Option<ConnectorKind>,
    ) -> Vec<CardBrand> {
        let at = At { base: path, name: "card_brands" };
        let listed = self.words(at, object, CardBrand::WORDS, CardBrand::parse);
        if self.installation.is_some() && connector == Some(ConnectorKind::Cash) && !listed.is_empty() {
            self.found.add(at.path(), Rule::Connector(ConnectorRule::NotAble));
        }
        listed
    }

    /// What is not enabled for the account; nothing if it is left out.
    pub(super) fn restrictions(&mut self, path: &str, object: &Members<'_>) -> Vec<Restriction> {
        let at = At { base: path, name: "restrictions" };
        self.words(at, object, Restriction::WORDS, Restriction::parse)
    }

    /// The operations that are listed, otherwise those that a gateway of this kind usually has. Operations
    /// that are impossible with such a gateway are refused: only held money is captured or voided, and a
    /// protocol may have fewer. A stored document stays readable, and has only what is possible.
    pub(super) fn operations(
        &mut self,
        path: &str,
        object: &Members<'_>,
        able: Option<&Capabilities>,
        operation: Option<Operation>,
    ) -> Vec<ChildOperation> {
        // Without a connector or an operation, whose own violations are already noted, nothing is impossible.
        let of_operation = ChildOperation::of(operation.unwrap_or(Operation::Authorize));
        let possible = |child: &ChildOperation| {
            of_operation.contains(child) && able.is_none_or(|able| able.operations.contains(child))
        };
        if object.get("operations").is_none() {
            let is_usual =
                |child: &ChildOperation| able.is_none_or(|able| able.usual_operations.contains(child));
            return of_operation.iter().copied().filter(|child| possible(child) && is_usual(child)).collect();
        }
        let mut listed = self.words(
            At { base: path, name: "operations" },
            object,
            ChildOperation::WORDS,
            ChildOperation::parse,
        );
        if self.installation.is_some() && !listed.iter().all(possible) {
            self.found.add(join(path, "operations"), Rule::OperationImpossible);
        }
        listed.retain(possible);
        listed
    }

    /// The plugins that are listed, otherwise all that are installed.
    pub(super) fn plugins_of(
        &mut self,
        path: &str,
        object: &Members<'_>,
        installed: &[Plugin],
    ) -> Vec<Plugin> {
        if object.get("plugins").is_none() {
            return installed.to_vec();
        }
        let place = join(path, "plugins");
        let listed = self.words(At { base: path, name: "plugins" }, object, Plugin::WORDS, Plugin::parse);
        if listed.is_empty() && !self.found.has_within(&place) {
            self.found.add(place, Rule::EmptyList);
        } else if !installed.is_empty() && listed.iter().any(|plugin| !installed.contains(plugin)) {
            self.found.add(place, Rule::PluginNotInstalled);
        }
        listed
    }

    /// A list of different words; one that is left out is empty.
    pub(super) fn words<T: PartialEq>(
        &mut self,
        at: At<'_>,
        object: &Members<'_>,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let mut read = Vec::new();
        for (place, item) in self.list(at.base, object, at.name).iter().enumerate() {
            let rule = match text_of(item).and_then(|word| parse(&word)) {
                None => Rule::OneOf(words),
                Some(word) if read.contains(&word) => Rule::Repeated,
                Some(word) => {
                    read.push(word);
                    continue;
                }
            };
            self.found.add(format!("{}.{place}", at.path()), rule);
        }
        read
    }
}
