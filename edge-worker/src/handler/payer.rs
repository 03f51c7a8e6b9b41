//! What the payer's browser asks for: the page, the payment, the return from the bank.

use checkout_core::api::pay::{PayForm, Removal};
use checkout_core::checkout::page::{PageView, SentForm};
use checkout_core::flow::Failure;
use checkout_core::flow::card;
use checkout_core::flow::payer::forward::{self, Forward};
use checkout_core::flow::payer::open_page::{Viewer, Visit};
use checkout_core::flow::payer::{come_back as back, open_page, pay as pay_flow};
use checkout_core::gateway::exchange::Returned;
use checkout_core::port::World;
use checkout_core::record::return_token::ReturnToken;
use checkout_core::rejection::{PROBLEMS, Rejection};
use checkout_core::route::Route;
use checkout_core::sdk::payment::Redirection;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_core::words::{Language, Wallet};

use crate::call::Call;
use crate::delivery::{deliver_earlier, deliver_while_waiting};
use crate::http::{Incoming, Reply};
use crate::page::{self, Nothing, published};

/// What a browser is shown if there is no page to show: what went wrong, in the payer's language.
pub(crate) fn refuse(rejection: &Rejection, head: &Incoming) -> Reply {
    let is_same = matches!(rejection, Rejection::NotFound | Rejection::MethodNotAllowed { .. });
    let is_asked_again = matches!(head.method.as_str(), "GET" | "HEAD");
    let page = Reply::page(page::render_nothing(&Nothing {
        language: shown_language(head),
        status: rejection.status(),
        code: rejection.code(),
        has_link: is_asked_again && is_same,
    }));
    let page = if let Rejection::MethodNotAllowed { allow } = rejection {
        page.with("allow", allow.clone())
    } else {
        page
    };
    match rejection.retry_after() {
        Some(seconds) => page.with("retry-after", seconds.to_string()),
        None => page,
    }
}

/// The page of a problem code.
pub(crate) fn problem(code: &str) -> Reply {
    let problem = PROBLEMS.iter().find(|problem| problem.code == code);
    Reply::page(page::render_problem(problem))
}

/// The hosted page. At the address of its refresh, a payer is redirected if the merchant's receiver permits
/// it.
pub(crate) async fn open_page(call: &Call<'_>) -> Result<Reply, Failure> {
    let (edge, head) = (call.edge, call.head);
    if head.parameter(published::SAMPLE).is_some() {
        return Ok(Reply::page(published::sample(&edge.installation().public_url)));
    }
    let session_id = head.parameter("session_id").and_then(|text| SessionId::parse(&text));
    let refreshes = head.parameter("onward").and_then(|text| text.parse::<u8>().ok()).unwrap_or(0);
    if let Some(session_id) = session_id.as_ref().filter(|_| refreshes > 0)
        && let Some(url) = go_on(call, session_id).await?
    {
        return Ok(Reply::see_other(url));
    }
    let asked = head.parameter("pg_code");
    let visit = Visit {
        language: language(head),
        accepted: accepted(head),
        asked: asked.as_deref(),
        sent: None,
        is_replaced: head.parameter("replaced").is_some(),
        is_repriced: head.parameter("repriced").is_some(),
        viewer: viewer(head),
    };
    let mut view = open_page::open_page(edge.as_ref(), session_id.as_ref(), visit).await?;
    match &mut view {
        PageView::Transaction(page) => {
            page.refreshes = refreshes;
            if is_in_app(head) {
                page.wallets.retain(|button| button.wallet != Wallet::GooglePay);
            }
        }
        PageView::NotFound { .. } => return Ok(refuse(&Rejection::NotFound, head)),
    }
    Ok(Reply::page(page::render(&view, &edge.installation().public_url)))
}

/// Whether an app on Android shows the page inside itself. Such a browser has no `PaymentRequest`, and the place
/// that the page would reserve for Google Pay would stay empty.
fn is_in_app(head: &Incoming) -> bool {
    head.header("user-agent").is_some_and(|agent| agent.contains("; wv)"))
}

/// The language of a page that belongs to no transaction: the one that its address names, or the one that the
/// browser prefers.
fn shown_language(head: &Incoming) -> Language {
    Language::of_page(language(head), None, accepted(head))
}

/// The language that the browser prefers.
fn accepted(head: &Incoming) -> Option<Language> {
    head.header("accept-language").and_then(Language::accepted)
}

/// The language that the address names.
fn language(head: &Incoming) -> Option<Language> {
    head.parameter("language").and_then(|text| Language::parse(&text))
}

/// Whether a person navigates to the page, as far as the browser says so. Previews of links and scanners do
/// not, nor does a browser that loads it in advance; for one that does not say, the page's script reports the
/// view.
fn viewer(incoming: &Incoming) -> Viewer {
    let says = |name: &str, word: &str| incoming.header(name).is_some_and(|value| value.contains(word));
    let is_ahead = says("sec-purpose", "prefetch") || says("purpose", "prefetch");
    let is_person = incoming.method == "GET" && says("sec-fetch-dest", "document") && !is_ahead;
    if is_person { Viewer::Person } else { Viewer::Unknown }
}

/// Whether the script of the page or of an SDK asks, and not a client that only checks whether the address
/// answers.
pub(crate) fn viewer_of_script(incoming: &Incoming) -> Viewer {
    if incoming.method == "HEAD" { Viewer::Unknown } else { Viewer::Person }
}

/// Where the payer of an ended transaction is redirected, if the merchant's receiver permits it within the
/// time that a browser waits.
async fn go_on(call: &Call<'_>, session_id: &SessionId) -> Result<Option<String>, Failure> {
    let edge = call.edge;
    if let Some(awaited) = back::awaited(edge.as_ref(), session_id).await? {
        deliver_while_waiting(edge, call.context, &awaited).await;
    }
    back::merchant_address(edge.as_ref(), session_id).await
}

/// The payer chose a method. The page's script gets JSON; a browser gets 303, or the page again with what is
/// wrong.
pub(crate) async fn pay(call: &Call<'_>) -> Result<Reply, Failure> {
    if let Some(removal) = Removal::parse(call.bytes()) {
        return remove_card(call, &removal).await;
    }
    if let Some(form) = PayForm::shown(call.bytes()) {
        return show_again(call, &form, None).await;
    }
    let form = PayForm::parse(call.bytes());
    match pay_flow::pay(call.edge.as_ref(), &form).await {
        Ok(directed) => {
            deliver_earlier(call.edge, call.context, &directed.deliveries);
            if call.head.wants_json() {
                return Ok(Reply::of_texts(&Redirection { redirect_url: directed.url }));
            }
            Ok(Reply::see_other(directed.url))
        }
        Err(Failure::Refused(refused)) if !call.head.wants_json() => {
            show_again(call, &form, Some(&refused.rejection)).await
        }
        Err(failure) => Err(failure),
    }
}

/// The payer removed a saved card: they see the page without it, or why it stays.
async fn remove_card(call: &Call<'_>, removal: &Removal) -> Result<Reply, Failure> {
    let Removal { form, token } = removal;
    let session_id = form.session_id.as_ref().ok_or(Rejection::NotFound)?;
    match card::delete_of_payer(call.edge.as_ref(), session_id, token).await {
        Ok(()) => {
            let start = Route::CheckoutPage.path();
            let language = form.language.map(|language| format!("&language={}", language.as_str()));
            Ok(Reply::see_other(format!("{start}?session_id={session_id}{}", language.unwrap_or_default())))
        }
        Err(Failure::Refused(refused)) => show_again(call, form, Some(&refused.rejection)).await,
        Err(failure) => Err(failure),
    }
}

/// The page with what the payer chose and typed: why the form was refused, or the same in another language.
async fn show_again(call: &Call<'_>, form: &PayForm, refusal: Option<&Rejection>) -> Result<Reply, Failure> {
    let edge = call.edge;
    let visit = Visit {
        language: form.language,
        accepted: accepted(call.head),
        sent: Some(SentForm { form, refusal }),
        ..Visit::PERSON
    };
    let view = open_page::open_page(edge.as_ref(), form.session_id.as_ref(), visit).await?;
    let rendered = Reply::page(page::render(&view, &edge.installation().public_url));
    let Some(refusal) = refusal else { return Ok(rendered) };
    let rendered = Reply { status: refusal.status(), ..rendered };
    Ok(match refusal.retry_after() {
        Some(seconds) => rendered.with("retry-after", seconds.to_string()),
        None => rendered,
    })
}

/// The state of the payment.
pub(crate) async fn status(call: &Call<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    Ok(Reply::of_texts(&open_page::status(call.edge.as_ref(), session_id).await?))
}

/// The payer comes back from the bank: the outcome is asked for, the merchant is notified while the browser
/// waits, and the answer of the merchant's receiver decides where the browser goes. The browser waits only
/// for a limited time; the delivery continues without it.
pub(crate) async fn come_back(
    call: &Call<'_>,
    reference: &ReferenceNumber,
    token: Option<&ReturnToken>,
) -> Result<Reply, Failure> {
    let edge = call.edge;
    let fields =
        form_urlencoded::parse(call.head.query().as_bytes()).chain(form_urlencoded::parse(call.bytes()));
    let fields = fields.take(Returned::MAX_FIELDS);
    let fields = fields.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    if let Some(awaited) = back::come_back(edge.as_ref(), reference, token, &Returned { fields }).await? {
        deliver_while_waiting(call.edge, call.context, &awaited).await;
    }
    Ok(Reply::see_other(back::destination(edge.as_ref(), reference, language(call.head)).await?))
}

/// The payer goes on to a page of the gateway: by a form, or at an address.
pub(crate) async fn forward(
    call: &Call<'_>,
    reference: &ReferenceNumber,
    token: Option<&ReturnToken>,
) -> Result<Reply, Failure> {
    let forward =
        forward::forward(call.edge.as_ref(), reference, token, language(call.head), accepted(call.head));
    Ok(match forward.await? {
        Forward::Form { form, language, is_test } => {
            Reply::page(page::render_forward(&form, language, is_test))
        }
        Forward::Address(url) => Reply::see_other(url),
    })
}
