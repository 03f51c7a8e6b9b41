//! What the page shows of the order in addition to its amount. It is collapsed, so that the button stays near
//! on a phone.

use checkout_core::checkout::page::{Field, FieldValue, Items, OrderDetails, Place};
use checkout_core::strings::Strings;
use maud::{Markup, html};

use super::layout::{amount, line};

/// The collapsed details; nothing if there are none.
pub(super) fn draw(details: &OrderDetails, strings: &Strings) -> Markup {
    let label = &strings.label;
    html! {
        @if let Some(description) = &details.description { p .about { bdi { (description) } } }
        @if !details.is_empty() {
            details .more {
                summary { (label.details) }
                @if let Some(items) = &details.items { (list(items)) }
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

/// What the order has, line by line.
fn list(items: &Items) -> Markup {
    html! {
        p .items-label { bdi { (items.label) } }
        ul .items aria-label=(items.label) {
            @for item in &items.list {
                li .line {
                    span { bdi { (item.name) } @if let Some(quantity) = item.quantity { " " bdi dir="ltr" .quiet { "× " (quantity) } } }
                    @if let Some(total) = item.amount { (amount(total)) }
                }
            }
        }
    }
}

fn custom(field: &Field, strings: &Strings) -> Markup {
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
fn place(label: &str, place: &Place) -> Markup {
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
