//! The answer of the payment methods listing.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::gateway::profile::Profile;
use crate::gateway::tag::Tag;
use crate::value::id::PgCode;
use crate::words::{ChildOperation, Language, Wallet};

#[derive(Serialize)]
struct Answer<'a> {
    customer_payment_methods: Vec<&'a str>,
    payment_methods: Vec<Method<'a>>,
    pg_codes: Vec<&'a str>,
}

#[derive(Serialize)]
struct Method<'a> {
    code: &'a str,
    name: &'a str,
    pg: &'a str,
    is_sandbox: bool,
    logo: String,
    wallets: Vec<&'static str>,
    payment_services: Vec<Service>,
    default_currency: &'static str,
    accepted_currencies: Vec<&'static str>,
    operation: &'static str,
    operations: Vec<&'static str>,
    is_tokenizable: bool,
    auto_debit_enabled: bool,
    tags: Vec<&'static str>,
}

#[derive(Serialize)]
struct Service {
    code: &'static str,
    name: &'static str,
    name_ar: &'static str,
}

/// The JSON text that lists `profiles`, and the codes with which the customer has paid before.
#[must_use]
pub fn answer(profiles: &[&Profile], paid: &[PgCode], public_url: &str) -> String {
    let answer = Answer {
        customer_payment_methods: paid.iter().map(PgCode::as_str).collect(),
        payment_methods: profiles.iter().map(|profile| method(profile, public_url)).collect(),
        pg_codes: profiles.iter().map(|profile| profile.code.as_str()).collect(),
    };
    // Serialising plain text and lists cannot fail.
    checkout_scan::json::write(&answer).unwrap_or_default()
}

fn method<'a>(profile: &'a Profile, public_url: &str) -> Method<'a> {
    Method {
        code: profile.code.as_str(),
        name: profile.name.text(Language::En),
        pg: &profile.pg_name,
        is_sandbox: profile.sandbox,
        logo: profile.icon_address(public_url),
        wallets: profile.wallets.iter().map(|wallet| wallet.legacy_name()).collect(),
        payment_services: profile.wallets.iter().map(|wallet| service(*wallet)).collect(),
        default_currency: profile.default_currency.code(),
        accepted_currencies: profile.accepted().map(|currency| currency.code()).collect(),
        operation: profile.operation.as_str(),
        operations: profile.operations.iter().copied().map(ChildOperation::as_str).collect(),
        is_tokenizable: profile.saves_cards(),
        auto_debit_enabled: profile.debits_cards(),
        tags: profile.tags.iter().copied().map(Tag::as_str).collect(),
    }
}

const fn service(wallet: Wallet) -> Service {
    Service { code: wallet.as_str(), name: wallet.name(Language::En), name_ar: wallet.name(Language::Ar) }
}
