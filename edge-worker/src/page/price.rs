//! Amounts on the page. They are written as the language writes them, in one piece that is never broken over
//! lines, and in its direction of reading.

use checkout_core::strings::Strings;
use checkout_core::value::money::Money;
use maud::{Markup, html};

/// An amount.
pub(super) fn amount(strings: &Strings, money: Money) -> Markup {
    let text = strings.price(money);
    html! { bdi .sum .long[is_long(&text)] dir=(strings.language.direction()) { (text) } }
}

/// The total of a receipt, with the code of its currency where the language writes amounts without it.
pub(super) fn receipt_total(strings: &Strings, money: Money) -> Markup {
    html! {
        (amount(strings, money))
        @if let Some(code) = strings.unwritten_code(money.currency()) { " " small .quiet { (code) } }
    }
}

/// An amount in parts, so that its whole number can be larger than the rest.
pub(super) fn parts(strings: &Strings, money: Money) -> Markup {
    html! {
        @for part in strings.price_parts(money).parts {
            @if part.is_whole { span { (part.text) } } @else { small { (part.text) } }
        }
    }
}

/// Whether an amount is longer than usual; it is written smaller.
pub(super) fn is_long(price: &str) -> bool {
    price.chars().count() > 16
}
