//! What a create request chooses from the merchant's settings: the plugin and the gateways, and whether these
//! fit the amount and the payment type.

use alloc::format;
use alloc::vec::Vec;

use super::essentials::{Essentials, PlacedCode};
use crate::gateway::profile::Profile;
use crate::gateway::terms::Terms;
use crate::settings::{MerchantSettings, PluginSettings};
use crate::value::choice::PrincipalError;
use crate::value::money::{AmountError, Money};
use crate::violation::{CardRule, ExchangeRule, Rule};
use crate::wire::field::Fields;
use crate::words::Operation;
use crate::words::payment_type::PaymentType;

/// What a request chooses, as far as it can be read and the settings have it.
pub(super) struct GatewayChoice<'s> {
    /// The plugin.
    pub(super) plugin: Option<&'s PluginSettings>,
    /// The gateways that are known and fit the plugin.
    pub(super) profiles: Vec<&'s Profile>,
    /// What success means with the first of them; each gateway has its own operation.
    pub(super) operation: Option<Operation>,
}

impl<'s> GatewayChoice<'s> {
    /// Finds what a request chooses, and notes what does not fit.
    pub(super) fn of(fields: &mut Fields, read: &Essentials, settings: &'s MerchantSettings) -> Self {
        let plugin = read.plugin.and_then(|plugin| {
            settings.plugin(plugin).or_else(|| fields.refuse("type", Rule::PluginNotInstalled))
        });
        if read.currency.is_some_and(|currency| !settings.currencies.contains(&currency)) {
            fields.violation("currency_code", Rule::InactiveCurrency);
        }
        let saves_card = read.payment_type.filter(|kind| kind.saves_card());
        let profiles = find_profiles(fields, &read.pg_codes, &GatewayNeeds { plugin, saves_card }, settings);
        let operation = profiles.first().map(|profile| profile.operation);
        // A gateway that is not known might be the one that accepts the currency.
        let is_complete = !profiles.is_empty() && profiles.len() == read.pg_codes.len();
        if let Some(currency) = read.currency.filter(|_| is_complete) {
            let terms: Vec<Terms> = profiles.iter().filter_map(|profile| profile.terms(currency)).collect();
            if terms.is_empty() {
                fields.violation("pg_codes", Rule::CurrencyNotTaken { currency });
            } else if let Some(amount) = read.amount
                && terms.iter().all(|terms| terms.quote(amount).is_none())
            {
                fields.violation("amount", why_not_charged(&terms, amount));
            }
        }
        Self { plugin, profiles, operation }
    }
}

/// Why none of the gateways charges an amount.
fn why_not_charged(terms: &[Terms], amount: Money) -> Rule {
    if let Some(unfit) = terms.iter().find_map(|terms| terms.unfit(amount)) {
        Rule::Principal(PrincipalError::Unfit(unfit))
    } else if terms.iter().any(|terms| terms.round_away(amount)) {
        Rule::Exchange(ExchangeRule::AmountLost)
    } else {
        Rule::Amount(AmountError::TooLarge)
    }
}

/// What a gateway must fit.
struct GatewayNeeds<'a> {
    plugin: Option<&'a PluginSettings>,
    /// The payment type that only gateways that save cards can serve.
    saves_card: Option<PaymentType>,
}

/// The gateways of the codes.
fn find_profiles<'s>(
    fields: &mut Fields,
    codes: &[PlacedCode],
    needs: &GatewayNeeds<'_>,
    settings: &'s MerchantSettings,
) -> Vec<&'s Profile> {
    let mut profiles = Vec::with_capacity(codes.len());
    for PlacedCode { place, code } in codes {
        let Some(profile) = settings.gateway(code) else {
            fields.violation(format!("pg_codes.{place}"), Rule::UnknownGateway);
            continue;
        };
        if let Some(kind) = needs.saves_card.filter(|kind| !profile.serves(*kind)) {
            let keeps = profile.saves_cards();
            let rule = if keeps { CardRule::VerifiesNoCards(kind) } else { CardRule::SavesNoCards(kind) };
            fields.violation(format!("pg_codes.{place}"), Rule::Card(rule));
        }
        if needs.plugin.is_some_and(|known| !profile.plugins.contains(&known.plugin)) {
            fields.violation(format!("pg_codes.{place}"), Rule::GatewayOfOtherPlugin);
        } else {
            profiles.push(profile);
        }
    }
    profiles
}
