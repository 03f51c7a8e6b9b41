//! What the API shows of a payment transaction: the answer to create and retrieve. Optional fields that were
//! not given are left out.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use super::billing::Billing;
use crate::answer::body::Body;
use crate::answer::method::Method;
use crate::answer::operation::children;
use crate::answer::sdk::CheckoutSdk;
use crate::operation::standing::Standing;
use crate::payment::begin::offered;
use crate::record::short_link::ShortCode;
use crate::route::{ImageFormat, QrCode, Route};
use crate::settings::MerchantSettings;
use crate::transaction::address::{Address, ShippingAddress};
use crate::transaction::agreement::Agreement;
use crate::transaction::notifications::Notifications;
use crate::transaction::{CardAcceptanceCriteria, Transaction};
use crate::value::id::PgCode;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::value::time::period::print_period;

#[derive(Serialize)]
struct View<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<&'a Agreement>,
    amount: String,
    billing: Billing<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachment_short_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachment_upload_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billing_address: Option<&'a Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture_delivery_address: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture_delivery_location: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_acceptance_criteria: Option<CardAcceptanceCriteria>,
    checkout_page_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkout_short_url: Option<String>,
    checkout_url: &'a str,
    created_at: String,
    currency_code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_birthdate: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_first_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_last_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_phone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_phone_2: Option<&'a str>,
    due_datetime: String,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    email_recipients: &'a [String],
    expiration_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    initiator_id: Option<u32>,
    language: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    notifications: Option<&'a Notifications>,
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    order_no: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paid_amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paid_at: Option<String>,
    payment_methods: Vec<Method<'a>>,
    payment_type: &'static str,
    pg_codes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    product_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    qr_code_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refunded_amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sdk_setup_preload_payload: Option<&'a CheckoutSdk<'a>>,
    session_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    settled_pg_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shipping_address: Option<&'a ShippingAddress>,
    state: &'static str,
    /// The children, under both of the names of the notification.
    #[serde(skip_serializing_if = "<[Body<'_>]>::is_empty")]
    transaction: &'a [Body<'a>],
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_log_id: Option<u32>,
    #[serde(skip_serializing_if = "<[Body<'_>]>::is_empty")]
    transactions: &'a [Body<'a>],
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    vendor_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    voided_amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_url: Option<&'a str>,
}

/// What a response shows only because its request asked for it, or only once the transaction has ended.
#[derive(Default)]
pub struct Asked<'a> {
    /// The code of `checkout_short_url`.
    pub checkout_code: Option<ShortCode>,
    /// The code of `attachment_short_url`.
    pub attachment_code: Option<ShortCode>,
    /// Whether `qr_code_url` is shown.
    pub has_qr_code: bool,
    /// `receipt`.
    pub receipt: Option<String>,
    /// The state of the payment beyond the transaction; `None` if nobody tried to pay yet.
    pub standing: Option<Standing>,
    /// `sdk_setup_preload_payload`.
    pub sdk: Option<CheckoutSdk<'a>>,
}

/// The JSON text of a transaction as it is shown at `now`. `has_open_attempt` says whether an attempt is
/// open, which prevents a transaction from counting as expired.
#[must_use]
pub fn view(
    transaction: &Transaction,
    has_open_attempt: bool,
    settings: &MerchantSettings,
    public_url: &str,
    now: Timestamp,
) -> String {
    view_asked(transaction, has_open_attempt, settings, public_url, now, &Asked::default())
}

/// As [`view`], with what the request asked for.
#[must_use]
pub fn view_asked(
    transaction: &Transaction,
    has_open_attempt: bool,
    settings: &MerchantSettings,
    public_url: &str,
    now: Timestamp,
    asked: &Asked<'_>,
) -> String {
    let short_url =
        |code: &ShortCode| alloc::format!("{public_url}{}", Route::ShortLink(code.clone()).path());
    let qr_code_route =
        || Route::DrawQrCode(QrCode { session_id: transaction.session_id.clone(), format: ImageFormat::Png });
    let details = &transaction.details;
    let checkout_url = checkout_url(public_url, transaction);
    let standing = asked.standing.as_ref();
    let sums = standing.map(|standing| standing.sums(transaction)).unwrap_or_default();
    let children = standing.map(|standing| children(&standing.children, details.order_no.as_ref()));
    let children = children.unwrap_or_default();
    let text =
        |amount: Option<Money>| amount.filter(|amount| !amount.is_zero()).map(|amount| amount.to_string());
    let view = View {
        agreement: details.agreement.as_deref(),
        attachment: details.attachment.as_ref().map(|file| file.name.address(public_url)),
        attachment_short_url: asked.attachment_code.as_ref().map(short_url),
        attachment_upload_url: details.attachment_upload_url.as_deref(),
        checkout_short_url: asked.checkout_code.as_ref().map(short_url),
        qr_code_url: asked.has_qr_code.then(|| alloc::format!("{public_url}{}", qr_code_route().path())),
        billing_address: details.billing_address.as_deref(),
        capture_delivery_address: details.capture_delivery_address,
        capture_delivery_location: details.capture_delivery_location,
        card_acceptance_criteria: details.card_criteria(),
        email_recipients: &details.email_recipients,
        notifications: details.notifications.as_ref(),
        shipping_address: details.shipping_address.as_deref(),
        amount: transaction.amount.to_string(),
        billing: Billing::of(transaction, offered(transaction, settings).next()),
        checkout_page_url: &checkout_url,
        checkout_url: &checkout_url,
        created_at: transaction.created_at.to_string(),
        currency_code: transaction.amount.currency().code(),
        customer_birthdate: details.customer_birthdate.as_deref(),
        customer_email: details.customer_email.as_deref(),
        customer_first_name: details.customer_first_name.as_deref(),
        customer_id: details.customer_id.as_deref(),
        customer_last_name: details.customer_last_name.as_deref(),
        customer_phone: details.customer_phone.as_deref(),
        customer_phone_2: details.customer_phone_2.as_deref(),
        due_datetime: details.due_datetime.unwrap_or(transaction.created_at).to_string(),
        expiration_time: print_period(transaction.expires_at.since(transaction.created_at)),
        extra: details.extra.as_deref(),
        initiator_id: details.initiator_id,
        language: details.language.as_str(),
        operation: transaction.operation.as_str(),
        order_no: details.order_no.as_deref(),
        paid_amount: sums.paid.map(|paid| paid.to_string()),
        paid_at: sums.paid_at.map(|at| at.to_string()),
        payment_methods: offered(transaction, settings)
            .map(|(profile, quote)| Method {
                redirect_url: Some(method_url(public_url, transaction, &profile.code)),
                ..Method::of(transaction, profile, quote, public_url)
            })
            .collect(),
        payment_type: details.payment_type.as_str(),
        pg_codes: transaction.pg_codes.iter().map(PgCode::as_str).collect(),
        product_type: details.product_type.as_deref(),
        receipt: asked.receipt.as_deref(),
        redirect_url: details.redirect_url.as_deref(),
        reference_number: standing.map(|standing| standing.attempt.reference.as_str()),
        refunded_amount: text(sums.refunded),
        sdk_setup_preload_payload: asked.sdk.as_ref(),
        session_id: transaction.session_id.as_str(),
        settled_pg_code: transaction.settlement.as_ref().map(|settlement| settlement.pg_code.as_str()),
        state: transaction.state_at(now, has_open_attempt).as_str(),
        transaction: &children,
        transaction_log_id: details.transaction_log_id,
        transactions: &children,
        kind: transaction.plugin.as_str(),
        vendor_name: details.vendor_name.as_deref(),
        voided_amount: text(sums.voided),
        webhook_url: details.webhook_url.as_deref(),
    };
    // Serialising plain text and lists cannot fail.
    serde_json::to_string(&view).unwrap_or_default()
}

/// The address of the checkout page of a transaction.
#[must_use]
pub fn checkout_url(public_url: &str, transaction: &Transaction) -> String {
    alloc::format!("{public_url}{}?session_id={}", Route::CheckoutPage.path(), transaction.session_id)
}

/// The address of the checkout page with a method chosen.
fn method_url(public_url: &str, transaction: &Transaction, code: &PgCode) -> String {
    alloc::format!("{}&pg_code={}", checkout_url(public_url, transaction), code.as_str())
}
