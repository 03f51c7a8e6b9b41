//! What the state of a payment says about prices, by which an open page notices that it is out of date.

use checkout_core::checkout::page::TransactionPage;
use checkout_core::flow::payer::open_page::status;
use pollster::block_on;

use super::{Case, Change, Way, page};

/// What the page shows that each gateway costs, in the order of its form.
fn shown(page: &TransactionPage) -> Vec<String> {
    page.methods.iter().map(|method| method.shown(page.amount_field.is_some())).collect()
}

#[test]
fn the_state_says_the_prices_that_a_page_shows_that_is_rendered_now() {
    for way in [Way::Redirect, Way::Card, Way::Typed] {
        for change in [None, Some(Change::Amount), Some(Change::Currency), Some(Change::Fee)] {
            let what = format!("{change:?}, {way:?}");
            let case = Case::show(way);
            let before = page(&case.shop, &case.session_id, None);
            if let Some(change) = change {
                case.change(change).unwrap();
            }
            let polled = block_on(status(&case.shop.world, &case.session_id)).unwrap();
            let after = page(&case.shop, &case.session_id, None);
            let amount = (polled.amount.unwrap(), polled.currency_code.unwrap());
            assert_eq!(amount, (after.amount.to_string(), after.amount.currency()), "{what}");
            let mut rendered = shown(&after);
            let mut said = polled.prices.clone();
            rendered.sort();
            said.sort();
            assert_eq!(said, rendered, "{what}");
            let is_other = shown(&before) != shown(&after) || before.amount != after.amount;
            assert_eq!(is_other, change.is_some(), "{what}");
        }
    }
}

#[test]
fn a_page_of_the_bank_that_waits_keeps_its_price_in_the_state_too() {
    let case = Case::show(Way::Redirect);
    case.pay(&case.shop.world).unwrap();
    case.change(Change::Fee).unwrap();
    let polled = block_on(status(&case.shop.world, &case.session_id)).unwrap();
    let rendered = page(&case.shop, &case.session_id, None);
    assert_eq!(polled.prices, shown(&rendered));
}

#[test]
fn what_cannot_be_paid_has_no_price() {
    let case = Case::show(Way::Cash);
    case.pay(&case.shop.world).unwrap();
    let polled = block_on(status(&case.shop.world, &case.session_id)).unwrap();
    assert_eq!((polled.amount, polled.currency_code, polled.prices), (None, None, Vec::new()));
}
