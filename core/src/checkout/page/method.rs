//! The payment methods that the page lists: the customer's saved cards, and the gateways of the transaction.
//!
//! Decision: the method that was chosen just now is chosen again, otherwise the one that the address of the
//! page names (an address of a method leads to the page with that method chosen), otherwise the one that
//! waits at the bank or was tried last, otherwise the first, which is the saved card that the customer used
//! last or the merchant's first gateway: but only if no other costs less. Otherwise the payer chooses, because
//! nobody should pay a fee for not having looked.
//!
//! Decision: where cards are saved, the gateway with which another card is paid follows them under that name.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::{PageScene, clean};
use crate::api::pay::shown_field;
use crate::attempt::Attempt;
use crate::card::SavedCard;
use crate::gateway::flexible::PayerField;
use crate::gateway::mark::Mark;
use crate::gateway::profile::Profile;
use crate::gateway::shown::ShownPrice;
use crate::gateway::terms::{Quote, Terms};
use crate::payment::acceptance::{check_expiry, gateway_of};
use crate::payment::begin::{Opening, WantedPayment, may_open, quote_of};
use crate::payment::payer::lacking;
use crate::payment::principal::choice;
use crate::payment::routing::{is_one_method, methods};
use crate::rejection::refusal::CardRefusal;
use crate::settings::situation::Situation;
use crate::strings::Strings;
use crate::transaction::Transaction;
use crate::value::id::PgCode;
use crate::value::money::Money;
use crate::words::Language;
use crate::words::card_brand::CardBrand;
use crate::words::payment_type::PaymentType;

/// One payment method.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent marks of one way to pay")]
pub struct PageMethod {
    /// What the form sends: the gateway code, or the token of a saved card.
    pub code: String,
    /// Its name; for a saved card its brand.
    pub name: String,
    /// What it costs.
    pub quote: Quote,
    /// How it charges other amounts.
    pub terms: Terms,
    /// The label of the fee, if there is one.
    pub fee_label: Option<String>,
    /// The mark that goes with it.
    pub mark: Mark,
    /// The brands of cards that it takes, as far as they are known.
    pub card_brands: Vec<CardBrand>,
    /// Whether it is paid in cash, later.
    pub is_cash: bool,
    /// Whether it is chosen when the page opens.
    pub is_chosen: bool,
    /// Whether the gateway's page of this method still waits for the payer.
    pub is_waiting: bool,
    /// Whether the payer may have their card saved.
    pub can_save_card: bool,
    /// Whether its gateway is asked before it is offered.
    pub asks_first: bool,
    /// What it must know of the payer and nobody said.
    pub lacks: Vec<PayerField>,
}

impl PageMethod {
    /// What the form sends back about the price that the page shows.
    #[must_use]
    pub fn shown(&self, is_editable: bool) -> String {
        shown_field(&self.code, &ShownPrice::of(&self.quote, self.terms, is_editable))
    }
}

/// A saved card of the customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCardMethod {
    /// The payment method for it.
    pub method: PageMethod,
    /// The last digits of its number.
    pub ending: Option<String>,
    /// Until when it is valid: month and year, `01/39`.
    pub expiry: String,
    /// Whether it is valid to the end of this month, and no longer.
    pub is_last_month: bool,
    /// Why it cannot be chosen.
    pub fault: Option<SavedCardFault>,
    /// The gateway that has it.
    pub gateway: String,
}

/// Why a saved card cannot be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavedCardFault {
    /// It is expired.
    Expired,
    /// It is not valid for as long as the merchant requires.
    ExpiresTooSoon,
}

/// The saved cards, those that can be chosen first, and the methods.
pub(super) fn choices(
    scene: &PageScene<'_>,
    principal: Money,
    language: Language,
) -> (Vec<SavedCardMethod>, Vec<PageMethod>) {
    let mut saved: Vec<SavedCardMethod> =
        scene.cards.iter().filter_map(|card| saved_card_method(scene, card, principal, language)).collect();
    saved.sort_by_key(|card| card.fault.is_some());
    let offered = methods(scene.transaction, scene.situation, open_code(scene.latest));
    let tried = scene.latest.map(|attempt| shown_for(scene, &offered, attempt.pg_code.as_str()));
    let sent = scene.sent.map(|sent| shown_for(scene, &offered, &sent.form.pg_code));
    let asked = scene.asked.map(|asked| shown_for(scene, &offered, asked));
    let mut methods: Vec<PageMethod> = offered
        .iter()
        .filter_map(|(profile, whole)| {
            method(scene, profile, &MethodOffer { whole: *whole, principal }, language)
        })
        .collect();
    put_another_card_first(&saved, &mut methods, |code| shown_for(scene, &offered, code), language);
    let usable = saved.iter().filter(|card| card.fault.is_none()).map(|card| &card.method);
    let all: Vec<&PageMethod> = usable.chain(&methods).collect();
    let is_offered = |code: &String| all.iter().any(|one| one.code == *code);
    let chosen = sent
        .filter(is_offered)
        .or_else(|| asked.filter(is_offered))
        .or_else(|| tried.filter(is_offered))
        .or_else(|| {
            cheapest_first(&all, choice(scene.transaction).is_some()).map(|first| first.code.clone())
        });
    for one in saved.iter_mut().map(|card| &mut card.method).chain(&mut methods) {
        one.is_chosen = chosen.as_ref() == Some(&one.code);
    }
    (saved, methods)
}

/// The first method, if no other costs less: neither the amount on the page nor, where the payer may type
/// another, any amount. What is charged in another currency cannot be compared.
fn cheapest_first<'m>(all: &[&'m PageMethod], is_editable: bool) -> Option<&'m PageMethod> {
    let (first, others) = all.split_first()?;
    let is_no_dearer = |other: &&PageMethod| {
        let (total, than) = (first.quote.total, other.quote.total);
        let (terms, those) = (first.terms, other.terms);
        let costs_no_more = total.currency() == than.currency() && total.minor() <= than.minor();
        let charges_no_more = terms.rate == those.rate
            && terms.fixed.minor() <= those.fixed.minor()
            && terms.percent <= those.percent;
        costs_no_more && (!is_editable || charges_no_more)
    };
    // One that may go while the payer looks at it is never chosen for them.
    let is_certain = !first.asks_first || others.is_empty();
    (is_certain && others.iter().all(is_no_dearer)).then_some(first)
}

/// Puts the methods with which another card than a saved one is paid before the others, under that name.
fn put_another_card_first(
    saved: &[SavedCardMethod],
    methods: &mut [PageMethod],
    shown_for: impl Fn(&str) -> String,
    language: Language,
) {
    let gateways: Vec<String> = saved.iter().map(|card| shown_for(&card.gateway)).collect();
    for method in methods.iter_mut().filter(|method| gateways.contains(&method.code)) {
        method.name = Strings::of(language).ways.another_card.to_string();
    }
    methods.sort_by_key(|method| !gateways.contains(&method.code));
}

/// The code of the method that is shown for a code: another gateway of its group may be.
fn shown_for(scene: &PageScene<'_>, offered: &[(&Profile, Quote)], code: &str) -> String {
    let named = scene.situation.settings.gateways.iter().find(|profile| profile.code.as_str() == code);
    let shown = offered.iter().find(|(profile, _)| named.is_some_and(|named| is_one_method(named, profile)));
    shown.map_or(code, |(profile, _)| profile.code.as_str()).to_string()
}

/// What a gateway costs.
struct MethodOffer {
    /// For the whole amount that can be paid.
    whole: Quote,
    /// What the payer is about to pay.
    principal: Money,
}

impl MethodOffer {
    /// What a gateway asks for it, and how it charges other amounts.
    fn cost(&self, latest: Option<&Attempt>, profile: &Profile) -> Option<(Quote, Terms)> {
        let quote = quote_of(latest, profile, self.principal).unwrap_or(self.whole);
        Some((quote, profile.terms(self.principal.currency())?))
    }
}

/// What every gateway of a transaction costs, as the form of a page says it that is rendered now.
#[must_use]
pub fn prices(transaction: &Transaction, latest: Option<&Attempt>, situation: &Situation) -> Vec<String> {
    let principal = transaction.amount;
    let is_editable = choice(transaction).is_some();
    let offered = methods(transaction, situation, open_code(latest));
    offered
        .into_iter()
        .filter_map(|(profile, whole)| {
            let (quote, terms) = MethodOffer { whole, principal }.cost(latest, profile)?;
            Some(shown_field(profile.code.as_str(), &ShownPrice::of(&quote, terms, is_editable)))
        })
        .collect()
}

/// The gateway whose page still waits for the payer.
fn open_code(latest: Option<&Attempt>) -> Option<&PgCode> {
    latest.filter(|latest| latest.is_open()).map(|latest| &latest.pg_code)
}

/// A gateway as a method of its own, at what it costs now.
pub(super) fn gateway_method(
    scene: &PageScene<'_>,
    profile: &Profile,
    principal: Money,
    language: Language,
) -> Option<PageMethod> {
    let whole = profile.quote(scene.transaction.amount)?;
    method(scene, profile, &MethodOffer { whole, principal }, language)
}

fn method(
    scene: &PageScene<'_>,
    profile: &Profile,
    offer: &MethodOffer,
    language: Language,
) -> Option<PageMethod> {
    let PageScene { transaction, latest, situation, .. } = *scene;
    let now = situation.now;
    // With the amount of an open attempt its method is resumed.
    let opening =
        may_open(transaction, latest, WantedPayment { code: &profile.code, principal: offer.principal }, now)
            .ok()?;
    let (quote, terms) = offer.cost(latest, profile)?;
    let flexible = profile.flexible();
    let country = &situation.settings.country;
    let lacks = flexible.map(|flexible| lacking(&transaction.details, country, flexible));
    let lacks = lacks.unwrap_or_default();
    Some(PageMethod {
        code: profile.code.to_string(),
        name: clean(profile.name.text(language)),
        quote,
        terms,
        fee_label: profile.fee_of(quote).map(|fee| clean(fee.description.text(language))),
        mark: Mark::of_gateway(profile),
        card_brands: profile.card_brands.clone(),
        is_cash: profile.is_cash(),
        is_chosen: false,
        is_waiting: opening == Opening::Resume,
        asks_first: flexible.is_some_and(|flexible| flexible.asks_first) && lacks.is_empty(),
        lacks,
        can_save_card: match transaction.details.payment_type {
            PaymentType::OneOff => profile.can_save_card(transaction),
            // The card is saved without a tick.
            PaymentType::AutoDebit | PaymentType::SaveCard => false,
        },
    })
}

fn saved_card_method(
    scene: &PageScene<'_>,
    saved: &SavedCard,
    principal: Money,
    language: Language,
) -> Option<SavedCardMethod> {
    let profile = gateway_of(scene.transaction, &scene.situation.settings, saved).ok()?;
    let card = &saved.card;
    let whole = profile.quote(scene.transaction.amount)?;
    let way = method(scene, profile, &MethodOffer { whole, principal }, language)?;
    let brand = card.brand.as_deref();
    let mark = Mark::of_brand(brand.unwrap_or_default());
    let name = mark.own_name().or(brand).unwrap_or(Strings::of(language).ways.card);
    let fault = check_expiry(scene.transaction, card.expiry, scene.situation.now).err();
    Some(SavedCardMethod {
        method: PageMethod {
            code: card.token.as_str().to_string(),
            name: clean(name),
            mark,
            card_brands: Vec::new(),
            is_waiting: false,
            can_save_card: false,
            asks_first: false,
            lacks: Vec::new(),
            ..way
        },
        ending: card
            .number
            .as_deref()
            .and_then(|number| number.rsplit_once(' '))
            .map(|(_, last)| last.to_string()),
        expiry: [card.expiry.month(), card.expiry.year()].join("/"),
        is_last_month: card.expiry.is_last_month(scene.situation.now),
        fault: fault.map(|fault| {
            if fault == CardRefusal::Expired {
                SavedCardFault::Expired
            } else {
                SavedCardFault::ExpiresTooSoon
            }
        }),
        gateway: profile.code.to_string(),
    })
}
