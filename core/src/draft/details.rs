//! The fields of a create request beyond the required ones, and which of them require each other.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::choice::Choice;
use super::extra;
use crate::draft::attached;
use crate::draft::request::Request;
use crate::installation::Installation;
use crate::settings::MerchantSettings;
use crate::transaction::{CardAcceptanceCriteria, Details, address, agreement, notifications};
use crate::value::money::Currency;
use crate::value::text::{check_line, is_email};
use crate::violation::Rule;
use crate::wire::field::{Fields, is_blank};
use crate::words::Language;
use crate::words::payment_type::PaymentType;

/// The most bytes of `card_acceptance_criteria`, as written.
const MAX_CRITERIA_BYTES: usize = 1_024;
/// The largest number of a user or a log.
const MAX_NUMBER: u32 = 2_147_483_647;
/// The longest order number that a gateway of [`SHORT_ORDERS`] accepts.
const MAX_SHORT_ORDER: usize = 37;
/// The gateway's family that accepts short order numbers only.
const SHORT_ORDERS: &str = "mpgs";
/// The most addresses of `email_recipients`.
const MAX_RECIPIENTS: usize = 32;

/// What the fields are checked against.
pub(super) struct Ground<'a> {
    pub(super) installation: &'a Installation,
    pub(super) settings: &'a MerchantSettings,
    /// The plugin and the gateways, as far as they could be read.
    pub(super) choice: &'a Choice<'a>,
    /// The currency, if it could be read.
    pub(super) currency: Option<Currency>,
    /// The payment type, if it could be read.
    pub(super) payment_type: Option<PaymentType>,
}

impl Ground<'_> {
    /// The payment type, if it is one of `kinds`: the reason why a field must be given.
    fn needs(&self, kinds: &[PaymentType]) -> Option<PaymentType> {
        self.payment_type.filter(|kind| kinds.contains(kind))
    }

    /// The payment type that needs an address for notifications, if the plugin has none.
    fn needs_receiver(&self) -> Option<PaymentType> {
        let has_default = self.choice.plugin.is_none_or(|plugin| plugin.webhook_url.is_some());
        self.needs(&[PaymentType::SaveCard]).filter(|_| !has_default)
    }
}

/// Reads the fields.
pub(super) fn read(fields: &mut Fields, request: &Request<'_>, ground: &Ground<'_>) -> Details {
    let reach = ground.installation.reach;
    let attached = attached::read(fields, request, &ground.installation.public_url);
    let details = Details {
        attachment: attached.file.map(Box::new),
        attachment_upload_url: attached.upload_url,
        payment_type: ground.payment_type.unwrap_or_default(),
        agreement: needed("agreement", request.agreement, ground.needs(&[PaymentType::AutoDebit]))
            .read(fields, |f, p, raw| {
                agreement::read(f, p, raw, (ground.currency, &ground.settings.agreements))
            })
            .map(Box::new),
        billing_address: fields
            .optional("billing_address", request.billing_address, address::read_billing)
            .map(Box::new),
        capture_delivery_address: fields.optional(
            "capture_delivery_address",
            request.capture_delivery_address,
            Fields::flag,
        ),
        capture_delivery_location: fields.optional(
            "capture_delivery_location",
            request.capture_delivery_location,
            Fields::flag,
        ),
        card_acceptance_criteria: fields.optional(
            "card_acceptance_criteria",
            request.card_acceptance_criteria,
            read_criteria,
        ),
        customer_birthdate: fields.optional("customer_birthdate", request.customer_birthdate, Fields::date),
        customer_email: fields
            .optional("customer_email", request.customer_email, |f, p, raw| f.email(p, raw, 128)),
        customer_first_name: line(fields, "customer_first_name", request.customer_first_name, 64),
        customer_last_name: line(fields, "customer_last_name", request.customer_last_name, 64),
        customer_id: needed(
            "customer_id",
            request.customer_id,
            ground.needs(&[PaymentType::AutoDebit, PaymentType::SaveCard]),
        )
        .read(fields, |f, p, raw| f.line(p, raw, 64)),
        customer_phone: line(fields, "customer_phone", request.customer_phone, 16),
        customer_phone_2: line(fields, "customer_phone_2", request.customer_phone_2, 16),
        due_datetime: fields.optional("due_datetime", request.due_datetime, Fields::date_time),
        email_recipients: fields
            .optional("email_recipients", request.email_recipients, read_recipients)
            .unwrap_or_default(),
        extra: extra::read(fields, request.extra, ground.choice.plugin),
        initiator_id: fields.optional("initiator_id", request.initiator_id, read_initiator),
        // The settings decide it once, when the transaction is made.
        is_amount_editable: false,
        language: fields
            .optional("language", request.language, |f, p, raw| {
                f.word(p, raw, Language::WORDS, Language::parse)
            })
            .unwrap_or_default(),
        notifications: fields
            .optional("notifications", request.notifications, notifications::read)
            .filter(|notifications| !notifications.is_empty()),
        order_no: read_order_no(fields, request.order_no, ground.choice),
        product_type: line(fields, "product_type", request.product_type, 128),
        redirect_url: fields
            .optional("redirect_url", request.redirect_url, |f, p, raw| f.address(p, raw, reach)),
        shipping_address: fields
            .optional("shipping_address", request.shipping_address, address::read_shipping)
            .map(Box::new),
        transaction_log_id: fields.optional("transaction_log_id", request.transaction_log_id, |f, p, raw| {
            f.whole(p, raw, 0..=MAX_NUMBER)
        }),
        unit_code: fields
            .optional("unit_code", request.unit_code, |f, p, raw| read_unit(f, p, raw, ground.settings)),
        vendor_name: line(fields, "vendor_name", request.vendor_name, 64),
        webhook_url: needed("webhook_url", request.webhook_url, ground.needs_receiver())
            .read(fields, |f, p, raw| f.receiver(p, raw, ground.installation)),
    };
    fields
        .optional("branding_options", request.branding_options, |f, p, _| f.refuse::<()>(p, Rule::NotKnown));
    fields.optional("payment_instrument", request.payment_instrument, |f, p, _| {
        f.refuse::<()>(p, Rule::NotSupported)
    });
    if let Some(notifications) = &details.notifications {
        // One that is given but wrong is reported itself.
        let is_given = |raw: Option<&RawValue>| raw.is_some_and(|raw| !is_blank(raw));
        notifications.check(fields, is_given(request.customer_email), is_given(request.customer_phone));
    }
    details
}

/// A field that must be given if there is a reason.
struct Needed<'a> {
    path: &'static str,
    raw: Option<&'a RawValue>,
    reason: Option<PaymentType>,
}

const fn needed<'a>(
    path: &'static str,
    raw: Option<&'a RawValue>,
    reason: Option<PaymentType>,
) -> Needed<'a> {
    Needed { path, raw, reason }
}

impl<'a> Needed<'a> {
    fn read<T>(
        self,
        fields: &mut Fields,
        read: impl FnOnce(&mut Fields, &'static str, &'a RawValue) -> Option<T>,
    ) -> Option<T> {
        match (self.raw.filter(|raw| !is_blank(raw)), self.reason) {
            (Some(raw), _) => read(fields, self.path, raw),
            (None, Some(kind)) => fields.refuse(self.path, Rule::RequiredWith(kind)),
            (None, None) => None,
        }
    }
}

fn line(fields: &mut Fields, path: &'static str, raw: Option<&RawValue>, max: usize) -> Option<String> {
    fields.optional(path, raw, |f, p, raw| f.line(p, raw, max))
}

/// The order number, which gateways of one family accept only if it is short.
fn read_order_no(fields: &mut Fields, raw: Option<&RawValue>, choice: &Choice<'_>) -> Option<String> {
    let order_no = line(fields, "order_no", raw, 128)?;
    let is_limited = choice.profiles.iter().any(|profile| profile.pg_name.eq_ignore_ascii_case(SHORT_ORDERS));
    if is_limited && order_no.chars().count() > MAX_SHORT_ORDER {
        let rule = Rule::TooLongForGateway { max: MAX_SHORT_ORDER, pg_name: SHORT_ORDERS };
        return fields.refuse("order_no", rule);
    }
    Some(order_no)
}

/// The user who made the transaction. A key is not tied to a user, and may name any active one of the
/// merchant; no merchant has users, so every id is refused.
fn read_initiator(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<u32> {
    fields.whole(path, raw, 1..=MAX_NUMBER)?;
    fields.refuse(path, Rule::UnknownUser)
}

/// The merchant's unit; any slug if the merchant has configured none.
fn read_unit(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    settings: &MerchantSettings,
) -> Option<String> {
    let unit = fields.slug(path, raw, 64)?;
    if settings.units.is_empty() || settings.units.contains(&unit) {
        Some(unit)
    } else {
        fields.refuse(path, Rule::NotPermitted(settings.units.clone()))
    }
}

fn read_criteria(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<CardAcceptanceCriteria> {
    let members = fields.object(path, raw, MAX_CRITERIA_BYTES)?;
    let path = "card_acceptance_criteria.min_expiry_time";
    let min_expiry_time =
        fields.optional(path, members.get("min_expiry_time"), |f, p, r| f.integer(p, r, 1..=365));
    min_expiry_time.map(|days| CardAcceptanceCriteria { min_expiry_time: Some(days) })
}

fn read_recipients(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Vec<String>> {
    let items = fields.items(path, raw, MAX_RECIPIENTS)?;
    let mut recipients = Vec::with_capacity(items.len());
    for (place, item) in items.into_iter().enumerate() {
        let read = fields.decode_text(item).and_then(|text| {
            check_line(&text, 128).map_err(Rule::from)?;
            if is_email(&text) { Ok(text.into_owned()) } else { Err(Rule::NotEmail) }
        });
        match read {
            Ok(recipient) => recipients.push(recipient),
            Err(rule) => fields.violation(alloc::format!("{path}.{place}"), rule),
        }
    }
    Some(recipients)
}
