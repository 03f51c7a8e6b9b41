//! Through which gateway a payment goes: which a transaction offers and in which order ([`offered`]), which of them are one
//! payment method for the payer (`methods`), and which can take the place of one that cannot be reached (`route`).
//!
//! Rules:
//! 1. The first rule of the settings that applies puts its gateways first, in its order; one with shares draws which of
//!    them comes first by the session id, so that a transaction has one order. The others follow in the order of the
//!    transaction's codes.
//! 2. A gateway that failed too often lately comes after all others. It is never taken away: it may be the only one.
//! 3. What the payer chose is exchanged only for what is the same for the payer: a gateway of the same group, or one for
//!    which the wallet's token is meant too; at the same cost, never a real one for a simulation or the reverse, and never
//!    one that must know more of the payer than is known.
//! 4. If the settings let payments go on, a gateway that declined softly is exchanged in the same way. Another method that
//!    the page offers after that goes where the payer was led, and the decision says why, even without rules.
//! 5. A gateway that the merchant named is not exchanged.

use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::decline::{self, DeclineReason};
use crate::gateway::instrument::Instrument;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::payment::payer::lacking;
use crate::record::decision::{Basis, GatewayFinding, RoutingDecision};
use crate::settings::MerchantSettings;
use crate::settings::routing::{Routing, RoutingRule};
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::id::{PgCode, ReferenceNumber, SessionId};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::Wallet;
use crate::words::card_brand::CardBrand;

/// The gateways through which a transaction can be paid, with what they cost, in the order in which they are offered.
pub fn offered<'t, 'a>(
    transaction: &'t Transaction,
    situation: &'a Situation,
) -> impl Iterator<Item = (&'a Profile, Quote)> + use<'t, 'a> {
    let settings = &situation.settings;
    let ordered = settings.routing.as_ref().map(|routing| {
        let rule = rule_of(transaction, routing, None);
        ordered(transaction, situation, rule)
    });
    let is_ordered = ordered.is_some();
    ordered.into_iter().flatten().chain(accepting(transaction, settings).filter(move |_| !is_ordered))
}

/// The gateways that a payer who pays by a card of `brand`, if it is known, is offered first.
pub(crate) fn offered_for<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
    brand: Option<CardBrand>,
) -> Vec<(&'a Profile, Quote)> {
    match &situation.settings.routing {
        Some(routing) => ordered(transaction, situation, rule_of(transaction, routing, brand)),
        None => accepting(transaction, &situation.settings).collect(),
    }
}

/// The payment methods of a transaction: of each group of gateways only the first, or the one with the code `shown`.
pub(crate) fn methods<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
    shown: Option<&PgCode>,
) -> Vec<(&'a Profile, Quote)> {
    let mut methods: Vec<(&Profile, Quote)> = Vec::new();
    for (profile, quote) in offered(transaction, situation) {
        let place = methods.iter().position(|(known, _)| is_one_method(known, profile));
        match place.and_then(|place| methods.get_mut(place)) {
            None => methods.push((profile, quote)),
            Some(known) if shown == Some(&profile.code) => *known = (profile, quote),
            Some(_) => {}
        }
    }
    methods
}

/// Whether two gateways are one payment method for the payer.
pub(crate) fn is_one_method(one: &Profile, other: &Profile) -> bool {
    one.code == other.code
        || (one.group.is_some() && one.group == other.group && one.is_cash() == other.is_cash())
}

/// The gateways of a transaction that are configured and accept it, in the order of its codes.
pub(crate) fn accepting<'t, 'a>(
    transaction: &'t Transaction,
    settings: &'a MerchantSettings,
) -> impl Iterator<Item = (&'a Profile, Quote)> + use<'t, 'a> {
    let is_active = settings.currencies.contains(&transaction.amount.currency());
    transaction
        .pg_codes
        .iter()
        .filter(move |_| is_active)
        .filter_map(|code| settings.gateway(code))
        .filter(|profile| profile.serves(transaction.details.payment_type))
        .filter_map(|profile| profile.quote(transaction.amount).map(|quote| (profile, quote)))
}

fn rule_of<'a>(
    transaction: &Transaction,
    routing: &'a Routing,
    brand: Option<CardBrand>,
) -> Option<&'a RoutingRule> {
    routing.rules.iter().find(|rule| rule.when.applies(transaction, brand))
}

fn ordered<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
    rule: Option<&RoutingRule>,
) -> Vec<(&'a Profile, Quote)> {
    let first = rule.and_then(|rule| Some(share_of(rule, draw(rule, &transaction.session_id)?)?.clone()));
    let place = |code: &PgCode| {
        let listed = rule.map_or(&[][..], |rule| &rule.gateways);
        let place = listed.iter().position(|share| share.code == *code).unwrap_or(listed.len());
        (situation.is_skipped(code), first.as_ref() != Some(code), place)
    };
    let mut gateways: Vec<(&Profile, Quote)> = accepting(transaction, &situation.settings).collect();
    gateways.sort_by_key(|(profile, _)| place(&profile.code));
    gateways
}

/// The number of a transaction from 0 to 99, if a rule has shares. A session id ends with random digits.
fn draw(rule: &RoutingRule, session_id: &SessionId) -> Option<u8> {
    rule.gateways.first()?.percent?;
    let text = session_id.as_str();
    let random = u64::from_str_radix(text.get(text.len().checked_sub(12)?..)?, 16).ok()?;
    u8::try_from(random.checked_rem(100)?).ok()
}

/// The gateway in whose share a number is.
fn share_of(rule: &RoutingRule, number: u8) -> Option<&PgCode> {
    let mut end: u8 = 0;
    let share = rule.gateways.iter().find(|share| {
        end = end.saturating_add(share.percent.unwrap_or(0));
        number < end
    });
    share.map(|share| &share.code)
}

/// How someone wants to pay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Preference<'a, 'i> {
    /// The gateway that was chosen.
    pub(crate) chosen: &'a Profile,
    /// Who chose it: the payer, the merchant, or the order of the gateways.
    pub(crate) by: Basis,
    /// How much of the transaction's amount.
    pub(crate) principal: Money,
    /// With what.
    pub(crate) instrument: &'i Instrument,
    /// Whether the card is to be saved.
    pub(crate) saves_card: bool,
    /// The attempt before.
    pub(crate) latest: Option<&'i Attempt>,
}

/// The gateways through which a payment is tried, and why.
#[derive(Debug, Clone)]
pub(crate) struct PaymentRoute<'a> {
    /// The gateways in the order in which they are tried; the first always.
    pub(crate) gateways: Vec<&'a Profile>,
    /// The reasons; `None` if the merchant has no routing.
    pub(crate) reasons: Option<Reasons>,
}

impl<'a> PaymentRoute<'a> {
    /// One gateway, for which nothing was decided.
    pub(crate) fn only(profile: &'a Profile) -> Self {
        Self { gateways: Vec::from([profile]), reasons: None }
    }
}

/// The reasons of a route.
#[derive(Debug, Clone)]
pub(crate) struct Reasons {
    basis: Basis,
    rule: Option<alloc::string::String>,
    draw: Option<u8>,
    gateways: Vec<(PgCode, GatewayFinding)>,
}

/// The gateways through which a payment is tried.
pub(crate) fn route<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
    preference: Preference<'a, '_>,
) -> PaymentRoute<'a> {
    let (routing, is_led) = (situation.settings.routing.as_ref(), preference.by == Basis::AfterDecline);
    if routing.is_none() && !is_led {
        return PaymentRoute::only(preference.chosen);
    }
    let rule = routing.and_then(|one| rule_of(transaction, one, brand_of(preference.instrument)));
    let is_exchanged = routing.is_some_and(|one| one.goes_on);
    let is_left = |code: &&PgCode| is_led && **code != preference.chosen.code;
    let declined = declined(preference.latest).filter(|code| is_exchanged || is_left(code));
    let found = ordered(transaction, situation, rule)
        .into_iter()
        .map(|(one, _)| match finding(transaction, situation, &preference, one) {
            found if (is_able(found) || is_led) && declined == Some(&one.code) => {
                (one, GatewayFinding::Declined)
            }
            found if routing.is_none() && is_able(found) && one.code != preference.chosen.code => {
                (one, GatewayFinding::OtherMethod)
            }
            found => (one, found),
        })
        .collect();
    let mut found = Findings(found);
    let was_declined = declined == Some(&preference.chosen.code);
    let is_skipped = was_declined || situation.is_skipped(&preference.chosen.code);
    let basis = match (preference.by, rule) {
        _ if was_declined && found.able().next().is_some() => Basis::AfterDecline,
        (Basis::Merchant, _) => Basis::Merchant,
        (Basis::AfterDecline, _) => Basis::AfterDecline,
        (Basis::Payer, _) if !found.decided(preference.chosen, is_skipped) => Basis::Payer,
        (_, Some(_)) => Basis::Rule,
        (_, None) => Basis::Order,
    };
    found.choose(preference.chosen, is_skipped);
    let gateways = found.tried(routing.is_some_and(|one| one.has_fallback || one.goes_on));
    let reasons = Reasons {
        basis,
        rule: rule.map(|rule| rule.name.clone()),
        draw: rule.and_then(|rule| draw(rule, &transaction.session_id)),
        gateways: found.0.into_iter().map(|(one, finding)| (one.code.clone(), finding)).collect(),
    };
    // A gateway that is no longer offered was checked when it was chosen.
    let gateways = if gateways.is_empty() { Vec::from([preference.chosen]) } else { gateways };
    PaymentRoute { gateways, reasons: Some(reasons) }
}

/// The gateways of a transaction in the order of the rules, with what is found about each.
struct Findings<'a>(Vec<(&'a Profile, GatewayFinding)>);

impl<'a> Findings<'a> {
    /// The gateways that can take the payment.
    fn able(&self) -> impl Iterator<Item = &'a Profile> {
        self.0.iter().filter(|(_, finding)| is_able(*finding)).map(|(one, _)| *one)
    }

    /// Whether the order decided: there was a choice, and the payer took what comes first, or what is skipped is
    /// exchanged.
    fn decided(&self, chosen: &Profile, is_skipped: bool) -> bool {
        let leads = self.able().next().is_some_and(|first| first.code == chosen.code);
        self.able().count() > 1 && (leads || is_skipped)
    }

    /// Moves the gateway to which the payment goes to the front. What the payer saw first stays first, unless it is to be
    /// skipped and another one is not.
    fn choose(&mut self, chosen: &Profile, is_skipped: bool) {
        let is_taken = |(one, finding): &(&Profile, GatewayFinding)| {
            if is_skipped { is_able(*finding) } else { one.code == chosen.code }
        };
        let by_code = |(one, _): &(&Profile, GatewayFinding)| one.code == chosen.code;
        if let Some(place) = self.0.iter().position(is_taken).or_else(|| self.0.iter().position(by_code)) {
            let (one, _) = self.0.remove(place);
            self.0.insert(0, (one, GatewayFinding::Chosen));
        }
    }

    /// The gateways that are tried: the chosen one, and with a fallback the others that can take the payment.
    fn tried(&self, has_fallback: bool) -> Vec<&'a Profile> {
        let is_tried =
            |finding: GatewayFinding| finding == GatewayFinding::Chosen || (has_fallback && is_able(finding));
        self.0.iter().filter(|(_, finding)| is_tried(*finding)).map(|(one, _)| *one).collect()
    }
}

/// The gateway that declined the attempt before softly.
fn declined(latest: Option<&Attempt>) -> Option<&PgCode> {
    latest.filter(|one| is_declined_softly(one)).map(|one| &one.pg_code)
}

/// Whether an attempt was declined for a reason after which the payer may try again at once through another gateway.
pub(crate) fn is_declined_softly(attempt: &Attempt) -> bool {
    attempt.stage == Stage::Failed && decline::is_for(&attempt.params, DeclineReason::is_soft)
}

/// Whether an attempt that ended goes on through the next gateway of its route by itself; `None` if it does not. It never
/// reached its gateway, or was declined there for a reason that another one may not have.
pub(crate) fn goes_on_as(
    failed: &Attempt,
    was_given_up: bool,
    routing: Option<&Routing>,
) -> Option<GatewayFinding> {
    let routing = routing?;
    if was_given_up || failed.stage == Stage::Error {
        return routing.has_fallback.then_some(GatewayFinding::NotReached);
    }
    let passes = decline::is_for(&failed.params, DeclineReason::may_pass_elsewhere);
    (routing.goes_on && failed.stage == Stage::Failed && passes).then_some(GatewayFinding::Declined)
}

/// Whether a gateway with this finding can take the payment.
const fn is_able(finding: GatewayFinding) -> bool {
    matches!(finding, GatewayFinding::Next | GatewayFinding::Skipped)
}

/// What is found about a gateway, before one is chosen.
fn finding(
    transaction: &Transaction,
    situation: &Situation,
    preference: &Preference<'_, '_>,
    one: &Profile,
) -> GatewayFinding {
    let chosen = preference.chosen;
    let costs = |profile: &Profile| profile.quote(preference.principal).map(|quote| (quote.total, quote.fee));
    if one.code != chosen.code {
        match preference.instrument {
            _ if preference.by == Basis::Merchant => return GatewayFinding::OtherMethod,
            Instrument::Page if !is_one_method(one, chosen) => return GatewayFinding::OtherMethod,
            Instrument::Wallet(wallet, _) if !one.wallets.contains(wallet) => {
                return GatewayFinding::OtherMethod;
            }
            Instrument::Wallet(wallet, _) if !is_same_account(*wallet, one, chosen) => {
                return GatewayFinding::OtherWalletAccount;
            }
            Instrument::Page | Instrument::Wallet(..) => {}
        }
        if one.sandbox != chosen.sandbox {
            return GatewayFinding::OtherEnvironment;
        }
        if one.operation != chosen.operation {
            return GatewayFinding::OtherOperation;
        }
        if costs(one) != costs(chosen) {
            return GatewayFinding::OtherCost;
        }
        if preference.saves_card && !one.can_save_card(transaction) {
            return GatewayFinding::SavesNoCard;
        }
        let lacks = |need| !lacking(&transaction.details, &situation.settings.country, need).is_empty();
        if one.flexible().is_some_and(lacks) {
            return GatewayFinding::PayerNotKnown;
        }
    }
    if situation.is_skipped(&one.code) { GatewayFinding::Skipped } else { GatewayFinding::Next }
}

/// Whether a token that a wallet made for one gateway can be used by the other: it is encrypted to the account that the
/// sheet named.
fn is_same_account(wallet: Wallet, one: &Profile, other: &Profile) -> bool {
    match wallet {
        Wallet::ApplePay => {
            let account =
                |profile: &Profile| profile.apple_pay.as_ref().map(|apple| apple.merchant_id.clone());
            account(one).is_some() && account(one) == account(other)
        }
        Wallet::GooglePay => match (&one.google_pay, &other.google_pay) {
            (Some(one), Some(other)) => {
                (&one.gateway, &one.gateway_merchant_id, one.environment)
                    == (&other.gateway, &other.gateway_merchant_id, other.environment)
            }
            (Some(_) | None, _) => false,
        },
    }
}

/// The brand of the card, as far as the wallet's token says it in the clear.
pub(crate) fn brand_of(instrument: &Instrument) -> Option<CardBrand> {
    match instrument {
        Instrument::Page => None,
        Instrument::Wallet(wallet, payload) => payload.card_brand(*wallet),
    }
}

impl Reasons {
    /// The decision about the attempt of a gateway of the route; `replaced` is the attempt before, with its gateway, the next
    /// one, and why it goes on.
    pub(crate) fn decision(
        &mut self,
        reference: &ReferenceNumber,
        at: Timestamp,
        replaced: Option<(&ReferenceNumber, &PgCode, &PgCode, GatewayFinding)>,
    ) -> RoutingDecision {
        if let Some((_, from, to, why)) = replaced {
            let is_declined = why == GatewayFinding::Declined;
            self.basis = if is_declined { Basis::AfterDecline } else { Basis::Fallback };
            for (code, finding) in &mut self.gateways {
                if code == from {
                    *finding = why;
                } else if code == to {
                    *finding = GatewayFinding::Chosen;
                }
            }
        }
        RoutingDecision {
            reference: reference.clone(),
            at,
            basis: self.basis,
            rule: self.rule.clone(),
            draw: self.draw,
            replaces: replaced.map(|(reference, ..)| reference.clone()),
            gateways: self.gateways.clone(),
        }
    }
}
