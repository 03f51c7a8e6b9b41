//! A page that is open notices that the merchant changed the price, or that the payment is over.

use super::*;

fn priced(price: &str, prices: &[&str]) -> Message {
    let prices = prices.iter().copied().map(String::from).collect();
    Message::Heard(Some(StatusAnswer { price: Some(price.into()), prices, ..said(PageStatus::Payable) }))
}

const SAME: [&str; 2] = ["knet KWD 10.250", "cash KWD 10.000"];

#[test]
fn a_page_that_is_seen_looks_again_and_again_while_the_payer_chooses() {
    for status in [PageStatus::Payable, PageStatus::Declined] {
        let (mut model, effects) = Model::open(options(status));
        assert_eq!(effects, [Effect::LookLater]);
        for _ in 0..50 {
            let (looking, effects) = update(model, Message::LookNow { is_seen: true });
            assert_eq!(effects, [Effect::Ask, Effect::LookLater]);
            let (shown, effects) = update(looking, heard(status, None));
            assert_eq!(effects, [], "an answer starts no second round");
            model = shown;
        }
    }
}

#[test]
fn nobody_asks_for_a_page_that_is_not_seen_until_it_is() {
    let (model, effects) = after(open(PageStatus::Payable), [Message::LookNow { is_seen: false }]);
    assert_eq!(effects, [Effect::LookLater]);
    assert_eq!(update(model, Message::Seen).1, [Effect::Ask]);
}

#[test]
fn nobody_asks_while_the_payer_pays_and_looks_go_on_after_it() {
    let (model, effects) =
        after(open(PageStatus::Payable), [Message::Submitted, Message::LookNow { is_seen: true }]);
    assert_eq!(effects, [Effect::LookLater]);
    let refused = Message::Answered(PayAnswer::Refused("too_many_attempts".into()));
    let (_, effects) = after(model, [refused, Message::LookNow { is_seen: true }]);
    assert_eq!(effects, [Effect::Ask, Effect::LookLater]);
}

#[test]
fn a_page_that_waits_or_is_over_asks_as_before() {
    for status in [PageStatus::Pending, PageStatus::Late, PageStatus::Paid, PageStatus::Expired] {
        let (model, effects) = Model::open(options(status));
        assert!(!effects.contains(&Effect::LookLater), "{status:?}");
        assert_eq!(update(model, Message::LookNow { is_seen: true }).1, []);
    }
}

#[test]
fn another_amount_currency_or_fee_draws_the_page_again() {
    for (price, prices) in [
        ("KWD 10.001", &SAME[..]),
        ("SAR 10.00", &["knet SAR 10.25", "cash SAR 10.00"]),
        ("SAR 10.00", &[]),
        ("KWD 10.000", &["knet KWD 10.251", "cash KWD 10.000"]),
        ("KWD 10.000", &["cash KWD 10.100", "knet KWD 10.250"]),
        ("KWD 10.000", &["cash BHD 10.000"]),
    ] {
        let (model, effects) = after(open(PageStatus::Payable), [priced(price, prices)]);
        assert_eq!((model.phase, effects), (Phase::Leaving, vec![Effect::Redraw]), "{price} {prices:?}");
    }
}

#[test]
fn the_same_prices_change_nothing_whatever_methods_are_offered() {
    for prices in [
        &SAME[..],
        &["cash KWD 10.000", "knet KWD 10.250"],
        &["cash KWD 10.000"],
        &["credit-card KWD 99.000", "knet KWD 10.250"],
        &[],
    ] {
        let (model, effects) = after(open(PageStatus::Payable), [priced("KWD 10.000", prices)]);
        assert_eq!((model.phase, effects), (Phase::Choosing, Vec::new()), "{prices:?}");
    }
}

#[test]
fn a_typed_amount_has_another_price_if_its_fee_or_its_limit_is_another() {
    let terms = |fee: &str| format!("knet KWD KWD {fee} 0");
    let page = || Model::open(Options { prices: vec![terms("0.250")], ..options(PageStatus::Payable) }).0;
    assert_eq!(after(page(), [priced("KWD 10.000", &[&terms("0.250")])]).1, []);
    assert_eq!(after(page(), [priced("KWD 10.000", &[&terms("0.300")])]).1, [Effect::Redraw]);
    assert_eq!(after(page(), [priced("KWD 9.000", &[&terms("0.250")])]).1, [Effect::Redraw]);
}

#[test]
fn what_is_over_is_shown_as_over_and_not_as_another_price() {
    for status in [PageStatus::Canceled, PageStatus::Expired, PageStatus::Paid, PageStatus::Paused] {
        let (_, effects) = after(open(PageStatus::Payable), [heard(status, None)]);
        assert_eq!(effects, [Effect::Reload], "{status:?}");
    }
}

#[test]
fn a_sheet_that_is_open_is_not_closed_by_another_price_but_nothing_is_paid_for_it() {
    let (model, _) = after(open(PageStatus::Payable), [Message::WalletPressed(Wallet::ApplePay)]);
    let (model, effects) = after(model, [priced("KWD 12.000", &[])]);
    assert_eq!((model.phase, effects), (Phase::Paying, Vec::new()));
    let refused = Message::WalletClosed(Some(PayAnswer::Refused("price_changed".into())));
    assert_eq!(update(model.clone(), refused).1, [Effect::Redraw]);
    let (model, _) = update(model, Message::WalletClosed(None));
    assert_eq!(after(model, [priced("KWD 12.000", &[])]).1, [Effect::Redraw]);
}
