//! From an address of the desk to its screen.

use checkout_core::desk::route::{DeskRoute, way_back};
use checkout_core::desk::session::SessionSecret;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{Verdict, choose_language, sign_out};
use checkout_core::rejection::Rejection;
use checkout_core::words::Language;

use super::call::{DeskCall, go_to};
use super::{
    approval_policy, approvals, attention, customers, deliveries, edit_payment, factor, me, new_payment,
    payment, payment_actions, payment_link, payments, provider, totals, webhooks,
};
use crate::http::Reply;

/// Draws the screen of an address, or does what its form asks.
#[expect(clippy::too_many_lines, reason = "a table: one line for each address")]
pub(super) async fn answer(call: &DeskCall<'_>, route: &DeskRoute) -> Result<Reply, Failure> {
    match route {
        DeskRoute::Home => totals::home(call).await,
        DeskRoute::Totals => totals::show(call).await,
        DeskRoute::ExportPayments => payments::export(call).await,
        DeskRoute::Payments => payments::list(call).await,
        DeskRoute::Payment(session_id) => payment::show(call, session_id).await,
        DeskRoute::Operate(session_id) => payment_actions::operate(call, session_id).await,
        DeskRoute::NotifyPayment(session_id) => payment_actions::notify(call, session_id).await,
        DeskRoute::InquirePayment(session_id) => payment_actions::inquire(call, session_id).await,
        DeskRoute::NewPayment => new_payment::form(call).await,
        DeskRoute::CreatePayment => new_payment::create(call).await,
        DeskRoute::SaveTemplate => new_payment::save_template(call).await,
        DeskRoute::DeleteTemplate => new_payment::delete_template(call).await,
        DeskRoute::PaymentLink(session_id) => payment_link::show(call, session_id).await,
        DeskRoute::SendPayment(session_id) => payment_link::send(call, session_id).await,
        DeskRoute::EditPayment(session_id) => edit_payment::show(call, session_id).await,
        DeskRoute::ChangePayment(session_id) => edit_payment::change(call, session_id).await,
        DeskRoute::Approvals => approvals::list(call).await,
        DeskRoute::ApprovalPolicy => Ok(approval_policy::show(call)),
        DeskRoute::CheckApprovalPolicy => approval_policy::check(call),
        DeskRoute::ChangeApprovalPolicy => approval_policy::change(call).await,
        DeskRoute::Approval(id) => approvals::show(call, id).await,
        DeskRoute::Approve(id) => approvals::give(call, id, Verdict::Approve).await,
        DeskRoute::Reject(id) => approvals::give(call, id, Verdict::Reject).await,
        DeskRoute::Withdraw(id) => approvals::give(call, id, Verdict::Withdraw).await,
        DeskRoute::Attention => attention::list(call).await,
        DeskRoute::ResolveAttention(id) => attention::resolve(call, id).await,
        DeskRoute::Customers => customers::show(call).await,
        DeskRoute::DeleteCard => customers::delete(call).await,
        DeskRoute::ResumeDebits => customers::resume(call).await,
        DeskRoute::EraseCustomer => customers::erase(call).await,
        DeskRoute::Deliveries => deliveries::list(call).await,
        DeskRoute::Delivery(id) => deliveries::one(call, id).await,
        DeskRoute::ResendDelivery(id) => deliveries::resend_one(call, id).await,
        DeskRoute::ResendDeliveries => deliveries::resend_many(call).await,
        DeskRoute::Webhooks => webhooks::show(call).await,
        DeskRoute::ChangeWebhooks => webhooks::change(call).await,
        DeskRoute::SendTestWebhook => Box::pin(webhooks::test(call)).await,
        DeskRoute::ReplaceWebhookSecret => webhooks::replace_secret(call).await,
        DeskRoute::EnableReceiver => webhooks::enable(call).await,
        DeskRoute::SignOut => leave(call).await,
        DeskRoute::ShowCode => Ok(ask_code(call)),
        DeskRoute::GiveCode => factor::take_code(call).await,
        DeskRoute::GoToProviderAgain => provider::go_again(call).await,
        DeskRoute::Me => me::show(call).await,
        DeskRoute::EndSession => me::end(call).await,
        DeskRoute::ShowFactor => factor::show(call),
        DeskRoute::SetFactor => factor::set(call).await,
        DeskRoute::ChoosePreferences => me::choose(call).await,
        DeskRoute::ChooseLanguage => speak(call).await,
        // Answered before anyone is recognised.
        DeskRoute::StyleSheet(_)
        | DeskRoute::ShowSignIn
        | DeskRoute::SignIn
        | DeskRoute::ShowLostPassword
        | DeskRoute::LostPassword
        | DeskRoute::ShowChoice(_)
        | DeskRoute::ChoosePassword(_)
        | DeskRoute::ShowProvider
        | DeskRoute::GoToProvider
        | DeskRoute::ReturnFromProvider(_) => Err(Rejection::NotFound.into()),
    }
}

async fn leave(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    sign_out(call.edge.as_ref(), &call.visit.visitor).await?;
    Ok(go_to(DeskRoute::ShowSignIn.path()).with("set-cookie", SessionSecret::no_cookie()))
}

/// Who needs no code is led on.
fn ask_code(call: &DeskCall<'_>) -> Reply {
    match call.visit.visitor.session.due() {
        Some(_) => factor::ask_code(call),
        None => go_to(DeskRoute::Home.path()),
    }
}

async fn speak(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let language = call.form.get("language").and_then(Language::parse).unwrap_or(call.visit.language);
    choose_language(call.edge.as_ref(), &call.visit.visitor, language).await?;
    Ok(go_to(way_back(call.form.get("back"))))
}
