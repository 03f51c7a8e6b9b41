//! `POST /b/checkout/v1/pymt-txn/` creates a payment transaction (specification, Checkout operations).
//!
//! The response is [`crate::transaction::view`].

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::api::json;
use crate::rejection::Rejection;
use crate::transaction::attached::Known;

/// The most bytes of a body.
pub const MAX_BODY_BYTES: usize = 262_144;

/// The body, each field raw. `null` reads as absent, unknown keys are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Request<'a> {
    /// `type`: the plugin.
    #[serde(borrow, rename = "type")]
    pub kind: Option<&'a RawValue>,
    /// The total without fees.
    #[serde(borrow)]
    pub amount: Option<&'a RawValue>,
    /// ISO 4217 code.
    #[serde(borrow)]
    pub currency_code: Option<&'a RawValue>,
    /// Gateway codes from which the payer chooses.
    #[serde(borrow)]
    pub pg_codes: Option<&'a RawValue>,
    /// `one_off`, `auto_debit` or `save_card`.
    #[serde(borrow)]
    pub payment_type: Option<&'a RawValue>,
    /// The period in which the transaction can be paid.
    #[serde(borrow)]
    pub expiration_time: Option<&'a RawValue>,
    /// An object.
    #[serde(borrow)]
    pub agreement: Option<&'a RawValue>,
    /// An object.
    #[serde(borrow)]
    pub billing_address: Option<&'a RawValue>,
    /// An object.
    #[serde(borrow)]
    pub shipping_address: Option<&'a RawValue>,
    /// A flag.
    #[serde(borrow)]
    pub capture_delivery_address: Option<&'a RawValue>,
    /// A flag.
    #[serde(borrow)]
    pub capture_delivery_location: Option<&'a RawValue>,
    /// An object.
    #[serde(borrow)]
    pub card_acceptance_criteria: Option<&'a RawValue>,
    /// A list of e-mail addresses.
    #[serde(borrow)]
    pub email_recipients: Option<&'a RawValue>,
    /// An object of lists, by channel.
    #[serde(borrow)]
    pub notifications: Option<&'a RawValue>,
    /// In JSON only the address that a response showed; a file comes as a part of a multipart body.
    #[serde(borrow)]
    pub attachment: Option<&'a RawValue>,
    /// The `file_url` of an uploaded file.
    #[serde(borrow)]
    pub attachment_upload_url: Option<&'a RawValue>,
    /// A flag, only written.
    #[serde(borrow)]
    pub shortify_attachment_url: Option<&'a RawValue>,
    /// A flag, only written.
    #[serde(borrow)]
    pub shortify_checkout_url: Option<&'a RawValue>,
    /// A flag, only written.
    #[serde(borrow)]
    pub generate_qr_code: Option<&'a RawValue>,
    /// A flag: answer what a checkout SDK needs.
    #[serde(borrow)]
    pub include_sdk_setup_preload: Option<&'a RawValue>,
    /// A slug.
    #[serde(borrow)]
    pub unit_code: Option<&'a RawValue>,
    /// `YYYY-MM-DD`.
    #[serde(borrow)]
    pub customer_birthdate: Option<&'a RawValue>,
    /// At most 128 characters.
    #[serde(borrow)]
    pub customer_email: Option<&'a RawValue>,
    /// At most 64 characters.
    #[serde(borrow)]
    pub customer_first_name: Option<&'a RawValue>,
    /// At most 64 characters.
    #[serde(borrow)]
    pub customer_last_name: Option<&'a RawValue>,
    /// At most 64 characters.
    #[serde(borrow)]
    pub customer_id: Option<&'a RawValue>,
    /// At most 16 characters.
    #[serde(borrow)]
    pub customer_phone: Option<&'a RawValue>,
    /// At most 16 characters.
    #[serde(borrow)]
    pub customer_phone_2: Option<&'a RawValue>,
    /// A date and time.
    #[serde(borrow)]
    pub due_datetime: Option<&'a RawValue>,
    /// An object of the merchant's own keys.
    #[serde(borrow)]
    pub extra: Option<&'a RawValue>,
    /// The id of a user.
    #[serde(borrow)]
    pub initiator_id: Option<&'a RawValue>,
    /// `en` or `ar`.
    #[serde(borrow)]
    pub language: Option<&'a RawValue>,
    /// At most 128 characters.
    #[serde(borrow)]
    pub order_no: Option<&'a RawValue>,
    /// What would charge at create: refused by name, so that nobody takes a created transaction for a paid one.
    #[serde(borrow)]
    pub payment_instrument: Option<&'a RawValue>,
    /// At most 128 characters.
    #[serde(borrow)]
    pub product_type: Option<&'a RawValue>,
    /// At most 2000 characters.
    #[serde(borrow)]
    pub redirect_url: Option<&'a RawValue>,
    /// 0 to 2147483647.
    #[serde(borrow)]
    pub transaction_log_id: Option<&'a RawValue>,
    /// At most 64 characters.
    #[serde(borrow)]
    pub vendor_name: Option<&'a RawValue>,
    /// At most 2000 characters.
    #[serde(borrow)]
    pub webhook_url: Option<&'a RawValue>,
    /// What is known of the files that the request brings or names. Never part of the body.
    #[serde(skip)]
    pub files: Known,
}

impl<'a> Request<'a> {
    /// Reads a JSON body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything but one JSON object.
    pub fn from_json(body: &'a [u8]) -> Result<Self, Rejection> {
        json::object(body)
    }
}
