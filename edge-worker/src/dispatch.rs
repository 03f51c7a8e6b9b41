//! From a route to its flow, and from the flow's result to a reply.

use std::rc::Rc;

use checkout_core::answer::health::HealthAnswer;
use checkout_core::answer::oauth::TokenRefusal;
use checkout_core::flow::card::DebitAnswerShape;
use checkout_core::flow::merchant::update::Extent;
use checkout_core::flow::report::gateway::ReportAddress;
use checkout_core::flow::{Failure, answer_proved};
#[cfg(feature = "desk")]
use checkout_core::port::World;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::route::{EndpointAudience, EndpointFacts, Match, QrCode, Refusals, Route};
use checkout_core::words::Wallet;
use worker::Context;

use crate::call::{Call, Received};
use crate::edge::Edge;
use crate::guard::cors;
use crate::handler::account;
use crate::handler::approval;
use crate::handler::attachment;
use crate::handler::attention;
use crate::handler::card;
use crate::handler::front;
use crate::handler::gateway;
use crate::handler::merchant;
use crate::handler::native;
use crate::handler::operator;
use crate::handler::payer;
use crate::handler::published;
use crate::handler::receipt;
use crate::handler::sdk;
use crate::handler::token;
use crate::handler::transaction;
use crate::handler::wallet;
use crate::http::{Incoming, Reply};
use crate::logging;

/// Answers one request with the reply and, for the log, the name of its route.
pub(crate) async fn answer(
    edge: &Rc<Edge>,
    context: &Context,
    mut incoming: Incoming,
    found: Match,
) -> (&'static str, Reply) {
    #[cfg(feature = "desk")]
    if edge.installation().is_desk(&incoming.address) {
        let answer = crate::desk::answer(edge, context, &mut incoming).await;
        incoming.let_go().await;
        return answer;
    }
    let answer = answer_head(edge, context, &mut incoming, found).await;
    incoming.let_go().await;
    answer
}

async fn answer_head(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &mut Incoming,
    found: Match,
) -> (&'static str, Reply) {
    #[cfg(feature = "sandbox")]
    if incoming.path.starts_with(crate::sandbox::PATH) {
        return ("sandbox", crate::handler::simulated::page(edge, context, incoming).await);
    }
    if let Some(answer) = front::answer(edge, incoming).await {
        return answer;
    }
    if incoming.method == "OPTIONS"
        && let Some(reply) = cors::preflight(edge, incoming).await
    {
        return ("preflight", reply);
    }
    let route = match found {
        Match::Route(route) => route,
        Match::WrongMethod { allow } => {
            let rejection = Rejection::MethodNotAllowed { allow };
            if incoming.navigates() {
                return ("wrong_method", payer::refuse(&rejection, incoming));
            }
            return ("wrong_method", Reply::problem(edge, rejection, &incoming.request_id));
        }
        Match::Nothing => {
            if incoming.navigates() {
                return ("nothing", payer::refuse(&Rejection::NotFound, incoming));
            }
            return ("nothing", Reply::problem(edge, Rejection::NotFound, &incoming.request_id));
        }
    };
    let facts = route.facts();
    // The transaction whose merchant says which pages may read the answer.
    let of_address = route.called_from_pages_of().cloned();
    let answered = match Received::read(edge, context, incoming, &route).await {
        Ok(received) => {
            let mut is_again = false;
            let answer = async || {
                let call = received.identify(core::mem::replace(&mut is_again, true)).await?;
                run(&call, &route).await
            };
            answer_proved(edge.as_ref(), answer).await
        }
        Err(failure) => Err(failure),
    };
    // A flood is refused without asking the database who may read that.
    let is_flood = matches!(
        &answered,
        Err(Failure::Refused(RefusedRequest {
            rejection: Rejection::TooManyRequests { .. },
            operation: None,
            about: None
        }))
    );
    let reply = answered.unwrap_or_else(|failure| refuse(edge, incoming, &facts, failure));
    let reply = with_accepted(&incoming.method, reply);
    let reply = match of_address.or_else(|| incoming.called.take()).filter(|_| !is_flood) {
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

/// The reply if a flow gave no answer, in the form that its reader expects; what failed outside is only logged.
fn refuse(edge: &Edge, incoming: &Incoming, facts: &EndpointFacts, failure: Failure) -> Reply {
    logging::failure(&incoming.request_id, &failure);
    let refused = match failure {
        Failure::Refused(refused) => refused,
        Failure::World(_) => Rejection::Unavailable.into(),
        Failure::Unwritten => return Reply::unwritten(),
    };
    let rejection = &refused.rejection;
    // A gateway may send the payer's browser to the address at which its server reports.
    let is_sent = facts.audience == EndpointAudience::Gateway && incoming.navigates();
    if is_sent || (facts.audience == EndpointAudience::Payer && !incoming.wants_json()) {
        return payer::refuse(rejection, incoming);
    }
    if let (Refusals::OfTokens, Rejection::TooManyRequests { retry_after }) = (facts.refusals, rejection) {
        return token::refuse(TokenRefusal::TooMany { retry_after: *retry_after });
    }
    Reply::problem(edge, refused, &incoming.request_id)
}

/// Calls the handler of a route.
#[expect(clippy::too_many_lines, reason = "a table")]
async fn run(call: &Call<'_>, route: &Route) -> Result<Reply, Failure> {
    match route {
        Route::CreateTransaction => transaction::create(call).await,
        Route::ListTransactions => transaction::list(call).await,
        Route::ReadTotals => transaction::read_totals(call).await,
        Route::ExportTransactions => transaction::export(call).await,
        Route::RetrieveTransaction(session_id) => transaction::retrieve(call, session_id).await,
        Route::ReadRouting(session_id) => transaction::read_routing(call, session_id).await,
        Route::ListOperations(session_id) => transaction::list_operations(call, session_id).await,
        Route::ReadOperation(session_id, reference) => {
            transaction::read_operation(call, session_id, reference).await
        }
        Route::ReadTimeline(session_id) => transaction::read_timeline(call, session_id).await,
        Route::ReplaceTransaction(session_id) => transaction::update(call, session_id, Extent::Full).await,
        Route::PatchTransaction(session_id) => transaction::update(call, session_id, Extent::Partial).await,
        Route::UploadAttachment => attachment::upload(call).await,
        Route::DownloadAttachment(name) => attachment::download(call, name).await,
        Route::Image(name) => published::image(call, name).await,
        Route::AppleDomainFile => published::apple_domain_file(call).await,
        Route::ShortLink(code) => attachment::follow(call, code).await,
        Route::DrawQrCode(QrCode { session_id, format }) => {
            attachment::qr_code(call, session_id, *format).await
        }
        Route::ListMethods => merchant::list_methods(call).await,
        Route::PayByApplePay => native::pay(call, Some(Wallet::ApplePay)).await,
        Route::PayByGooglePay => native::pay(call, Some(Wallet::GooglePay)).await,
        Route::PayInCash => native::pay(call, None).await,
        Route::Operate => merchant::operate(call).await,
        Route::NotifyNow(session_id) => merchant::notify(call, session_id).await,
        Route::ListApprovals => approval::list(call).await,
        Route::ReadApproval(id) => approval::read(call, id).await,
        Route::Approve(id) => approval::approve(call, id).await,
        Route::Reject(id) => approval::reject(call, id).await,
        Route::Withdraw(id) => approval::withdraw(call, id).await,
        Route::ListOwnAttention => attention::list(call).await,
        Route::ResolveOwnAttention(id) => attention::resolve(call, id).await,
        Route::ListCards => card::list(call).await,
        Route::ListAgreements => card::list_agreements(call).await,
        Route::ResumeAgreement => card::resume_agreement(call).await,
        Route::DeleteCard(token) => card::delete(call, token).await,
        Route::Inquire => merchant::inquire(call).await,
        Route::Remind => merchant::remind(call).await,
        Route::AutoDebit => card::auto_debit(call, DebitAnswerShape::Native).await,
        Route::OlderAutoDebit => card::auto_debit(call, DebitAnswerShape::Notification).await,
        Route::AddOwnKey => account::add_key(call).await,
        Route::ListOwnKeys => account::list_keys(call).await,
        Route::RevokeOwnKey(prefix) => account::revoke_key(call, prefix).await,
        Route::ListRoles => account::list_roles(call),
        Route::AddOwnUser => account::add_user(call).await,
        Route::ListOwnUsers => account::list_users(call).await,
        Route::ReadOwnUser(id) => account::read_user(call, *id).await,
        Route::ChangeOwnUser(id) => account::change_user(call, *id).await,
        Route::InviteOwnUser(id) => account::invite_user(call, *id).await,
        Route::ResetOwnFactor(id) => account::reset_factor(call, *id).await,
        Route::AddOwnWebhookSecret => account::add_webhook_secret(call).await,
        Route::DropOwnWebhookSecret => account::drop_webhook_secret(call).await,
        Route::ReplaceOwnSignatureKey => account::replace_signature_key(call).await,
        Route::ReadOwnWebhookAddresses => account::read_webhook_addresses(call).await,
        Route::ReadOwnDeliveries => account::read_deliveries(call).await,
        Route::ReadOwnDelivery(id) => account::read_delivery(call, id).await,
        Route::ReadOwnMessages => account::read_messages(call).await,
        Route::ResendOwnDeliveries => account::resend(call).await,
        Route::ListOwnReceivers => account::list_receivers(call).await,
        Route::EnableOwnReceiver => account::enable_receiver(call).await,
        Route::SendOwnTestWebhook => account::send_test_webhook(call).await,
        Route::ChangeOwnWebhookAddresses => account::change_webhook_addresses(call).await,
        Route::UploadOwnImage => published::upload_image(call).await,
        Route::ListOwnImages => published::list_images(call).await,
        Route::DeleteOwnImage(name) => published::delete_image(call, name).await,
        Route::ReadOwnBrand => published::read_brand(call).await,
        Route::ReplaceOwnBrand => published::replace_brand(call).await,
        Route::PreviewOwnBrand => published::preview_brand(call).await,
        Route::ReadOwnAudit => account::read_audit(call).await,
        Route::Erase => account::erase(call).await,
        Route::SdkSubmitToken => sdk::submit_token(call).await,
        Route::SdkPayByApplePay => wallet::pay(call, Wallet::ApplePay).await,
        Route::SdkPayByGooglePay => wallet::pay(call, Wallet::GooglePay).await,
        Route::SdkAppleSession => wallet::start_session(call).await,
        Route::SdkDeleteCard(session_id, token) => sdk::delete_card(call, session_id, token).await,
        Route::CheckoutPage => payer::open_page(call).await,
        Route::Pay => payer::pay(call).await,
        Route::PayStatus(session_id) => payer::status(call, session_id).await,
        Route::SdkInit(session_id) => sdk::init(call, session_id).await,
        Route::SdkConcur(session_id) => sdk::concur(call, session_id).await,
        Route::SdkSubmit(session_id) => sdk::submit(call, session_id).await,
        Route::SdkCheckOption(session_id) => sdk::check_option(call, session_id).await,
        Route::SdkCancel(session_id) => sdk::cancel(call, session_id).await,
        Route::GatewayReturn(reference, token) => payer::come_back(call, reference, token.as_ref()).await,
        Route::GatewayReturnBare(reference) => payer::come_back(call, reference, None).await,
        Route::GatewayForward(reference, token) => payer::forward(call, reference, token.as_ref()).await,
        Route::GatewayCallback(reference) => {
            gateway::call_back(call, ReportAddress::Subject(reference.clone())).await
        }
        Route::MessageReport(merchant, channel) => gateway::message_report(call, merchant, *channel).await,
        Route::AccountCallback(merchant, code) => {
            gateway::call_back(call, ReportAddress::Account(merchant.clone(), code.clone())).await
        }
        Route::PolicyReport => {
            logging::policy_reports(&call.head.request_id, call.bytes());
            Ok(Reply::empty(204))
        }
        Route::Receipt(session_id) => receipt::download(call, session_id).await,
        Route::ReceiptCode(session_id) => receipt::code(call, session_id).await,
        Route::PublicKeys => receipt::public_keys(call).await,
        Route::Problem(code) => Ok(payer::problem(code)),
        Route::GiveToken => token::give(call).await,
        Route::Health => {
            Ok(Reply::of_texts(&HealthAnswer::of(env!("CARGO_PKG_VERSION"), cfg!(feature = "sandbox"))))
        }
        Route::Operator(route) => Box::pin(operator::answer(call, route.clone())).await,
    }
}
