//! The payment methods: the customer's saved cards, the gateways, and the checkbox that saves a card.
//!
//! Saved cards and gateways are one group of radio buttons in one form, so every one of them pays without a
//! script. If there is only one method there is nothing to choose, and the form names it. The checkbox is below the methods, and the style sheet shows it only for those to which it applies.

use checkout_core::checkout::page::{PageMethod, SavedCardFault, SavedCardMethod, TransactionPage};
use checkout_core::gateway::mark::Mark;
use checkout_core::route::Route;
use checkout_core::strings::{Strings, digits};
use checkout_core::words::Language;
use maud::{Markup, html};

use super::face::{Face, Faces, exchange};
use super::flexible;
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
pub(super) fn method(page: &TransactionPage, method: &PageMethod, among: Among<'_>) -> Markup {
    let strings = Strings::of(page.language);
    choice(page, method, among, &name_of(method, strings))
}

/// The name of a gateway, and the brands of cards that it takes.
fn name_of(method: &PageMethod, strings: &Strings) -> Markup {
    html! {
        bdi { (method.name) }
        (flexible::line(method, strings))
        @if method.is_waiting { " " span .chip { (strings.label.started) } }
        @if !method.card_brands.is_empty() {
            span .brands {
                @for brand in &method.card_brands {
                    @if let Some(file) = Mark::of_card_brand(*brand).and_then(Mark::file) {
                        img .emblem src={ "/icons/marks/" (file) ".svg" } alt=(brand.name()) width="32" height="21";
                    } @else {
                        small { (brand.name()) }
                    }
                }
            }
        }
    }
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

/// The text on the button: where it leads, or what it does, with what is paid.
pub(super) fn verb(face: &Face<'_>, is_named: bool, strings: &Strings, total: &Markup) -> Markup {
    let words = &strings.action;
    let text = match face.card {
        _ if face.method.is_cash => words.pay_on_delivery,
        _ if !is_named => words.pay_amount,
        Some(_) => words.pay_with_card,
        None => words.continue_to,
    };
    sentence(text, |name| match (name, face.card) {
        ("amount", _) => total.clone(),
        (_, Some(card)) => card_name(card, strings.language),
        (_, None) => html! { bdi { (face.method.name) } },
    })
}

fn choice(page: &TransactionPage, method: &PageMethod, among: Among<'_>, name: &Markup) -> Markup {
    let Among { is_over, faces, has_cost } = among;
    let is_editable = page.amount_field.is_some();
    let face = faces.place(method).filter(|_| !is_over);
    html! {
        label .method .over[is_over] data-cost=(method.code) {
            input type="radio" name="pg_code" value=(method.code) checked[method.is_chosen] required disabled[is_over]
                data-keeps[method.can_save_card] data-lacks=[flexible::lacks(method)] data-face=[face] data-terms=[is_editable.then_some(method.terms)];
            (mark::draw(method))
            span .name { (name) }
            @if page.is_paid() && !is_over && has_cost { (under(page, method, faces)) }
        }
    }
}

/// The only method: there is nothing to choose.
pub(super) fn only(page: &TransactionPage, method: &PageMethod, faces: &Faces<'_>) -> Markup {
    let strings = Strings::of(page.language);
    let terms = page.amount_field.as_ref().map(|_| method.terms);
    html! {
        div .method data-cost=(method.code) {
            input type="hidden" name="pg_code" value=(method.code) data-keeps[method.can_save_card]
                data-lacks=[flexible::lacks(method)] data-face=[faces.place(method)] data-terms=[terms];
            (mark::draw(method))
            span .name { (name_of(method, strings)) }
            @if page.is_paid() { (under(page, method, faces)) }
        }
    }
}

/// What a method costs, under its name or next to it: the fee that is added, and the total; of methods that all cost the
/// same only the fee, because the headline has the total.
pub(super) fn under(page: &TransactionPage, method: &PageMethod, faces: &Faces<'_>) -> Markup {
    let (fee, cost) = (fee(page, method), cost(page, method, faces));
    html! {
        @if fee.is_some() || cost.is_some() {
            span .under {
                @if let Some(fee) = fee { span .fees { (fee) } }
                @if let Some(cost) = cost { span .cost { (cost) } }
            }
        }
    }
}

/// The fee that a method adds. If the payer may choose the amount, the script updates it; without a script the rule of
/// the fee is shown, which is true for every amount.
fn fee(page: &TransactionPage, method: &PageMethod) -> Option<Markup> {
    let strings = Strings::of(page.language);
    let is_editable = page.amount_field.is_some();
    let fee = Some(method.quote.fee).filter(|fee| !fee.is_zero());
    let rule = if method.terms.percent.is_zero() {
        Some(digits(method.terms.fixed)).filter(|_| !method.terms.fixed.is_zero())
    } else {
        strings.fee_rule(method.terms.percent, method.terms.fixed)
    };
    let rule = rule.filter(|_| is_editable);
    let added = |part: Option<&str>, text: &str| {
        sentence(strings.label.fee_added, |_| {
            html! { bdi .sum dir="ltr" data-part=[part] { "+" (text) } }
        })
    };
    let digits = fee.map(digits).unwrap_or_default();
    (fee.is_some() || rule.is_some()).then(|| {
        html! {
            small .depends[is_editable] data-part="fee-line" hidden[fee.is_none()] { (added(Some("added"), &digits)) }
            @if let Some(rule) = rule { small .steady { (added(None, &rule)) } }
        }
    })
}

fn cost(page: &TransactionPage, method: &PageMethod, faces: &Faces<'_>) -> Option<Markup> {
    let strings = Strings::of(page.language);
    let (rate, _) = exchange(page, method).unwrap_or_default();
    let (total, direction) = (strings.price(method.quote.total), strings.language.direction());
    let has_total = faces.costs_differ();
    (has_total || !rate.is_empty()).then(|| {
        html! {
            @if has_total {
                bdi .sum .long[is_long(&total)] .depends[page.amount_field.is_some()] dir=(direction) data-part="total" { (total) }
            }
            @if !rate.is_empty() { small { bdi .sum dir="ltr" { (rate) } } }
        }
    })
}
