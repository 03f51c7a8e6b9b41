//! What a gateway is given to know of an order: what is bought.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use crate::answer::bought::Bought;
use crate::gateway::charge::OrderItem;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::transaction::items::{Item, MAX_NAME};
use crate::value::money::Money;
use crate::words::Language;

/// What is bought. Gateways want items that together cost exactly the total: those of the merchant, if they do, otherwise
/// one, which is the whole order.
pub(in crate::flow) fn items(
    transaction: &Transaction,
    settings: &MerchantSettings,
    language: Language,
    total: Money,
) -> Vec<OrderItem> {
    let bought = Bought::of(transaction, settings, language);
    let given = bought.items.as_ref().and_then(|items| priced(&items.list, total));
    given.unwrap_or_else(|| {
        let said = bought.description.or_else(|| transaction.details.order_no.clone());
        let name = said.unwrap_or_else(|| settings.name.text(language).to_string());
        let name = name.chars().take(MAX_NAME).collect();
        Vec::from([OrderItem { name, quantity: 1, unit_price: total, reference: "1".into() }])
    })
}

/// The items of a merchant with the price of one each; `None` if they do not cost the total, or one has no exact price.
fn priced(list: &[Item], total: Money) -> Option<Vec<OrderItem>> {
    let mut sum = Money::zero(total.currency());
    let mut items = Vec::with_capacity(list.len());
    for (place, item) in (1_usize..).zip(list) {
        let amount = item.amount?;
        let quantity = item.quantity.unwrap_or(1);
        sum = sum.checked_add(amount)?;
        items.push(OrderItem {
            name: item.name.clone(),
            quantity,
            unit_price: one_of(amount, quantity)?,
            reference: place.to_string(),
        });
    }
    (sum == total).then_some(items)
}

/// What one of `quantity` costs, if that is a whole number of minor units.
fn one_of(amount: Money, quantity: u32) -> Option<Money> {
    let quantity = i64::from(quantity);
    let is_exact = amount.minor().checked_rem(quantity)? == 0;
    let minor = amount.minor().checked_div(quantity)?;
    is_exact.then(|| Money::new(minor, amount.currency()).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::testing::gateway::money;

    fn item(name: &str, quantity: Option<u32>, amount: Option<&str>) -> Item {
        Item { name: name.into(), quantity, amount: amount.map(|amount| money(amount, "KWD")) }
    }

    #[test]
    fn items_with_prices_that_make_the_total_are_given_one_by_one() {
        let list = [item("Oud", Some(2), Some("7.500")), item("Box", None, Some("2.500"))];
        let items = priced(&list, money("10.000", "KWD")).unwrap();
        let read: Vec<(&str, u32, String, &str)> = items
            .iter()
            .map(|item| {
                (item.name.as_str(), item.quantity, item.unit_price.to_string(), item.reference.as_str())
            })
            .collect();
        assert_eq!(read, [("Oud", 2, "3.750".into(), "1"), ("Box", 1, "2.500".into(), "2")]);
    }

    #[test]
    fn items_that_do_not_make_the_total_exactly_are_not_given() {
        let total = money("10.000", "KWD");
        for list in [
            [item("Oud", Some(2), Some("7.500")), item("Box", None, Some("2.400"))],
            [item("Oud", Some(7), Some("7.500")), item("Box", None, Some("2.500"))],
            [item("Oud", Some(2), Some("10.000")), item("Box", None, None)],
        ] {
            assert_eq!(priced(&list, total), None, "{list:?}");
        }
        assert_eq!(priced(&[item("Oud", None, Some("10.000"))], money("10.00", "USD")), None);
    }
}
