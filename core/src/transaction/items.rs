//! What an order has: the value of a custom field `items`. The amounts are exact, in the currency of the transaction;
//! together they need not be its amount, because shipping, discounts and taxes may be in none of them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::value::money::{Currency, Money};
use crate::value::text::check_line;
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;

/// The most items.
pub(crate) const MAX_ITEMS: usize = 50;
/// The longest name.
pub(crate) const MAX_NAME: usize = 128;
/// The largest quantity.
const MAX_QUANTITY: u32 = 99_999;
/// The members of an item.
const MEMBERS: [&str; 3] = ["name", "quantity", "amount"];

/// One item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is called.
    pub name: String,
    /// How many there are; `None` if that says nothing.
    pub quantity: Option<u32>,
    /// What they cost together; `None` if that is not said.
    pub amount: Option<Money>,
}

/// Reads a list of items. `currency` is that of the transaction, if it could be read.
///
/// # Errors
/// Every wrong value by its path below the list: empty for the list itself.
pub fn read(raw: &RawValue, currency: Option<Currency>) -> Result<Vec<Item>, Vec<(String, Rule)>> {
    let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) else {
        return Err([(String::new(), Rule::NotItems)].into());
    };
    if list.len() > MAX_ITEMS {
        return Err([(String::new(), Rule::TooManyItems { max: MAX_ITEMS })].into());
    }
    let mut found = Vec::new();
    let mut items = Vec::with_capacity(list.len());
    for (place, raw) in list.into_iter().enumerate() {
        let Some(members) = Members::of(raw) else {
            found.push((format!(".{place}"), Rule::NotObject));
            continue;
        };
        let unknown = members.all().filter(|(name, _)| !MEMBERS.contains(name));
        found.extend(unknown.map(|(name, _)| (format!(".{place}.{name}"), Rule::NotKnown)));
        let mut refuse = |name: &str, rule: Rule| found.push((format!(".{place}.{name}"), rule));
        let name = name(&members).map_err(|rule| refuse("name", rule)).ok();
        let quantity = quantity(&members).map_err(|rule| refuse("quantity", rule)).ok();
        let amount = amount(&members, currency).map_err(|rule| refuse("amount", rule)).ok();
        if let (Some(name), Some(quantity), Some(amount)) = (name, quantity, amount) {
            items.push(Item { name, quantity, amount });
        }
    }
    if found.is_empty() { Ok(items) } else { Err(found) }
}

fn name(members: &Members<'_>) -> Result<String, Rule> {
    let text = text_of(members.get("name").ok_or(Rule::Required)?).ok_or(Rule::NotText)?;
    if text.trim().is_empty() {
        return Err(Rule::Blank);
    }
    check_line(&text, MAX_NAME)?;
    Ok(text.into_owned())
}

/// A whole number, or the text of one.
fn quantity(members: &Members<'_>) -> Result<Option<u32>, Rule> {
    let Some(raw) = members.get("quantity") else { return Ok(None) };
    let text = text_of(raw);
    let digits = text.as_deref().unwrap_or(raw.get());
    let number = digits.parse().ok().filter(|number| (1..=MAX_QUANTITY).contains(number));
    number.map(Some).ok_or(Rule::NotInteger { min: 1, max: MAX_QUANTITY.into() })
}

/// A decimal number as text, or a JSON number.
fn amount(members: &Members<'_>, currency: Option<Currency>) -> Result<Option<Money>, Rule> {
    let (Some(raw), Some(currency)) = (members.get("amount"), currency) else { return Ok(None) };
    let text = text_of(raw);
    let is_number = raw.get().starts_with(|first: char| first.is_ascii_digit());
    let text = text.as_deref().or(is_number.then_some(raw.get())).ok_or(Rule::NotAmount)?;
    Money::parse(text, currency).map(Some).map_err(Rule::Amount)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    fn read_in(text: &str, currency: &str) -> Result<Vec<Item>, Vec<String>> {
        let raw: &RawValue = serde_json::from_str(text).unwrap();
        read(raw, Currency::parse(currency))
            .map_err(|found| found.into_iter().map(|(path, rule)| format!("{path}: {rule}")).collect())
    }

    #[test]
    fn items_have_a_name_and_what_else_is_said_of_them() {
        let text = r#"[{"name":"Oud","quantity":2,"amount":"7.500"},{"name":"شاي","quantity":"1"},{"name":"Box","amount":1.5}]"#;
        let items = read_in(text, "KWD").unwrap();
        let shown: Vec<_> = items
            .iter()
            .map(|item| (item.name.as_str(), item.quantity, item.amount.map(|amount| amount.to_string())))
            .collect();
        assert_eq!(
            shown,
            [
                ("Oud", Some(2), Some("7.500".into())),
                ("شاي", Some(1), None),
                ("Box", None, Some("1.500".into()))
            ]
        );
        assert_eq!(read_in("[]", "KWD"), Ok(Vec::new()));
    }

    #[test]
    fn every_wrong_member_of_every_item_is_named() {
        let text = r#"[{"quantity":0,"amount":"1.0001"},7,{"name":" ","sku":"x"},{"name":"a","quantity":1.5,"amount":-1}]"#;
        let found = read_in(text, "KWD").unwrap_err();
        let paths: Vec<_> = found.iter().filter_map(|line| line.split(':').next()).collect();
        assert_eq!(
            paths,
            [".0.name", ".0.quantity", ".0.amount", ".1", ".2.sku", ".2.name", ".3.quantity", ".3.amount"]
        );
        for text in ["{}", "\"x\"", "1", "true"] {
            assert_eq!(read_in(text, "KWD").unwrap_err().len(), 1, "{text}");
        }
        let many = format!("[{}]", ["{\"name\":\"a\"}"; MAX_ITEMS + 1].join(","));
        assert_eq!(read_in(&many, "KWD").unwrap_err(), [": must have at most 50 items"]);
        let long = format!("[{{\"name\":\"{}\"}}]", "x".repeat(129));
        assert_eq!(read_in(&long, "KWD").unwrap_err(), [".0.name: must have at most 128 characters"]);
    }
}
