//! A saved card as it is shown: the object `token` of a payment notification, and an item of the lists of
//! cards, which has the same members.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::body::{AnswerBody, BodyMember, component};
use crate::card::SavedCard;
use crate::payment::acceptance::is_debited;
use crate::settings::MerchantSettings;
use crate::value::json;
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

/// A saved card in a list.
#[derive(Serialize)]
#[serde(transparent)]
pub struct CardItem<'a>(AnswerBody<'a>);

component!(CardItem<'_> = "SavedCard");

/// The members of a card.
pub(crate) fn token<'a>(shown: &ShownCard<'a>) -> AnswerBody<'a> {
    let ShownCard { saved, is_debited, now } = *shown;
    let card = &saved.card;
    let mut body = AnswerBody::default();
    body.0.insert("agreements", BodyMember::Texts(&saved.agreements));
    body.text("auto_debit_enabled", if is_debited { "true" } else { "false" });
    body.optional("brand", card.brand.as_ref());
    body.text("customer_id", &card.holder.customer_id);
    body.0.insert("cvv_required", BodyMember::Flag(card.cvv_required));
    body.text("expiry_month", card.expiry.month());
    body.text("expiry_year", card.expiry.year());
    body.0.insert("is_expired", BodyMember::Flag(card.expiry.is_over(now)));
    body.0.insert("is_preferred", BodyMember::Flag(saved.is_preferred));
    body.optional("name_on_card", card.name_on_card.as_ref());
    body.optional("number", card.number.as_ref());
    body.text("pg_code", card.pg_code.as_str());
    body.text("pg_name", &card.pg_name);
    body.text("token", card.token.as_str());
    body.0.insert("will_expire_soon", BodyMember::Flag(card.expiry.ends_soon(now)));
    body
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

/// The texts without which checkout SDKs decode no card: one that is not known is empty there.
const TEXTS_OF_SDKS: [&str; 4] = ["brand", "customer_id", "name_on_card", "number"];

/// A list of cards as JSON; `more` gives the further members of each by name. The payer's list does not say
/// who the customer is.
#[must_use]
pub fn cards(
    saved: &[SavedCard],
    scene: &CardListScene<'_>,
    more: impl Fn(&SavedCard) -> Vec<(&'static str, String)>,
) -> String {
    let bodies = saved.iter().map(|saved| {
        let mut body = token(&ShownCard::of(saved, scene.settings, scene.now));
        if scene.is_payer {
            body.0.remove("customer_id");
        }
        if let Some(language) = scene.sdk {
            for name in TEXTS_OF_SDKS {
                if !body.0.contains_key(name) {
                    body.text(name, "");
                }
            }
            let gateway = scene.settings.gateways.iter().find(|profile| profile.code == saved.card.pg_code);
            body.text(
                "pg",
                gateway.map_or(saved.card.pg_name.as_str(), |profile| profile.name.text(language)),
            );
        }
        for (name, value) in more(saved) {
            body.text(name, value);
        }
        CardItem(body)
    });
    json::write(&bodies.collect::<Vec<_>>())
}
