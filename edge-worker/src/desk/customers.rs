//! A customer, found by the merchant's own id: payments, saved cards, and erasing what is known of them.

use checkout_core::card::SavedCard;
use checkout_core::desk::frame::missing;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{
    CardDeleted, CustomerShown, customer, delete_card, erase_customer, resume_debits,
};
use checkout_core::strings::desk::CustomerWords;
use form_urlencoded::Serializer;
use maud::{Markup, html};

use super::call::{DeskCall, go_to};
use super::customer_logs::{consents, messages};
use super::parts::{fault_list, faults, method, moment};
use super::paused::paused;
use super::payments::table;
use crate::http::Reply;

/// The field that names a customer.
const ID: &str = "customer_id";

/// The address of a customer.
pub(super) fn path_of(id: &str) -> String {
    at(&DeskRoute::Customers, &[(ID, id)])
}

fn at(route: &DeskRoute, pairs: &[(&str, &str)]) -> String {
    let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("{}?{query}", route.path())
}

/// Shows the customer whom the address names, or asks for one.
pub(super) async fn show(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().customer;
    let query = call.query();
    let number = |name| query.get(name).and_then(|text| text.parse::<u64>().ok());
    let count = |name| number(name).unwrap_or_default().to_string();
    let erased = number("erased").map(|_| {
        let named =
            ["erased", "cards", "agreements", "left"].map(|name| (["{", name, "}"].concat(), count(name)));
        named.iter().fold(words.erased.to_owned(), |text, (name, value)| text.replace(name, value))
    });
    let notice = html! {
        @if query.get("deleted").is_some() { p .notice.good role="status" { (words.deleted) } }
        @if query.get("resumed").is_some() { p .notice.good role="status" { (words.resumed) } }
        @if let Some(text) = erased {
            div .notice.good role="status" {
                p { (text) }
                @if number("left").is_some_and(|left| left > 0) { p { (words.left) } }
            }
        }
    };
    draw(call, query.filled(ID).unwrap_or_default(), 200, &notice).await
}

async fn draw(call: &DeskCall<'_>, id: &str, status: u16, notice: &Markup) -> Result<Reply, Failure> {
    let words = &call.words().customer;
    if id.is_empty() {
        let body = html! { h1 { (words.title) } (notice) (form(words, id)) };
        return Ok(call.screen_with(status, words.title, &body));
    }
    let found = match customer(call.edge.as_ref(), call.caller(), id).await {
        Ok(found) => found,
        Err(failure) => {
            let Some(wrong) = faults(&failure) else { return Err(failure) };
            let faults = fault_list(call, call.words().webhooks.faults, &wrong);
            let body = html! { h1 { (words.title) } (faults) (form(words, id)) };
            return Ok(call.screen_with(400, words.title, &body));
        }
    };
    let is_known =
        !found.payments.rows.is_empty() || found.cards.as_ref().is_some_and(|cards| !cards.is_empty());
    let may_erase = missing(call.caller(), &DeskRoute::EraseCustomer).is_none();
    let may_create = missing(call.caller(), &DeskRoute::NewPayment).is_none();
    let body = html! {
        p { a .link href=(DeskRoute::Customers.path()) { (words.title) } }
        div .head {
            h1 { (words.one) " " bdi { (id) } }
            @if may_create {
                a .link href=(at(&DeskRoute::NewPayment, &[(ID, id)])) { (call.words().navigation.new_payment) }
            }
        }
        (notice)
        @if !is_known { p .card { (words.unknown) } (form(words, id)) }
        (payments(call, id, &found))
        @if is_known {
            (cards(call, id, &found))
            (paused(call, id, &found))
            (messages(call, &found))
            (consents(call, &found))
        }
        @if is_known && may_erase { (erasing(call, id)) }
    };
    Ok(call.screen_with(status, words.one, &body))
}

fn form(words: &CustomerWords, id: &str) -> Markup {
    html! {
        form .card method="get" action=(DeskRoute::Customers.path()) {
            div .field {
                label for="find" { (words.id) }
                input id="find" name=(ID) dir="auto" maxlength="64" required autocomplete="off" value=(id) aria-describedby="find-means";
                p .quiet id="find-means" { (words.id_means) }
            }
            div .actions { button .button { (words.find) } }
        }
    }
}

fn payments(call: &DeskCall<'_>, id: &str, found: &CustomerShown) -> Markup {
    let words = &call.words().customer;
    html! {
        @if !found.payments.rows.is_empty() {
            h2 { (words.payments) }
            (table(call, &found.payments, &call.words().payment))
            p { a .link href=(at(&DeskRoute::Payments, &[(ID, id)])) { (words.all_payments) } }
        }
    }
}

fn cards(call: &DeskCall<'_>, id: &str, found: &CustomerShown) -> Markup {
    let words = &call.words().customer;
    html! {
        h2 { (words.cards) }
        @match found.cards.as_deref() {
            None => { p .card { (words.cards_hidden) } }
            Some([]) => { p .card { (words.no_cards) } }
            Some(cards) => {
                div .table {
                    table .stacked {
                        caption .unseen { (words.cards) }
                        thead { tr {
                            @for column in [words.card, words.expiry, words.gateway, words.agreements, words.used, words.delete] { th scope="col" { (column) } }
                        } }
                        tbody { @for saved in cards { (line(call, id, saved)) } }
                    }
                }
            }
        }
    }
}

fn line(call: &DeskCall<'_>, id: &str, saved: &SavedCard) -> Markup {
    let (words, card) = (&call.words().customer, &saved.card);
    html! {
        tr {
            th scope="row" data-label=(words.card) {
                span {
                    bdi dir="ltr" { (card.brand.as_deref().unwrap_or_default()) " " (card.number.as_deref().unwrap_or_default()) }
                    @if card.holder.is_sandbox { " " span .chip.warn { (words.test) } }
                }
            }
            td data-label=(words.expiry) {
                span {
                    bdi .digits dir="ltr" { (card.expiry.month()) "/" (card.expiry.year()) }
                    @if card.expiry.is_over(call.caller().situation.now) { " " span .chip.bad { (words.expired) } }
                }
            }
            td data-label=(words.gateway) { bdi { (method(call, &card.pg_code)) } }
            td data-label=(words.agreements) {
                @if saved.agreements.is_empty() { "–" } @else {
                    span { @for (place, name) in saved.agreements.iter().enumerate() { @if place > 0 { ", " } bdi { (name) } } }
                }
            }
            td data-label=(words.used) { (moment(call, card.used_at)) }
            td data-label=(words.delete) {
                @if saved.agreements.is_empty() {
                    (call.form(&DeskRoute::DeleteCard, &html! {
                        input type="hidden" name=(ID) value=(id);
                        input type="hidden" name="card" value=(card.token.as_str());
                        @if card.holder.is_sandbox { input type="hidden" name="test" value="1"; }
                        button .button.risky { (words.delete) " " span .unseen { bdi dir="ltr" { (card.number.as_deref().unwrap_or_default()) } } }
                    }))
                } @else { "–" }
            }
        }
    }
}

/// The form that erases, for which the id has to be typed again.
fn erasing(call: &DeskCall<'_>, id: &str) -> Markup {
    let words = &call.words().customer;
    html! {
        details .card {
            summary { (words.erase) }
            (call.form(&DeskRoute::EraseCustomer, &html! {
                p { (words.erase_means) }
                input type="hidden" name=(ID) value=(id);
                div .field {
                    label for="confirmed" { (words.repeat) }
                    input id="confirmed" name="confirmed" dir="auto" maxlength="64" required autocomplete="off";
                }
                div .actions { button .button.risky { (words.erase) } }
            }))
        }
    }
}

/// Deletes a card.
pub(super) async fn delete(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let id = call.form.get(ID).unwrap_or_default();
    match delete_card(call.edge.as_ref(), call.caller(), &call.form).await? {
        CardDeleted::Gone => Ok(go_to(at(&DeskRoute::Customers, &[(ID, id), ("deleted", "1")]))),
        CardDeleted::Locked => {
            let notice = html! { p .notice.bad role="alert" { (call.words().customer.locked) } };
            draw(call, id, 400, &notice).await
        }
    }
}

/// Erases what identifies a customer.
pub(super) async fn erase(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let id = call.form.get(ID).unwrap_or_default();
    let Some(done) = erase_customer(call.edge.as_ref(), call.caller(), &call.form).await? else {
        let notice = html! { p .notice.bad role="alert" { (call.words().customer.not_repeated) } };
        return draw(call, id, 400, &notice).await;
    };
    let counts = [
        ("erased", done.erased.to_string()),
        ("cards", done.cards.to_string()),
        ("agreements", done.agreements.to_string()),
        ("left", done.left.to_string()),
    ];
    let pairs: Vec<(&str, &str)> = counts.iter().map(|(name, value)| (*name, value.as_str())).collect();
    // Who has nothing left is not named any more.
    let pairs = pairs.into_iter().chain((done.left > 0).then_some((ID, id))).collect::<Vec<_>>();
    Ok(go_to(at(&DeskRoute::Customers, &pairs)))
}

/// Resumes an agreement.
pub(super) async fn resume(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    resume_debits(call.edge.as_ref(), call.caller(), &call.form).await?;
    let id = call.form.get(ID).unwrap_or_default();
    Ok(go_to(at(&DeskRoute::Customers, &[(ID, id), ("resumed", "1")])))
}
