//! Opens charges: a page, a payment by the token of a wallet, or one with a saved card.

use alloc::string::{String, ToString};

use super::account::{CheckoutCom, TOKEN, id};
use super::fault::CkoRefusal;
use super::page::Page;
use super::payment::Payment;
use super::request::{CkoPaymentRequest, PageRequest};
use super::wallet::WalletTokenRequest;
use crate::card::usage::ChargeInitiator;
use crate::gateway::charge::{ChargeOperation, Opened, Order, Outcome, Report};
use crate::gateway::exchange::Incoming;
use crate::gateway::instrument::{Instrument, WalletPayload};
use crate::gateway::step::Step;
use crate::wire::object::Object;
use crate::words::Wallet;

pub(super) fn open<'c>(account: &'c CheckoutCom, order: &'c Order) -> Step<'c, Opened> {
    match (&order.card, &order.instrument) {
        (Some(card), _) => pay(account, order, CkoPaymentRequest::by_card(account, order, card)),
        (None, Instrument::Page) => open_page(account, order),
        (None, Instrument::Wallet(..)) if order.operation == ChargeOperation::Verify => {
            Step::refused("Checkout.com confirms a card only on its page")
        }
        (None, Instrument::Wallet(wallet, payload)) => open_wallet(account, order, *wallet, payload),
    }
}

/// A page moves no money itself: a payer who has no page cannot pay.
fn open_page<'c>(account: &'c CheckoutCom, order: &'c Order) -> Step<'c, Opened> {
    let body = match PageRequest::of(account, order) {
        Ok(body) => body,
        Err(reason) => return Step::refused(reason),
    };
    let Some(request) = account.post("/hosted-payments", None, &body) else {
        return Step::refused("no request");
    };
    Step::ask(request, |answer| {
        if let Some(CkoRefusal { message }) = CkoRefusal::of(answer) {
            return Opened::Refused { message };
        }
        let page = Page::parse(&answer.body).filter(|_| matches!(answer.status, 200..=202));
        Opened::Reported(match page {
            Some(page) => page.report(page.opened(), &answer.body),
            None => Report::bare(order.reference.as_str(), Outcome::Unknown),
        })
    })
}

/// The token is made first, which charges nothing.
fn open_wallet<'c>(
    account: &'c CheckoutCom,
    order: &'c Order,
    wallet: Wallet,
    payload: &WalletPayload,
) -> Step<'c, Opened> {
    let Some(body) = WalletTokenRequest::of(wallet, payload) else {
        return Step::refused("the payload of the wallet has no token");
    };
    let Some(request) = account.post_publicly("/tokens", &body) else {
        return Step::refused("wallets need the public key");
    };
    Step::ask_first(request, move |answer| {
        let Some((token, is_authenticated)) = token_of(wallet, answer) else {
            let message = CkoRefusal::of(answer).and_then(|refusal| refusal.message);
            return Step::refused(message.as_deref().unwrap_or("Checkout.com made no token of the payload"));
        };
        pay(account, order, CkoPaymentRequest::by_token(account, order, token, is_authenticated))
    })
}

/// The token, and whether the wallet has authenticated the payer: Google Pay may give the number of a card instead.
fn token_of(wallet: Wallet, answer: &Incoming) -> Option<(String, bool)> {
    let made = Object::read(&answer.body, |made| (made.text("token"), made.optional_text("token_format")));
    let (token, format) = made.filter(|_| matches!(answer.status, 200 | 201))?;
    let is_authenticated = wallet == Wallet::ApplePay || format.as_deref() == Some("cryptogram_3ds");
    Some((id(&token, TOKEN)?.to_string(), is_authenticated))
}

fn pay<'c>(
    account: &'c CheckoutCom,
    order: &'c Order,
    body: Result<CkoPaymentRequest<'c>, &'static str>,
) -> Step<'c, Opened> {
    let request = match body {
        Ok(body) => account.post("/payments", Some(order.reference.as_str()), &body),
        Err(reason) => return Step::refused(reason),
    };
    let Some(request) = request else { return Step::refused("no request") };
    Step::act(request, |answer| read_paid(order, answer))
}

fn read_paid(order: &Order, answer: &Incoming) -> Opened {
    if let Some(CkoRefusal { message }) = CkoRefusal::of(answer) {
        return Opened::Refused { message };
    }
    let unknown = || Report::bare(order.reference.as_str(), Outcome::Unknown);
    let payment = Payment::parse(&answer.body).filter(|_| matches!(answer.status, 200..=202));
    let report = payment.map_or_else(unknown, |payment| payment.report(order.saves_card, &answer.body));
    // Nobody is there who could go to the bank's page.
    let is_absent = order.card.as_ref().is_some_and(|card| card.initiator == ChargeInitiator::Merchant);
    let is_stuck = is_absent && matches!(report.outcome, Outcome::Open { .. });
    Opened::Reported(if is_stuck { Report { outcome: Outcome::Unknown, ..report } } else { report })
}
