//! Device wallets from the payer's side: the sheet of Apple Pay asks for a merchant session, and the token
//! that a wallet provided pays. The session id is the only authorisation, as it is for the hosted page.

use alloc::string::ToString;

use super::outcome::{PageAnswer, Paid};
use super::price::shown;
use crate::answer::sdk::failed;
use crate::api::wallet::{PayRequest, SessionRequest, WalletSubject};
use crate::flow::Failure;
use crate::flow::charge::routing::with_health;
use crate::flow::charge::{PaymentPurpose, Plan, check_shown, replace_and_charge};
use crate::flow::exchange::connect::speak;
use crate::flow::exchange::exchange;
use crate::flow::exchange::patience::gateway_limit;
use crate::flow::situation::situation_of;
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::gateway::wallet::sheet::prices;
use crate::gateway::wallet::{SessionAnswer, SessionOrder};
use crate::payment::begin::{WantedPayment, may_open};
use crate::payment::principal::{choice, principal};
use crate::payment::routing::{Preference, accepting, route};
use crate::port::{Record, SendError, Store, World};
use crate::record::decision::Basis;
use crate::rejection::Rejection;
use crate::sdk::payment::WalletAnswer;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::choice::PrincipalError;
use crate::value::id::SessionId;
use crate::value::json;
use crate::value::money::Money;
use crate::value::web_address::host_of;
use crate::violation::{Rule, Violation};
use crate::words::Wallet;

/// How refusals name the operation.
const OPERATION: &str = "payment";

/// The payer's wallet pays:
///
/// 1. read the body, reporting every wrong field, and find the transaction;
/// 2. the gateway must be one of the transaction's that accepts the wallet, and the amount must be what the
///    payment costs, or what the payer chose;
/// 3. an attempt that waits for the payer on a page is withdrawn there;
/// 4. **commit 1**: the attempt exists, even if everything stops now; a second open attempt is refused here;
/// 5. the gateway is asked to charge, and **commit 2** stores its answer.
///
/// # Errors
/// The rejection, which names the operation, or a failure of the world. If the charge may have reached the
/// gateway, that is not a failure.
pub async fn pay(world: &impl World, wallet: Wallet, body: &[u8]) -> Result<Paid, Failure> {
    pay_new(world, wallet, body).await.map_err(|failure| failure.during(OPERATION))
}

async fn pay_new(world: &impl World, wallet: Wallet, body: &[u8]) -> Result<Paid, Failure> {
    // 1
    let PayRequest { subject, payload } = PayRequest::read(wallet, body)?;
    let record = find(world, &subject).await?;
    let situation = with_health(world, situation_of(world, &record.transaction.merchant).await?).await?;
    // 2
    let (profile, amount) = choose(&record.transaction, &situation.settings, wallet, &subject)?;
    let instrument = Instrument::Wallet(wallet, payload);
    let preference = Preference {
        chosen: profile,
        by: Basis::Payer,
        principal: amount,
        instrument: &instrument,
        saves_card: false,
        latest: record.attempt.as_ref(),
    };
    let route = route(&record.transaction, &situation, preference);
    // 3 to 5
    let shown = shown(&record.transaction, profile, &subject.said)?;
    let purpose = PaymentPurpose::Native { instrument, shown };
    let plan = Plan { profile, principal: amount, purpose, route, order: None };
    Ok(Paid::of(replace_and_charge(world, record, &situation, plan).await?)?)
}

/// A sheet of Apple Pay opens, and needs a merchant session:
///
/// 1. read the body, reporting every wrong field, and find the transaction;
/// 2. it must be payable now, and the gateway one of the transaction's that accepts Apple Pay on pages;
/// 3. the gateway requests the session from Apple, for the domain of the page that asks, if the merchant
///    listed that domain;
/// 4. the session is passed on unchanged.
///
/// `origin` is that of the page that asks, as its browser says.
///
/// # Errors
/// The rejection, or a failure of the world. If the gateway issues no session, that is an answer.
pub async fn start_session(
    world: &impl World,
    origin: Option<&str>,
    body: &[u8],
) -> Result<PageAnswer, Failure> {
    // 1
    let SessionRequest { subject, validation_url } = SessionRequest::read(body)?;
    let Record { transaction, attempt } = find(world, &subject).await?;
    let situation = situation_of(world, &transaction.merchant).await?;
    let settings = &situation.settings;
    // 2
    settings.takes_payments()?;
    let (profile, amount) = choose(&transaction, settings, Wallet::ApplePay, &subject)?;
    let wanted = WantedPayment { code: &profile.code, principal: amount };
    may_open(&transaction, attempt.as_ref(), wanted, situation.now)?;
    let apple_pay = profile.apple_pay.as_ref().ok_or(Rejection::InstrumentNotOffered)?;
    // 3
    let own = world.installation().public_url.as_str();
    let is_listed = |origin: &&str| *origin == own || settings.allowed_origins.iter().any(|o| o == origin);
    let order = SessionOrder {
        merchant_id: apple_pay.merchant_id.clone(),
        shop_name: apple_pay.shop_name.as_deref().unwrap_or(&settings.name.en).to_string(),
        domain: match origin.filter(is_listed) {
            Some(origin) => host_of(origin).to_string(),
            None => apple_pay.domain.clone().unwrap_or_else(|| host_of(own).to_string()),
        },
        validation_url,
    };
    let answer = ask(world, settings, profile, &order).await?;
    // 4
    Ok(match answer {
        SessionAnswer::Issued(body) => PageAnswer { status: 200, body },
        SessionAnswer::Refused(words) => {
            let message = words.unwrap_or_else(|| "Apple Pay cannot be opened now".to_string());
            let answer = WalletAnswer {
                approved: None,
                status: None,
                message: message.clone(),
                redirect_url: None,
                callback_payload: failed(&transaction, FormOfPayment::ApplePay, message),
            };
            PageAnswer { status: 400, body: json::write(&answer)? }
        }
    })
}

async fn ask(
    world: &impl World,
    settings: &MerchantSettings,
    profile: &Profile,
    order: &SessionOrder,
) -> Result<SessionAnswer, Failure> {
    let Some(connector) = speak(world, settings, profile)? else { return Ok(SessionAnswer::Refused(None)) };
    Ok(match exchange(world, connector.start_session(order), gateway_limit(world)).await {
        Ok(answer) => answer,
        // Asking charges nothing.
        Err(SendError::NotSent | SendError::Unknown) => SessionAnswer::Refused(None),
    })
}

async fn find(world: &impl World, subject: &WalletSubject) -> Result<Record, Failure> {
    let session_id = SessionId::parse(&subject.session_id).ok_or(Rejection::NotFound)?;
    Ok(world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?)
}

/// The gateway of a request, and how much of the transaction's amount is paid through it.
///
/// Decision: if the payer may choose how much to pay, `amount` is what they chose, as at submit. Otherwise it
/// is what the wallet's sheet showed them, fees included, and must be what the payment costs. A sheet that cannot show the
/// total was not offered, and shows another one.
fn choose<'s>(
    transaction: &Transaction,
    settings: &'s MerchantSettings,
    wallet: Wallet,
    subject: &WalletSubject,
) -> Result<(&'s Profile, Money), Rejection> {
    let wrong = |field, rule| Rejection::Invalid([Violation::new(field, rule)].into());
    let (profile, quote) = accepting(transaction, settings)
        .find(|(profile, _)| profile.code.as_str() == subject.code)
        .ok_or_else(|| wrong(subject.code_field, Rule::GatewayNotOffered))?;
    if !profile.wallets.contains(&wallet) || transaction.details.payment_type.saves_card() {
        return Err(Rejection::InstrumentNotOffered);
    }
    let can_show = |quote: &Quote| prices(wallet, quote).map(|_| ()).ok_or(Rejection::InstrumentNotOffered);
    let shown = shown(transaction, profile, &subject.said)?;
    if choice(transaction).is_some() {
        let amount = principal(transaction, subject.amount.as_deref())?;
        // What the gateway cannot charge is refused by name when the attempt begins.
        if let Some(quote) = profile.quote(amount) {
            if let Some(shown) = &shown {
                check_shown(shown, profile, amount, &quote)?;
            }
            can_show(&quote)?;
        }
        return Ok((profile, amount));
    }
    if let Some(shown) = &shown {
        check_shown(shown, profile, transaction.amount, &quote)?;
    }
    can_show(&quote)?;
    let is_cost = |text: &str| Money::parse(text, quote.total.currency()) == Ok(quote.total);
    if subject.amount.as_deref().is_some_and(|text| !is_cost(text)) {
        return Err(wrong("amount", Rule::Principal(PrincipalError::NotCost(quote.total))));
    }
    Ok((profile, transaction.amount))
}
