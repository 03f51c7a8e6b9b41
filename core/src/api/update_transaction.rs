//! `PUT` and `PATCH /b/checkout/v1/pymt-txn/{session_id}/` update a payment transaction.
//!
//! The body is that of [`create_transaction`](crate::draft::request). A `PATCH` gives some fields and leaves
//! the others unchanged: it is laid over what is stored, and the result is checked. In both, `null` means
//! absent.

use crate::draft::request::Request;

impl<'a> Request<'a> {
    /// This request, with the fields of `ground` for those that it does not have.
    #[must_use]
    pub fn or(self, ground: &Request<'a>) -> Self {
        // A newly given file replaces everything that named the one before.
        let gives_file =
            self.attachment.or(self.attachment_upload_url).is_some() || self.files.sent.is_some();
        let saved = |of_ground| if gives_file { None } else { of_ground };
        Self {
            attachment: self.attachment.or(saved(ground.attachment)),
            attachment_upload_url: self.attachment_upload_url.or(saved(ground.attachment_upload_url)),
            // These flags apply only to the response to the request that they are sent with.
            shortify_attachment_url: self.shortify_attachment_url,
            shortify_checkout_url: self.shortify_checkout_url,
            generate_qr_code: self.generate_qr_code,
            include_sdk_setup_preload: self.include_sdk_setup_preload,
            files: self.files,
            wrong: self.wrong,
            kind: self.kind.or(ground.kind),
            amount: self.amount.or(ground.amount),
            currency_code: self.currency_code.or(ground.currency_code),
            pg_codes: self.pg_codes.or(ground.pg_codes),
            payment_type: self.payment_type.or(ground.payment_type),
            expiration_time: self.expiration_time.or(ground.expiration_time),
            agreement: self.agreement.or(ground.agreement),
            branding_options: self.branding_options,
            billing_address: self.billing_address.or(ground.billing_address),
            shipping_address: self.shipping_address.or(ground.shipping_address),
            capture_delivery_address: self.capture_delivery_address.or(ground.capture_delivery_address),
            capture_delivery_location: self.capture_delivery_location.or(ground.capture_delivery_location),
            card_acceptance_criteria: self.card_acceptance_criteria.or(ground.card_acceptance_criteria),
            email_recipients: self.email_recipients.or(ground.email_recipients),
            notifications: self.notifications.or(ground.notifications),
            unit_code: self.unit_code.or(ground.unit_code),
            customer_birthdate: self.customer_birthdate.or(ground.customer_birthdate),
            customer_email: self.customer_email.or(ground.customer_email),
            customer_first_name: self.customer_first_name.or(ground.customer_first_name),
            customer_last_name: self.customer_last_name.or(ground.customer_last_name),
            customer_id: self.customer_id.or(ground.customer_id),
            customer_phone: self.customer_phone.or(ground.customer_phone),
            customer_phone_2: self.customer_phone_2.or(ground.customer_phone_2),
            due_datetime: self.due_datetime.or(ground.due_datetime),
            extra: self.extra.or(ground.extra),
            initiator_id: self.initiator_id.or(ground.initiator_id),
            language: self.language.or(ground.language),
            order_no: self.order_no.or(ground.order_no),
            payment_instrument: self.payment_instrument,
            product_type: self.product_type.or(ground.product_type),
            redirect_url: self.redirect_url.or(ground.redirect_url),
            transaction_log_id: self.transaction_log_id.or(ground.transaction_log_id),
            vendor_name: self.vendor_name.or(ground.vendor_name),
            webhook_url: self.webhook_url.or(ground.webhook_url),
        }
    }
}
