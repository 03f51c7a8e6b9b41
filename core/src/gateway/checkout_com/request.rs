//! The requests that open a charge: a page, and a payment by a token or with a saved card.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;

use super::account::{CheckoutCom, PAYMENT, SOURCE, id};
use super::amount;
use crate::card::usage::ChargeInitiator;
use crate::gateway::charge::{CardCharge, ChargeOperation, Order};
use crate::gateway::payer::{Payer, fitting};
use crate::transaction::agreement::Agreement;
use crate::words::Language;
use crate::words::agreement::AgreementType;

/// Why a charge cannot be requested.
const NO_CARD: &str = "the saved card is none of Checkout.com";
/// Why a charge cannot be requested.
const NO_HOLD: &str = "none of the payment methods of the page can hold money";

/// The longest name, e-mail address and description that are sent.
const MAX_NAME: usize = 255;
const MAX_DESCRIPTION: usize = 100;

/// What pages and payments share.
#[derive(Serialize)]
pub(super) struct Common<'a> {
    amount: i64,
    currency: &'static str,
    reference: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    capture: bool,
    payment_type: &'static str,
    success_url: &'a str,
    failure_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    processing_channel_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer: Option<CkoCustomer<'a>>,
    #[serde(rename = "3ds", skip_serializing_if = "Option::is_none")]
    authentication: Option<Authentication>,
    metadata: ChargeMarks<'a>,
}

#[derive(Serialize)]
struct Authentication {
    enabled: bool,
}

/// Comes back in the webhooks of the payment.
#[derive(Serialize)]
struct ChargeMarks<'a> {
    charge: &'a str,
}

#[derive(Serialize)]
struct CkoCustomer<'a> {
    email: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// The request for a page, in the wire format.
#[derive(Serialize)]
pub(super) struct PageRequest<'a> {
    #[serde(flatten)]
    common: Common<'a>,
    cancel_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<&'a str>,
    locale: &'static str,
    billing: PageBilling<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allow_payment_methods: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_method_configuration: Option<MethodConfiguration>,
}

#[derive(Serialize)]
struct PageBilling<'a> {
    address: HostedAddress<'a>,
}

#[derive(Serialize)]
struct HostedAddress<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    address_line1: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zip: Option<&'a str>,
    country: &'a str,
}

#[derive(Serialize)]
struct MethodConfiguration {
    card: CardConfiguration,
}

#[derive(Serialize)]
struct CardConfiguration {
    store_payment_details: &'static str,
}

/// The request for a payment, in the wire format.
#[derive(Serialize)]
pub(super) struct CkoPaymentRequest<'a> {
    source: Source<'a>,
    #[serde(flatten)]
    common: Common<'a>,
    merchant_initiated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_payment_id: Option<&'a str>,
}

/// What pays.
#[derive(Serialize)]
struct Source<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_for_future_use: Option<bool>,
}

impl<'a> Common<'a> {
    fn of(account: &'a CheckoutCom, order: &'a Order) -> Result<Self, &'static str> {
        let description = order.order_no.as_deref();
        Ok(Self {
            amount: amount::written(order.total).ok_or(amount::UNFIT)?,
            currency: order.total.currency().code(),
            reference: order.reference.as_str(),
            description: description.filter(|text| text.chars().count() <= MAX_DESCRIPTION),
            capture: order.operation != ChargeOperation::Authorize,
            payment_type: "Regular",
            success_url: &order.return_url,
            failure_url: &order.return_url,
            processing_channel_id: account.channel(),
            customer: customer(&order.payer),
            authentication: Some(Authentication { enabled: true }),
            metadata: ChargeMarks { charge: order.reference.as_str() },
        })
    }
}

impl<'a> PageRequest<'a> {
    pub(super) fn of(account: &'a CheckoutCom, order: &'a Order) -> Result<Self, &'static str> {
        let saves = order.saves_card || order.operation == ChargeOperation::Verify;
        let methods = match order.operation {
            ChargeOperation::Purchase => account.methods(),
            ChargeOperation::Authorize => Some(account.holding_methods()),
            ChargeOperation::Verify => Some(vec!["card"]),
        };
        if methods.as_ref().is_some_and(Vec::is_empty) {
            return Err(NO_HOLD);
        }
        let kind = order.agreement.as_deref().filter(|_| saves).map(payment_type);
        let common = Common::of(account, order)?;
        Ok(Self {
            // A page knows no other plans.
            common: Common {
                payment_type: if kind.is_some_and(is_planned) { "Recurring" } else { "Regular" },
                ..common
            },
            cancel_url: &order.return_url,
            display_name: Some(order.merchant.as_str()).filter(|name| !name.trim().is_empty()),
            locale: match order.language {
                Language::En => "en-GB",
                Language::Ar => "ar",
            },
            billing: PageBilling { address: billing_address(order) },
            allow_payment_methods: methods,
            payment_method_configuration: saves.then_some(MethodConfiguration {
                card: CardConfiguration { store_payment_details: "enabled" },
            }),
        })
    }
}

impl<'a> CkoPaymentRequest<'a> {
    /// A payment by the token of a wallet; `is_authenticated` if the wallet has authenticated the payer.
    pub(super) fn by_token(
        account: &'a CheckoutCom,
        order: &'a Order,
        token: String,
        is_authenticated: bool,
    ) -> Result<Self, &'static str> {
        let saves = order.saves_card;
        let kind = order.agreement.as_deref().filter(|_| saves).map_or("Regular", payment_type);
        let common = Common::of(account, order)?;
        let authentication = common.authentication.filter(|_| !is_authenticated);
        Ok(Self {
            source: Source { kind: "token", token: Some(token), id: None, store_for_future_use: Some(saves) },
            common: Common { payment_type: kind, authentication, ..common },
            merchant_initiated: false,
            previous_payment_id: None,
        })
    }

    /// A payment with a saved card, whose token names its source and the payment with which it was saved.
    pub(super) fn by_card(
        account: &'a CheckoutCom,
        order: &'a Order,
        card: &'a CardCharge,
    ) -> Result<Self, &'static str> {
        let (source, payment) = card.token.0.split_once('|').ok_or(NO_CARD)?;
        let (source, payment) = (id(source, SOURCE).ok_or(NO_CARD)?, id(payment, PAYMENT).ok_or(NO_CARD)?);
        let is_absent = card.initiator == ChargeInitiator::Merchant;
        let kind = match (card.agreement.as_deref(), is_absent) {
            (Some(agreement), _) => payment_type(agreement),
            (None, true) => "Unscheduled",
            (None, false) => "Regular",
        };
        let common = Common::of(account, order)?;
        let authentication = common.authentication.filter(|_| !is_absent);
        Ok(Self {
            source: Source { kind: "id", token: None, id: Some(source), store_for_future_use: None },
            common: Common { payment_type: kind, authentication, ..common },
            merchant_initiated: is_absent,
            previous_payment_id: is_absent.then_some(payment),
        })
    }
}

/// The word for payments under an agreement.
const fn payment_type(agreement: &Agreement) -> &'static str {
    match agreement.kind {
        AgreementType::Recurring => "Recurring",
        AgreementType::Installment => "Installment",
        AgreementType::EventBased | AgreementType::Unscheduled | AgreementType::Other => "Unscheduled",
    }
}

fn is_planned(payment_type: &str) -> bool {
    payment_type != "Unscheduled"
}

/// The payer, who is known by an address of e-mail.
fn customer(payer: &Payer) -> Option<CkoCustomer<'_>> {
    let email = payer.plain_email(MAX_NAME)?;
    let parts = [payer.first_name.as_deref(), payer.last_name.as_deref()];
    let name = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Some(CkoCustomer { email, name: fitting(Some(&name), MAX_NAME) })
}

/// Where the payer lives: a page needs the country at least, otherwise that of the merchant. The state is left out, which has
/// two characters there.
fn billing_address(order: &Order) -> HostedAddress<'_> {
    let Some(address) = order.payer.billing.as_deref() else {
        return HostedAddress { address_line1: None, city: None, zip: None, country: &order.country };
    };
    HostedAddress {
        address_line1: Some(&address.line1),
        city: Some(&address.city),
        zip: address.postal_code.as_deref(),
        country: &address.country,
    }
}
