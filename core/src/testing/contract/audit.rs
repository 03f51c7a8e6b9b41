//! Operators, what is recorded of changes, and the versions of settings.

use alloc::string::String;
use alloc::vec::Vec;

use super::fixture::{Fixture, document};
use super::{Checked, Problem, holds, same};
use crate::access::key::{ApiKey, KeyKind};
use crate::access::operator::{Operator, ROOT};
use crate::port::{
    Journal, NewDocument, NewOperator, NewSecrets, OperatorEntry, Operators, Registry, StoredVersion,
};
use crate::record::audit::{Actor, ActorKind, Entry, RecordedEntry, Search};
use crate::settings::{NextKey, WebhookSecrets};
use crate::value::id::{MerchantId, OperatorId};
use crate::value::sealed::Sealed;
use crate::words::role::Role;

fn sara(fixture: &Fixture, key: &ApiKey) -> NewOperator {
    let row = fixture.key_row(key, fixture.now);
    NewOperator {
        name: "سارة".into(),
        role: Role::Support,
        prefix: row.prefix,
        hash: row.hash,
        last4: row.last4,
        at: fixture.now,
        expires_at: None,
    }
}

/// A merchant of the check.
async fn shop(store: &impl Registry, fixture: &Fixture) -> Result<Fixture, Problem> {
    let fixture = fixture.another()?;
    let entry = fixture.entry("add_merchant").making(1);
    holds("added", store.add_merchant(&fixture.new_merchant(&[])?, &entry).await?)?;
    Ok(fixture)
}

fn of(merchant: &MerchantId) -> Search {
    Search { merchant: Some(merchant.clone()), limit: 100, ..Search::default() }
}

async fn actions(store: &impl Journal, merchant: &MerchantId) -> Result<Vec<String>, Problem> {
    Ok(store.recorded(&of(merchant)).await?.into_iter().map(|recorded| recorded.action).collect())
}

pub(super) async fn an_operator_is_found_by_the_key_until_it_expires_or_is_revoked(
    store: &(impl Operators + Journal),
    fixture: &Fixture,
) -> Checked {
    let key = fixture.key(KeyKind::Private);
    let forged = fixture.of_same_prefix(&key);
    let entry = Entry::of(ROOT.actor(), "add_operator", fixture.now);
    holds("nobody yet", store.operator(&key, fixture.now).await?.is_none())?;
    let new = NewOperator { expires_at: Some(fixture.after(60)), ..sara(fixture, &key) };
    let id = store.add_operator(&new, &entry).await?;
    holds("the prefix is taken", store.add_operator(&new, &entry).await.is_err())?;
    let operator = Operator { id, name: "سارة".into(), role: Role::Support };
    same("found", store.operator(&key, fixture.after(59)).await?, Some((operator.clone(), None)))?;
    holds("expired", store.operator(&key, fixture.after(60)).await?.is_none())?;
    holds("another secret", store.operator(&forged, fixture.now).await?.is_none())?;
    for (noted, shown) in [(5, 5), (3, 5), (8, 8)] {
        store.note_operator(id, fixture.after(noted)).await?;
        let found = store.operator(&key, fixture.now).await?.ok_or("nobody has the key")?;
        same("used", found.1, Some(fixture.after(shown)))?;
    }
    let gone =
        Entry { at: fixture.after(9), ..Entry::of(operator.actor(), "revoke_operator", fixture.now).on(id) };
    holds("revoked", store.revoke_operator(id, &gone).await?)?;
    holds("not twice", !store.revoke_operator(id, &gone).await?)?;
    holds("nobody", store.operator(&key, fixture.now).await?.is_none())?;
    let listed = store.operators().await?.into_iter().find(|listed| listed.operator.id == id);
    let wanted = OperatorEntry {
        operator: operator.clone(),
        prefix: new.prefix,
        last4: new.last4,
        created_at: fixture.now,
        expires_at: new.expires_at,
        revoked_at: Some(fixture.after(9)),
        used_at: Some(fixture.after(8)),
    };
    same("listed", listed, Some(wanted))?;
    // Of each change one entry, with the number as its subject; of what was refused none.
    let all = store.recorded(&Search { limit: 1_000, ..Search::default() }).await?;
    let own = all.into_iter().filter(|recorded| recorded.subject == alloc::format!("{id}"));
    let own: Vec<String> = own.filter(|recorded| recorded.merchant.is_none()).map(|one| one.action).collect();
    same("entries", own, ["revoke_operator", "add_operator"].map(String::from).into())?;
    holds("no other", !store.revoke_operator(OperatorId(2_147_483_647), &gone).await?)
}

pub(super) async fn an_entry_is_read_back_as_it_was_recorded(
    store: &(impl Registry + Journal),
    fixture: &Fixture,
) -> Checked {
    let fixture = shop(store, fixture).await?;
    let actor = Actor { kind: ActorKind::User, id: "34".into(), name: Some("sara@shop".into()), role: None };
    let entry = Entry {
        before: Some(r#"{"name":"نور"}"#.into()),
        after: Some("[1.50]".into()),
        ..Entry::of(actor.clone(), "add_own_key", fixture.after(1)).about(&fixture.merchant).on("abcd1234")
    };
    store.record(&entry).await?;
    let found = store.recorded(&of(&fixture.merchant)).await?;
    let [newest, first] = found.as_slice() else { return Err("two entries were expected".into()) };
    let wanted = RecordedEntry {
        id: newest.id,
        at: fixture.after(1),
        actor: Some(actor),
        action: "add_own_key".into(),
        merchant: Some(fixture.merchant.clone()),
        subject: "abcd1234".into(),
        before: entry.before,
        after: entry.after,
    };
    same("entry", newest, &wanted)?;
    same("by the operator", first.actor.as_ref(), Some(&ROOT.actor()))?;
    // Pages and filters.
    let page = Search { limit: 1, ..of(&fixture.merchant) };
    same("a page", store.recorded(&page).await?.as_slice(), core::slice::from_ref(newest))?;
    let next = Search { before: Some(newest.id), ..page };
    same("the next page", store.recorded(&next).await?.as_slice(), core::slice::from_ref(first))?;
    let by = |kind, id: &str| Search { actor: Some((kind, id.into())), ..of(&fixture.merchant) };
    let found = store.recorded(&by(ActorKind::User, "34")).await?;
    same("by the user", found.as_slice(), core::slice::from_ref(newest))?;
    holds("by an operator of that number", store.recorded(&by(ActorKind::Operator, "34")).await?.is_empty())?;
    holds("of another merchant", store.recorded(&of(&fixture.another()?.merchant)).await?.is_empty())
}

pub(super) async fn an_entry_is_recorded_once_in_a_while(
    store: &(impl Registry + Journal),
    fixture: &Fixture,
) -> Checked {
    let fixture = shop(store, fixture).await?;
    let actor = |id: &str| Actor { kind: ActorKind::User, id: id.into(), name: None, role: None };
    let entry = |id: &str, on: &str, after: u64| {
        Entry::of(actor(id), "show_personal_data", fixture.after(after)).about(&fixture.merchant).on(on)
    };
    for entry in [entry("34", "/payments/", 10), entry("34", "/payments/", 11), entry("34", "/payments/", 12)]
    {
        store.record_unless_since(&entry, fixture.after(9)).await?;
    }
    same("one of three", actions(store, &fixture.merchant).await?.len(), 2)?;
    // Another page, another person, and a while later.
    for entry in [entry("34", "/", 12), entry("35", "/", 12)] {
        store.record_unless_since(&entry, fixture.after(9)).await?;
    }
    store.record_unless_since(&entry("34", "/payments/", 20), fixture.after(10)).await?;
    same("each", actions(store, &fixture.merchant).await?.len(), 5)
}

pub(super) async fn a_change_has_one_entry_and_a_lost_race_has_none(
    store: &(impl Registry + Journal),
    fixture: &Fixture,
) -> Checked {
    let fixture = shop(store, fixture).await?;
    let merchant = &fixture.merchant;
    let text = document("Second Store");
    let new = NewDocument { merchant, version: 1, document: &text };
    let entry = fixture.entry("replace_settings").making(2);
    holds("replaced", store.replace_document(&new, &entry).await?)?;
    holds("not again", !store.replace_document(&new, &entry).await?)?;
    let key = fixture.key(KeyKind::Public);
    let made = fixture.entry("add_key").on(key.prefix());
    store.add_key(&fixture.key_row(&key, fixture.now), &made).await?;
    let gone = fixture.entry("revoke_key").on(key.prefix());
    holds("revoked", store.revoke_key(merchant, key.prefix(), &gone).await?)?;
    holds("not twice", !store.revoke_key(merchant, key.prefix(), &gone).await?)?;
    let wanted = ["revoke_key", "add_key", "replace_settings", "add_merchant"].map(String::from);
    same("entries", actions(store, merchant).await?, wanted.into())
}

pub(super) async fn every_version_of_a_document_is_stored_with_who_made_it(
    store: &(impl Registry + Journal),
    fixture: &Fixture,
) -> Checked {
    let fixture = shop(store, fixture).await?;
    let merchant = &fixture.merchant;
    let first = document("Demo Store");
    let second = document("Second Store");
    let new = NewDocument { merchant, version: 1, document: &second };
    let entry = Entry { at: fixture.after(5), ..fixture.entry("replace_settings").making(2) };
    holds("replaced", store.replace_document(&new, &entry).await?)?;
    // A version that changes something else has no document.
    let signing = [Sealed("newest".into())];
    let before = store.merchant(merchant).await?.ok_or("no settings")?.settings;
    let webhook = WebhookSecrets { signing: signing.into(), ..before.webhook.clone() };
    let secrets = NewSecrets { merchant, version: 2, secrets: &webhook };
    holds("secrets", store.replace_secrets(&secrets, &fixture.entry("add_webhook_secret").making(3)).await?)?;
    let new = NewDocument { merchant, version: 3, document: &first };
    let entry = Entry { at: fixture.after(7), ..fixture.entry("restore_version").making(4) };
    holds("restored", store.replace_document(&new, &entry).await?)?;
    let version = |version, second, action: &str| StoredVersion {
        version,
        at: fixture.after(second),
        made: Some((ROOT.actor(), action.into())),
    };
    let all =
        [version(4, 7, "restore_version"), version(2, 5, "replace_settings"), version(1, 0, "add_merchant")];
    same("all", store.versions(merchant, None, 10).await?.as_slice(), all.as_slice())?;
    same("two", store.versions(merchant, None, 2).await?.as_slice(), all.get(..2).unwrap_or_default())?;
    same(
        "before",
        store.versions(merchant, Some(4), 10).await?.as_slice(),
        all.get(1..).unwrap_or_default(),
    )?;
    for (number, text) in [(1, Some(&first)), (2, Some(&second)), (3, None), (4, Some(&first)), (5, None)] {
        same("document", store.version(merchant, number).await?.as_ref(), text)?;
    }
    let foreign = fixture.another()?.merchant;
    holds("of another merchant", store.version(&foreign, 1).await?.is_none())?;
    holds("none of another merchant", store.versions(&foreign, None, 10).await?.is_empty())
}

pub(super) async fn secrets_of_webhooks_are_replaced_from_their_version_only(
    store: &impl Registry,
    fixture: &Fixture,
) -> Checked {
    let fixture = shop(store, fixture).await?;
    let merchant = &fixture.merchant;
    let before = store.merchant(merchant).await?.ok_or("no settings")?.settings;
    let signing = [Sealed("newest".into()), Sealed("new".into())];
    let webhook = WebhookSecrets {
        hmac_key: Sealed("current".into()),
        next_hmac: Some(NextKey { key: Sealed("next".into()), from: fixture.after(60) }),
        signing: signing.into(),
        previous_until: Some(fixture.after(86_400)),
    };
    let secrets = NewSecrets { merchant, version: 1, secrets: &webhook };
    let entry = fixture.entry("add_webhook_secret").making(2);
    holds("replaced", store.replace_secrets(&secrets, &entry).await?)?;
    holds("not again", !store.replace_secrets(&secrets, &entry).await?)?;
    let after = store.merchant(merchant).await?.ok_or("no settings")?.settings;
    same("version", (before.version, after.version), (1, 2))?;
    same("secrets", &after.webhook, &webhook)?;
    // New settings leave the secrets as they are.
    let text = document("Second Store");
    let new = NewDocument { merchant, version: 2, document: &text };
    holds("settings", store.replace_document(&new, &fixture.entry("replace_settings").making(3)).await?)?;
    let settings = store.merchant(merchant).await?.ok_or("no settings")?.settings;
    same("secrets stay", (&settings.webhook, settings.version), (&after.webhook, 3))
}
