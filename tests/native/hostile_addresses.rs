//! Addresses of merchants that must reach nothing: the verdict of a build for production about each of
//! `vectors/hostile-addresses.json`, wherever an address can be given.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use checkout_core::rejection::Rejection;
use checkout_core::settings::redirect_host::RedirectHost;
use checkout_core::value::web_address::{AddressError, Reach, WebAddress};
use checkout_tests::shop::{Shop, order, refused};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    hostile: Vec<Group>,
    own: Vec<String>,
    resolving: Vec<String>,
}

#[derive(Deserialize)]
struct Group {
    what: String,
    verdict: String,
    addresses: Vec<String>,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/hostile-addresses.json")).unwrap()
}

impl Group {
    fn addresses(&self) -> impl Iterator<Item = String> {
        self.addresses.iter().map(|address| address.replace("{port}", "8787"))
    }
}

fn verdict(address: &str) -> Result<WebAddress, AddressError> {
    WebAddress::parse(address, Reach::Public)
}

#[test]
fn every_hostile_address_is_refused_by_its_rule() {
    for group in vectors().hostile {
        for address in group.addresses() {
            let found = verdict(&address).map_err(|error| format!("{error:?}"));
            assert_eq!(found, Err(group.verdict.clone()), "{}: {address:?}", group.what);
        }
    }
}

#[test]
fn there_are_at_least_150_hostile_addresses_and_each_only_once() {
    let all: Vec<String> = vectors().hostile.iter().flat_map(Group::addresses).collect();
    let distinct: BTreeSet<&String> = all.iter().collect();
    assert!(distinct.len() >= 150);
    assert_eq!(distinct.len(), all.len());
}

/// What a build for development adds is this machine, by name or by a numeric address, and nothing else.
#[test]
fn a_build_for_development_reaches_only_this_machine_in_addition() {
    for group in vectors().hostile {
        for address in group.addresses() {
            if let Ok(permitted) = WebAddress::parse(&address, Reach::Development) {
                let host = permitted.host();
                assert!(host == "localhost" || host == "[::1]" || host.starts_with("127."), "{address:?}");
            }
        }
    }
}

#[test]
fn an_address_of_the_installation_itself_is_public_and_still_not_notified() {
    let shop = Shop::open(1);
    let create = |address: &str| {
        let mut body = order(&["knet"]);
        body["webhook_url"] = address.into();
        shop.try_create(&body, None)
    };
    for address in vectors().own {
        assert!(verdict(&address).is_ok(), "{address}");
        assert!(matches!(refused(create(&address)), Rejection::Invalid(_)), "{address}");
    }
    assert!(create("https://pay.example.com/sandbox/inbox/a/").is_ok(), "an inbox may");
}

/// The text of such a name does not show it: production's network has no route to private addresses.
#[test]
fn a_public_name_that_resolves_inward_is_not_refused_by_its_text() {
    for address in vectors().resolving {
        assert!(verdict(&address).is_ok(), "{address}");
    }
}

/// A host of the allow-list is a name as well.
#[test]
fn no_host_of_a_hostile_address_can_be_permitted_for_redirects() {
    for group in vectors().hostile {
        for address in group.addresses() {
            let Some(authority) = address.strip_prefix("https://") else { continue };
            let host = authority.strip_suffix("/hook").or_else(|| authority.strip_suffix('/'));
            let host = host.unwrap_or(authority);
            // A star is how names below a host are written.
            let is_below = host.starts_with("*.");
            assert!(is_below || RedirectHost::parse(host, Reach::Public).is_none(), "{host:?}");
        }
    }
}
