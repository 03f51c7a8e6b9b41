//! Requests for approval of refunds and voids: who asks for what, and what another person decides.

use checkout_core::approval::Approval;
use checkout_core::approval::stage::ApprovalState;
use checkout_core::desk::approval::state_name;
use checkout_core::desk::form::DeskForm;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{
    ApprovalList, ApprovalOpened, Verdict, VerdictTaken, approval, approvals, decide,
};
use checkout_core::record::audit::Actor;
use checkout_core::strings::Strings;
use checkout_core::strings::desk::ApprovalWords;
use checkout_core::value::id::ApprovalId;
use form_urlencoded::Serializer;
use maud::{Markup, html};

use super::call::{DeskCall, go_to};
use super::list_link::{list_field, with_list, with_list_and};
use super::parts::{fact, fault_list, faults, moment, option, said};
use super::payment::called;
use super::payments::payer;
use crate::http::Reply;

/// The list, as its address filters it: those that wait are above the others.
pub(super) async fn list(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().approval;
    let query = call.query();
    let found = approvals(call.edge.as_ref(), call.caller(), &filters(&query, query.filled("cursor"))).await;
    let (status, list, wrong) = match found {
        Ok(list) => (200, list, Vec::new()),
        Err(failure) => match faults(&failure) {
            Some(wrong) => (400, ApprovalList::default(), wrong),
            None => return Err(failure),
        },
    };
    let path = DeskRoute::Approvals.path();
    let is_all = filters(&query, query.filled("cursor")).is_empty();
    let body = html! {
        div .head {
            h1 { (words.title) }
            a .link href=(DeskRoute::ApprovalPolicy.path()) { (call.words().approval_policy.title) }
        }
        (fault_list(call, call.words().webhooks.faults, &wrong))
        (form(call, &query))
        @if is_all {
            h2 { (words.waiting) }
            @if list.waiting.is_empty() { p .card { (words.none_waiting) } } @else { (table(call, words.waiting, &list.waiting)) }
            @if list.more_wait { p { a .link href={ (path) "?state=asked" } { (words.all_waiting) } } }
            h2 { (words.others) }
        }
        @if !list.rows.is_empty() { (table(call, words.title, &list.rows)) } @else if wrong.is_empty() { p .card { (words.none) } }
        @if let Some(next) = &list.next {
            p { a .link rel="next" href={ (path) "?" (filters(&query, Some(next))) } { (words.older) } }
        }
    };
    Ok(call.screen_with(status, words.title, &body))
}

/// The query of the list: what the form left empty is no filter.
fn filters(query: &DeskForm, cursor: Option<&str>) -> String {
    let given = query.fields().filter(|(name, value)| !value.trim().is_empty() && *name != "cursor");
    let mut written = Serializer::new(String::new());
    written.extend_pairs(given).extend_pairs(cursor.map(|cursor| ("cursor", cursor))).finish()
}

fn form(call: &DeskCall<'_>, query: &DeskForm) -> Markup {
    let (words, of_list) = (&call.words().approval, &call.words().payment);
    html! {
        form .card method="get" action=(DeskRoute::Approvals.path()) {
            @if let Some(payment) = query.filled("session_id") { input type="hidden" name="session_id" value=(payment); }
            div .row {
                div .field {
                    label for="state" { (of_list.state) }
                    select id="state" name="state" {
                        option value="" { (of_list.any) }
                        @for state in ApprovalState::ALL { (option(state.as_str(), state_name(state, words), query.get("state"))) }
                    }
                }
            }
            div .actions { button .button.second { (of_list.filter) } }
        }
    }
}

fn table(call: &DeskCall<'_>, caption: &str, rows: &[Approval]) -> Markup {
    let (words, of_payment) = (&call.words().approval, &call.words().payment);
    html! {
        div .table {
            table .stacked {
                caption .unseen { (caption) }
                thead { tr {
                    @for column in [words.request, of_payment.state, words.asked_by, of_payment.reason, words.asked_at, words.ends, words.payment] {
                        th scope="col" { (column) }
                    }
                } }
                tbody { @for row in rows { (line(call, row)) } }
            }
        }
    }
}

fn line(call: &DeskCall<'_>, row: &Approval) -> Markup {
    let (words, of_payment) = (&call.words().approval, &call.words().payment);
    let is_waiting = row.state == ApprovalState::Asked;
    html! {
        tr {
            th scope="row" data-label=(words.request) {
                a href=(DeskRoute::Approval(ApprovalId(row.id.clone())).path()) { (called(row.operation, row.amount, call)) }
            }
            td data-label=(of_payment.state) { (chip(row.state, words)) }
            td data-label=(words.asked_by) { (person(&row.asked_by)) }
            td data-label=(of_payment.reason) { (reason(call, row)) }
            td data-label=(words.asked_at) {
                span {
                    (moment(call, row.asked_at))
                    @if is_waiting { br; small .quiet { (words.age) " " bdi { (age(call, row)) } } }
                }
            }
            td data-label=(words.ends) { @if is_waiting { (moment(call, row.expires_at)) } @else { "–" } }
            td data-label=(words.payment) {
                a href=(DeskRoute::Payment(row.session_id.clone()).path()) { bdi .sum dir="ltr" { code { (short(row.session_id.as_str())) } } }
            }
        }
    }
}

/// The end of a long id, which is enough to see which one it is.
fn short(id: &str) -> String {
    format!("…{}", id.get(id.len().saturating_sub(8)..).unwrap_or(id))
}

fn age(call: &DeskCall<'_>, row: &Approval) -> String {
    call.words().approval.period(call.caller().situation.now.since(row.asked_at))
}

fn person(by: &Actor) -> Markup {
    html! { bdi { (by.name.as_deref().unwrap_or(&by.id)) } }
}

/// Why it is asked for, with what was noted.
fn reason(call: &DeskCall<'_>, row: &Approval) -> Markup {
    html! {
        @if row.reason.is_none() && row.note.is_none() { "–" } @else {
            span {
                @if let Some(reason) = row.reason { (call.words().operation_reason(reason)) }
                @if row.reason.is_some() && row.note.is_some() { br; }
                @if let Some(note) = &row.note { bdi { (note) } }
            }
        }
    }
}

fn chip(state: ApprovalState, words: &ApprovalWords) -> Markup {
    let look = match state {
        ApprovalState::Done => "chip good",
        ApprovalState::Failed => "chip bad",
        ApprovalState::Asked => "chip warn",
        ApprovalState::Approved => "chip",
        ApprovalState::Rejected | ApprovalState::Withdrawn | ApprovalState::Expired => "chip quiet",
    };
    html! { span class=(look) { (state_name(state, words)) } }
}

/// One request.
pub(super) async fn show(call: &DeskCall<'_>, id: &ApprovalId) -> Result<Reply, Failure> {
    let words = &call.words().approval;
    let query = call.query();
    let news = [
        ("asked", words.news_asked),
        ("approved", words.news_approved),
        ("rejected", words.news_rejected),
        ("withdrawn", words.news_withdrawn),
    ];
    let news = news.into_iter().find(|(name, _)| query.get("news") == Some(name));
    let notice = html! { @if let Some((_, text)) = news { p .notice.good role="status" { (text) } } };
    draw(call, id, 200, &notice).await
}

async fn draw(call: &DeskCall<'_>, id: &ApprovalId, status: u16, notice: &Markup) -> Result<Reply, Failure> {
    let words = &call.words().approval;
    let opened = approval(call.edge.as_ref(), call.caller(), &id.0).await?;
    let title = called(opened.approval.operation, opened.approval.amount, call);
    let body = html! {
        p { a .link href=(DeskRoute::Approvals.path()) { (words.title) } }
        div .head {
            h1 { (title) }
            (chip(opened.approval.state, words))
        }
        (notice)
        div .cards {
            (facts(call, &opened))
            (choices(call, &opened))
        }
    };
    Ok(call.screen_with(status, &title, &body))
}

fn facts(call: &DeskCall<'_>, opened: &ApprovalOpened) -> Markup {
    let (words, strings) = (&call.words().approval, Strings::of(call.visit.language));
    let ApprovalOpened { approval, payment, .. } = opened;
    let is_waiting = approval.state == ApprovalState::Asked;
    let done = approval.decided.approved_by.len();
    let counted = words
        .approvals
        .replace("{done}", &done.to_string())
        .replace("{needed}", &approval.approvers.to_string());
    html! {
        section .card {
            dl .lines {
                (fact(words.payment, &html! {
                    a href=(with_list(call, &DeskRoute::Payment(approval.session_id.clone()))) {
                        @if let Some(payment) = payment {
                            bdi .sum { (strings.price(payment.amount)) }
                            @if let Some(order_no) = &payment.details.order_no { " · " bdi { (order_no) } }
                            " · " bdi { (payer(payment)) }
                        } @else { bdi dir="ltr" { code { (short(approval.session_id.as_str())) } } }
                    }
                }))
                (fact(words.remaining, &html! { bdi .sum { (strings.price(approval.remaining)) } }))
                (fact(words.asked_by, &person(&approval.asked_by)))
                (fact(call.words().payment.reason, &reason(call, approval)))
                (fact(words.asked_at, &moment(call, approval.asked_at)))
                @if is_waiting {
                    (fact(words.age, &html! { bdi { (age(call, approval)) } }))
                    (fact(words.ends, &moment(call, approval.expires_at)))
                }
                (fact(words.approved_by, &html! {
                    bdi .digits { (counted) }
                    @for one in &approval.decided.approved_by { br; (person(&one.by)) ", " (moment(call, one.at)) }
                }))
                @if let Some(by) = &approval.decided.ended_by {
                    (fact(words.ended_by, &html! { (person(by)) ", " (moment(call, approval.changed_at)) }))
                }
                @if let Some(note) = &approval.decided.note { (fact(call.words().payment.note, &html! { bdi { (note) } })) }
                @if let Some(why) = &approval.failure { (fact(words.failure, &html! { bdi { (said(call, why)) } })) }
                @if let Some(reference) = &approval.reference {
                    (fact(words.operation, &html! { code dir="ltr" { (reference.as_str()) } }))
                }
            }
        }
    }
}

/// What the person can do; a form that approves carries the hash of what it showed.
fn choices(call: &DeskCall<'_>, opened: &ApprovalOpened) -> Markup {
    let words = &call.words().approval;
    let id = || ApprovalId(opened.approval.id.clone());
    let may = |verdict| opened.offered.contains(&verdict);
    let is_waiting = opened.approval.state == ApprovalState::Asked;
    let can_be_asked_again = matches!(opened.approval.state, ApprovalState::Failed | ApprovalState::Expired);
    let payment = with_list(call, &DeskRoute::Payment(opened.approval.session_id.clone()));
    html! {
        @if is_waiting || can_be_asked_again {
            section .card {
                @if opened.is_own && is_waiting { p { (words.own) } }
                @if opened.has_approved && is_waiting { p { (words.has_approved) } }
                @if may(Verdict::Approve) {
                    (call.form(&DeskRoute::Approve(id()), &html! {
                        (list_field(call))
                        input type="hidden" name="hash" value=(opened.approval.hash);
                        p .quiet { (words.approve_means) }
                        div .actions { button .button { (words.approve) } }
                    }))
                }
                @if may(Verdict::Reject) {
                    details open[opened.has_approved] {
                        summary { (words.reject) }
                        (call.form(&DeskRoute::Reject(id()), &html! {
                            (list_field(call))
                            div .field {
                                label for="note" { (words.why) }
                                input id="note" name="note" dir="auto" maxlength="500" required autocomplete="off";
                            }
                            div .actions { button .button.risky { (words.reject) } }
                        }))
                    }
                }
                @if may(Verdict::Withdraw) {
                    (call.form(&DeskRoute::Withdraw(id()), &html! {
                        (list_field(call))
                        div .actions { button .button.second { (words.withdraw) } }
                    }))
                }
                @if can_be_asked_again { p { a .link href=(payment) { (words.ask_again) } } }
            }
        }
    }
}

/// Decides about a request as its form asks, and shows what it is then.
pub(super) async fn give(call: &DeskCall<'_>, id: &ApprovalId, verdict: Verdict) -> Result<Reply, Failure> {
    let words = &call.words().approval;
    let (status, text) = match decide(call.edge.as_ref(), call.caller(), &id.0, (verdict, &call.form)).await?
    {
        VerdictTaken::Done => {
            let news = match verdict {
                Verdict::Approve => "approved",
                Verdict::Reject => "rejected",
                Verdict::Withdraw => "withdrawn",
            };
            let shown = DeskRoute::Approval(id.clone());
            return Ok(go_to(with_list_and(call, &shown, &format!("news={news}"))));
        }
        VerdictTaken::Over => (409, words.over),
        VerdictTaken::Own => (403, words.not_own),
        VerdictTaken::NoteMissing => (400, words.note_missing),
    };
    draw(call, id, status, &html! { p .notice.bad role="alert" { (text) } }).await
}
