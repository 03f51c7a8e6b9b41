//! The bodies of requests, in the wire format.

use alloc::string::String;

use serde::Serialize;

use super::agreement::AgreementPart;

/// Opens a session of the gateway's page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InitiateCheckout<'a> {
    pub(super) api_operation: &'static str,
    pub(super) interaction: Interaction<'a>,
    pub(super) order: OrderPart<'a>,
    #[serde(skip_serializing_if = "Customer::is_empty")]
    pub(super) customer: Customer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) billing: Option<PayerBilling>,
    pub(super) transaction: PaymentSource<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<AgreementPart<'a>>,
}

/// How the page meets the payer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Interaction<'a> {
    pub(super) operation: &'static str,
    pub(super) merchant: MpgsMerchant,
    pub(super) locale: &'static str,
    pub(super) return_url: &'a str,
    pub(super) cancel_url: &'a str,
    pub(super) timeout_url: &'a str,
    pub(super) redirect_merchant_url: &'a str,
    pub(super) retry_attempt_count: u8,
    pub(super) timeout: u32,
    pub(super) display_control: DisplayControl,
}

/// What the page calls the merchant.
#[derive(Serialize)]
pub(super) struct MpgsMerchant {
    pub(super) name: String,
}

/// What the page asks the payer for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DisplayControl {
    billing_address: &'static str,
    customer_email: &'static str,
    shipping: &'static str,
}

impl DisplayControl {
    /// Nothing except the card: we have asked for the rest.
    pub(super) const CARD_ONLY: Self =
        Self { billing_address: "HIDE", customer_email: "HIDE", shipping: "HIDE" };
}

/// The order that is paid.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderPart<'a> {
    /// In the body of a session; elsewhere it is in the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a str>,
    /// None for the check of a card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) amount: Option<String>,
    pub(super) currency: &'static str,
    pub(super) description: String,
    pub(super) reference: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) notification_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wallet_provider: Option<&'static str>,
}

/// The payer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Customer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) phone: Option<String>,
}

impl Customer {
    fn is_empty(&self) -> bool {
        self.email.is_none() && self.first_name.is_none() && self.last_name.is_none() && self.phone.is_none()
    }
}

/// Where the payer lives, for the bank's checks.
#[derive(Serialize)]
pub(super) struct PayerBilling {
    pub(super) address: AddressPart,
}

/// An address, as far as the gateway takes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddressPart {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) street: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) street2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state_province: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) postcode_zip: Option<String>,
    /// Three letters.
    pub(super) country: &'static str,
}

/// Who began the payment, and our name of it.
#[derive(Serialize)]
pub(super) struct PaymentSource<'a> {
    pub(super) reference: &'a str,
    pub(super) source: &'static str,
}

/// Charges a saved card or a wallet at once.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pay<'a> {
    pub(super) api_operation: &'static str,
    pub(super) order: OrderPart<'a>,
    pub(super) source_of_funds: Funds<'a>,
    #[serde(skip_serializing_if = "Customer::is_empty")]
    pub(super) customer: Customer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) billing: Option<PayerBilling>,
    pub(super) transaction: PaymentSource<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<AgreementPart<'a>>,
}

/// With what is paid.
#[derive(Serialize)]
pub(super) struct Funds<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provided: Option<ProvidedCard<'a>>,
}

/// What is known of the card.
#[derive(Serialize)]
pub(super) struct ProvidedCard<'a> {
    pub(super) card: CardPart<'a>,
}

/// A saved card or the token of a wallet.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardPart<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stored_on_file: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) device_payment: Option<DevicePayment<'a>>,
}

/// The token of a wallet: a JSON object as a text, byte for byte.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DevicePayment<'a> {
    pub(super) payment_token: &'a str,
}

/// Captures or refunds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Move<'a> {
    pub(super) api_operation: &'static str,
    pub(super) transaction: MovedAmount<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) order: Option<Notified<'a>>,
}

/// How much.
#[derive(Serialize)]
pub(super) struct MovedAmount<'a> {
    pub(super) amount: String,
    pub(super) currency: &'static str,
    pub(super) reference: &'a str,
}

/// Where the gateway reports about an operation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notified<'a> {
    pub(super) notification_url: &'a str,
}

/// Voids a transaction.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Void<'a> {
    pub(super) api_operation: &'static str,
    pub(super) transaction: Voided<'a>,
}

/// Which one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Voided<'a> {
    pub(super) target_transaction_id: &'a str,
    pub(super) reference: &'a str,
}

/// Saves the card of a session.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tokenize<'a> {
    pub(super) session: PageSession<'a>,
    pub(super) source_of_funds: Funds<'a>,
}

/// A session of the page.
#[derive(Serialize)]
pub(super) struct PageSession<'a> {
    pub(super) id: &'a str,
}
