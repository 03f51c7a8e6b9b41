//! One payment method of a transaction, as its view and an SDK show it.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::billing::Billing;
use crate::gateway::mark::Mark;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::transaction::Transaction;

/// The members of both, and those that only one of them shows.
#[derive(Serialize, JsonSchema)]
pub struct MethodMembers<'a> {
    /// What the payer pays with it, the fee included.
    pub(crate) amount: String,
    /// The sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) billing: Option<Billing<'a>>,
    /// Whether the payer's card can be saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) can_save_card: Option<bool>,
    /// The brands of cards that it takes, as far as they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) card_brands: Vec<CardMark>,
    /// The code of the gateway.
    pub(crate) code: &'a str,
    /// The currency in which the gateway charges.
    pub(crate) currency_code: &'static str,
    /// The fee of the gateway.
    pub(crate) fee: String,
    /// What the fee is called.
    pub(crate) fee_description: &'a str,
    /// How the payer pays: on the page of the gateway.
    #[schemars(extend("enum" = ["redirect"]))]
    pub(crate) flow: &'static str,
    /// The address of the icon.
    pub(crate) icon: String,
    /// The icon by format.
    pub(crate) icons: Icons,
    /// Whether it is paid in cash, later.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub(crate) is_cash: bool,
    /// Whether it moves no money.
    pub(crate) is_sandbox: bool,
    /// The mark of its network, as the address of a picture, if the network is known and the merchant set no picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<String>,
    /// The name that the payer reads.
    pub(crate) name: &'a str,
    /// Whether it charges at once or only holds the money.
    pub(crate) operation: crate::words::Operation,
    /// The name of the gateway in the language of the transaction, the same as `name`.
    pub(crate) pg: &'a str,
    /// The same as `code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pg_code: Option<&'a str>,
    /// The checkout page with this method chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) redirect_url: Option<String>,
    /// Where an SDK begins a payment with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) submit_url: Option<String>,
    /// The plugin of the transaction.
    #[serde(rename = "type")]
    pub(crate) kind: crate::words::Plugin,
}

/// A brand of cards.
#[derive(Serialize, JsonSchema)]
pub(crate) struct CardMark {
    /// The address of a picture of its mark, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
    /// Its name.
    name: &'static str,
}

impl CardMark {
    pub(crate) fn all_of(profile: &Profile, public_url: &str) -> Vec<Self> {
        let brands = profile.card_brands.iter().copied();
        let shown = brands.map(|brand| Self {
            mark: Mark::of_card_brand(brand).and_then(|mark| mark.address(public_url)),
            name: brand.name(),
        });
        shown.collect()
    }
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Icons {
    /// Scalable Vector Graphics.
    svg: String,
    /// WebP; the merchant's own picture is the same in both.
    webp: String,
}

impl<'a> MethodMembers<'a> {
    /// The members that both show.
    pub(crate) fn of(
        transaction: &Transaction,
        profile: &'a Profile,
        quote: Quote,
        public_url: &str,
    ) -> Self {
        let language = transaction.details.language();
        let icon = profile.icon_address(public_url);
        Self {
            amount: quote.total.text(),
            billing: None,
            can_save_card: None,
            card_brands: Vec::new(),
            code: profile.code.as_str(),
            currency_code: quote.total.currency().code(),
            fee: quote.fee.text(),
            fee_description: profile.fee_of(quote).map_or("", |fee| fee.description.text(language)),
            flow: "redirect",
            icons: Icons { svg: icon.clone(), webp: profile.webp_address(public_url) },
            icon,
            is_cash: false,
            is_sandbox: profile.sandbox,
            mark: None,
            name: profile.name.text(language),
            operation: profile.operation,
            pg: profile.name.text(language),
            pg_code: None,
            redirect_url: None,
            submit_url: None,
            kind: transaction.plugin,
        }
    }
}
