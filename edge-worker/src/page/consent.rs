//! What the payer agrees to by the button under it, for cards that are charged again or saved.

use checkout_core::checkout::page::{ConsentText, TransactionPage};
use maud::{Markup, html};

use super::layout::sentence;

/// The text, and what the form says of it; nothing if nothing is agreed to.
pub(super) fn draw(page: &TransactionPage) -> Markup {
    html! {
        @if let Some(consent) = &page.consent { (text(consent)) }
    }
}

fn text(consent: &ConsentText) -> Markup {
    html! {
        section #consent .consent aria-labelledby="consent-title" {
            h3 #consent-title { (consent.title) }
            ul {
                @for line in &consent.lines {
                    li { (sentence(line.sentence, |name| html! { bdi { (line.value(name)) } })) }
                }
            }
            input type="hidden" name="consent" value=(consent.mark());
        }
    }
}
