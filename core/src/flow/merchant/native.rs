//! Native payments: a wallet's token or the statement that the order is paid in cash, from the merchant's
//! server or app, without the hosted page.
//!
//! Decisions: a request with an idempotency key claims it in the batch that creates the attempt, so one key
//! is one charge, whatever fails. The claim stores which attempt it was and not an answer: the same request
//! again is answered with what is known of that attempt by then, or, while the gateway is still being asked,
//! that it is in progress.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use crate::access::{Caller, Particular};
use crate::answer::native::{CardAttempt, challenge, native};
use crate::api::native::{CashRequest, WalletRequest};
use crate::api::target::Target;
use crate::flow::Failure;
use crate::flow::charge::once::{CASH, ChargedPayment, OPERATION, charge_once};
use crate::flow::charge::routing::with_health;
use crate::flow::charge::{Charged, PaymentPurpose, Plan, ServerOrder, replace_and_charge};
use crate::flow::commit::generate;
use crate::flow::commit::idempotency::IdempotencyKey;
use crate::flow::exchange::connect::page_address;
use crate::flow::exchange::connect::signature_key;
use crate::flow::find::{counts, named};
use crate::gateway::instrument::Instrument;
use crate::gateway::profile::Profile;
use crate::payment::begin::choose_profile;
use crate::payment::routing::{Preference, brand_of, offered_for, route};
use crate::port::{Record, World};
use crate::record::decision::Basis;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::words::Wallet;

pub use crate::flow::charge::once::{NativeAnswer, PaymentInput};

/// How a native request wants to pay.
struct NativeOrder {
    /// The transaction, as given.
    session_id: String,
    /// The gateway, if it is named.
    pg_code: Option<String>,
    /// The instrument; `None` for cash.
    instrument: Option<Instrument>,
}

/// Pays by device wallet; the steps are those of `pay`.
///
/// # Errors
/// The rejection, or a failure of the world. If the charge may have reached the gateway, that is not a
/// failure.
pub async fn pay_by_wallet(
    world: &impl World,
    wallet: Wallet,
    input: PaymentInput<'_>,
) -> Result<NativeAnswer, Failure> {
    pay(world, wallet.as_str(), input, |body| {
        let request = WalletRequest::read(wallet, body)?;
        let instrument = Some(Instrument::Wallet(wallet, request.payload));
        Ok(NativeOrder { session_id: request.session_id, pg_code: request.pg_code, instrument })
    })
    .await
}

/// Records that the order is paid in cash on delivery; the steps are those of `pay`.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn pay_in_cash(world: &impl World, input: PaymentInput<'_>) -> Result<NativeAnswer, Failure> {
    pay(world, CASH, input, |body| {
        let session_id = CashRequest::read(body)?.session_id;
        Ok(NativeOrder { session_id, pg_code: None, instrument: None })
    })
    .await
}

/// 1. the caller is known, and may pay;
/// 2. read the body, reporting every wrong field;
/// 3. find the transaction; all refusals in any step name the operation;
/// 4. if there was an attempt, or anything is refused: a known idempotency key answers about its attempt, or is refused if
///    the body differs;
/// 5. find the gateway; an attempt that waits for the payer on a page is withdrawn there;
/// 6. **commit 1**: the attempt exists, with the claim of the key; a second open attempt is refused here;
/// 7. the gateway is asked to charge, and **commit 2** stores its answer;
/// 8. answer with what is known.
async fn pay(
    world: &impl World,
    kind: &'static str,
    input: PaymentInput<'_>,
    read: impl FnOnce(&[u8]) -> Result<NativeOrder, Rejection>,
) -> Result<NativeAnswer, Failure> {
    // 1
    let caller = input.caller;
    // 2
    let order = read(input.body).map_err(|rejection| rejection.during(OPERATION))?;
    let key = IdempotencyKey::read(input.idempotency_key, kind, input.body, None)?;
    // 3
    let target = Target::Session(order.session_id.clone());
    let found = named(world, caller.merchant(), &target, caller.situation.now).await;
    // 4
    let is_untried = found.as_ref().is_ok_and(|record| record.attempt.is_none());
    // 5 to 7
    // Boxed: the future is large, and is awaited in either way.
    let charge = async || Box::pin(charge(world, &caller, (found?, order), key.as_ref())).await;
    let payment = charge_once(world, &caller, key.as_ref(), is_untried, charge).await?;
    // 8
    let body = body_of(world, &payment, &caller.situation).await?;
    Ok(NativeAnswer { body, is_replayed: payment.is_replayed, deliveries: payment.deliveries })
}

async fn charge(
    world: &impl World,
    caller: &Caller,
    (record, order): (Record, NativeOrder),
    key: Option<&IdempotencyKey<'_>>,
) -> Result<Charged, Failure> {
    // 5
    let situation = &with_health(world, caller.situation.clone()).await?;
    let profile = choose(&record.transaction, situation, &order)?;
    if order.instrument.is_some() {
        caller.may(Particular::Pay(record.transaction.plugin, &profile.code))?;
    }
    let reference = generate::reference(world, &situation.settings, &record.transaction.session_id)?;
    let is_cash = order.instrument.is_none();
    let instrument = order.instrument.unwrap_or(Instrument::Page);
    let preference = Preference {
        chosen: profile,
        by: if order.pg_code.is_some() { Basis::Merchant } else { Basis::Order },
        principal: record.transaction.amount,
        instrument: &instrument,
        saves_card: false,
        latest: record.attempt.as_ref(),
    };
    let mut route = route(&record.transaction, situation, preference);
    // Another gateway takes the payment only if the caller may use it too.
    let may_use = |profile: &Profile| {
        let particular = Particular::Pay(record.transaction.plugin, &profile.code);
        is_cash || caller.may(particular).is_ok()
    };
    route.gateways.retain(|profile| may_use(profile));
    let claim = key.map(|key| key.claim(caller, reference.as_str(), situation.real_now()));
    let plan = Plan {
        profile,
        principal: record.transaction.amount,
        purpose: PaymentPurpose::Native { instrument, shown: None },
        route,
        order: Some(ServerOrder { reference, claim, actor: caller.actor() }),
    };
    replace_and_charge(world, record, situation, plan).await
}

/// The gateway of an order among those of the transaction.
///
/// Decision: a code that is named must be one of the transaction's and accept the wallet; if none is named,
/// it is the first one that accepts it, in the order of the merchant's routing or of `pg_codes`. A transaction that saves a card needs a
/// card, which no wallet provides.
fn choose<'s>(
    transaction: &Transaction,
    situation: &'s Situation,
    order: &NativeOrder,
) -> Result<&'s Profile, Rejection> {
    let settings = &situation.settings;
    let takes = |profile: &Profile| match &order.instrument {
        None | Some(Instrument::Page) => profile.is_cash(),
        Some(Instrument::Wallet(wallet, _)) => profile.wallets.contains(wallet),
    };
    if matches!(order.instrument, Some(Instrument::Wallet(..))) && !settings.gateways.iter().any(takes) {
        return Err(Rejection::WalletNotConfigured);
    }
    if transaction.details.payment_type.saves_card() {
        return Err(Rejection::InstrumentNotOffered);
    }
    if let Some(code) = &order.pg_code {
        let profile = choose_profile(transaction, settings, code)?;
        return if takes(profile) { Ok(profile) } else { Err(Rejection::InstrumentNotOffered) };
    }
    let brand = order.instrument.as_ref().and_then(brand_of);
    let mut able = offered_for(transaction, situation, brand).into_iter().map(|(profile, _)| profile);
    able.find(|profile| takes(profile)).ok_or(Rejection::InstrumentNotOffered)
}

/// The body of the answer about the attempt of a payment.
async fn body_of(
    world: &impl World,
    payment: &ChargedPayment,
    situation: &Situation,
) -> Result<String, Failure> {
    let record = &payment.record;
    let Some(attempt) = &record.attempt else { return Ok("{}".to_string()) };
    if let Some(page_url) = page_address(world.installation(), &record.transaction, attempt, None) {
        return Ok(challenge(&record.transaction, attempt, &page_url)?);
    }
    let hmac_key = signature_key(world, situation)?;
    let charged =
        CardAttempt { attempt, card: None, counts: counts(world, record, payment.is_replayed).await? };
    Ok(native(&record.transaction, charged, &situation.settings, &hmac_key)?)
}
