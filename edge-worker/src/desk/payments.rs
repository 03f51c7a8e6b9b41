//! The list of payments, narrowed by the filters of its address.

use checkout_core::desk::form::{DeskForm, TOKEN};
use checkout_core::desk::frame::missing;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{PaymentList, payments};
use checkout_core::flow::merchant::export;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::state::State;
use checkout_core::strings::Strings;
use checkout_core::strings::desk::PaymentWords;
use checkout_core::transaction::Transaction;
use checkout_core::violation::Violation;
use form_urlencoded::Serializer;
use maud::{Markup, html};

use super::call::DeskCall;
use super::factor::FIELD;
use super::parts::{hidden, moment};
use crate::http::Reply;

/// The filters of the form; the address may have every other one of the listing.
const FILTERS: [&str; 6] = ["search", "state", "created_from", "created_to", "order_no", "pg_code"];

/// The parameter in which the address of a payment has the query of the list that led there.
pub(super) const LIST: &str = "list";

/// Shows the list.
pub(super) async fn list(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().payment;
    let query = filters(call, None);
    let (status, list, found) = match payments(call.edge.as_ref(), call.caller(), &query).await {
        Ok(list) => (200, list, Vec::new()),
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            (400, PaymentList { rows: Vec::new(), next: None }, found)
        }
        Err(failure) => return Err(failure),
    };
    let body = html! {
        div .head {
            h1 { (words.payments) }
            a .link href=(DeskRoute::NewPayment.path()) { (call.words().navigation.new_payment) }
        }
        (form(call, words, &found))
        @if list.rows.is_empty() && found.is_empty() { p .card { (words.none) } }
        @if !list.rows.is_empty() {
            (table(call, &list, words))
            (hidden(call))
            (export_form(call, words))
        }
        @if let Some(next) = &list.next {
            p { a .link rel="next" href={ (DeskRoute::Payments.path()) "?" (filters(call, Some(next))) } { (words.older) } }
        }
    };
    Ok(call.screen_with(status, words.payments, &body))
}

/// The form that exports exactly what the list shows, for those who may.
fn export_form(call: &DeskCall<'_>, words: &PaymentWords) -> Markup {
    let route = DeskRoute::ExportPayments;
    if missing(call.caller(), &route).is_some() {
        return html! {};
    }
    let query = call.query();
    call.form(
        &route,
        &html! {
            @for (name, value) in on(&query) { input type="hidden" name=(name) value=(value); }
            div .actions { button .button.second { (words.export) } }
        },
    )
}

/// Exports what the list of the same filters shows.
pub(super) async fn export(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let filters = on(&call.form).filter(|(name, _)| ![TOKEN, FIELD].contains(name));
    let query = Serializer::new(String::new()).extend_pairs(filters).finish();
    match export::export(call.edge.as_ref(), call.caller(), &query).await {
        Ok(table) => Ok(Reply::table(table)),
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            let words = &call.words().payment;
            Ok(call.screen_with(400, words.payments, &html! { h1 { (words.payments) } (faults(&found)) }))
        }
        Err(failure) => Err(failure),
    }
}

/// What is wrong with the filters, each by its name.
fn faults(found: &[Violation]) -> Markup {
    html! {
        @for violation in found {
            p .fault role="alert" lang="en" dir="ltr" { (violation.path) ": " (violation.rule) }
        }
    }
}

/// The filters that are on: what a form left empty is none.
fn on(form: &DeskForm) -> impl Iterator<Item = (&str, &str)> {
    form.fields().filter(|(name, value)| !value.trim().is_empty() && !["cursor", "limit"].contains(name))
}

/// The query of the listing: what the form left empty is no filter.
fn filters(call: &DeskCall<'_>, cursor: Option<&str>) -> String {
    let query = call.query();
    let given = on(&query);
    let cursor = cursor.or_else(|| query.filled("cursor"));
    Serializer::new(String::new())
        .extend_pairs(given)
        .extend_pairs(cursor.map(|cursor| ("cursor", cursor)))
        .finish()
}

fn form(call: &DeskCall<'_>, words: &PaymentWords, found: &[Violation]) -> Markup {
    let query = call.query();
    let value = |name: &str| query.get(name).unwrap_or_default().to_owned();
    let settings = &call.caller().situation.settings;
    html! {
        form .card method="get" action=(DeskRoute::Payments.path()) {
            // A filter of the address that the form does not have goes on with it.
            @for (name, given) in query.fields() {
                @if !FILTERS.contains(&name) && name != "cursor" { input type="hidden" name=(name) value=(given); }
            }
            div .field {
                label for="search" { (words.search) }
                input id="search" name="search" type="search" value=(value("search")) aria-describedby="search-hint" dir="auto";
                p #search-hint .quiet { (words.search_hint) }
            }
            div .row {
                div .field {
                    label for="state" { (words.state) }
                    select id="state" name="state" {
                        option value="" { (words.any) }
                        @for state in State::ALL {
                            option value=(state.as_str()) selected[value("state") == state.as_str()] { (words.state_name(state)) }
                        }
                    }
                }
                div .field {
                    label for="pg_code" { (words.method) }
                    select id="pg_code" name="pg_code" {
                        option value="" { (words.any_method) }
                        @for profile in &settings.gateways {
                            option value=(profile.code.as_str()) selected[value("pg_code") == profile.code.as_str()] {
                                (profile.name.text(call.visit.language))
                            }
                        }
                    }
                }
                @for (name, label, kind) in [("created_from", words.from, "date"), ("created_to", words.to, "date"), ("order_no", words.order_no, "text")] {
                    div .field {
                        label for=(name) { (label) }
                        input id=(name) name=(name) type=(kind) value=(value(name));
                    }
                }
            }
            (faults(found))
            div .actions { button .button.second { (words.filter) } }
            (active(call, words))
        }
    }
}

/// The filters that are on, as the API names them, and the way to the list without them.
fn active(call: &DeskCall<'_>, words: &PaymentWords) -> Markup {
    let query = call.query();
    let on: Vec<(&str, &str)> = on(&query).collect();
    html! {
        @if !on.is_empty() {
            p {
                (words.filters) ": "
                @for (name, value) in on { bdi .chip { (name) ": " (value) } " " }
                a .link href=(DeskRoute::Payments.path()) { (words.all) }
            }
        }
    }
}

/// The rows of a page.
pub(super) fn table(call: &DeskCall<'_>, list: &PaymentList, words: &PaymentWords) -> Markup {
    let strings = Strings::of(call.visit.language);
    let back = Serializer::new(String::new()).append_pair(LIST, &filters(call, None)).finish();
    html! {
        div .table {
            table .stacked {
                caption .unseen { (words.payments) }
                thead {
                    tr {
                        @for column in [words.created, words.state, words.amount, words.order_no, words.payer] {
                            th scope="col" { (column) }
                        }
                    }
                }
                tbody {
                    @for (transaction, state) in &list.rows {
                        tr {
                            td data-label=(words.created) {
                                a href={ (DeskRoute::Payment(transaction.session_id.clone()).path()) "?" (back) } {
                                    (moment(call, transaction.created_at))
                                }
                            }
                            td data-label=(words.state) { (chip(*state, words)) }
                            td .number data-label=(words.amount) { bdi .sum { (strings.price(transaction.amount)) } }
                            td data-label=(words.order_no) { bdi { (transaction.details.order_no.as_deref().unwrap_or("–")) } }
                            td data-label=(words.payer) { bdi { (payer(transaction)) } }
                        }
                    }
                }
            }
        }
    }
}

/// A state, in the colour of what it means.
pub(super) fn chip(state: State, words: &PaymentWords) -> Markup {
    let look = match state {
        State::Paid | State::Authorized | State::Cod => "chip good",
        State::Failed => "chip bad",
        State::Created | State::Pending | State::Attempted => "chip",
        State::Canceled | State::Expired | State::Invalided | State::Refunded => "chip quiet",
    };
    html! { span class=(look) { (words.state_name(state)) } }
}

/// Who pays.
pub(super) fn payer(transaction: &Transaction) -> String {
    let details = &transaction.details;
    let names = [details.customer_first_name.as_deref(), details.customer_last_name.as_deref()];
    let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if name.is_empty() { details.customer_email.clone().unwrap_or_else(|| "–".into()) } else { name }
}
