//! Opens charges: on Tap's page, with a saved card, or with the token of a wallet.

use alloc::string::{String, ToString};

use serde::Serialize;

use super::account::{SOURCE, Tap};
use super::card::TapSavedCard;
use super::item::{TapItem, TapKind};
use super::payer::{TapCustomer, phone_of};
use super::request::{ChargeReferences, OF_CHARGE, SavedCardIds, SavedCardToken, TapChargeRequest, TapId};
use super::request::{TapMark, TapUrl, WalletToken, id};
use super::{amount, fault, find, wallet};
use crate::card::usage::ChargeInitiator;
use crate::gateway::charge::{ChargeOperation, Opened, Order, Outcome, Report};
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::instrument::Instrument;
use crate::gateway::step::Step;
use crate::wire::object::Object;

/// What the payer can pay with on the page, if the settings do not say it.
const EVERYTHING: &str = "src_all";
const NO_AMOUNT: &str = "Tap does not charge such an amount";
const NOT_ONE_OF_TAP: &str = "the saved card is none of Tap";
const NO_AGREEMENT: &str = "the card was saved without an agreement, so that only the payer can charge it";

/// What pays a charge.
struct TapMeans<'a> {
    source: String,
    customer: TapCustomer,
    agreement: Option<&'a str>,
    is_of_payer: bool,
}

pub(super) fn open<'c>(tap: &'c Tap, order: &'c Order) -> Step<'c, Opened> {
    if let Some(reason) = tap.misplaced_key() {
        return Step::refused(reason);
    }
    match (&order.card, &order.instrument, order.operation) {
        (_, _, ChargeOperation::Verify) => Step::refused("Tap confirms no card on its page"),
        (Some(card), ..) => match TapSavedCard::of(&card.token) {
            Some(saved) => open_saved(tap, order, saved, card.initiator),
            None => Step::refused(NOT_ONE_OF_TAP),
        },
        (None, Instrument::Page, _) => open_page(tap, order),
        (None, Instrument::Wallet(kind, payload), _) => match wallet::token(*kind, payload) {
            Some((kind, token_data)) => {
                with_token(tap, order, &WalletToken { kind, token_data }, move |source| TapMeans {
                    source,
                    customer: TapCustomer::of(&order.payer),
                    agreement: None,
                    is_of_payer: true,
                })
            }
            None => Step::refused("the token of the wallet is not complete"),
        },
    }
}

/// A payer who has no page cannot pay, so that the request itself moves no money.
fn open_page<'c>(tap: &'c Tap, order: &'c Order) -> Step<'c, Opened> {
    let means = TapMeans {
        source: tap.credentials.optional(SOURCE).unwrap_or(EVERYTHING).to_string(),
        customer: TapCustomer::of(&order.payer),
        agreement: None,
        is_of_payer: true,
    };
    match request(tap, order, means) {
        Some(request) => Step::ask_first(request, move |answer| read(tap, order, answer)),
        None => Step::refused(NO_AMOUNT),
    }
}

/// Without the payer a card is charged under the agreement under which it was saved.
fn open_saved<'c>(
    tap: &'c Tap,
    order: &'c Order,
    saved: TapSavedCard<'c>,
    initiator: ChargeInitiator,
) -> Step<'c, Opened> {
    let is_of_payer = initiator == ChargeInitiator::Payer;
    if !is_of_payer && saved.agreement.is_none() {
        return Step::refused(NO_AGREEMENT);
    }
    let ids = SavedCardIds { card_id: saved.card, customer_id: saved.customer };
    with_token(tap, order, &SavedCardToken { saved_card: ids }, move |source| TapMeans {
        source,
        customer: TapCustomer::Known { id: saved.customer.to_string() },
        agreement: saved.agreement.filter(|_| !is_of_payer),
        is_of_payer,
    })
}

/// Gets a token, which can be used once, and charges it.
fn with_token<'c>(
    tap: &'c Tap,
    order: &'c Order,
    body: &impl Serialize,
    means: impl FnOnce(String) -> TapMeans<'c> + 'c,
) -> Step<'c, Opened> {
    let Some(asked) = tap.token(body) else { return Step::refused(NO_AMOUNT) };
    Step::ask_first(asked, move |answer| {
        // Whatever came instead of a token, nothing was charged.
        let Some(token) = token_of(answer) else {
            let message = fault::refusal(answer).and_then(|refusal| refusal.message);
            return Step::Done(Opened::Refused { message });
        };
        match request(tap, order, means(token)) {
            Some(request) => Step::act_first(request, move |answer| read(tap, order, answer)),
            None => Step::refused(NO_AMOUNT),
        }
    })
}

fn token_of(answer: &Incoming) -> Option<String> {
    let token = Object::read(&answer.body, |token| token.text("id")).filter(|_| answer.status == 200)?;
    id(&token, "tok_").map(ToString::to_string)
}

fn request(tap: &Tap, order: &Order, means: TapMeans<'_>) -> Option<Outgoing> {
    let reference = order.reference.as_str();
    // Tap saves no card of a payer whose number it does not have, and refuses the charge.
    let is_saved = order.saves_card && order.card.is_none() && phone_of(&order.payer).is_some();
    let body = TapChargeRequest {
        amount: amount::written(order.total)?,
        currency: order.total.currency().code(),
        customer_initiated: Some(means.is_of_payer),
        three_d_secure: Some(means.is_of_payer),
        save_card: Some(is_saved),
        payment_agreement: means.agreement.map(|id| TapId { id }),
        metadata: TapMark { till: OF_CHARGE },
        reference: ChargeReferences {
            transaction: reference,
            order: order.order_no.as_deref().unwrap_or(reference),
            idempotent: reference,
        },
        customer: means.customer,
        merchant: tap.merchant(),
        source: TapId { id: &means.source },
        post: TapUrl { url: &order.callback_url },
        redirect: Some(TapUrl { url: &order.return_url }),
    };
    tap.make(TapKind::of(order.operation).path(), Some(order.language), &body)
}

/// What the answer to a charge says.
fn read<'c>(tap: &'c Tap, order: &'c Order, answer: &Incoming) -> Step<'c, Opened> {
    if let Some(refusal) = fault::refusal(answer) {
        return Step::Done(Opened::Refused { message: refusal.message });
    }
    let Some(item) = TapItem::parse(&answer.body).filter(|_| answer.status == 200) else {
        return Step::Done(Opened::Reported(Report::bare(order.reference.as_str(), Outcome::Unknown)));
    };
    let report = item.report(TapKind::of(order.operation), &answer.body);
    let saves_card = order.saves_card && order.card.is_none();
    find::with_card(tap, item, report, saves_card, Opened::Reported)
}
