//! What is sealed, and sealed again.

use alloc::vec::Vec;

use super::cards::{card, save};
use super::fixture::{Fixture, document};
use super::{Checked, Problem, holds, same};
use crate::card::Card;
use crate::port::{
    CardName, CardReplacement, CardSecret, Cards, MerchantSecrets, Registry, SealedCards, SealedSecrets,
    Store,
};
use crate::settings::{NextKey, WebhookSecrets};
use crate::value::sealed::{SealKeyId, Sealed};

/// A key that no other check uses.
fn key(fixture: &Fixture) -> SealKeyId {
    SealKeyId::of(&fixture.random())
}

fn sealed(key: &SealKeyId, letter: &str) -> Sealed {
    Sealed::under(key, &letter.repeat(40))
}

/// The secrets of the check's merchant, which may be anywhere among those of others.
async fn of_merchant(
    store: &impl SealedSecrets,
    fixture: &Fixture,
) -> Result<Option<MerchantSecrets>, Problem> {
    let mut after = None;
    loop {
        let page = store.merchant_secrets(after.as_ref(), 2).await?;
        let Some(last) = page.last() else { return Ok(None) };
        let ids: Vec<_> = page.iter().map(|secrets| &secrets.merchant).collect();
        holds(
            "in order",
            ids.is_sorted() && after.as_ref().is_none_or(|after| ids.iter().all(|id| *id > after)),
        )?;
        holds("at most as many as wanted", page.len() <= 2)?;
        after = Some(last.merchant.clone());
        if let Some(found) = page.into_iter().find(|secrets| secrets.merchant == fixture.merchant) {
            return Ok(Some(found));
        }
    }
}

pub(super) async fn the_secrets_of_merchants_are_read_in_order_and_replaced_from_their_version_only(
    store: &(impl SealedSecrets + Registry),
    fixture: &Fixture,
) -> Checked {
    let new = fixture.new_merchant(&[])?;
    let before = MerchantSecrets {
        merchant: fixture.merchant.clone(),
        version: 1,
        document: new.document,
        webhook: new.settings.webhook,
    };
    same("before", of_merchant(store, fixture).await?, Some(before.clone()))?;
    let key = key(fixture);
    let next = MerchantSecrets {
        document: document("Sealed Store"),
        webhook: WebhookSecrets {
            hmac_key: sealed(&key, "a"),
            next_hmac: Some(NextKey { key: sealed(&key, "c"), from: fixture.after(60) }),
            signing: Vec::from([sealed(&key, "b")]),
            previous_until: Some(fixture.after(30)),
        },
        ..before.clone()
    };
    let entry = |version| fixture.entry("reseal").making(version);
    holds("replaced", store.replace_sealed(&next, &entry(2)).await?)?;
    holds("not from another version", !store.replace_sealed(&before, &entry(2)).await?)?;
    same("after", of_merchant(store, fixture).await?, Some(MerchantSecrets { version: 2, ..next.clone() }))?;
    let settings = store.merchant(&fixture.merchant).await?.ok_or("no settings")?.settings;
    same("the version of the settings", settings.version, 2)?;
    same("the name", settings.name.en.as_str(), "Sealed Store")?;
    same("the secrets of notifications", &settings.webhook, &next.webhook)?;
    let stranger = MerchantSecrets { merchant: fixture.another()?.merchant, ..next };
    holds("not of a merchant that does not exist", !store.replace_sealed(&stranger, &entry(2)).await?)
}

/// How many cards a key has sealed.
async fn count(store: &(impl SealedSecrets + SealedCards), key: &SealKeyId) -> Result<u64, Problem> {
    let counts = store.cards_by_key().await?;
    let keys: Vec<_> = counts.iter().map(|(key, _)| key).collect();
    holds("the keys in order", keys.is_sorted())?;
    Ok(counts.iter().filter(|(sealed_by, _)| sealed_by.as_ref() == Some(key)).map(|(_, count)| *count).sum())
}

/// Stores a card that a key has sealed.
async fn saved(store: &impl Store, fixture: &Fixture, seed: u8, bank_token: Sealed) -> Result<Card, Problem> {
    let card = Card { bank_token, ..card(fixture, seed, u64::from(seed))? };
    save(store, fixture, &card, None).await?;
    Ok(card)
}

fn secret(card: &Card) -> CardSecret {
    let merchant = card.holder.merchant.clone();
    CardSecret { token: card.token.clone(), merchant, sealed: card.bank_token.clone() }
}

pub(super) async fn the_secrets_of_cards_are_found_by_their_key_and_replaced_only_as_they_were_read(
    store: &(impl SealedSecrets + SealedCards + Store),
    fixture: &Fixture,
) -> Checked {
    let (old, new) = (key(fixture), key(fixture));
    let mut cards = Vec::new();
    for seed in 1..=3 {
        cards.push(secret(&saved(store, fixture, seed, sealed(&old, "a")).await?));
    }
    cards.sort_by(|one, other| one.token.cmp(&other.token));
    same("none is under the other key", store.card_secrets(Some(&new), None, 10).await?, Vec::new())?;
    same("all of them", store.card_secrets(Some(&old), None, 10).await?, cards.clone())?;
    let [first, second, third] = &cards[..] else { return Err("no three cards".into()) };
    let page = store.card_secrets(Some(&old), Some(&first.token), 1).await?;
    same("a page", page, Vec::from([second.clone()]))?;
    same("counted", (count(store, &old).await?, count(store, &new).await?), (3, 0))?;
    let changed = CardSecret { sealed: sealed(&old, "b"), ..second.clone() };
    let all =
        [first, &changed].map(|before| CardReplacement { before: before.clone(), after: sealed(&new, "c") });
    store.replace_card_secrets(&all).await?;
    let is_left = Vec::from([second.clone(), third.clone()]);
    same("what was not read stays", store.card_secrets(Some(&old), None, 10).await?, is_left)?;
    let replaced = CardSecret { sealed: sealed(&new, "c"), ..first.clone() };
    same("the other is replaced", store.card_secrets(Some(&new), None, 10).await?, Vec::from([replaced]))?;
    same("counted again", (count(store, &old).await?, count(store, &new).await?), (2, 1))?;
    store.replace_card_secrets(&[]).await?;
    let before_ids = saved(store, fixture, 4, Sealed(["v1.", &"a".repeat(40)].concat())).await?;
    let mut after = None;
    loop {
        let page = store.card_secrets(None, after.as_ref(), 50).await?;
        let last = page.last().ok_or("the card without a key is not found")?;
        after = Some(last.token.clone());
        if page.contains(&secret(&before_ids)) {
            return Ok(());
        }
    }
}

pub(super) async fn a_card_that_is_saved_again_stays_under_the_key_that_sealed_it_last(
    store: &(impl SealedSecrets + SealedCards + Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let (old, new) = (key(fixture), key(fixture));
    let card = saved(store, fixture, 1, sealed(&old, "a")).await?;
    let replacement = CardReplacement { before: secret(&card), after: sealed(&new, "c") };
    store.replace_card_secrets(&[replacement]).await?;
    // A payment that read the card before it was sealed again.
    save(store, fixture, &Card { used_at: fixture.after(99), ..card.clone() }, None).await?;
    let found = store.card(&fixture.merchant, CardName::Token(&card.token)).await?.ok_or("no card")?;
    same("the key", found.card.bank_token, sealed(&new, "c"))?;
    same("the use", found.card.used_at, fixture.after(99))
}
