//! From a route to its flow, and from the flow's result to a reply.

use std::rc::Rc;

use checkout_core::access::Action;
use checkout_core::api::{self, update_transaction};
use checkout_core::draft::request;
use checkout_core::draft::writable::is_known;
use checkout_core::flow::card::Shape;
use checkout_core::flow::merchant::update::{self, Extent};
use checkout_core::flow::merchant::{create, inquiry, list, payment_methods, retrieve};
use checkout_core::flow::{Failure, identify, settle};
use checkout_core::gateway::exchange;
use checkout_core::port::World;
use checkout_core::record::return_token::ReturnToken;
use checkout_core::rejection::{PROBLEMS, Rejection};
use checkout_core::route::{Audience, Match, QrCode, Route, find};
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_core::words::{Language, Wallet};
use worker::Context;

use crate::delivery::deliver_later;
use crate::edge::Edge;
use crate::http::{Incoming, Reply, of_caller};
use crate::{
    card, cors, enclosure, logging, merchant_side, native, operator, page, page_side, payer, receipt, wallet,
};

/// The most bytes of a gateway's callback.
const MAX_CALLBACK_BYTES: usize = 65_536;
/// The most bytes of a report about the page's policy.
const MAX_REPORT_BYTES: usize = 16_384;

/// Answers one request with the reply and, for the log, the name of its route.
pub(crate) async fn answer(
    edge: &Rc<Edge>,
    context: &Context,
    mut incoming: Incoming,
) -> (&'static str, Reply) {
    let answer = answer_head(edge, context, &mut incoming).await;
    incoming.let_go().await;
    answer
}

async fn answer_head(edge: &Rc<Edge>, context: &Context, incoming: &mut Incoming) -> (&'static str, Reply) {
    #[cfg(feature = "sandbox")]
    if incoming.path.starts_with(crate::sandbox::PATH) {
        return ("sandbox", crate::simulated::page(edge, context, incoming).await);
    }
    if incoming.method == "OPTIONS"
        && let Some(reply) = cors::preflight(edge, incoming).await
    {
        return ("preflight", reply);
    }
    let route = match find(&incoming.method, &incoming.path) {
        Match::Route(route) => route,
        Match::WrongMethod { allow } => {
            let rejection = Rejection::MethodNotAllowed { allow };
            return ("wrong_method", Reply::problem(edge, &rejection, &incoming.request_id));
        }
        Match::Nothing => {
            return ("nothing", Reply::problem(edge, &Rejection::NotFound, &incoming.request_id));
        }
    };
    let facts = route.facts();
    if let Some(patience) = route.patience(incoming.header("origin").is_some()) {
        edge.hurry(patience);
    }
    let called = route.called_from_pages_of().cloned();
    let is_browser = facts.audience == Audience::Payer;
    let reply = match run(edge, context, incoming, route).await {
        Ok(reply) => reply,
        Err(failure) if is_browser && !incoming.wants_json() => {
            payer::refuse(rejection_of(&failure, &incoming.request_id))
        }
        Err(failure) => refuse(edge, &failure, &incoming.request_id),
    };
    let reply = with_accepted(&incoming.method, reply);
    let reply = match called.or_else(|| incoming.called.take()) {
        Some(session_id) => cors::with_origin(edge, incoming, &session_id, reply).await,
        None => reply,
    };
    (facts.name, reply)
}

/// A refused media type, with the header that names the accepted types for the method (RFC 5789;
/// `Accept-Post` of the Linked Data Platform).
fn with_accepted(method: &str, mut reply: Reply) -> Reply {
    let list = reply.headers.iter().find(|(name, _)| *name == "accept").map(|(_, list)| list.clone());
    match (list, method) {
        (Some(list), "POST") => reply.headers.push(("accept-post", list)),
        (Some(list), "PATCH") => reply.headers.push(("accept-patch", list)),
        _ => {}
    }
    reply
}

/// The reply if a flow gave no answer.
fn refuse(edge: &Edge, failure: &Failure, request_id: &str) -> Reply {
    Reply::problem(edge, rejection_of(failure, request_id), request_id)
}

/// What a caller is shown of a failure; what failed outside is only logged.
fn rejection_of<'f>(failure: &'f Failure, request_id: &str) -> &'f Rejection {
    match failure {
        Failure::Refused(rejection) => rejection,
        Failure::World(error) => {
            logging::failed(request_id, error);
            &Rejection::Unavailable
        }
    }
}

async fn run(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    route: Route,
) -> Result<Reply, Failure> {
    match route {
        Route::CreateTransaction => create(edge, context, incoming).await,
        Route::ListTransactions => {
            let body = list::list(edge.as_ref(), &incoming.credential(), incoming.query()).await?;
            Ok(Reply::json(200, body))
        }
        Route::RetrieveTransaction(session_id) => {
            let answer = retrieve::retrieve(edge.as_ref(), &incoming.credential(), &session_id).await?;
            let named = incoming.header("if-none-match");
            let is_known = named.is_some_and(|named| is_known(&named, &answer.tag));
            let reply = if is_known { Reply::empty(304) } else { Reply::json(200, answer.body) };
            Ok(reply.with("etag", answer.tag))
        }
        Route::ReplaceTransaction(session_id) => update(edge, incoming, session_id, Extent::Full).await,
        Route::PatchTransaction(session_id) => update(edge, incoming, session_id, Extent::Partial).await,
        Route::UploadAttachment => enclosure::upload(edge, incoming).await,
        Route::DownloadAttachment(name) => enclosure::download(edge, &name, &incoming.request_id).await,
        Route::ShortLink(code) => enclosure::follow(edge, &code).await,
        Route::DrawQrCode(QrCode { session_id, format }) => {
            enclosure::qr_code(edge, &session_id, format).await
        }
        Route::ListMethods => list_methods(edge, incoming).await,
        Route::PayByApplePay => native::pay(edge, context, incoming, Some(Wallet::ApplePay)).await,
        Route::PayByGooglePay => native::pay(edge, context, incoming, Some(Wallet::GooglePay)).await,
        Route::PayInCash => native::pay(edge, context, incoming, None).await,
        Route::Operate => merchant_side::operate(edge, context, incoming).await,
        Route::ListCards => card::list(edge, incoming).await,
        Route::DeleteCard(token) => card::delete(edge, incoming, &token).await,
        Route::Inquire => inquire(edge, context, incoming).await,
        Route::AutoDebit => card::auto_debit(edge, context, incoming, Shape::Native).await,
        Route::OlderAutoDebit => card::auto_debit(edge, context, incoming, Shape::Notification).await,
        Route::SdkSubmitToken => card::submit_token(edge, context, incoming).await,
        Route::SdkPayByApplePay => wallet::pay(edge, context, incoming, Wallet::ApplePay).await,
        Route::SdkPayByGooglePay => wallet::pay(edge, context, incoming, Wallet::GooglePay).await,
        Route::SdkAppleSession => wallet::start_session(edge, incoming).await,
        Route::SdkDeleteCard(session_id, token) => card::forget(edge, &session_id, &token).await,
        Route::CheckoutPage => payer::open_page(edge, context, incoming).await,
        Route::Pay => payer::pay(edge, context, incoming).await,
        Route::PayStatus(session_id) => payer::status(edge, &session_id).await,
        Route::SdkInit(session_id) => page_side::init(edge, incoming, &session_id).await,
        Route::SdkConcur(session_id) => page_side::concur(edge, incoming, &session_id).await,
        Route::SdkSubmit(session_id) => page_side::submit(edge, context, incoming, &session_id).await,
        Route::SdkCancel(session_id) => page_side::cancel(edge, context, incoming, &session_id).await,
        Route::GatewayReturn(reference, token) => {
            come_back(edge, context, incoming, (&reference, token)).await
        }
        Route::GatewayReturnBare(reference) => come_back(edge, context, incoming, (&reference, None)).await,
        Route::GatewayCallback(reference) => {
            let body = incoming.body(MAX_CALLBACK_BYTES).await?;
            let request = exchange::Incoming { status: 0, headers: incoming.headers(), body };
            call_back(edge, context, &reference, &request).await?;
            Ok(Reply::json(200, r#"{"received":true}"#.into()))
        }
        Route::PolicyReport => {
            let body = incoming.body(MAX_REPORT_BYTES).await?;
            logging::policy_reports(&incoming.request_id, &body);
            Ok(Reply::empty(204))
        }
        Route::Receipt(session_id) => receipt::download(edge, &session_id).await,
        Route::PublicKeys => receipt::public_keys(edge).await,
        Route::Problem(code) => Ok(problem_page(&code)),
        Route::Health => {
            let (version, has_sandbox) = (env!("CARGO_PKG_VERSION"), cfg!(feature = "sandbox"));
            let body = format!(r#"{{"status":"ok","version":"{version}","sandbox":{has_sandbox}}}"#);
            Ok(Reply::json(200, body))
        }
        Route::Operator(route) => operator::answer(edge, incoming, route).await,
    }
}

async fn come_back(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &Incoming,
    (reference, token): (&ReferenceNumber, Option<ReturnToken>),
) -> Result<Reply, Failure> {
    let language = incoming.parameter("language").and_then(|text| Language::parse(&text));
    payer::come_back(edge, context, (reference, token.as_ref()), language).await
}

async fn create(edge: &Rc<Edge>, context: &Context, incoming: &mut Incoming) -> Result<Reply, Failure> {
    // The body is read first, so that the connection of a refused caller is not closed while the caller still
    // sends.
    let form = incoming.record_body(request::MAX_BODY_BYTES, request::Request::NAMES).await;
    let credential = incoming.credential();
    let form = of_caller(form, identify(edge.as_ref(), &credential, Action::Create)).await?;
    let idempotency_key = incoming.header("idempotency-key");
    let input = create::Input {
        credential,
        idempotency_key: idempotency_key.as_deref(),
        body: &form.json,
        file: form.file(),
        wrong: &form.wrong,
    };
    let answer = create::create(edge.as_ref(), input).await?;
    let location = answer.location(&edge.installation().public_url);
    for id in answer.deliveries {
        deliver_later(edge, context, id);
    }
    let reply = Reply::json(answer.status, answer.body);
    let reply = match location {
        Some(location) => reply.with("location", location),
        None => reply,
    };
    let reply = match answer.tag {
        Some(tag) => reply.with("etag", tag),
        None => reply,
    };
    Ok(if answer.is_replayed { reply.with("idempotent-replayed", "true") } else { reply })
}

async fn update(
    edge: &Edge,
    incoming: &mut Incoming,
    session_id: SessionId,
    extent: Extent,
) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let form = incoming.record_body(update_transaction::MAX_BODY_BYTES, request::Request::NAMES).await;
    let form = of_caller(form, identify(edge, &credential, Action::Update)).await?;
    let if_match = incoming.header("if-match");
    let input = update::Input {
        credential,
        session_id,
        extent,
        if_match: if_match.as_deref(),
        body: &form.json,
        file: form.file(),
        wrong: &form.wrong,
    };
    let answer = update::update(edge, input).await?;
    Ok(Reply::json(200, answer.body).with("etag", answer.tag))
}

async fn list_methods(edge: &Edge, incoming: &mut Incoming) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let body = incoming.json_body(api::payment_methods::MAX_BODY_BYTES).await;
    let body = of_caller(body, identify(edge, &credential, Action::ListMethods)).await?;
    Ok(Reply::json(200, payment_methods::list(edge, &credential, &body).await?))
}

/// Answers an inquiry; the requested notification is sent after the answer.
async fn inquire(edge: &Rc<Edge>, context: &Context, incoming: &mut Incoming) -> Result<Reply, Failure> {
    let credential = incoming.credential();
    let body = incoming.json_body(api::inquiry::MAX_BODY_BYTES).await;
    let body = of_caller(body, identify(edge.as_ref(), &credential, Action::Inquire)).await?;
    let answer = inquiry::inquire(edge.as_ref(), &credential, &body).await?;
    for id in answer.deliveries {
        deliver_later(edge, context, id);
    }
    Ok(Reply::json(200, answer.body))
}

fn problem_page(code: &str) -> Reply {
    let problem = PROBLEMS.iter().find(|problem| problem.code == code);
    payer::reply(page::render_problem(problem))
}

/// Takes a gateway's report; the merchant is notified after the gateway has its answer.
async fn call_back(
    edge: &Rc<Edge>,
    context: &Context,
    reference: &ReferenceNumber,
    request: &exchange::Incoming,
) -> Result<(), Failure> {
    for id in settle::call_back(edge.as_ref(), reference, request).await? {
        deliver_later(edge, context, id);
    }
    Ok(())
}
