//! The last attempt, as a payer reads about it: on the receipt, and after a decline.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scene::clean;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::last_four;
use crate::gateway::decline::{self, DeclineReason};
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::mark::Mark;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::settings::MerchantSettings;
use crate::strings::Strings;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::webhook::labels::{Label, label};
use crate::words::{Language, Wallet};

/// What the receipt of a success shows of a gateway that names nothing itself: what result pages of banks in
/// the Gulf show, and what a bank asks for when it looks for a payment.
const USUAL: &[&str] = &[
    "result",
    "payment_id",
    "track_id",
    "ref",
    "transaction_id",
    "transaction_no",
    "receipt_no",
    "rrn",
    "auth_code",
];

/// The key of a bank's word for the outcome.
const RESULT: &str = "result";

/// The last attempt, as a receipt shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastAttempt {
    /// Its reference number.
    pub reference: String,
    /// The name of the method.
    pub method: String,
    /// The mark by which the payer knows it: that of the method, or else of the card's network.
    pub mark: Option<Mark>,
    /// What was to be paid, in the currency of the transaction.
    pub principal: Money,
    /// The card or the wallet, as far as the gateway named it.
    pub paid_with: Option<PaidWith>,
    /// What it cost.
    pub quote: Quote,
    /// What the fee is called, if there is one.
    pub fee_label: Option<String>,
    /// When it last changed.
    pub at: Timestamp,
    /// Why it was declined, if the gateway said it.
    pub decline: Option<DeclineReason>,
    /// What the gateway wants the payer to see: the name in the language of the page, and the value.
    pub data: Vec<(&'static str, String)>,
}

/// With what a payer paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaidWith {
    /// A card.
    Card {
        /// Its scheme, as the scheme writes itself if it is known.
        brand: Option<String>,
        /// Its last four digits.
        ending: String,
    },
    /// A device wallet.
    Wallet(Wallet),
}

impl PaidWith {
    fn of(attempt: &Attempt) -> Option<Self> {
        match attempt.form_of_payment {
            FormOfPayment::ApplePay => return Some(Self::Wallet(Wallet::ApplePay)),
            FormOfPayment::GooglePay => return Some(Self::Wallet(Wallet::GooglePay)),
            FormOfPayment::Redirect | FormOfPayment::TokenPay => {}
        }
        let number = last_four(attempt.params.get("card_number")?)?;
        let (_, ending) = number.rsplit_once(' ')?;
        let brand = attempt.params.get("card_type").map(|brand| {
            let own_name = Mark::of_brand(brand).own_name();
            own_name.map_or_else(|| clean(brand), ToString::to_string)
        });
        Some(Self::Card { brand, ending: ending.to_string() })
    }
}

impl LastAttempt {
    /// An attempt.
    pub(super) fn of(attempt: &Attempt, settings: &MerchantSettings, language: Language) -> Self {
        let profile = settings.gateway(&attempt.pg_code);
        let name = profile.map_or(attempt.pg_name.as_str(), |profile| profile.name.text(language));
        let fee = profile.and_then(|profile| profile.fee_of(attempt.quote));
        let decline = decline::reason(&attempt.params);
        let paid_with = PaidWith::of(attempt);
        Self {
            reference: attempt.reference.to_string(),
            method: clean(name),
            mark: mark(profile, paid_with.as_ref()),
            principal: attempt.principal,
            paid_with,
            quote: attempt.quote,
            fee_label: fee.map(|fee| clean(fee.description.text(language))),
            at: attempt.known_at,
            decline,
            data: data(attempt, settings, language),
        }
    }
}

/// The mark of a method, or else of what was paid with; a neutral picture says nothing on a receipt.
fn mark(profile: Option<&Profile>, paid_with: Option<&PaidWith>) -> Option<Mark> {
    let of_instrument = paid_with.and_then(|paid_with| match paid_with {
        PaidWith::Card { brand, .. } => brand.as_deref().map(Mark::of_brand),
        PaidWith::Wallet(Wallet::ApplePay) => Some(Mark::ApplePay),
        PaidWith::Wallet(Wallet::GooglePay) => Some(Mark::GooglePay),
    });
    let is_known = |mark: &Mark| !matches!(mark, Mark::Neutral(_));
    profile.map(Mark::of_gateway).filter(is_known).or(of_instrument.filter(is_known))
}

/// What the gateway of an attempt wants the payer to see, each value once: a bank may call a payment by our reference.
fn data(attempt: &Attempt, settings: &MerchantSettings, language: Language) -> Vec<(&'static str, String)> {
    let Some(profile) = settings.gateway(&attempt.pg_code) else { return Vec::new() };
    let keys = match profile.capabilities().receipt {
        [] if attempt.stage == Stage::Success => USUAL,
        keys => keys,
    };
    let mut shown: Vec<(&'static str, String)> = Vec::new();
    for key in keys {
        let (Some(Label { english, arabic }), Some(value)) = (label(key), attempt.params.get(*key)) else {
            continue;
        };
        let value = if *key == RESULT { result(attempt, value, language) } else { clean(value) };
        let is_known = value == attempt.reference.as_str() || shown.iter().any(|(_, other)| *other == value);
        if !is_known {
            let name = match language {
                Language::En => english,
                Language::Ar => arabic,
            };
            shown.push((name, value));
        }
    }
    shown
}

/// The bank's word for the outcome, or what it means in a language that is not the bank's.
fn result(attempt: &Attempt, value: &str, language: Language) -> String {
    let meaning = Strings::of(language).guide().result(attempt.stage == Stage::Success);
    meaning.map_or_else(|| clean(value), ToString::to_string)
}
