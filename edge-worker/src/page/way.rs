//! The payment methods: wallet buttons, the customer's saved cards, the gateways, and the checkbox that saves
//! a card.
//!
//! Saved cards and gateways are one group of radio buttons in one form, so every one of them pays without a
//! script. The wallet buttons are hidden until the script has found the wallet on the payer's device. The
//! checkbox is below the methods, and the style sheet shows it only for those to which it applies.

use checkout_core::checkout::page::{Method, SavedCardFault, SavedCardMethod, TransactionPage, WalletButton};
use checkout_core::gateway::terms::Terms;
use checkout_core::route::Route;
use checkout_core::strings::{Strings, WayWords, price};
use checkout_core::words::Wallet;
use maud::{Markup, html};

use super::face::Faces;
use super::face::exchange;
use super::layout::{is_long, sentence};

/// The wallet buttons. They have the data that their sheets need, for the script.
pub(super) fn wallets(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @if !page.wallets.is_empty() {
            div #wallets .wallets hidden {
                @for button in &page.wallets { (wallet(button, strings)) }
                p .or { span { (strings.ways.otherwise) } }
            }
        }
    }
}

fn wallet(button: &WalletButton, strings: &Strings) -> Markup {
    let name = WayWords::name(button.wallet);
    let google = button.google_pay.as_ref();
    let session = (button.wallet == Wallet::ApplePay).then(|| Route::SdkAppleSession.path());
    html! {
        button .wallet type="button" hidden
            data-wallet=(button.wallet.as_str()) data-code=(button.code)
            data-amount=(button.principal) data-total=(button.quote.total)
            data-currency=(button.quote.total.currency().code()) data-country-code=(button.country)
            data-shop=(button.shop_name) data-pay-url=(Route::of_page_wallet(button.wallet).path())
            data-session-url=[session]
            data-environment=[google.map(|google| google.environment.as_str())]
            data-gateway=[google.map(|google| &google.gateway)]
            data-gateway-merchant=[google.map(|google| &google.gateway_merchant_id)]
            data-merchant=[google.map(|google| &google.merchant_id)] {
            span .unseen { (strings.ways.pay_with) " " } span lang="en" dir="ltr" { (name) }
        }
    }
}

/// A method among the others of the page.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    /// Whether it is the chosen one.
    pub(super) is_chosen: bool,
    /// Whether it can no longer be used.
    pub(super) is_over: bool,
    /// What each method costs.
    pub(super) faces: &'a Faces<'a>,
}

/// A saved card.
pub(super) fn saved(page: &TransactionPage, card: &SavedCardMethod, among: Among<'_>) -> Markup {
    let words = &Strings::of(page.language).ways;
    let fault = card.fault.map(|fault| match fault {
        SavedCardFault::Expired => words.expired,
        SavedCardFault::ExpiresTooSoon => words.expires_too_soon,
    });
    let name = html! {
        bdi dir="ltr" {
            bdi { (card.method.name) }
            @if let Some(ending) = &card.ending {
                " " span .unseen { (words.ending_in) " " }
                span .ending { span aria-hidden="true" { "•••• " } (ending) }
            }
        }
        small { (words.good_until) " " bdi dir="ltr" { (card.expiry) } }
        @if let Some(fault) = fault { span .chip { (fault) } }
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
        @if method.is_cash {
            (sentence(strings.action.pay_on_delivery, |_| total.clone()))
        } @else {
            (strings.action.pay) " " (total)
        }
    }
}

fn choice(page: &TransactionPage, method: &Method, among: Among<'_>, name: &Markup) -> Markup {
    let Among { is_chosen, is_over, faces } = among;
    let is_editable = page.amount_field.is_some();
    let face = faces.place(method).filter(|_| !is_over);
    html! {
        label .method .over[is_over] {
            input type="radio" name="pg_code" value=(method.code) checked[is_chosen] required disabled[is_over]
                data-keeps[method.can_save_card] data-face=[face] data-terms=[is_editable.then_some(method.terms)];
            img src={ "/icons/" (method.icon.as_str()) ".svg" } alt="" width="40" height="26";
            span .name { (name) }
            @if page.is_paid() && !is_over { (cost(page, method)) }
        }
    }
}

/// What a method costs. If the payer may choose the amount, the script updates that; without a script the
/// rule of the fee is shown, which is true for every amount.
fn cost(page: &TransactionPage, method: &Method) -> Markup {
    let strings = Strings::of(page.language);
    let (rate, _) = exchange(page, method).unwrap_or_default();
    let is_editable = page.amount_field.is_some();
    let fee = Some(method.quote.fee).filter(|fee| !fee.is_zero());
    let fee_label = method.fee_label.as_deref().unwrap_or(strings.label.fee);
    let rule = fee_rule(method.terms).filter(|_| is_editable);
    html! {
        span .cost data-cost=(method.code) {
            bdi .sum .long[is_long(&price(method.quote.total))] .depends[is_editable] dir="ltr" data-part="total" { (price(method.quote.total)) }
            @if !rate.is_empty() { small { bdi .sum dir="ltr" { (rate) } } }
            @if is_editable || fee.is_some() {
                small .depends[is_editable] data-part="fee-line" hidden[fee.is_none()] {
                    (strings.label.including) " " bdi { (fee_label) } " "
                    bdi .sum dir="ltr" data-part="fee" { (fee.map(price).unwrap_or_default()) }
                }
            }
            @if let Some(rule) = rule {
                small .steady { "+ " bdi { (fee_label) } " " bdi .sum dir="ltr" { (rule) } }
            }
        }
    }
}

/// The rule of a fee: `2.5%`, `KWD 0.100`, or both; nothing if there is no fee.
fn fee_rule(terms: Terms) -> Option<String> {
    let percent = (!terms.percent.is_zero()).then(|| format!("{}%", terms.percent.normalize()));
    let fixed = (!terms.fixed.is_zero()).then(|| price(terms.fixed));
    let parts: Vec<String> = percent.into_iter().chain(fixed).collect();
    (!parts.is_empty()).then(|| parts.join(" + "))
}
