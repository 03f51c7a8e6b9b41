//! What the payer agrees to by the button under it, for cards that are charged again or saved; a tick has its
//! sentence next to it.

use checkout_core::checkout::page::{ConsentPiece, ConsentText, TransactionPage};
use maud::{Markup, html};

/// The text, and what the form says of it; nothing if nothing is agreed to.
pub(super) fn draw(page: &TransactionPage) -> Markup {
    html! {
        @if let Some(consent) = &page.consent { (text(consent)) }
    }
}

fn text(consent: &ConsentText) -> Markup {
    let lines = consent.lines.iter().map(|line| {
        html! {
            @for piece in &line.pieces {
                @match piece {
                    ConsentPiece::Words(words) => (words),
                    ConsentPiece::Value(value) => bdi { (value) },
                    ConsentPiece::Amount(value) => bdi .sum { (value) },
                }
            }
        }
    });
    html! {
        @if let Some(title) = consent.title {
            section #consent .consent aria-labelledby="consent-title" {
                h3 #consent-title { (title) }
                ul { @for line in lines { li { (line) } } }
            }
        } @else {
            @for line in lines { p #consent .saving { (line) } }
        }
        input type="hidden" name="consent" value=(consent.mark());
    }
}
