//! Forms in place of JSON: which fields each request has in a form, and what is wrong with those of one.

use alloc::vec::Vec;

use crate::api::upload_attachment;
use crate::api::{auto_debit, card, inquiry, message_notification, native, operation, payment_methods};
use crate::draft::request;
use crate::installation::Installation;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::violation::Violations;
use crate::wire::form::{Body, Kind, Shape};
use crate::wire::json::Named;
use crate::words::Wallet;

const OPERATION: Shape =
    Shape { names: operation::Request::NAMES, kinds: &[("extra", Kind::OpenObject)], file: None };
const METHODS: Shape = Shape {
    names: payment_methods::Request::NAMES,
    kinds: &[
        ("currencies", Kind::List),
        ("pg_names", Kind::List),
        ("tags", Kind::List),
        ("payment_services", Kind::List),
        ("tokenizable", Kind::Flag),
        ("auto_debit", Kind::Flag),
    ],
    file: None,
};
const CARDS: Shape = Shape {
    names: &["type", "customer_id", "pg_codes", "agreement_id"],
    kinds: &[("pg_codes", Kind::List)],
    file: None,
};
const INQUIRY: Shape = Shape {
    names: &["session_id", "order_no", "notify_webhook_url", "webhook_url"],
    kinds: &[("notify_webhook_url", Kind::Flag)],
    file: None,
};
const REMINDER: Shape = Shape {
    names: &["session_id", "order_no", "channels"],
    kinds: &[("channels", Kind::SeparatedList)],
    file: None,
};
const WALLET: Shape =
    Shape { names: &["session_id", "pg_code", "payload"], kinds: &[("payload", Kind::Verbatim)], file: None };
const CASH: Shape = Shape { names: &["session_id"], kinds: &[], file: None };
const DEBIT: Shape = Shape { names: &["session_id", "token", "cvv"], kinds: &[], file: None };
const UPLOAD: Shape = Shape {
    names: upload_attachment::Request::NAMES,
    kinds: &[("shortify_attachment_url", Kind::Flag)],
    file: Some("file"),
};

/// The fields of a request in a form, by the type that reads it; `None` for one that is never a form in place of
/// JSON.
#[must_use]
pub fn shape_of(request: &str) -> Option<&'static Shape> {
    Some(match request {
        "draft::request::Request" => &request::Request::FORM,
        "api::upload_attachment::Request" => &UPLOAD,
        "api::payment_methods::Request" => &METHODS,
        "api::operation::Request" => &OPERATION,
        "api::card::Filter" => &CARDS,
        "api::inquiry::Asked" => &INQUIRY,
        "api::message_notification::Asked" => &REMINDER,
        "api::native::WalletRequest" => &WALLET,
        "api::native::CashRequest" => &CASH,
        "api::auto_debit::Request" => &DEBIT,
        _ => return None,
    })
}

/// Refuses a form that is wrong as such, together with what its reader finds. What else create, update and upload
/// find depends on more than the body: their flows are shown what is wrong with the form.
///
/// # Errors
/// [`Rejection::Invalid`] with every violation.
pub fn check(
    request: &str,
    body: &Body,
    settings: &MerchantSettings,
    installation: &Installation,
) -> Result<(), Rejection> {
    if body.wrong.is_empty() {
        return Ok(());
    }
    let json = &body.bytes;
    // Only what the reader refuses counts: which of the wallets is meant matters only to a payload that is sound.
    let read = match request {
        "api::payment_methods::Request" => payment_methods::Request::from_json(json).and_then(|request| {
            payment_methods::Filter::parse(&request, settings).map(drop).map_err(Rejection::Invalid)
        }),
        "api::operation::Request" => {
            operation::Request::from_json(json).and_then(|request| request.check().map(drop))
        }
        "api::card::Filter" => card::Filter::parse(json).map(drop),
        "api::inquiry::Asked" => inquiry::Asked::parse(json, installation).map(drop),
        "api::message_notification::Asked" => message_notification::Asked::parse(json).map(drop),
        "api::native::WalletRequest" => native::WalletRequest::read(Wallet::ApplePay, json).map(drop),
        "api::native::CashRequest" => native::CashRequest::read(json).map(drop),
        "api::auto_debit::Request" => auto_debit::Request::parse(json).map(drop),
        _ => return Ok(()),
    };
    let found = if let Err(Rejection::Invalid(found)) = read { found } else { Vec::new() };
    Err(Rejection::Invalid(Violations::of_form(&body.wrong, found)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Body as Reads, Route};
    use crate::words::media_type::BodyType;

    #[test]
    fn every_request_that_may_be_a_form_has_its_fields() {
        let mut forms = 0;
        for endpoint in Route::ENDPOINTS {
            let takes_form =
                matches!(endpoint.facts.body, Reads::Typed(BodyType::Record | BodyType::Multipart, _));
            let shape = endpoint.facts.request.and_then(shape_of);
            assert!(shape.is_some() || !takes_form, "{}", endpoint.facts.name);
            forms += usize::from(takes_form);
        }
        assert_eq!(forms, 14);
    }
}
