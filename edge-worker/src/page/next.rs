//! The other way to pay that is offered after a soft decline: a line and one button, in the notice that says what happened.
//!
//! It is a form of its own, so that it pays what it names, whatever is chosen below, with and without a script.

use checkout_core::checkout::page::{NextOffer, TransactionPage};
use checkout_core::route::Route;
use checkout_core::strings::Strings;
use maud::{Markup, html};

use super::layout::sentence;

/// The rules of a page with an offer. The script hides the details of an attempt once it says something else. On a small
/// phone the methods still begin above the fold.
const RULES: &str = ".next{margin-block:.5rem .75rem}.next .button{margin-block-start:.5rem}\
    .notice div:has(>details[hidden]) .next{display:none}\
    @media(max-width:30rem){.next{margin-block:.25rem 0;margin-inline-start:-2rem;font-size:.875rem}\
    .next .button{min-block-size:44px;padding:.25rem .75rem;margin-block-start:.25rem;line-height:1.3}\
    .next+.more{margin-block-start:.25rem}.next+.more summary{min-block-size:28px}}\
    @media(max-width:22rem){.next{margin-inline-start:0}}";

/// The rules that a page adds to the style sheet: none without an offer.
pub(super) const fn rules(page: &TransactionPage) -> &'static str {
    if page.next.is_some() { RULES } else { "" }
}

/// The offer.
pub(super) fn draw(page: &TransactionPage, strings: &Strings) -> Markup {
    html! { @if let Some(offer) = &page.next { (form(page, offer, strings)) } }
}

fn form(page: &TransactionPage, offer: &NextOffer, strings: &Strings) -> Markup {
    let words = strings.next();
    let name = || html! { bdi { (offer.name) } };
    let line = sentence(if offer.is_same { words.same } else { words.other }, |_| name());
    let label = sentence(strings.action.continue_to, |place| match place {
        "amount" => html! { bdi .sum dir=(strings.language.direction()) { (strings.price(offer.total)) } },
        _ => name(),
    });
    html! {
        form #next-form .next method="post" action=(Route::Pay.path()) {
            p #next-text { (line) }
            input type="hidden" name="session_id" value=(page.session_id);
            input type="hidden" name="language" value=(page.language.as_str());
            input type="hidden" name="next" value=(offer.shown);
            @if let Some(amount) = &offer.amount { input type="hidden" name="amount" value=(amount); }
            button #next-button .button name="pg_code" value=(offer.code) { span { (label) } }
        }
    }
}
