//! The payer pays on the page of a gateway.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::api::pay::PayForm;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::usage::CardUse;
use crate::checkout::page::ConsentText;
use crate::flow::Failure;
use crate::flow::charge::{
    Agreed, PageReader, PaymentPurpose, Plan, Room, charge_routed, check_shown, check_unchanged, make_room,
};
use crate::flow::exchange::connect::{page_address, return_url};
use crate::flow::inquire::{Inquiry, inquire};

use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::profile::Profile;
use crate::payment::begin::{Opening, WantedPayment, choose_profile, may_open, quote_of};
use crate::payment::principal::typed_principal;
use crate::payment::routing::{PaymentRoute, Preference, is_declined_softly, is_one_method, route};
use crate::port::{Record, World};
use crate::record::decision::Basis;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::id::DeliveryId;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::Language;

/// Where the payer goes now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directed {
    /// The gateway's page, or the address at which an outcome that is already known is shown.
    pub url: String,
    /// The notifications about attempts that made room for this one, to be delivered after the answer. The one
    /// about the payer's own attempt is left for the address that shows its outcome.
    pub deliveries: Vec<DeliveryId>,
}

/// Which card the payer pays with on the gateway's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageCard {
    /// Whichever the page takes, so that another gateway of the same method may open its page instead.
    Any,
    /// One that only this gateway has saved.
    Saved,
}

/// What the payer sent to pay on a gateway's page, and with which card.
#[derive(Clone, Copy)]
pub(super) struct PageChoice<'a> {
    /// The form.
    pub(super) form: &'a PayForm,
    /// The card.
    pub(super) paid_with: PageCard,
}

/// Opens an attempt and directs the payer to the gateway:
///
/// 1. find the chosen gateway among those offered, and read the amount and what the payer agreed to;
/// 2. an attempt that is still open is resumed at its gateway, or withdrawn there before another method or
///    amount begins, unless the transaction was tried too often;
/// 3. **commit 1**: the attempt exists, even if everything stops now; a second open attempt is refused here;
/// 4. the gateway is asked to open the charge;
/// 5. **commit 2** stores its answer.
///
/// # Errors
/// The rejection, or a failure of the world. What may have reached the gateway stays open and is asked about
/// later.
pub(super) async fn pay_on_page(
    world: &impl World,
    record: Record,
    situation: &Situation,
    choice: PageChoice<'_>,
) -> Result<Directed, Failure> {
    let PageChoice { form, paid_with } = choice;
    let settings = &situation.settings;
    // 1
    settings.takes_payments()?;
    let offer = record.transaction.clone();
    let chosen = offer.details.unlike(form.language);
    let profile = choose_profile(&offer, settings, &form.pg_code)?;
    let amount = typed_principal(&offer, form.amount.as_deref())?;
    let agreed = agreed(&offer, settings, form, Some(profile))?;
    if let (Some(shown), Some(quote)) = (&form.shown, quote_of(record.attempt.as_ref(), profile, amount)) {
        check_shown(shown, profile, amount, &quote)?;
    }
    let profile = waiting_at(&record, settings, profile, amount).unwrap_or(profile);
    // 2
    let choice = PayerChoice { profile, amount, saves_card: form.saves_card, is_shown: form.shown.is_some() };
    let opening = open_as(&record, &choice, situation.now)?;
    if opening == Opening::Resume {
        return resume(world, record, situation, chosen).await;
    }
    let wanted = WantedPayment { code: &profile.code, principal: amount };
    // Boxed: the caller may be deep in a payment.
    let room = Box::pin(make_room(world, record, situation, (wanted, opening))).await?;
    let Room { record, delivery: withdrawn, situation: found, is_paid } = room;
    if is_paid {
        return Ok(outcome(world, &record, chosen));
    }
    // 3 to 5
    check_unchanged(offer.amount, &record.transaction, profile, form.shown.as_ref())?;
    let principal = amount;
    let is_saved = form.saves_card && profile.can_save_card(&record.transaction);
    let saves_card = is_saved || record.transaction.saves_card_by_itself();
    let preference = Preference {
        chosen: profile,
        by: chosen_by(form, profile, record.attempt.as_ref()),
        principal,
        instrument: &Instrument::Page,
        saves_card,
        latest: record.attempt.as_ref(),
    };
    let route = match paid_with {
        PageCard::Any => route(&record.transaction, situation, preference),
        PageCard::Saved => PaymentRoute::only(profile),
    };
    let payer = PageReader { language: chosen, shown: form.shown, agreed };
    let purpose = PaymentPurpose::Page { payer, saves_card: is_saved };
    let plan = Plan { profile, principal, purpose, route, order: None };
    // Boxed: with it the future would be larger than a stack should carry.
    let charged = Box::pin(charge_routed(world, record, &found, plan)).await?;
    let directed = direct(world, &charged.record, chosen);
    Ok(Directed { deliveries: withdrawn.into_iter().chain(charged.earlier).collect(), ..directed })
}

/// Who chose the gateway: the payer, or the page that offered it after another one declined softly.
fn chosen_by(form: &PayForm, profile: &Profile, latest: Option<&Attempt>) -> Basis {
    let is_left = |latest: &Attempt| is_declined_softly(latest) && latest.pg_code != profile.code;
    if form.is_next && latest.is_some_and(is_left) { Basis::AfterDecline } else { Basis::Payer }
}

/// What the payer read above the button, if the form carries it. The merchant may have changed the terms meanwhile.
///
/// # Errors
/// A violation on `consent` if the page shows another text now.
pub(crate) fn agreed(
    transaction: &Transaction,
    settings: &MerchantSettings,
    form: &PayForm,
    profile: Option<&Profile>,
) -> Result<Option<Agreed>, Rejection> {
    let language = form.language.unwrap_or(transaction.details.language());
    let is_ticked = form.saves_card && profile.is_some_and(|profile| profile.can_save_card(transaction));
    let is_agreed_to = transaction.details.payment_type.saves_card() || is_ticked;
    // The page carries the text of a tick that the payer did not set.
    if !is_agreed_to && ConsentText::of(transaction, settings, language).is_some() {
        return Ok(None);
    }
    form.consent.as_deref().map(|mark| Agreed::read(mark, language, transaction, settings)).transpose()
}

/// The gateway whose page waits for this payer, if it is the same payment method at the same cost: a page of ours that is
/// older than the attempt names another gateway of the group.
fn waiting_at<'s>(
    record: &Record,
    settings: &'s MerchantSettings,
    chosen: &Profile,
    amount: Money,
) -> Option<&'s Profile> {
    let waiting = record.attempt.as_ref().filter(|attempt| attempt.stage == Stage::Redirected)?;
    let profile = settings.gateway(&waiting.pg_code).filter(|profile| is_one_method(profile, chosen))?;
    (waiting.principal == amount && profile.quote(amount) == chosen.quote(amount)).then_some(profile)
}

/// What the payer chose.
struct PayerChoice<'a> {
    profile: &'a Profile,
    amount: Money,
    saves_card: bool,
    /// Whether the payer was shown what it costs now.
    is_shown: bool,
}

/// How an attempt may begin. A page that waits is resumed by a payer who wants the same as before. It is
/// withdrawn, if the gateway permits another attempt, when it charges a saved card, or confirms a wallet's
/// payment, when the payer has changed whether the card is to be saved, or when it costs something else than it did.
fn open_as(record: &Record, choice: &PayerChoice<'_>, now: Timestamp) -> Result<Opening, Rejection> {
    let Record { transaction, attempt } = record;
    let PayerChoice { profile, amount, saves_card, is_shown } = *choice;
    let opening = may_open(
        transaction,
        attempt.as_ref(),
        WantedPayment { code: &profile.code, principal: amount },
        now,
    )?;
    let is_other = attempt.as_ref().is_some_and(|attempt| {
        let is_saved =
            (saves_card || transaction.saves_card_by_itself()) && profile.can_save_card(transaction);
        let card = if is_saved { CardUse::Save } else { CardUse::Nothing };
        let is_same = attempt.card == card
            && attempt.form_of_payment == FormOfPayment::Redirect
            && (!is_shown || profile.quote(amount) == Some(attempt.quote));
        attempt.permits_retry && !is_same
    });
    Ok(if opening == Opening::Resume && is_other { Opening::Replace } else { opening })
}

/// Back to the gateway's page if it still waits; if the payment ended in the meantime, to its outcome.
async fn resume(
    world: &impl World,
    record: Record,
    situation: &Situation,
    language: Option<Language>,
) -> Result<Directed, Failure> {
    let settled = inquire(world, record, situation, Inquiry::RESUMED).await?;
    Ok(direct(world, &settled.record, language))
}

pub(crate) fn direct(world: &impl World, record: &Record, language: Option<Language>) -> Directed {
    let page = |attempt| page_address(world.installation(), &record.transaction, attempt, language);
    match record.attempt.as_ref().and_then(page) {
        Some(url) => Directed { url, deliveries: Vec::new() },
        None => outcome(world, record, language),
    }
}

/// The address at which the payer learns the outcome, as if they came back from the gateway. It waits for the
/// merchant's answer to the notification before it decides where the payer goes.
fn outcome(world: &impl World, record: &Record, language: Option<Language>) -> Directed {
    let installation = world.installation();
    let attempt = record.attempt.as_ref();
    let url = attempt.map(|attempt| return_url(installation, attempt, language)).unwrap_or_default();
    Directed { url, deliveries: Vec::new() }
}
