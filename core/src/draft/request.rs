//! `POST /b/checkout/v1/pymt-txn/` creates a payment transaction.
//!
//! The response is [`crate::answer::view`].

use alloc::vec::Vec;

use crate::record::attachment::{AttachedFile, AttachmentError};
use crate::violation::Violation;
use crate::wire::json::record;

/// What is known about the files that a request brings or names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The file in the request, under its new name, or what is wrong with it.
    pub sent: Option<Result<AttachedFile, AttachmentError>>,
    /// The file that `attachment_upload_url` names, if this merchant uploaded it.
    pub uploaded: Option<AttachedFile>,
    /// The file that the transaction has.
    pub current: Option<AttachedFile>,
}

record! {
    /// The body, each field raw. `null` reads as absent, unknown keys are ignored.
    pub struct Request<'a> {
        /// `type`: the plugin.
        pub kind as "type",
        /// The total without fees.
        pub amount,
        /// ISO 4217 code.
        pub currency_code,
        /// Gateway codes from which the payer chooses.
        pub pg_codes,
        /// `one_off`, `auto_debit` or `save_card`.
        pub payment_type,
        /// The period in which the transaction can be paid.
        pub expiration_time,
        /// An object.
        pub agreement,
        /// An object.
        pub billing_address,
        /// An object.
        pub shipping_address,
        /// How the page would look: refused by name, because it is not supported.
        pub branding_options,
        /// A flag.
        pub capture_delivery_address,
        /// A flag.
        pub capture_delivery_location,
        /// An object.
        pub card_acceptance_criteria,
        /// A list of e-mail addresses.
        pub email_recipients,
        /// An object of lists, by channel.
        pub notifications,
        /// In JSON only the address that a response showed; a file comes as a part of a multipart body.
        pub attachment,
        /// The `file_url` of an uploaded file.
        pub attachment_upload_url,
        /// A flag, only written.
        pub shortify_attachment_url,
        /// A flag, only written.
        pub shortify_checkout_url,
        /// A flag, only written.
        pub generate_qr_code,
        /// A flag: answer what a checkout SDK needs.
        pub include_sdk_setup_preload,
        /// A slug.
        pub unit_code,
        /// `YYYY-MM-DD`.
        pub customer_birthdate,
        /// At most 128 characters.
        pub customer_email,
        /// At most 64 characters.
        pub customer_first_name,
        /// At most 64 characters.
        pub customer_last_name,
        /// At most 64 characters.
        pub customer_id,
        /// At most 16 characters.
        pub customer_phone,
        /// At most 16 characters.
        pub customer_phone_2,
        /// A date and time.
        pub due_datetime,
        /// An object of the merchant's own keys.
        pub extra,
        /// The id of a user.
        pub initiator_id,
        /// `en` or `ar`.
        pub language,
        /// At most 128 characters.
        pub order_no,
        /// Charges the transaction at create. An update refuses it by name, so that nobody takes an updated
        /// transaction for a paid one.
        pub payment_instrument,
        /// At most 128 characters.
        pub product_type,
        /// At most 2000 characters.
        pub redirect_url,
        /// 0 to 2147483647.
        pub transaction_log_id,
        /// At most 64 characters.
        pub vendor_name,
        /// At most 2000 characters.
        pub webhook_url,
    }
    /// What is known about the files that the request brings or names. Never part of the body.
    beside files: Known,
    /// What is wrong with the form itself. Never part of the body.
    beside wrong: Vec<Violation>,
}
