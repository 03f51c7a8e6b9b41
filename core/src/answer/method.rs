//! One payment method of a transaction, as its view and an SDK show it.

use alloc::string::{String, ToString};

use serde::Serialize;

use crate::answer::billing::Billing;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::transaction::Transaction;

/// The members of both, and those that only one of them shows.
#[derive(Serialize)]
pub(crate) struct Method<'a> {
    pub(crate) amount: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) billing: Option<Billing<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) can_save_card: Option<bool>,
    pub(crate) code: &'a str,
    pub(crate) currency_code: &'static str,
    pub(crate) fee: String,
    pub(crate) fee_description: &'a str,
    pub(crate) flow: &'static str,
    pub(crate) icon: String,
    pub(crate) icons: Icons,
    pub(crate) is_sandbox: bool,
    pub(crate) name: &'a str,
    pub(crate) operation: &'static str,
    pub(crate) pg: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pg_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) redirect_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) submit_url: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
}

#[derive(Serialize)]
pub(crate) struct Icons {
    svg: String,
}

impl<'a> Method<'a> {
    /// The members that both show.
    pub(crate) fn of(
        transaction: &Transaction,
        profile: &'a Profile,
        quote: Quote,
        public_url: &str,
    ) -> Self {
        let language = transaction.details.language;
        let icon = profile.icon_address(public_url);
        Self {
            amount: quote.total.to_string(),
            billing: None,
            can_save_card: None,
            code: profile.code.as_str(),
            currency_code: quote.total.currency().code(),
            fee: quote.fee.to_string(),
            fee_description: profile.fee_of(quote).map_or("", |fee| fee.description.text(language)),
            flow: "redirect",
            icons: Icons { svg: icon.clone() },
            icon,
            is_sandbox: profile.sandbox,
            name: profile.name.text(language),
            operation: profile.operation.as_str(),
            pg: &profile.pg_name,
            pg_code: None,
            redirect_url: None,
            submit_url: None,
            kind: transaction.plugin.as_str(),
        }
    }
}
