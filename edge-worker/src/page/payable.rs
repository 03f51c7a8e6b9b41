//! The screen on which the payer chooses a method and pays.
//!
//! What depends on the chosen method carries `data-show`, and the script keeps it right. Without a script it would
//! go stale, so where the methods cost differently it has the class `depends` and yields to what does not depend.

use checkout_core::api::route::Route;
use checkout_core::checkout::page::{AmountField, Method, Notice, TransactionPage};
use checkout_core::checkout::strings::{Message, Strings, price};
use maud::{Markup, html};

use super::details;
use super::layout::{amount, attachment, exchange_rate, line, moment};
use super::{symbol, way};

/// The screen.
pub(super) fn draw(page: &TransactionPage) -> Markup {
    let strings = Strings::of(page.language);
    html! {
        main #checkout .pay data-language=(page.language.as_str()) data-session-id=(page.session_id)
            data-payment-type=(page.payment_type.as_str()) data-status=(page.status.as_str()) data-status-url=(Route::PayStatus(page.session_id.clone()).path())
            data-expires-at=(page.expires_at.millis()) {
            (summary(page, strings))
            section .choose {
                h2 #choose-title { (strings.screen(page.status, page.payment_type).title) }
                (notice(page, strings))
                (form(page, strings))
            }
        }
    }
}

/// Every way to pay that can be chosen.
fn ways(page: &TransactionPage) -> impl Iterator<Item = &Method> {
    let kept = page.kept.iter().filter(|card| card.fault.is_none()).map(|card| &card.method);
    kept.chain(&page.methods)
}

fn chosen(page: &TransactionPage) -> Option<&Method> {
    ways(page).find(|method| method.is_chosen).or_else(|| page.methods.first())
}

/// Whether what stands beside the button follows what the payer chooses and types.
fn depends(page: &TransactionPage) -> bool {
    let face = |method: &Method| (method.quote, method.is_cash, method.fee_label.clone());
    let mut faces = ways(page).map(face);
    let first = faces.next();
    page.amount_field.is_some() || faces.any(|face| Some(face) != first)
}

/// By which rate a method exchanges the amount, and what the amount comes to, without the fee.
pub(super) fn exchange(page: &TransactionPage, method: &Method) -> Option<(String, String)> {
    let rate = exchange_rate(page.amount.currency(), method.quote)?;
    Some((rate, price(method.quote.amount)))
}

fn summary(page: &TransactionPage, strings: &Strings) -> Markup {
    let depends = depends(page);
    let quote = chosen(page).map(|method| method.quote);
    let total = quote.map_or(page.amount, |quote| quote.total);
    let heading = if page.is_paid() { strings.label.pay_to } else { strings.card.save_for };
    html! {
        section .summary aria-label=(strings.label.summary) {
            h1 .payee { (heading) " " bdi { (page.merchant) } }
            p .price {
                @if !page.is_paid() {
                    (strings.card.no_charge)
                } @else if depends {
                    bdi .sum .depends dir="ltr" data-show="total" { (price(total)) }
                    bdi .sum .steady dir="ltr" { (price(page.amount)) }
                } @else {
                    bdi .sum dir="ltr" data-show="total" { (price(total)) }
                }
            }
            dl .lines {
                @if let Some(order_no) = &page.order_no {
                    (line(strings.label.order_number, &html! { bdi { (order_no) } }))
                }
                @if let Some(due_at) = page.due_at {
                    (line(strings.label.due_at, &moment(strings, due_at)))
                }
                (attachment(page, strings))
                @if page.is_paid() { (amounts(page, strings)) }
            }
            (details::draw(&page.details, strings))
            p .until { (strings.label.open_until) " " (moment(strings, page.expires_at)) }
        }
    }
}

/// What the chosen method comes to, line by line.
fn amounts(page: &TransactionPage, strings: &Strings) -> Markup {
    let depends = depends(page);
    let quote = chosen(page).map(|method| method.quote);
    let total = quote.map_or(page.amount, |quote| quote.total);
    let fee = quote.map(|quote| quote.fee).filter(|fee| !fee.is_zero());
    let fee_label = chosen(page).and_then(|method| method.fee_label.as_deref()).unwrap_or(strings.label.fee);
    let exchange = chosen(page).and_then(|method| exchange(page, method));
    html! {
        @if page.amount_field.is_some() {
            (line(strings.label.order_amount, &amount(page.amount)))
            div .line.depends {
                dt { (strings.label.amount_to_pay) }
                dd { bdi .sum dir="ltr" data-show="principal" {} }
            }
        } @else {
            (line(strings.label.amount, &amount(page.amount)))
        }
        @for (label, show, text) in [
            (strings.label.exchange_rate, "rate", exchange.as_ref().map(|(rate, _)| rate)),
            (strings.label.converted, "converted", exchange.as_ref().map(|(_, converted)| converted)),
        ] {
            div .line.depends[depends] data-row="exchange" hidden[text.is_none()] {
                dt { (label) }
                dd { bdi .sum dir="ltr" data-show=(show) { @if let Some(text) = text { (text) } } }
            }
        }
        div .line.depends[depends] data-row="fee" hidden[fee.is_none()] {
            dt data-show="fee-label" { bdi { (fee_label) } }
            dd { bdi .sum dir="ltr" data-show="fee" { @if let Some(fee) = fee { (price(fee)) } } }
        }
        div .line.total.depends[depends] {
            dt { (strings.label.total) }
            dd { bdi .sum dir="ltr" data-show="total" { (price(total)) } }
        }
    }
}

/// What went wrong just now. The empty frame stays in the page for what goes wrong in the browser.
fn notice(page: &TransactionPage, strings: &Strings) -> Markup {
    let message = page
        .notice
        .map_or(Message { title: "", text: "" }, |notice| strings.notice(notice, page.payment_type));
    let is_refusal = page.notice == Some(Notice::Declined);
    html! {
        div #notice .notice role="alert" tabindex="-1" autofocus[page.notice.is_some()] hidden[page.notice.is_none()] {
            (symbol::NOTICE)
            div {
                strong #notice-title { (message.title) }
                p #notice-text { (message.text) }
                @if let (true, Some(last)) = (is_refusal, &page.last) {
                    dl #notice-details .details {
                        @if let Some(message) = &last.message {
                            (line(strings.label.gateway_message, &html! { bdi { (message) } }))
                        }
                        (line(strings.label.method, &html! { bdi { (last.method) } }))
                        (line(strings.label.reference_number, &html! { bdi dir="ltr" { (last.reference) } }))
                        (line(strings.label.date, &moment(strings, last.at)))
                    }
                }
            }
        }
    }
}

fn form(page: &TransactionPage, strings: &Strings) -> Markup {
    let depends = depends(page);
    let chosen = chosen(page);
    let is_chosen = |method: &Method| chosen.is_some_and(|chosen| chosen.code == method.code);
    let total = chosen.map_or(page.amount, |method| method.quote.total);
    html! {
        form #pay-form method="post" action=(Route::Pay.path()) {
            input type="hidden" name="session_id" value=(page.session_id);
            input type="hidden" name="language" value=(page.language.as_str());
            @if let Some(field) = &page.amount_field { (amount_field(field, strings)) }
            (way::wallets(page, strings))
            fieldset #methods .methods aria-labelledby="choose-title" {
                @for card in &page.kept {
                    (way::kept(page, card, is_chosen(&card.method)))
                }
                @for method in &page.methods {
                    (way::method(page, method, is_chosen(method)))
                }
            }
            (way::save_card(page, strings))
            button #pay-button .button type="submit" {
                span .spinner aria-hidden="true" {}
                span #pay-busy hidden { (strings.action.connecting) }
                span #pay-label {
                    @if !page.is_paid() {
                        (strings.card.save)
                    } @else if depends {
                        span .depends {
                            span data-show="verb" { (chosen.map_or(strings.action.pay, |method| way::verb(method, strings))) }
                            " " bdi .sum dir="ltr" data-show="button-total" { (price(total)) }
                        }
                        span .steady { (strings.action.pay) }
                    } @else {
                        span data-show="verb" { (chosen.map_or(strings.action.pay, |method| way::verb(method, strings))) }
                        " " bdi .sum dir="ltr" data-show="button-total" { (price(total)) }
                    }
                }
            }
            p #live .unseen role="status" {}
        }
    }
}

/// Where the payer types how much he pays. The limits are said beside it, and what is wrong with it under it.
fn amount_field(field: &AmountField, strings: &Strings) -> Markup {
    let (least, most) = (field.choice.least(), field.choice.most());
    let currency = most.currency();
    html! {
        div .amount {
            label for="amount" { (strings.label.amount_to_pay) }
            span .entry dir="ltr" {
                span aria-hidden="true" { (currency.code()) }
                input #amount type="text" inputmode="decimal" name="amount" dir="ltr" value=(field.typed)
                    autocomplete="off" maxlength="32" required aria-describedby="amount-fault amount-limits"
                    aria-invalid=[field.fault.map(|_| "true")] autofocus[field.fault.is_some()]
                    data-currency=(currency.code()) data-most=(most);
            }
            p #amount-fault .fault role="alert" {
                @if let Some(fault) = field.fault { (strings.amount_fault(fault)) }
            }
            p #amount-limits .quiet {
                (strings.label.amount_from) " " (amount(least)) " " (strings.label.amount_to) " " (amount(most))
            }
        }
    }
}
