//! Merchants, their settings and their keys.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::fixture::{Fixture, document};
use super::{Checked, Problem, holds, same};
use crate::access::Rights;
use crate::access::key::{ApiKey, KeyKind};
use crate::access::permission::Permissions;
use crate::change::{Change, EventKind};
use crate::port::{KeyEntry, Keyring, NewKey, PageOrigins, Registry, Store, StoredDocument};
use crate::record::audit::Entry;

/// Stores a merchant with keys.
async fn added(store: &impl Registry, fixture: &Fixture, keys: &[&ApiKey]) -> Result<Fixture, Problem> {
    let fixture = fixture.another()?;
    holds(
        "added",
        store.add_merchant(&fixture.new_merchant(keys)?, &fixture.entry("add_merchant").making(1)).await?,
    )?;
    Ok(fixture)
}

pub(super) async fn a_merchant_is_added_once(store: &impl Registry, fixture: &Fixture) -> Checked {
    let absent = fixture.another()?;
    holds("no settings", store.merchant(&absent.merchant).await?.is_none())?;
    holds("no document", store.document(&absent.merchant).await?.is_none())?;
    let fixture = added(store, fixture, &[]).await?;
    let new = fixture.new_merchant(&[])?;
    holds("not twice", !store.add_merchant(&new, &fixture.entry("add_merchant").making(1)).await?)?;
    let found = store.merchant(&fixture.merchant).await?;
    same("settings", found.as_ref().map(|found| &*found.settings), Some(&new.settings))?;
    same(
        "document",
        store.document(&fixture.merchant).await?,
        Some(StoredDocument { text: new.document, version: 1 }),
    )
}

pub(super) async fn a_document_is_replaced_from_its_version_only(
    store: &impl Registry,
    fixture: &Fixture,
) -> Checked {
    let fixture = added(store, fixture, &[]).await?;
    let next = document("Second Store");
    holds("from version 1", fixture.replace(store, 1, &next).await?)?;
    let other = document("Third Store");
    holds("not again", !fixture.replace(store, 1, &other).await?)?;
    same(
        "document",
        store.document(&fixture.merchant).await?,
        Some(StoredDocument { text: next, version: 2 }),
    )
}

pub(super) async fn a_key_names_its_holder(store: &(impl Registry + Keyring), fixture: &Fixture) -> Checked {
    let (private, public) = (fixture.key(KeyKind::Private), fixture.key(KeyKind::Public));
    let fixture = added(store, fixture, &[&private, &public]).await?;
    // Twice, because what is cached between calls must not change the answer.
    for key in [&private, &public, &private] {
        let caller = store.caller(key, fixture.now, None).await?.ok_or("nobody holds the key")?.caller;
        same("rights", &caller.rights, &Rights::Key(key.kind(), None))?;
        same("settings", &*caller.situation.settings, &fixture.new_merchant(&[])?.settings)?;
    }
    holds("an unknown key", store.caller(&fixture.key(KeyKind::Private), fixture.now, None).await?.is_none())
}

pub(super) async fn a_key_with_a_wrong_secret_belongs_to_no_one(
    store: &(impl Registry + Keyring),
    fixture: &Fixture,
) -> Checked {
    let key = fixture.key(KeyKind::Private);
    let forged = fixture.of_same_prefix(&key);
    same("prefix", forged.prefix(), key.prefix())?;
    let first = added(store, fixture, &[&key]).await?;
    holds("the forged key", store.caller(&forged, fixture.now, None).await?.is_none())?;
    // Another merchant whose key has the same prefix.
    let second = fixture.another()?;
    let mut new = second.new_merchant(&[])?;
    new.keys.push(second.key_row(&forged, fixture.now));
    holds("added", store.add_merchant(&new, &fixture.entry("add_merchant").making(1)).await?)?;
    for (key, merchant) in [(&key, &first.merchant), (&forged, &second.merchant), (&key, &first.merchant)] {
        let caller = store.caller(key, fixture.now, None).await?.ok_or("nobody holds the key")?.caller;
        same("merchant", &caller.situation.settings.merchant, merchant)?;
    }
    Ok(())
}

pub(super) async fn a_revoked_key_belongs_to_no_one(
    store: &(impl Registry + Keyring),
    fixture: &Fixture,
) -> Checked {
    let key = fixture.key(KeyKind::Public);
    let first = added(store, fixture, &[&key]).await?;
    holds("known", store.caller(&key, fixture.now, None).await?.is_some())?;
    let other = fixture.another()?.merchant;
    holds(
        "not by others",
        !store
            .revoke_key(&other, key.prefix(), &Entry { at: fixture.now, ..fixture.entry("revoke_key") })
            .await?,
    )?;
    holds(
        "revoked",
        store
            .revoke_key(
                &first.merchant,
                key.prefix(),
                &Entry { at: fixture.now, ..fixture.entry("revoke_key") },
            )
            .await?,
    )?;
    holds(
        "not twice",
        !store
            .revoke_key(
                &first.merchant,
                key.prefix(),
                &Entry { at: fixture.now, ..fixture.entry("revoke_key") },
            )
            .await?,
    )?;
    holds("nobody", store.caller(&key, fixture.now, None).await?.is_none())
}

pub(super) async fn who_is_recalled_stores_nothing_unless_they_are_who_they_were(
    store: &(impl Registry + Keyring + Store),
    fixture: &Fixture,
) -> Checked {
    let (key, other) = (fixture.key(KeyKind::Private), fixture.key(KeyKind::Private));
    let fixture = added(store, fixture, &[&key, &other]).await?;
    let now = fixture.now;
    let refused = RefCell::new(Vec::new());
    let is_stored = async || {
        let change = fixture.created(fixture.transaction()?);
        let is_stored = store.commit(&change).await.is_ok();
        if !is_stored {
            refused.borrow_mut().push(change.transaction.session_id);
        }
        Ok::<_, Problem>(is_stored)
    };
    holds("nobody yet", store.recall(&key, now).is_none() && store.prove().await?)?;
    for key in [&key, &other] {
        let loaded = store.caller(key, now, None).await?.ok_or("nobody holds the key")?;
        same("recalled", store.recall(key, now).as_ref(), Some(&loaded))?;
        holds("proved", store.prove().await?)?;
    }
    holds("a forged key", store.recall(&fixture.of_same_prefix(&key), now).is_none())?;
    holds("stored", store.recall(&key, now).is_some() && is_stored().await? && store.prove().await?)?;
    // The key is revoked; the other one is as it was.
    let entry = Entry { at: now, ..fixture.entry("revoke_key") };
    holds("revoked", store.revoke_key(&fixture.merchant, key.prefix(), &entry).await?)?;
    holds("still recalled", store.recall(&key, now).is_some())?;
    holds("nothing is stored", !is_stored().await?)?;
    holds("nor afterwards", !is_stored().await? && !store.prove().await?)?;
    holds("no longer recalled", store.recall(&key, now).is_none())?;
    holds("nobody", store.caller(&key, now, None).await?.is_none() && store.prove().await?)?;
    holds("the other key", store.recall(&other, now).is_some() && is_stored().await?)?;
    // The settings change.
    holds("replaced", fixture.replace(store, 1, &document("Second Store")).await?)?;
    same(
        "version",
        store.recall(&other, now).map(|holder| holder.caller.situation.settings.version),
        Some(1),
    )?;
    holds("nothing by version 1", !is_stored().await? && !store.prove().await?)?;
    let loaded = store.caller(&other, now, None).await?.ok_or("nobody holds the key")?;
    same("next version", loaded.caller.situation.settings.version, 2)?;
    same("version", store.recall(&other, now), Some(loaded))?;
    holds("by version 2", is_stored().await?)?;
    for session_id in refused.take() {
        holds("nothing was stored", store.load(&session_id).await?.is_none())?;
    }
    Ok(())
}

pub(super) async fn an_expired_key_belongs_to_no_one(
    store: &(impl Registry + Keyring),
    fixture: &Fixture,
) -> Checked {
    let key = fixture.key(KeyKind::Private);
    let fixture = added(store, fixture, &[]).await?;
    let expires_at = Some(fixture.after(60));
    store
        .add_key(&NewKey { expires_at, ..fixture.key_row(&key, fixture.now) }, &fixture.entry("add_key"))
        .await?;
    // The same key again, because what is cached between calls must not keep it valid.
    for (second, is_known) in [(0, true), (59, true), (60, false), (61, false), (59, true)] {
        holds(
            "known in time only",
            store.caller(&key, fixture.after(second), None).await?.is_some() == is_known,
        )?;
    }
    Ok(())
}

pub(super) async fn a_new_version_of_the_settings_is_seen_at_once(
    store: &(impl Registry + Keyring),
    fixture: &Fixture,
) -> Checked {
    let key = fixture.key(KeyKind::Private);
    let fixture = added(store, fixture, &[&key]).await?;
    store.caller(&key, fixture.now, None).await?;
    for (before, version, name) in [(1, 2, "Second Store"), (2, 3, "Third Store")] {
        let document = document(name);
        holds("replaced", fixture.replace(store, before, &document).await?)?;
        let caller = store.caller(&key, fixture.now, None).await?.ok_or("nobody holds the key")?.caller;
        same(
            "caller",
            (caller.situation.settings.version, caller.situation.settings.name.en.as_str()),
            (version, name),
        )?;
        let settings = store.merchant(&fixture.merchant).await?.ok_or("no settings")?.settings;
        same("settings", (settings.version, settings.name.en.as_str()), (version, name))?;
    }
    Ok(())
}

pub(super) async fn the_origins_of_a_transaction_are_those_of_its_merchant_until_it_is_deleted(
    store: &(impl Registry + PageOrigins + Store),
    fixture: &Fixture,
) -> Checked {
    let fixture = added(store, fixture, &[]).await?;
    let change = fixture.created(fixture.transaction()?);
    let session_id = &change.transaction.session_id;
    store.commit(&change).await?;
    holds("none are allowed", store.allowed_origins(session_id).await?.is_empty())?;
    let origins = r#""allowed_origins":["https://shop.example.com","http://127.0.0.1:5173"],"country""#;
    let next = document("Second Store").replace(r#""country""#, origins);
    holds("replaced", fixture.replace(store, 1, &next).await?)?;
    let allowed = store.allowed_origins(session_id).await?;
    same("origins", allowed, ["https://shop.example.com", "http://127.0.0.1:5173"].map(String::from).into())?;
    holds("of no transaction", store.allowed_origins(&fixture.session_id()).await?.is_empty())?;
    let deleted = Change { event: EventKind::Deleted, ..fixture.noted(&change.transaction) };
    store.commit(&deleted).await?;
    holds("deleted", store.allowed_origins(session_id).await?.is_empty())
}

pub(super) async fn keys_are_listed_newest_first(store: &impl Registry, fixture: &Fixture) -> Checked {
    let (older, newer) = (fixture.key(KeyKind::Private), fixture.key(KeyKind::Public));
    let fixture = added(store, fixture, &[&older]).await?;
    let scope = Permissions::parse("payment.refund,Can use knet");
    let row = NewKey {
        name: Some("دفتر".into()),
        scope: scope.clone(),
        expires_at: Some(fixture.after(60)),
        ..fixture.key_row(&newer, fixture.after(1))
    };
    store.add_key(&row, &fixture.entry("add_key")).await?;
    holds(
        "a prefix is taken once a merchant",
        store.add_key(&row, &fixture.entry("add_key")).await.is_err(),
    )?;
    store
        .revoke_key(
            &fixture.merchant,
            older.prefix(),
            &Entry { at: fixture.after(2), ..fixture.entry("revoke_key") },
        )
        .await?;
    let entry = |key: &ApiKey, created_at, revoked_at| {
        let row = fixture.key_row(key, created_at);
        let NewKey { kind, prefix, last4, name, scope, expires_at, .. } = row;
        KeyEntry { kind, prefix, last4, name, scope, created_at, expires_at, revoked_at, used_at: None }
    };
    let newest = KeyEntry {
        name: row.name,
        scope,
        expires_at: row.expires_at,
        ..entry(&newer, fixture.after(1), None)
    };
    let wanted = [newest, entry(&older, fixture.now, Some(fixture.after(2)))];
    same("keys", store.keys(&fixture.merchant).await?.as_slice(), wanted.as_slice())
}

pub(super) async fn a_key_has_its_scope_and_the_time_of_its_last_use(
    store: &(impl Registry + Keyring),
    fixture: &Fixture,
) -> Checked {
    let (key, other) = (fixture.key(KeyKind::Private), fixture.key(KeyKind::Public));
    let fixture = added(store, fixture, &[]).await?;
    let scope = Permissions::parse("payment.refund,Can use credit-card");
    store
        .add_key(
            &NewKey { scope: scope.clone(), ..fixture.key_row(&key, fixture.now) },
            &fixture.entry("add_key"),
        )
        .await?;
    store.add_key(&fixture.key_row(&other, fixture.now), &fixture.entry("add_key")).await?;
    let holder = store.caller(&key, fixture.now, None).await?.ok_or("nobody holds the key")?;
    same("rights", &holder.caller.rights, &Rights::Key(KeyKind::Private, scope))?;
    same("not used", holder.used_at, None)?;
    let foreign = fixture.another()?.merchant;
    store.note_use(&foreign, key.prefix(), fixture.after(9)).await?;
    // A use that was noted later does not come before an earlier one.
    for (noted, shown) in [(5, 5), (3, 5), (8, 8)] {
        store.note_use(&fixture.merchant, key.prefix(), fixture.after(noted)).await?;
        let holder = store.caller(&key, fixture.now, None).await?.ok_or("nobody holds the key")?;
        same("used", holder.used_at, Some(fixture.after(shown)))?;
    }
    let listed = store.keys(&fixture.merchant).await?;
    let used = |key: &ApiKey| {
        listed.iter().find(|entry| entry.prefix == key.prefix()).and_then(|entry| entry.used_at)
    };
    same("in the list", (used(&key), used(&other)), (Some(fixture.after(8)), None))
}

pub(super) async fn merchants_are_listed_in_the_order_of_their_ids(
    store: &impl Registry,
    fixture: &Fixture,
) -> Checked {
    let all = store.merchants(None, 10_000).await?;
    let own = all.iter().find(|entry| entry.id == fixture.merchant).ok_or("it is not listed")?;
    same("name", own.name.en.as_str(), "Demo Store")?;
    same("facts", (own.is_test, own.is_paused, own.created_at, own.version), (true, false, fixture.now, 1))?;
    holds("in order", all.iter().zip(all.iter().skip(1)).all(|(one, next)| one.id < next.id))?;
    let later = store.merchants(Some(&fixture.merchant), 10_000).await?;
    holds("after one", later.iter().all(|entry| entry.id > fixture.merchant))?;
    same("limit", store.merchants(None, 1).await?, all.into_iter().take(1).collect())
}
