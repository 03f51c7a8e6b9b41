//! What payments add up to, and the first screen.

use checkout_core::api::read_totals::Days;
use checkout_core::desk::frame::{missing, navigation};
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{MethodTotal, Overview, desk_totals, overview, waiting};
use checkout_core::strings::desk::TotalWords;
use checkout_core::strings::{self, Strings};
use checkout_core::value::money::SumOfMoney;
use checkout_core::value::time::Date;
use form_urlencoded::Serializer;
use futures_util::future::join;
use maud::{Markup, html};

use super::attention;
use super::call::DeskCall;
use super::parts::{fault_list, faults, method, moment};
use super::payments;
use crate::http::Reply;

/// The totals of the days of the address.
pub(super) async fn show(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().totals;
    let given = call.query();
    let filled = given.fields().filter(|(_, value)| !value.trim().is_empty());
    let query = Serializer::new(String::new()).extend_pairs(filled).finish();
    let (status, found, wrong) = match desk_totals(call.edge.as_ref(), call.caller(), &query).await {
        Ok(found) => (200, Some(found), Vec::new()),
        Err(failure) => (400, None, faults(&failure).ok_or(failure)?),
    };
    let body = html! {
        h1 { (words.title) }
        (fault_list(call, words.faults, &wrong))
        (form(call, found.as_ref().map(|found| found.days)))
        @if let Some(found) = &found {
            p .quiet { (words.as_of) " " (moment(call, call.caller().situation.now)) }
            @if found.by_day.is_empty() { p .card { (words.none) } } @else {
                (table(call, words.whole, found.whole.iter().map(|total| (None, total))))
                (table(call, words.by_day, found.by_day.iter().map(|(day, total)| (Some(*day), total))))
            }
        }
    };
    Ok(call.screen_with(status, words.title, &body))
}

fn form(call: &DeskCall<'_>, days: Option<Days>) -> Markup {
    let words = &call.words().totals;
    let query = call.query();
    let value = |name: &str, day: Option<Date>| {
        let given = || query.get(name).unwrap_or_default().to_owned();
        day.map_or_else(given, |day| day.to_string())
    };
    let (from, to) = (days.map(|days| days.from), days.map(|days| days.to));
    html! {
        form .card method="get" action=(DeskRoute::Totals.path()) {
            div .row {
                @for (name, label, day) in [("from", words.from, from), ("to", words.to, to)] {
                    div .field {
                        label for=(name) { (label) }
                        input id=(name) name=(name) type="date" value=(value(name, day));
                    }
                }
                button .button.second { (words.show) }
            }
            p .quiet { (words.means) }
        }
    }
}

fn table<'a>(
    call: &DeskCall<'_>,
    caption: &str,
    rows: impl Iterator<Item = (Option<Date>, &'a MethodTotal)> + Clone,
) -> Markup {
    let words = &call.words().totals;
    let has_days = rows.clone().any(|(day, _)| day.is_some());
    html! {
        div .table {
            table .stacked {
                caption { (caption) }
                thead { tr {
                    @if has_days { th scope="col" { (words.day) } }
                    th scope="col" { (words.method) }
                    @for name in [words.payments, words.paid, words.fees, words.refunded, words.net, words.failed] {
                        th .number scope="col" { (name) }
                    }
                } }
                tbody { @for (day, total) in rows { (line(call, words, day, total)) } }
            }
        }
    }
}

fn line(call: &DeskCall<'_>, words: &TotalWords, day: Option<Date>, total: &MethodTotal) -> Markup {
    let language = call.visit.language;
    let strings = Strings::of(language);
    let figures = &total.figures;
    let sums: [(&str, Option<SumOfMoney>); 4] = [
        (words.paid, Some(figures.paid)),
        (words.fees, Some(figures.fees)),
        (words.refunded, Some(figures.refunded)),
        (words.net, figures.net()),
    ];
    html! {
        tr {
            @if let Some(day) = day {
                th scope="row" data-label=(words.day) { time datetime=(day) { (strings::day(language, &day.to_string())) } }
            }
            td data-label=(words.method) { bdi { (method(call, &total.pg_code)) } }
            td .number data-label=(words.payments) { (count(total)) }
            @for (label, sum) in sums {
                td .number data-label=(label) { bdi .sum { (sum.map_or_else(|| "–".into(), |sum| strings.sum(sum))) } }
            }
            td .number data-label=(words.failed) { bdi .digits { (figures.failed) } }
        }
    }
}

/// How many payments there are, which lead to their list.
fn count(total: &MethodTotal) -> Markup {
    let payments = total.figures.payments;
    html! {
        @if payments > 0 { a href=(list_of(total)) { bdi .digits { (payments) } } }
        @else { bdi .digits { "0" } }
    }
}

fn list_of(total: &MethodTotal) -> String {
    format!("{}?{}", DeskRoute::Payments.path(), total.query)
}

/// The first screen: what was taken, the newest payments, and where the visitor may go.
pub(super) async fn home(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = call.words();
    let name = call.caller().situation.settings.name.text(call.visit.language);
    let may_list = missing(call.caller(), &DeskRoute::Totals).is_none();
    let taken_lately = async {
        if may_list { overview(call.edge.as_ref(), call.caller()).await.map(Some) } else { Ok(None) }
    };
    let (found, waiting) = join(taken_lately, waiting(call.edge.as_ref(), call.caller())).await;
    let (found, waiting) = (found?, waiting?);
    let body = html! {
        h1 { bdi { (name) } }
        (attention::waits(call, &waiting))
        @if let Some(found) = &found {
            (taken(call, found))
            @if !found.newest.rows.is_empty() {
                h2 { (words.totals.newest) }
                (payments::table(call, &found.newest, &words.payment))
                p { a .link href=(DeskRoute::Payments.path()) { (words.totals.all_payments) } }
            }
        }
        @if found.is_none() {
            ul .card {
                @for entry in navigation(call.caller(), words) {
                    li { a .link href=(entry.path) { (entry.label) } }
                }
            }
        }
    };
    Ok(call.screen(words.frame.desk, &body))
}

/// What was taken in each period, by method.
fn taken(call: &DeskCall<'_>, found: &Overview) -> Markup {
    let words = &call.words().totals;
    let language = call.visit.language;
    let strings = Strings::of(language);
    html! {
            @if found.methods.is_empty() { p .card { (words.none) } } @else {
                div .table {
                    table .stacked {
                        caption { (words.taken) }
                        thead { tr {
                            th scope="col" { (words.method) }
                            @for name in words.periods { th .number scope="col" { (name) } }
                        } }
                        tbody { @for periods in &found.methods { tr {
                            @let [total, ..] = periods;
                            th scope="row" data-label=(words.method) { bdi { (method(call, &total.pg_code)) } }
                            @for (label, total) in words.periods.into_iter().zip(periods) {
                                td .number data-label=(label) {
                                    span {
                                        bdi .sum { (strings.sum(total.figures.paid)) } " · " (count(total))
                                    }
                                }
                            }
                        } } }
                    }
                }
            }
            p { a .link href=(DeskRoute::Totals.path()) { (words.title) } }
    }
}
