//! Saved cards in the storm: the bank saves the cards with which payers pay under an agreement or save a
//! card, and the merchant charges them without the payer.

use std::time::Duration;

use checkout_core::attempt::Attempt;
use checkout_core::attempt::stage::Stage;
use checkout_core::card::agreement::{AgreementKey, SavedAgreement};
use checkout_core::card::usage::{CardUse, ChargeInitiator};
use checkout_core::card::{CardToken, Holder};
use checkout_core::flow::card::{DebitAnswerShape, auto_debit};
use checkout_core::flow::merchant::native::PaymentInput;
use checkout_core::port::{CardName, Cards, Vault};
use checkout_core::rejection::Rejection;
use checkout_core::route::Action;
use checkout_core::testing::vault::OpenVault;
use checkout_core::transaction::Transaction;
use checkout_core::value::id::SessionId;
use checkout_core::value::time::Timestamp;
use checkout_core::words::payment_type::PaymentType;
use pollster::block_on;
use serde_json::{Value, json};

use crate::scene::Scene;

/// The customer of all these orders.
pub(crate) const CUSTOMER: &str = "C-1";
/// The methods that save cards.
pub(crate) const KEEPERS: [&str; 2] = ["mpgs", "credit-card"];

const AGREEMENT: &str = "RENT";
/// More cards than are saved in a run.
const MOST_CARDS: u32 = 100;

/// The terms under which the customer's cards are charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Terms {
    /// The merchant does not keep to them.
    Open,
    /// Two payments, with a day between them.
    Apart,
    /// Three payments, at any time.
    Few,
}

impl Terms {
    pub(crate) fn agreement(self) -> Value {
        let (kind, days, cycles) = match self {
            Self::Open => ("recurring", Some(1), 99),
            Self::Apart => ("recurring", Some(1), 2),
            Self::Few => ("other", None, 3),
        };
        json!({"id": AGREEMENT, "type": kind, "amount_variability": "variable", "cycle_interval_days": days,
            "expiry_date": "2039-01-01", "frequency": "monthly", "total_cycles": cycles})
    }
}

impl Scene {
    fn holder(&self) -> Holder {
        Holder { merchant: self.merchant.clone(), customer_id: CUSTOMER.into(), is_sandbox: true }
    }

    /// The tokens of the cards that are saved by now.
    pub(crate) fn tokens(&self) -> Vec<CardToken> {
        let saved = block_on(self.world.inner.store.cards(&self.holder(), MOST_CARDS)).unwrap();
        saved.into_iter().map(|saved| saved.card.token).collect()
    }

    /// The merchant charges a saved card, the right one or not, perhaps again under the same key.
    pub(crate) async fn debit(&self, session_id: &SessionId, token: &CardToken, key: Option<&str>) {
        // A key that was used with another card is valid for that card only.
        let is_expected = |rejection: &Rejection| {
            matches!(
                *rejection,
                Rejection::NotPayable { .. }
                    | Rejection::AttemptInProgress
                    | Rejection::TooManyAttempts { .. }
                    | Rejection::TooManyDeclines { .. }
                    | Rejection::AutoDebitUnsupported
                    | Rejection::CardRefused(_)
                    | Rejection::AgreementBroken(_)
                    | Rejection::IdempotencyKeyReused
                    | Rejection::Invalid(_)
                    | Rejection::Conflict
            )
        };
        let body = json!({"session_id": session_id.as_str(), "token": token.as_str()}).to_string();
        let key = key.map(|key| format!("{key}-{session_id}"));
        let Some(caller) = self.caller(Action::Cards).await else { return };
        let input = PaymentInput { caller, idempotency_key: key.as_deref(), body: body.as_bytes() };
        let flow = auto_debit(&self.world, input, DebitAnswerShape::Native);
        let Some(answer) = self.ended("debit", Box::pin(flow).await, is_expected) else { return };
        let notified: Value = serde_json::from_str(&answer.body).unwrap();
        let card = notified.pointer("/token/token").and_then(Value::as_str);
        self.weather.holds(card == Some(token.as_str()), || {
            format!("{token:?} was to be charged, notified: {notified}")
        });
        for id in &answer.deliveries {
            self.deliver(id).await;
        }
    }
}

/// Looks at the cards of a transaction's attempts: the bank was asked for a saved card if the merchant named
/// one and in no other case, and under an agreement for one with which its payer had paid.
pub(crate) fn check(scene: &Scene, transaction: &Transaction) {
    for attempt in scene.world.inner.store.attempts(&transaction.session_id) {
        let reference = attempt.reference.as_str();
        let charge = scene.bank.charges().remove(reference);
        let asked =
            charge.as_ref().and_then(|charge| charge.order.get("card")).filter(|card| !card.is_null());
        let CardUse::Charge(token, initiator) = &attempt.card else {
            scene.weather.holds(asked.is_none(), || format!("{reference} names no card, asked: {asked:?}"));
            continue;
        };
        let saved = block_on(scene.world.inner.store.card(&scene.merchant, CardName::Token(token))).unwrap();
        let card = saved.map(|saved| saved.card).filter(|card| card.pg_code == attempt.pg_code);
        let known = card.map(|card| OpenVault::default().open(&scene.merchant, &card.bank_token).unwrap());
        let text = |pointer: &str| asked.and_then(|card| card.pointer(pointer)).and_then(Value::as_str);
        let is_it = charge.is_none()
            || (text("/token") == known.as_deref() && text("/initiator") == Some("merchant"));
        scene.weather.holds(*initiator == ChargeInitiator::Merchant && known.is_some() && is_it, || {
            format!("{reference} charges {known:?}, asked: {asked:?}")
        });
        if transaction.details.payment_type == PaymentType::AutoDebit {
            scene.weather.holds(
                charge.as_ref().is_none_or(|charge| !charge.names_agreement)
                    || text("/agreement/id") == Some(AGREEMENT),
                || format!("{reference} is under an agreement, asked: {asked:?}"),
            );
            scene.weather.holds(was_given(scene, token, &attempt), || {
                format!("{reference} charges {token:?}, which nobody gave for the agreement")
            });
        }
    }
}

/// Every attempt under the agreement.
fn under_agreement(scene: &Scene) -> Vec<Attempt> {
    let store = &scene.world.inner.store;
    let transactions = store.transactions().into_iter();
    let transactions = transactions.filter(|found| found.details.payment_type == PaymentType::AutoDebit);
    transactions.flat_map(|found| store.attempts(&found.session_id)).collect()
}

/// How often the merchant was paid under the agreement.
pub(crate) fn count(scene: &Scene) -> u32 {
    saved(scene).map_or(0, |saved| saved.cycles)
}

/// Whether the payer had paid with the card under the agreement before an attempt charged it.
fn was_given(scene: &Scene, token: &CardToken, charged: &Attempt) -> bool {
    let gave = |attempt: &Attempt| {
        attempt.card == CardUse::Saved(token.clone())
            && attempt.stage == Stage::Success
            && attempt.opened_at <= charged.opened_at
    };
    under_agreement(scene).iter().any(gave)
}

/// Every payment of the merchant under the agreement is counted, once; a payment that was given back is not
/// counted.
pub(crate) fn check_cycles(scene: &Scene) {
    let is_cycle = |attempt: &&Attempt| {
        let flags = scene.flags(attempt.reference.as_str());
        matches!(attempt.card, CardUse::Charge(_, ChargeInitiator::Merchant))
            && attempt.stage == Stage::Success
            && !flags.iter().any(|flag| ["second_success", "late_success"].contains(flag))
    };
    let made = under_agreement(scene).iter().filter(is_cycle).count();
    let counted = count(scene);
    scene.weather.holds(usize::try_from(counted) == Ok(made), || {
        format!("the merchant was paid {made} times under the agreement, counted: {counted}")
    });
    if scene.terms != Terms::Open {
        check_terms(scene, under_agreement(scene).into_iter().filter(|attempt| is_cycle(&attempt)));
    }
}

/// Terms that the merchant keeps to are kept, however many payments were tried at once. A gateway that takes money after it
/// said that it did not is not a payment that could have been kept back.
fn check_terms(scene: &Scene, cycles: impl Iterator<Item = Attempt>) {
    let had_ended = |attempt: &Attempt| {
        let events = scene.world.inner.store.events(&attempt.session_id);
        let mut stages = events.iter().filter_map(|event| event.attempt.as_ref());
        stages.any(|event| {
            event.reference == attempt.reference
                && matches!(event.stage, Stage::Failed | Stage::Canceled | Stage::Error)
        })
    };
    let mut opened: Vec<Timestamp> =
        cycles.filter(|attempt| !had_ended(attempt)).map(|attempt| attempt.opened_at).collect();
    opened.sort();
    let terms = saved(scene).map(|saved| saved.terms);
    let most = terms.as_ref().and_then(|terms| terms.total_cycles).map_or(usize::MAX, usize::from);
    scene.weather.holds(opened.len() <= most, || {
        format!("{} payments under an agreement that permits {most}", opened.len())
    });
    let days = terms.and_then(|terms| terms.cycle_interval_days).unwrap_or_default();
    let cycle = Duration::from_hours(24).saturating_mul(u32::from(days));
    let is_apart = opened.iter().zip(opened.iter().skip(1)).all(|(one, next)| next.since(*one) >= cycle);
    scene.weather.holds(is_apart, || format!("payments of one cycle of the agreement: {opened:?}"));
}

fn saved(scene: &Scene) -> Option<SavedAgreement> {
    let key = AgreementKey { holder: scene.holder(), id: AGREEMENT.into() };
    block_on(scene.world.inner.store.agreement(&key)).unwrap()
}
