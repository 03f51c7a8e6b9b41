//! The payment methods: the customer's saved cards, the gateways, and the checkbox that saves a card.
//!
//! Saved cards and gateways are one group of radio buttons in one form, so every one of them pays without a
//! script. If there is only one method there is nothing to choose, and the form names it. The checkbox is below the methods, and the style sheet shows it only for those to which it applies.

use checkout_core::checkout::page::{Method, SavedCardFault, SavedCardMethod, TransactionPage};
use checkout_core::gateway::terms::Terms;
use checkout_core::route::Route;
use checkout_core::strings::Strings;
use checkout_core::words::Language;
use maud::{Markup, html};

use super::face::Faces;
use super::face::exchange;
use super::layout::sentence;
use super::mark;
use super::price::is_long;

/// A method among the others of the page.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    /// Whether it can no longer be used.
    pub(super) is_over: bool,
    /// Whether its costs are next to it, rather than those of its group before the group.
    pub(super) has_cost: bool,
    /// What each method costs.
    pub(super) faces: &'a Faces<'a>,
}

/// The brand and the last digits of a saved card.
pub(super) fn card_name(card: &SavedCardMethod, language: Language) -> Markup {
    let words = &Strings::of(language).ways;
    html! {
        bdi dir="ltr" {
            bdi { (card.method.name) }
            @if let Some(ending) = &card.ending {
                " " span .unseen { (words.ending_in) " " }
                span .ending { span aria-hidden="true" { "•••• " } (ending) }
            }
        }
    }
}

/// A saved card.
pub(super) fn saved(page: &TransactionPage, card: &SavedCardMethod, among: Among<'_>) -> Markup {
    let words = &Strings::of(page.language).ways;
    let fault = card.fault.map(|fault| match fault {
        SavedCardFault::Expired => words.expired,
        SavedCardFault::ExpiresTooSoon => words.expires_too_soon,
    });
    let hint = fault.or_else(|| card.is_last_month.then_some(words.last_month));
    let name = html! {
        (card_name(card, page.language))
        small { (words.good_until) " " bdi dir="ltr" { (card.expiry) } }
        @if let Some(hint) = hint { span .chip { (hint) } }
    };
    choice(page, &card.method, Among { is_over: fault.is_some(), ..among }, &name)
}

/// A gateway.
pub(super) fn method(page: &TransactionPage, method: &Method, among: Among<'_>) -> Markup {
    let strings = Strings::of(page.language);
    let name = html! {
        bdi { (method.name) }
        @if method.is_waiting { " " span .chip { (strings.label.started) } }
    };
    choice(page, method, among, &name)
}

/// The saved cards once more, each with the question whether to remove it: a form apart from that which pays.
pub(super) fn removal(page: &TransactionPage, strings: &Strings) -> Markup {
    let words = &strings.ways;
    html! {
        @if !page.saved.is_empty() && page.can_remove_cards {
            details .more {
                summary { (words.remove_cards) }
                form method="post" action=(Route::Pay.path()) {
                    input type="hidden" name="session_id" value=(page.session_id);
                    input type="hidden" name="language" value=(page.language.as_str());
                    @for card in &page.saved {
                        details .more {
                            summary { (mark::draw(&card.method)) (card_name(card, page.language)) }
                            p .quiet { (words.removing) }
                            button .button.plain name="remove_card" value=(card.method.code) {
                                span { (words.remove) " " (card_name(card, page.language)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The checkbox that saves the card; nothing if no method saves one.
pub(super) fn save_card(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @if page.methods.iter().any(|method| method.can_save_card) {
            label .keep {
                input type="checkbox" name="save_card" value="true" checked[page.saves_card];
                span { (strings.ways.save_card) }
            }
        }
    }
}

/// The text on the button, with what is paid.
pub(super) fn verb(method: &Method, strings: &Strings, total: &Markup) -> Markup {
    html! {
        @if method.is_waiting {
            (sentence(strings.action.continue_with, |name| match name {
                "method" => html! { bdi { (method.name) } },
                _ => total.clone(),
            }))
        } @else if method.is_cash {
            (sentence(strings.action.pay_on_delivery, |_| total.clone()))
        } @else {
            (strings.action.pay) " " (total)
        }
    }
}

fn choice(page: &TransactionPage, method: &Method, among: Among<'_>, name: &Markup) -> Markup {
    let Among { is_over, faces, has_cost } = among;
    let is_editable = page.amount_field.is_some();
    let face = faces.place(method).filter(|_| !is_over);
    html! {
        label .method .over[is_over] {
            input type="radio" name="pg_code" value=(method.code) checked[method.is_chosen] required disabled[is_over]
                data-keeps[method.can_save_card] data-face=[face] data-terms=[is_editable.then_some(method.terms)];
            (mark::draw(method))
            span .name { (name) }
            @if page.is_paid() && !is_over && has_cost { (cost(page, method, faces)) }
        }
    }
}

/// The only method: there is nothing to choose.
pub(super) fn only(page: &TransactionPage, method: &Method, faces: &Faces<'_>) -> Markup {
    let strings = Strings::of(page.language);
    let terms = page.amount_field.as_ref().map(|_| method.terms);
    html! {
        div .method {
            input type="hidden" name="pg_code" value=(method.code) data-keeps[method.can_save_card]
                data-face=[faces.place(method)] data-terms=[terms];
            (mark::draw(method))
            span .name {
                bdi { (method.name) }
                @if method.is_waiting { " " span .chip { (strings.label.started) } }
            }
            @if page.is_paid() { (cost(page, method, faces)) }
        }
    }
}

/// What a method costs; of methods that all cost the same only the fee, because the headline has the total. If
/// the payer may choose the amount, the script updates that; without a script the rule of the fee is shown,
/// which is true for every amount.
pub(super) fn cost(page: &TransactionPage, method: &Method, faces: &Faces<'_>) -> Markup {
    let strings = Strings::of(page.language);
    let (rate, _) = exchange(page, method).unwrap_or_default();
    let is_editable = page.amount_field.is_some();
    let fee = Some(method.quote.fee).filter(|fee| !fee.is_zero());
    let fee_label = method.fee_label.as_deref().unwrap_or(strings.label.fee);
    let (total, direction) = (strings.price(method.quote.total), strings.language.direction());
    let rule = fee_rule(strings, method.terms).filter(|_| is_editable);
    let has_total = faces.are_many();
    let changing = html! {
        @if has_total { bdi .sum .long[is_long(&total)] dir=(direction) data-part="total" { (total) } " " }
        @if is_editable || fee.is_some() {
            small data-part="fee-line" hidden[fee.is_none()] {
                (strings.label.including) " " bdi { (fee_label) } " "
                bdi .sum dir=(direction) data-part="fee" { (fee.map(|fee| strings.price(fee)).unwrap_or_default()) }
            }
        }
    };
    html! {
        @if has_total || is_editable || fee.is_some() || !rate.is_empty() {
            span .cost data-cost=(method.code) {
                @if is_editable {
                    span .depends { (changing) }
                } @else {
                    (changing)
                }
                @if !rate.is_empty() { small { bdi .sum dir="ltr" { (rate) } } }
                @if let Some(rule) = rule {
                    small .steady { "+ " bdi { (fee_label) } " " bdi .sum dir=(direction) { (rule) } }
                }
            }
        }
    }
}

/// The rule of a fee: `2.5%`, `KWD 0.100`, or both; nothing if there is no fee.
fn fee_rule(strings: &Strings, terms: Terms) -> Option<String> {
    let percent = (!terms.percent.is_zero()).then(|| format!("{}%", terms.percent.normalize()));
    let fixed = (!terms.fixed.is_zero()).then(|| strings.price(terms.fixed));
    let parts: Vec<String> = percent.into_iter().chain(fixed).collect();
    (!parts.is_empty()).then(|| parts.join(" + "))
}
