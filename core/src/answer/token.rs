//! A saved card as it is shown: the object `token` of a payment notification, and an item of the lists of
//! cards, which has the same members.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::card::SavedCard;
use crate::payment::acceptance::is_debited;
use crate::sdk::card::CardShown;
use crate::settings::MerchantSettings;
use crate::value::time::Timestamp;
use crate::words::Language;

/// A saved card, and what is true about it at one moment.
#[derive(Debug, Clone, Copy)]
pub struct ShownCard<'a> {
    saved: &'a SavedCard,
    is_debited: bool,
    now: Timestamp,
}

impl<'a> ShownCard<'a> {
    /// A card as it is at `now`.
    #[must_use]
    pub fn of(saved: &'a SavedCard, settings: &MerchantSettings, now: Timestamp) -> Self {
        Self { saved, is_debited: is_debited(settings, saved, now), now }
    }
}

/// The members of a card.
pub(crate) fn token(shown: &ShownCard<'_>) -> CardShown {
    let ShownCard { saved, is_debited, now } = *shown;
    let card = &saved.card;
    CardShown {
        agreements: saved.agreements.clone(),
        auto_debit_enabled: is_debited.into(),
        brand: card.brand.clone(),
        customer_id: Some(card.holder.customer_id.clone()),
        cvv_required: card.cvv_required,
        delete_url: None,
        expiry_month: card.expiry.month().clone(),
        expiry_year: card.expiry.year().clone(),
        is_expired: card.expiry.is_over(now),
        is_preferred: saved.is_preferred,
        mark: None,
        name_on_card: card.name_on_card.clone(),
        number: card.number.clone(),
        pg: None,
        pg_code: card.pg_code.clone(),
        pg_name: card.pg_name.clone(),
        submit_url: None,
        token: card.token.as_str().to_string(),
        will_expire_soon: card.expiry.ends_soon(now),
    }
}

/// Where a list of cards is shown.
#[derive(Debug, Clone, Copy)]
pub struct CardListScene<'a> {
    /// The settings of the merchant.
    pub settings: &'a MerchantSettings,
    /// The merchant's time.
    pub now: Timestamp,
    /// Whether the payer sees it.
    pub is_payer: bool,
    /// The language in which a checkout SDK shows it, if one loads it.
    pub sdk: Option<Language>,
}

/// A list of cards; `more` adds the further members of each. The payer's list does not say who the customer is, and
/// checkout SDKs decode no card without its texts: one that is not known is empty there.
#[must_use]
pub fn cards(
    saved: &[SavedCard],
    scene: &CardListScene<'_>,
    more: impl Fn(&SavedCard, CardShown) -> CardShown,
) -> Vec<CardShown> {
    let shown = saved.iter().map(|saved| {
        let mut card = token(&ShownCard::of(saved, scene.settings, scene.now));
        if scene.is_payer {
            card.customer_id = None;
        }
        if let Some(language) = scene.sdk {
            for text in [&mut card.brand, &mut card.customer_id, &mut card.name_on_card, &mut card.number] {
                text.get_or_insert_default();
            }
            let gateway = scene.settings.gateways.iter().find(|profile| profile.code == saved.card.pg_code);
            let name = gateway.map_or(saved.card.pg_name.as_str(), |profile| profile.name.text(language));
            card.pg = Some(name.to_string());
        }
        more(saved, card)
    });
    shown.collect()
}
