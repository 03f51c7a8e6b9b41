//! The answer of the payment methods listing.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use crate::gateway::profile::Profile;
use crate::gateway::tag::Tag;
use crate::value::id::PgCode;
use crate::value::json::{self, Unwritten};
use crate::words::{ChildOperation, Language, Wallet};

/// The payment methods of a merchant.
#[derive(Serialize, JsonSchema)]
pub struct PaymentMethodsAnswer<'a> {
    /// The gateways with which the customer has paid before.
    customer_payment_methods: Vec<&'a str>,
    /// The gateways that fit every filter.
    payment_methods: Vec<ListedMethod<'a>>,
    /// Their codes, as create accepts them.
    pg_codes: Vec<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct ListedMethod<'a> {
    /// The code of the gateway.
    code: &'a str,
    /// Its name in English.
    name: &'a str,
    /// Its family.
    pg: &'a str,
    /// Whether it moves no money.
    is_sandbox: bool,
    /// The address of its icon.
    logo: String,
    /// The wallets that it accepts, by their older names.
    wallets: Vec<&'static str>,
    /// The wallets that it accepts.
    payment_services: Vec<Service>,
    /// The currency in which it charges if it does not accept that of the transaction.
    default_currency: &'static str,
    /// The currencies of transactions that it accepts.
    accepted_currencies: Vec<&'static str>,
    /// Whether it charges at once or only holds the money.
    operation: crate::words::Operation,
    /// What can be done to its payments afterwards.
    operations: Vec<&'static str>,
    /// Whether it saves cards.
    is_tokenizable: bool,
    /// Whether it debits saved cards.
    auto_debit_enabled: bool,
    /// By what the merchant sorts it.
    tags: Vec<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct Service {
    /// The word for it.
    code: &'static str,
    /// Its name in English.
    name: &'static str,
    /// Its name in Arabic.
    name_ar: &'static str,
}

/// The JSON text that lists `profiles`, and the codes with which the customer has paid before.
///
/// # Errors
/// If it could not be written.
pub fn answer(profiles: &[&Profile], paid: &[PgCode], public_url: &str) -> Result<String, Unwritten> {
    let answer = PaymentMethodsAnswer {
        customer_payment_methods: paid.iter().map(PgCode::as_str).collect(),
        payment_methods: profiles.iter().map(|profile| method(profile, public_url)).collect(),
        pg_codes: profiles.iter().map(|profile| profile.code.as_str()).collect(),
    };
    json::write(&answer)
}

fn method<'a>(profile: &'a Profile, public_url: &str) -> ListedMethod<'a> {
    ListedMethod {
        code: profile.code.as_str(),
        name: profile.name.text(Language::En),
        pg: &profile.pg_name,
        is_sandbox: profile.sandbox,
        logo: profile.icon_address(public_url),
        wallets: profile.wallets.iter().map(|wallet| wallet.legacy_name()).collect(),
        payment_services: profile.wallets.iter().map(|wallet| service(*wallet)).collect(),
        default_currency: profile.default_currency.code(),
        accepted_currencies: profile.accepted().map(|currency| currency.code()).collect(),
        operation: profile.operation,
        operations: profile.operations.iter().copied().map(ChildOperation::as_str).collect(),
        is_tokenizable: profile.saves_cards(),
        auto_debit_enabled: profile.debits_cards(),
        tags: profile.tags.iter().copied().map(Tag::as_str).collect(),
    }
}

const fn service(wallet: Wallet) -> Service {
    Service { code: wallet.as_str(), name: wallet.name(Language::En), name_ar: wallet.name(Language::Ar) }
}
