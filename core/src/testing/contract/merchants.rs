//! Merchants, their settings and their keys.

use alloc::string::String;

use super::ground::{Ground, document};
use super::{Checked, Problem, holds, same};
use crate::access::Rights;
use crate::access::key::{ApiKey, KeyKind};
use crate::change::{Change, EventKind};
use crate::port::{KeyEntry, Keyring, NewKey, Registry, Store};

/// Stores a merchant with keys.
async fn added(store: &impl Registry, ground: &Ground, keys: &[&ApiKey]) -> Result<Ground, Problem> {
    let ground = ground.beside()?;
    holds("added", store.add_merchant(&ground.new_merchant(keys)?).await?)?;
    Ok(ground)
}

pub(super) async fn a_merchant_is_added_once(store: &impl Registry, ground: &Ground) -> Checked {
    let absent = ground.beside()?;
    holds("no settings", store.settings(&absent.merchant).await?.is_none())?;
    holds("no document", store.document(&absent.merchant).await?.is_none())?;
    let ground = added(store, ground, &[]).await?;
    let new = ground.new_merchant(&[])?;
    holds("not twice", !store.add_merchant(&new).await?)?;
    let found = store.settings(&ground.merchant).await?;
    same("settings", found.as_deref(), Some(&new.settings))?;
    same("document", store.document(&ground.merchant).await?, Some((new.document, 1)))
}

pub(super) async fn a_document_is_replaced_from_its_version_only(
    store: &impl Registry,
    ground: &Ground,
) -> Checked {
    let ground = added(store, ground, &[]).await?;
    let next = document("Second Store");
    holds("from version 1", store.replace_document(&ground.merchant, 1, &next, ground.now).await?)?;
    let other = document("Third Store");
    holds("not again", !store.replace_document(&ground.merchant, 1, &other, ground.now).await?)?;
    same("document", store.document(&ground.merchant).await?, Some((next, 2)))
}

pub(super) async fn a_key_names_its_holder(store: &(impl Registry + Keyring), ground: &Ground) -> Checked {
    let (private, public) = (ground.key(KeyKind::Private), ground.key(KeyKind::Public));
    let ground = added(store, ground, &[&private, &public]).await?;
    // Twice, because what is cached between calls must not change the answer.
    for key in [&private, &public, &private] {
        let caller = store.caller(key, ground.now).await?.ok_or("nobody holds the key")?;
        same("rights", &caller.rights, &Rights::Key(key.kind()))?;
        same("settings", &*caller.settings, &ground.new_merchant(&[])?.settings)?;
    }
    holds("an unknown key", store.caller(&ground.key(KeyKind::Private), ground.now).await?.is_none())
}

pub(super) async fn a_key_with_a_wrong_secret_is_nobodys(
    store: &(impl Registry + Keyring),
    ground: &Ground,
) -> Checked {
    let key = ground.key(KeyKind::Private);
    let forged = ApiKey::parse(&alloc::format!("{}.{}", key.prefix(), "0".repeat(32))).ok_or("no key")?;
    let first = added(store, ground, &[&key]).await?;
    holds("the forged key", store.caller(&forged, ground.now).await?.is_none())?;
    // Another merchant whose key has the same prefix.
    let second = ground.beside()?;
    let mut new = second.new_merchant(&[])?;
    new.keys.push(second.key_row(&forged, ground.now));
    holds("added", store.add_merchant(&new).await?)?;
    for (key, merchant) in [(&key, &first.merchant), (&forged, &second.merchant), (&key, &first.merchant)] {
        let caller = store.caller(key, ground.now).await?.ok_or("nobody holds the key")?;
        same("merchant", &caller.settings.merchant, merchant)?;
    }
    Ok(())
}

pub(super) async fn a_revoked_key_is_nobodys(store: &(impl Registry + Keyring), ground: &Ground) -> Checked {
    let key = ground.key(KeyKind::Public);
    let first = added(store, ground, &[&key]).await?;
    holds("known", store.caller(&key, ground.now).await?.is_some())?;
    let other = ground.beside()?.merchant;
    holds("not by others", !store.revoke_key(&other, key.prefix(), ground.now).await?)?;
    holds("revoked", store.revoke_key(&first.merchant, key.prefix(), ground.now).await?)?;
    holds("not twice", !store.revoke_key(&first.merchant, key.prefix(), ground.now).await?)?;
    holds("nobody", store.caller(&key, ground.now).await?.is_none())
}

pub(super) async fn an_expired_key_is_nobodys(store: &(impl Registry + Keyring), ground: &Ground) -> Checked {
    let key = ground.key(KeyKind::Private);
    let ground = added(store, ground, &[]).await?;
    let expires_at = Some(ground.after(60));
    store.add_key(&NewKey { expires_at, ..ground.key_row(&key, ground.now) }).await?;
    // The same key again, because what is cached between calls must not keep it valid.
    for (second, is_known) in [(0, true), (59, true), (60, false), (61, false), (59, true)] {
        holds("known in time only", store.caller(&key, ground.after(second)).await?.is_some() == is_known)?;
    }
    Ok(())
}

pub(super) async fn a_new_version_of_the_settings_is_seen_at_once(
    store: &(impl Registry + Keyring),
    ground: &Ground,
) -> Checked {
    let key = ground.key(KeyKind::Private);
    let ground = added(store, ground, &[&key]).await?;
    store.caller(&key, ground.now).await?;
    for (before, version, name) in [(1, 2, "Second Store"), (2, 3, "Third Store")] {
        let document = document(name);
        holds("replaced", store.replace_document(&ground.merchant, before, &document, ground.now).await?)?;
        let caller = store.caller(&key, ground.now).await?.ok_or("nobody holds the key")?;
        same("caller", (caller.settings.version, caller.settings.name.en.as_str()), (version, name))?;
        let settings = store.settings(&ground.merchant).await?.ok_or("no settings")?;
        same("settings", (settings.version, settings.name.en.as_str()), (version, name))?;
    }
    Ok(())
}

pub(super) async fn the_origins_of_a_transaction_are_those_of_its_merchant_until_it_is_deleted(
    store: &(impl Registry + Store),
    ground: &Ground,
) -> Checked {
    let ground = added(store, ground, &[]).await?;
    let change = ground.created(ground.transaction()?);
    let session_id = &change.transaction.session_id;
    store.commit(&change).await?;
    holds("none are allowed", store.allowed_origins(session_id).await?.is_empty())?;
    let origins = r#""allowed_origins":["https://shop.example.com","http://127.0.0.1:5173"],"country""#;
    let next = document("Second Store").replace(r#""country""#, origins);
    holds("replaced", store.replace_document(&ground.merchant, 1, &next, ground.now).await?)?;
    let allowed = store.allowed_origins(session_id).await?;
    same("origins", allowed, ["https://shop.example.com", "http://127.0.0.1:5173"].map(String::from).into())?;
    holds("of no transaction", store.allowed_origins(&ground.session_id()).await?.is_empty())?;
    let deleted = Change { event: EventKind::Deleted, ..ground.noted(&change.transaction) };
    store.commit(&deleted).await?;
    holds("deleted", store.allowed_origins(session_id).await?.is_empty())
}

pub(super) async fn keys_are_listed_newest_first(store: &impl Registry, ground: &Ground) -> Checked {
    let (older, newer) = (ground.key(KeyKind::Private), ground.key(KeyKind::Public));
    let ground = added(store, ground, &[&older]).await?;
    let row = NewKey {
        name: Some("دفتر".into()),
        expires_at: Some(ground.after(60)),
        ..ground.key_row(&newer, ground.after(1))
    };
    store.add_key(&row).await?;
    holds("a prefix is taken once a merchant", store.add_key(&row).await.is_err())?;
    store.revoke_key(&ground.merchant, older.prefix(), ground.after(2)).await?;
    let entry = |key: &ApiKey, created_at, revoked_at| {
        let row = ground.key_row(key, created_at);
        let NewKey { kind, prefix, last4, name, expires_at, .. } = row;
        KeyEntry { kind, prefix, last4, name, created_at, expires_at, revoked_at }
    };
    let newest =
        KeyEntry { name: row.name, expires_at: row.expires_at, ..entry(&newer, ground.after(1), None) };
    let wanted = [newest, entry(&older, ground.now, Some(ground.after(2)))];
    same("keys", store.keys(&ground.merchant).await?.as_slice(), wanted.as_slice())
}
