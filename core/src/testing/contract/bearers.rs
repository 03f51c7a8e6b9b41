//! What a token needs to find: the holder of a key by its prefix, and the merchant of a provider.

use alloc::string::String;

use super::fixture::{Fixture, document};
use super::{Checked, holds, same};
use crate::access::Rights;
use crate::access::key::KeyKind;
use crate::access::permission::Permissions;
use crate::port::{Keyring, NewKey, Registry};

pub(super) async fn the_holder_of_a_private_key_is_found_by_merchant_and_prefix(
    store: &(impl Registry + Keyring),
    fixture: &Fixture,
) -> Checked {
    let (key, public) = (fixture.key(KeyKind::Private), fixture.key(KeyKind::Public));
    let scope = Permissions::parse("payment.refund");
    let expires_at = Some(fixture.after(60));
    let row = NewKey { scope: scope.clone(), expires_at, ..fixture.key_row(&key, fixture.now) };
    store.add_key(&row, &fixture.entry("add_key")).await?;
    store.add_key(&fixture.key_row(&public, fixture.now), &fixture.entry("add_key")).await?;
    let own = &fixture.merchant;
    // Twice, because what is cached between calls must not change the answer.
    for _ in 0..2 {
        let found =
            store.holder(own, key.prefix(), fixture.now, None).await?.ok_or("nobody holds the key")?;
        same("rights", &found.caller.rights, &Rights::Key(KeyKind::Private, scope.clone()))?;
        same("merchant", found.caller.merchant(), own)?;
    }
    let other = fixture.another()?.merchant;
    holds("not of another", store.holder(&other, key.prefix(), fixture.now, None).await?.is_none())?;
    holds("no public key", store.holder(own, public.prefix(), fixture.now, None).await?.is_none())?;
    holds("until it expires", store.holder(own, key.prefix(), fixture.after(60), None).await?.is_none())?;
    store.revoke_key(own, key.prefix(), &fixture.entry("revoke_key")).await?;
    holds("until it is revoked", store.holder(own, key.prefix(), fixture.now, None).await?.is_none())
}

/// A document with a provider for an audience.
fn with_provider(issuer: &str, audience: &str) -> String {
    let own = alloc::format!(
        r#""single_sign_on":{{"issuer":"{issuer}","audience":"{audience}"}},"allowed_origins":[],"country""#
    );
    document("Store").replace(r#""country""#, &own)
}

pub(super) async fn a_merchant_is_found_by_its_provider(
    store: &(impl Registry + Keyring),
    fixture: &Fixture,
) -> Checked {
    let own = &fixture.merchant;
    let issuer = alloc::format!("https://id.example.com/{own}");
    let asked =
        |audiences: &[&str]| audiences.iter().map(|one| String::from(*one)).collect::<alloc::vec::Vec<_>>();
    let found = store.merchant_of_provider(&issuer, &asked(&["till"])).await?;
    holds("none yet", found.is_none())?;
    fixture.replace(store, 1, &with_provider(&issuer, "till")).await?;
    for audiences in [&["till"][..], &["account", "till"], &["till"]] {
        let found = store.merchant_of_provider(&issuer, &asked(audiences)).await?;
        same("merchant", found.map(|found| found.settings.merchant.clone()), Some(own.clone()))?;
    }
    holds("other audience", store.merchant_of_provider(&issuer, &asked(&["other"])).await?.is_none())?;
    holds("no audience", store.merchant_of_provider(&issuer, &[]).await?.is_none())?;
    let longer = alloc::format!("{issuer}/");
    holds("other issuer", store.merchant_of_provider(&longer, &asked(&["till"])).await?.is_none())?;
    // A newer version is seen when the settings are read.
    fixture.replace(store, 2, &with_provider(&issuer, "till-2")).await?;
    store.merchant(own).await?;
    holds("no longer", store.merchant_of_provider(&issuer, &asked(&["till"])).await?.is_none())?;
    let other = fixture.another()?;
    store.add_merchant(&other.new_merchant(&[])?, &other.entry("add_merchant").making(1)).await?;
    other.replace(store, 1, &with_provider(&issuer, "till-3")).await?;
    let both = store.merchant_of_provider(&issuer, &asked(&["till-2", "till-3"])).await?;
    holds("of two it is none", both.is_none())
}
