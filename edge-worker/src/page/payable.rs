//! The screen on which the payer chooses a method and pays.
//!
//! What depends on the chosen method is rendered for every method ([`Faces`]).

use checkout_core::checkout::page::{PageAmountField, PageMethod, TransactionPage};
use checkout_core::route::{ImageFormat, QrCode, Route};
use checkout_core::strings::screen::ScreenNotice;
use checkout_core::strings::{HeadedText, Strings};
use maud::{Markup, html};

use super::face::{Faces, exchange};
use super::layout::{attachment, data, line, moment};
use super::price::{amount, is_long, parts};
use super::way::Among;
use super::{consent, details, express, flexible, next, symbol, way};

/// The screen.
pub(super) fn draw(page: &TransactionPage) -> Markup {
    let strings = Strings::of(page.language);
    let faces = Faces::of(page);
    html! {
        main #checkout .pay data-language=(page.language.as_str()) data-session-id=(page.session_id)
            data-payment-type=(page.payment_type.as_str()) data-status=(page.status.as_str()) data-status-url=(Route::PayStatus(page.session_id.clone()).path())
            data-expires-at=(page.expires_at.millis()) data-editable[faces.depend()]
            data-price={ (page.amount.currency().code()) " " (page.amount) }
            data-check-url=[page.methods.iter().any(|method| method.asks_first).then(|| Route::SdkCheckOption(page.session_id.clone()).path())]
            data-view-url=[page.is_unseen.then(|| Route::SdkConcur(page.session_id.clone()).path())] {
            (summary(page, &faces, strings))
            section .choose {
                h2 #choose-title { (heading(page, &faces, strings)) }
                (notice(page, strings))
                (form(page, &faces, strings))
                (way::removal(page, strings))
            }
        }
    }
}

fn summary(page: &TransactionPage, faces: &Faces<'_>, strings: &Strings) -> Markup {
    let direction = strings.language.direction();
    let heading = if page.is_paid() { strings.label.pay_to } else { strings.card.save_for };
    html! {
        section .summary aria-label=(strings.label.summary) {
            h1 .payee { (heading) " " bdi { (page.merchant) } }
            p .price {
                @if !page.is_paid() {
                    span .long { (strings.card.no_charge) }
                } @else {
                    (faces.each_cost(|places, method| html! {
                        bdi .sum .long[is_long(&strings.price(method.quote.total))] .face[faces.costs_differ()] .depends[faces.depend()] dir=(direction) data-face=(places) data-part="total" {
                            (parts(strings, method.quote.total))
                        }
                    }))
                    @if faces.costs_differ() || faces.depend() {
                        bdi .sum .steady .long[is_long(&strings.price(page.amount))] dir=(direction) { (parts(strings, page.amount)) }
                    }
                }
            }
            details .fold {
                summary { span .unseen { (strings.label.summary) } }
                dl .lines {
                    @if let Some(order_no) = &page.order_no {
                        (line(strings.label.order_number, &html! { bdi { (order_no) } }))
                    }
                    @if let Some(due_at) = page.due_at {
                        (line(strings.label.due_at, &moment(page, due_at)))
                    }
                    (attachment(page, strings))
                    @if page.is_paid() { (amounts(page, faces, strings)) }
                }
                (details::draw(&page.details, strings))
                @if page.is_last_day {
                    @let open_until = if page.is_paid() { strings.label.open_until } else { strings.card.open_until };
                    p .until { (open_until) " " (moment(page, page.expires_at)) }
                }
            }
            (on_phone(page, strings))
        }
    }
}

/// The address of this page as a code for the camera of a phone, on screens that are none. The picture is
/// fetched when the payer opens it.
fn on_phone(page: &TransactionPage, strings: &Strings) -> Markup {
    let code = QrCode { session_id: page.session_id.clone(), format: ImageFormat::Svg };
    let title = if page.is_paid() { strings.ways.on_phone.title } else { strings.card.on_phone };
    html! {
        details .more.phone {
            summary { (title) }
            p { (strings.ways.on_phone.text) }
            img src=(Route::DrawQrCode(code).path()) alt=(title) width="192" height="192" loading="lazy";
        }
    }
}

/// What each method costs, line by line.
fn amounts(page: &TransactionPage, faces: &Faces<'_>, strings: &Strings) -> Markup {
    html! {
        @if let Some(field) = &page.amount_field {
            @let principal = field.choice.read_typed(&field.typed).unwrap_or(page.amount);
            (line(strings.label.order_amount, &amount(strings, page.amount)))
            div .line.depends {
                dt { (strings.label.amount_to_pay) }
                dd { bdi .sum dir=(strings.language.direction()) data-part="principal" { (strings.price(principal)) } }
            }
        } @else {
            (line(strings.label.amount, &amount(strings, page.amount)))
        }
        (faces.each_cost(|places, method| lines(page, places, method, faces)))
    }
}

/// The lines of one face. The headline is their total.
fn lines(page: &TransactionPage, places: &str, method: &PageMethod, faces: &Faces<'_>) -> Markup {
    let strings = Strings::of(page.language);
    let (rate, converted) = exchange(page, method).unwrap_or_default();
    let fee = Some(method.quote.fee).filter(|fee| !fee.is_zero());
    let fee_label = method.fee_label.as_deref().unwrap_or(strings.label.fee);
    let face = |row: Option<&str>, is_away: bool, label: &Markup, value: &Markup| {
        html! {
            div .line .face[faces.costs_differ()] .depends[faces.depend()] data-face=(places) data-row=[row] hidden[is_away] {
                dt { (label) }
                dd { (value) }
            }
        }
    };
    let direction = strings.language.direction();
    let sum = |part: &str, text: &str| html! { bdi .sum dir=(direction) data-part=(part) { (text) } };
    let rate_value = html! { bdi .sum dir="ltr" data-part="rate" { (rate) } };
    html! {
        @if !rate.is_empty() {
            (face(None, false, &html! { (strings.label.exchange_rate) }, &rate_value))
            (face(None, false, &html! { (strings.label.converted) }, &sum("converted", &converted)))
        }
        @if fee.is_some() || faces.depend() {
            (face(Some("fee"), fee.is_none(), &html! { bdi { (fee_label) } }, &sum("fee", &fee.map(|fee| strings.price(fee)).unwrap_or_default())))
        }
    }
}

/// Whether there is only one way to pay. Where a card is only saved no words name another.
fn has_only_way(page: &TransactionPage) -> bool {
    page.is_paid() && page.saved.is_empty() && page.methods.len() == 1 && page.wallets.is_empty()
}

/// What went wrong just now. The empty frame stays in the page for errors in the browser.
fn notice(page: &TransactionPage, strings: &Strings) -> Markup {
    let is_refusal = page.notice == Some(ScreenNotice::Declined);
    let mut message = page
        .notice
        .map_or(HeadedText { title: "", text: "" }, |notice| strings.notice(notice, page.payment_type));
    if let Some(text) =
        page.notice.and_then(|notice| strings.guide().of_only_way(notice)).filter(|_| has_only_way(page))
    {
        message.text = text;
    }
    let last = page.last.as_ref().filter(|_| is_refusal);
    let mut is_uncharged = false;
    if let Some(text) = last.and_then(|last| strings.decline(last.decline?, page.payment_type)) {
        message.text = text;
        is_uncharged = page.guidance.is_uncharged;
    } else if page.next.is_some() {
        message.text = strings.next().not_approved;
        is_uncharged = page.guidance.is_uncharged;
    }
    let is_calm = page.notice.is_some_and(ScreenNotice::is_calm);
    html! {
        div #notice .notice .calm[is_calm] role=(if is_calm { "status" } else { "alert" }) tabindex="-1" autofocus[page.notice.is_some()] hidden[page.notice.is_none()] {
            (symbol::NOTICE)
            div {
                strong #notice-title { (message.title) }
                p #notice-text { (message.text) @if is_uncharged { " " (strings.guide().not_charged) } }
                (next::draw(page, strings))
                @if let Some(last) = last {
                    details #notice-details .more {
                        summary { (strings.guide().attempt) }
                        dl .details {
                            (line(strings.label.method, &html! { bdi { (last.method) } }))
                            (line(strings.label.reference_number, &html! { bdi dir="ltr" { (last.reference) } }))
                            (line(strings.label.date, &moment(page, last.at)))
                            (data(last))
                        }
                    }
                }
            }
        }
    }
}

fn form(page: &TransactionPage, faces: &Faces<'_>, strings: &Strings) -> Markup {
    html! {
        form #pay-form method="post" action=(Route::Pay.path()) {
            input type="hidden" name="session_id" value=(page.session_id);
            input type="hidden" name="language" value=(page.language.as_str());
            @for method in page.saved.iter().map(|card| &card.method).chain(&page.methods) {
                input type="hidden" name="shown" value=(method.shown(page.amount_field.is_some()));
            }
            @if let Some(field) = &page.amount_field { (amount_field(field, strings)) }
            (express::draw(page, strings))
            fieldset #methods .methods aria-labelledby="choose-title" { (list(page, faces, strings)) }
            (flexible::asked(page, strings))
            (way::save_card(page, strings))
            (consent::draw(page))
            div .bar {
                button #pay-button .button type="submit" {
                    span .spinner aria-hidden="true" {}
                    span #pay-busy hidden { (strings.action.connecting) }
                    span #pay-label { (pay_label(page, faces, strings)) }
                }
            }
            p #live .unseen role="status" {}
        }
    }
}

/// The saved cards together, then the gateways.
fn list(page: &TransactionPage, faces: &Faces<'_>, strings: &Strings) -> Markup {
    let shared = faces.of_all_saved();
    let saved = Among { is_over: false, has_cost: shared.is_none(), faces };
    html! {
        @if let Some(method) = faces.sole() {
            (way::only(page, method, faces))
        } @else {
            @if page.saved.len() > 1 {
                p .group data-cost=[shared.map(|card| &card.code)] {
                    span .name { (strings.ways.saved_cards) }
                    @if let Some(card) = shared { (way::under(page, card, faces)) }
                }
            }
            @for card in &page.saved { (way::saved(page, card, saved)) }
            @for method in &page.methods { (way::method(page, method, Among { has_cost: true, ..saved })) }
        }
    }
}

/// The text of the button: what it does, and the total of the chosen method.
fn pay_label(page: &TransactionPage, faces: &Faces<'_>, strings: &Strings) -> Markup {
    html! {
        @if !page.is_paid() {
            (strings.card.save)
        } @else {
            (faces.each(|place, face| html! {
                span .face[faces.are_many()] .depends[faces.depend()] data-face=(place) {
                    (way::verb(face, faces.are_named, strings, &html! {
                        bdi .sum dir=(strings.language.direction()) data-part="button-total" { (strings.price(face.method.quote.total)) }
                    }))
                }
            }))
            @if faces.are_many() || faces.depend() { span .steady { (strings.action.pay) } }
        }
    }
}

/// The heading over the methods: what there is to choose, or the only one.
fn heading(page: &TransactionPage, faces: &Faces<'_>, strings: &Strings) -> Markup {
    html! {
        @match faces.sole().filter(|_| page.is_paid()) {
            Some(method) if method.is_cash => bdi { (method.name) },
            Some(method) => { (strings.ways.only) " " bdi { (method.name) } },
            None => { (strings.screen(page.status, page.payment_type).title) },
        }
    }
}

/// Where the payer types how much they pay. The limits are written next to the field, and an error under it.
fn amount_field(field: &PageAmountField, strings: &Strings) -> Markup {
    let (least, most) = (field.choice.least(), field.choice.most());
    let currency = most.currency();
    html! {
        div .amount {
            label for="amount" { (strings.label.amount_to_pay) }
            span .entry dir="ltr" {
                span aria-hidden="true" { (strings.sign(currency)) }
                input #amount type="text" inputmode="decimal" name="amount" dir="ltr" value=(field.typed)
                    autocomplete="off" maxlength="32" required aria-describedby="amount-fault amount-limits"
                    aria-invalid=[field.fault.map(|_| "true")] autofocus[field.fault.is_some()]
                    data-currency=(currency.code()) data-most=(most);
            }
            p #amount-fault .fault role="alert" {
                @if let Some(fault) = field.fault { (strings.amount_fault(fault, &field.choice)) }
            }
            p #amount-limits .quiet {
                (strings.label.amount_from) " " (amount(strings, least)) " " (strings.label.amount_to) " " (amount(strings, most))
            }
        }
    }
}
