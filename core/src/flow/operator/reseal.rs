//! Under which keys the secrets of the installation are sealed, and sealing them again under the present one, so that
//! `SEAL_KEY` can be replaced while payments go on (`docs/operating/keys.md`).

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::time::Duration;

use serde::Serialize;

use super::{broken, document};
use crate::access::operator::Operator;
use crate::answer::operator::{Resealed, SealKeyShown, SealingShown};
use crate::flow::Failure;
use crate::port::{
    CardReplacement, Clock, DeskFactors, MerchantSecrets, PortError, SealedCards, SealedSecrets, Vault, World,
};
use crate::record::audit::{Actor, Entry};
use crate::settings::WebhookSecrets;
use crate::value::id::MerchantId;
use crate::value::sealed::{SealKeyId, Sealed};
use crate::value::slot::Slot;
use crate::value::time::Timestamp;

/// How long one call begins anything.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many merchants are read at a time.
const MERCHANTS: u32 = 50;
/// The most merchants whose secrets one call replaces: each is a statement.
const MAX_MERCHANTS: u64 = 100;
/// How many saved cards are read at a time, and replaced in one batch.
const CARDS: u32 = 100;
/// The most saved cards that one call reads, for each key.
const MAX_CARDS: u64 = 300;

/// How many values each key has sealed.
type Counts = BTreeMap<Option<SealKeyId>, u64>;

/// Under which keys the secrets are sealed.
///
/// # Errors
/// A failure of the world.
pub async fn read_sealing(world: &impl World) -> Result<SealingShown, Failure> {
    let keys = world.vault().keys();
    let mut turn = ResealCall::counting(world)?;
    turn.merchants(world).await?;
    turn.factors(world).await?;
    let counts = turn.counted(world).await?;
    let known = keys.iter().map(|key| Some(key.clone())).filter(|key| !counts.contains_key(key));
    let unused: Vec<Option<SealKeyId>> = known.collect();
    let sealing = keys.first();
    let shown = |key: &Option<SealKeyId>, values: u64| SealKeyShown {
        is_configured: key.as_ref().is_none_or(|key| keys.contains(key)),
        key_id: key.as_ref().map(|key| key.as_str().into()),
        seals: key.is_some() && key.as_ref() == sealing,
        values,
    };
    let used = counts.iter().map(|(key, values)| shown(key, *values));
    Ok(SealingShown {
        keys: used.chain(unused.iter().map(|key| shown(key, 0))).collect(),
        left: left(&counts, sealing),
    })
}

/// Seals secrets again under the present key, as many as fit into one call:
///
/// 1. those of merchants, each if its version is still the one that was read; a merchant whose settings changed meanwhile
///    is left to the next call;
/// 2. those of saved cards and of second factors that a configured key opens, each if it is still as it was read;
/// 3. count what is left.
///
/// # Errors
/// A failure of the world; what was sealed again until then stays so.
pub async fn reseal(world: &impl World, by: &Operator) -> Result<Resealed, Failure> {
    let mut turn = ResealCall::sealing(world, by)?;
    // 1
    turn.merchants(world).await?;
    // 2
    let others = world.vault().keys().into_iter().skip(1).map(Some);
    for key in others.chain([None]) {
        turn.cards(world, key.as_ref()).await?;
    }
    turn.factors(world).await?;
    // 3
    let (key_id, resealed, unreadable) = (turn.key.as_str().to_string(), turn.resealed, turn.unreadable);
    let key = turn.key.clone();
    let counts = turn.counted(world).await?;
    Ok(Resealed { key_id, left: left(&counts, Some(&key)), resealed, unreadable })
}

/// How many values another key than the present one has sealed.
fn left(counts: &Counts, present: Option<&SealKeyId>) -> u64 {
    let others = counts.iter().filter(|(key, _)| key.as_ref() != present);
    others.fold(0, |sum, (_, values)| sum.saturating_add(*values))
}

/// One call.
struct ResealCall {
    /// The key that seals.
    key: SealKeyId,
    /// Who seals again; `None` if it only counts.
    actor: Option<Actor>,
    /// Until when it begins anything.
    until: Timestamp,
    /// How many merchants it may still replace.
    merchants_left: u64,
    /// The values of merchants, as they are stored after it.
    counts: Counts,
    resealed: u64,
    unreadable: u64,
}

impl ResealCall {
    fn new(world: &impl World, actor: Option<Actor>) -> Result<Self, PortError> {
        let keys = world.vault().keys().into_iter();
        let key = keys.take(1).next().ok_or_else(|| broken("there is no key that seals"))?;
        let until = world.clock().now().plus(PATIENCE);
        let merchants_left = if actor.is_some() { MAX_MERCHANTS } else { 0 };
        Ok(Self { key, actor, until, merchants_left, counts: Counts::new(), resealed: 0, unreadable: 0 })
    }

    /// One that only counts.
    fn counting(world: &impl World) -> Result<Self, PortError> {
        Self::new(world, None)
    }

    /// One that seals again.
    fn sealing(world: &impl World, by: &Operator) -> Result<Self, PortError> {
        Self::new(world, Some(by.actor()))
    }

    fn count(&mut self, value: &Sealed) {
        let key = value.parts().and_then(|(key, _)| key);
        let known = self.counts.get(&key).copied().unwrap_or_default();
        self.counts.insert(key, known.saturating_add(1));
    }

    /// Reads all merchants, and seals the secrets of some again.
    async fn merchants(&mut self, world: &impl World) -> Result<(), Failure> {
        let mut after: Option<MerchantId> = None;
        loop {
            let page = world.directory().merchant_secrets(after.as_ref(), MERCHANTS).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.merchant.clone());
            for stored in page {
                let stored = self.merchant(world, stored).await?;
                for value in values(&stored)? {
                    self.count(&value);
                }
            }
        }
    }

    /// Seals the secrets of a merchant again if it is their turn. Returns them as they are stored then.
    async fn merchant(
        &mut self,
        world: &impl World,
        stored: MerchantSecrets,
    ) -> Result<MerchantSecrets, Failure> {
        let is_done = values(&stored)?.iter().all(|value| value.is_under(&self.key));
        let now = world.clock().now();
        let Some(actor) =
            self.actor.clone().filter(|_| !is_done && self.merchants_left > 0 && now < self.until)
        else {
            return Ok(stored);
        };
        let (next, tally) = again(world, &self.key, &stored)?;
        self.unreadable = self.unreadable.saturating_add(tally.unreadable);
        if tally.resealed == 0 {
            return Ok(stored);
        }
        self.merchants_left = self.merchants_left.saturating_sub(1);
        let entry = Entry::of(actor, "reseal", now).about(&next.merchant).on(&next.merchant);
        let entry = entry.making(next.version.saturating_add(1)).to(&Sealing { key_id: self.key.as_str() });
        if !world.directory().replace_sealed(&next, &entry).await? {
            return Ok(stored);
        }
        self.resealed = self.resealed.saturating_add(tally.resealed);
        Ok(next)
    }

    /// Seals secrets of saved cards again that this key has sealed.
    async fn cards(&mut self, world: &impl World, key: Option<&SealKeyId>) -> Result<(), Failure> {
        let mut after = None;
        let mut seen: u64 = 0;
        while seen < MAX_CARDS && world.clock().now() < self.until {
            let page = world.ledger(&Slot::FIRST).card_secrets(key, after.as_ref(), CARDS).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.token.clone());
            let mut replaced = Vec::with_capacity(page.len());
            for before in page {
                seen = seen.saturating_add(1);
                match reopened(world, &before.merchant, &before.sealed)? {
                    Some(after) => replaced.push(CardReplacement { before, after }),
                    None => self.unreadable = self.unreadable.saturating_add(1),
                }
            }
            world.ledger(&Slot::FIRST).replace_card_secrets(&replaced).await?;
            self.resealed = self.resealed.saturating_add(u64::try_from(replaced.len()).unwrap_or(u64::MAX));
        }
        Ok(())
    }

    /// Reads the second factors of all users, and seals their secrets again.
    async fn factors(&mut self, world: &impl World) -> Result<(), Failure> {
        let mut after = None;
        loop {
            let page = world.directory().desk_factor_secrets(after, CARDS).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.user);
            for before in page {
                let is_due = self.actor.is_some() && world.clock().now() < self.until;
                let mut stored = before.sealed.clone();
                if is_due && !stored.is_under(&self.key) {
                    match reopened(world, &before.merchant, &before.sealed)? {
                        None => self.unreadable = self.unreadable.saturating_add(1),
                        Some(next)
                            if world.directory().replace_desk_factor_secret(&before, &next).await? =>
                        {
                            self.resealed = self.resealed.saturating_add(1);
                            stored = next;
                        }
                        Some(_) => {}
                    }
                }
                self.count(&stored);
            }
        }
    }

    /// The values of merchants that were counted, with those of saved cards.
    async fn counted(mut self, world: &impl World) -> Result<Counts, PortError> {
        for (key, cards) in world.ledger(&Slot::FIRST).cards_by_key().await? {
            let known = self.counts.get(&key).copied().unwrap_or_default();
            self.counts.insert(key, known.saturating_add(cards));
        }
        Ok(self.counts)
    }
}

/// What the audit says about it: the key under which the secrets are now.
#[derive(Serialize)]
struct Sealing<'a> {
    key_id: &'a str,
}

/// Every sealed value of a merchant.
fn values(stored: &MerchantSecrets) -> Result<Vec<Sealed>, Failure> {
    let WebhookSecrets { hmac_key, next_hmac, signing, previous_until: _ } = &stored.webhook;
    let mut found = Vec::from([hmac_key.clone()]);
    found.extend(next_hmac.iter().map(|next| next.key.clone()));
    found.extend(signing.iter().cloned());
    let mut tree = document::stored(&stored.document)?;
    tree.visit_texts(&mut |text| found.extend(Sealed::recognise(text)));
    Ok(found)
}

/// What became of the values of a merchant.
#[derive(Default)]
struct ResealTally {
    resealed: u64,
    unreadable: u64,
}

/// The secrets of a merchant, those that another key has sealed under the present one. A value that does not open stays as
/// it is.
fn again(
    world: &impl World,
    key: &SealKeyId,
    stored: &MerchantSecrets,
) -> Result<(MerchantSecrets, ResealTally), Failure> {
    let mut tally = ResealTally::default();
    let mut failed = None;
    let mut seal = |value: &Sealed| -> Option<Sealed> {
        if value.is_under(key) {
            return None;
        }
        match reopened(world, &stored.merchant, value) {
            Ok(Some(next)) => {
                tally.resealed = tally.resealed.saturating_add(1);
                return Some(next);
            }
            Ok(None) => tally.unreadable = tally.unreadable.saturating_add(1),
            Err(error) => failed = Some(error),
        }
        None
    };
    let mut next = stored.clone();
    let WebhookSecrets { hmac_key, next_hmac, signing, previous_until: _ } = &mut next.webhook;
    let next_key = next_hmac.as_mut().map(|next| &mut next.key);
    for value in core::iter::once(hmac_key).chain(next_key).chain(signing) {
        if let Some(sealed) = seal(value) {
            *value = sealed;
        }
    }
    let mut tree = document::stored(&stored.document)?;
    tree.visit_texts(&mut |text| {
        if let Some(sealed) = Sealed::recognise(text).and_then(|value| seal(&value)) {
            *text = Cow::Owned(sealed.0);
        }
    });
    next.document = tree.to_json();
    if let Some(error) = failed {
        return Err(error.into());
    }
    Ok((next, tally))
}

/// A value under the present key; `None` if no configured key opens it.
fn reopened(world: &impl World, merchant: &MerchantId, value: &Sealed) -> Result<Option<Sealed>, PortError> {
    match world.vault().open(merchant, value) {
        Ok(secret) => world.vault().seal(merchant, &secret).map(Some),
        Err(_) => Ok(None),
    }
}
