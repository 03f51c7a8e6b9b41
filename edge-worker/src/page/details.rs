//! What the page shows of the order in addition to its amount. What was bought is always in sight; who pays and where it
//! goes is collapsed, so that the button stays near on a phone.

use checkout_core::answer::bought::Items;
use checkout_core::checkout::page::{FieldValue, OrderDetails, PageAddress, PageField};
use checkout_core::strings::Strings;
use checkout_core::transaction::items::Item;
use maud::{Markup, html};

use super::layout::line;
use super::price::amount;

/// So many items are in sight.
const IN_SIGHT: usize = 6;

/// The details before paying; nothing if there are none.
pub(super) fn draw(details: &OrderDetails, strings: &Strings) -> Markup {
    let label = &strings.label;
    html! {
        (bought(details, strings))
        @if !details.is_empty() {
            details .more {
                summary { (label.details) }
                dl .lines {
                    @if let Some(payer) = &details.payer { (line(label.payer, &html! { bdi { (payer) } })) }
                    @for field in &details.fields { (custom(field, strings)) }
                    @if let Some(billing) = &details.billing { (place(label.billing_address, billing)) }
                    @if let Some(shipping) = &details.shipping { (place(label.shipping_address, shipping)) }
                }
            }
        }
    }
}

/// What was bought, line by line. The end of a long list is collapsed.
pub(super) fn bought(details: &OrderDetails, strings: &Strings) -> Markup {
    html! {
        @if let Some(description) = &details.description { p .about { bdi { (description) } } }
        @if let Some(items) = &details.items {
            @let (first, rest) = items.list.split_at_checked(IN_SIGHT).unwrap_or((&items.list, &[]));
            p .items-label { bdi { (items.label) } }
            (list(items, first, strings))
            @if !rest.is_empty() {
                details .more {
                    summary { (strings.receipt().all_items) " (" (items.list.len()) ")" }
                    (list(items, rest, strings))
                }
            }
        }
    }
}

fn list(items: &Items, part: &[Item], strings: &Strings) -> Markup {
    html! {
        ul .items aria-label=(items.label) {
            @for item in part {
                li .line {
                    span { bdi { (item.name) } @if let Some(quantity) = item.quantity { " " bdi dir="ltr" .quiet { "× " (quantity) } } }
                    @if let Some(total) = item.amount { (amount(strings, total)) }
                }
            }
        }
    }
}

fn custom(field: &PageField, strings: &Strings) -> Markup {
    let value = html! {
        @match &field.value {
            FieldValue::Words(words) => bdi { (words) },
            FieldValue::Digits(digits) => bdi dir="ltr" { (digits) },
            FieldValue::Flag(flag) => (if *flag { strings.label.yes } else { strings.label.no }),
        }
    };
    html! { div .line { dt { bdi { (field.label) } } dd { (value) } } }
}

/// An address line by line. The page's script writes the country's name in place of its code.
fn place(label: &str, place: &PageAddress) -> Markup {
    html! {
        div .line.place {
            dt { (label) }
            dd {
                @for text in &place.lines { bdi { (text) } br; }
                bdi data-country=(place.country) { (place.country) }
            }
        }
    }
}
