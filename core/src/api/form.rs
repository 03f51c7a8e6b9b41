//! Forms in place of JSON: which fields each request has in a form, and what is wrong with those of one.

use alloc::vec::Vec;

use crate::api::{
    self, auto_debit, card, inquiry, message_notification, native, operation, payment_methods,
    upload_attachment,
};
use crate::draft::{self, request};
use crate::installation::Installation;
use crate::rejection::Rejection;
use crate::route::Route;
use crate::settings::MerchantSettings;
use crate::violation::Violations;
use crate::wire::form::{FormShape, NameKind, RequestBody};
use crate::wire::json::NamedBody;
use crate::words::Wallet;

const OPERATION: FormShape = FormShape {
    names: operation::RawOperation::NAMES,
    kinds: &[("extra", NameKind::OpenObject)],
    file: None,
};
const METHODS: FormShape = FormShape {
    names: payment_methods::PaymentMethodsRequest::NAMES,
    kinds: &[
        ("currencies", NameKind::List),
        ("pg_names", NameKind::List),
        ("tags", NameKind::List),
        ("payment_services", NameKind::List),
        ("tokenizable", NameKind::Flag),
        ("auto_debit", NameKind::Flag),
    ],
    file: None,
};
const CARDS: FormShape = FormShape {
    names: &["type", "customer_id", "pg_codes", "agreement_id"],
    kinds: &[("pg_codes", NameKind::List)],
    file: None,
};
const INQUIRY: FormShape = FormShape {
    names: &["session_id", "order_no", "notify_webhook_url", "webhook_url"],
    kinds: &[("notify_webhook_url", NameKind::Flag)],
    file: None,
};
const REMINDER: FormShape = FormShape {
    names: &["session_id", "order_no", "channels"],
    kinds: &[("channels", NameKind::SeparatedList)],
    file: None,
};
const WALLET: FormShape = FormShape {
    names: &["session_id", "pg_code", "payload"],
    kinds: &[("payload", NameKind::Verbatim)],
    file: None,
};
const CASH: FormShape = FormShape { names: &["session_id"], kinds: &[], file: None };
const DEBIT: FormShape = FormShape { names: &["session_id", "token", "cvv"], kinds: &[], file: None };
const UPLOAD: FormShape = FormShape {
    names: upload_attachment::UploadRequest::NAMES,
    kinds: &[("shortify_attachment_url", NameKind::Flag)],
    file: Some("file"),
};

/// Reads a body as JSON, for what is wrong with it.
type Refuse = fn(&[u8], &MerchantSettings, &Installation) -> Result<(), Rejection>;

/// How a request may come as a form in place of JSON.
pub struct BodyForm {
    /// Its fields.
    pub shape: &'static FormShape,
    /// What its reader finds wrong with it as JSON. `None` if its flow is shown what is wrong with the form, because what
    /// else it finds depends on more than the body.
    refuse: Option<Refuse>,
}

/// A request that may come as a form.
trait Formed {
    const FORM: BodyForm;
}

impl Formed for request::DraftRequest<'_> {
    const FORM: BodyForm = BodyForm { shape: &request::DraftRequest::FORM, refuse: None };
}

impl Formed for upload_attachment::UploadRequest<'_> {
    const FORM: BodyForm = BodyForm { shape: &UPLOAD, refuse: None };
}

macro_rules! formed {
    ($($kind:ty: $shape:expr, |$json:pat_param, $settings:pat_param, $installation:pat_param| $read:expr;)*) => {
        $(
            impl Formed for $kind {
                const FORM: BodyForm = BodyForm { shape: $shape, refuse: Some(|$json, $settings, $installation| $read) };
            }
        )*
    };
}

formed! {
    payment_methods::PaymentMethodsRequest<'_>: &METHODS, |json, settings, _| {
        let request = payment_methods::PaymentMethodsRequest::from_json(json)?;
        payment_methods::MethodFilter::parse(&request, settings).map(drop).map_err(Rejection::Invalid)
    };
    operation::RawOperation<'_>: &OPERATION, |json, _, _| operation::RawOperation::from_json(json)?.check().map(drop);
    card::Filter: &CARDS, |json, _, _| card::Filter::parse(json).map(drop);
    inquiry::InquiryRequest: &INQUIRY, |json, _, installation| inquiry::InquiryRequest::parse(json, installation).map(drop);
    message_notification::NotificationRequest: &REMINDER, |json, _, _| message_notification::NotificationRequest::parse(json).map(drop);
    // Which of the wallets is meant matters only to a payload that is sound.
    native::WalletRequest: &WALLET, |json, _, _| native::WalletRequest::read(Wallet::ApplePay, json).map(drop);
    native::CashRequest: &CASH, |json, _, _| native::CashRequest::read(json).map(drop);
    auto_debit::AutoDebitRequest: &DEBIT, |json, _, _| auto_debit::AutoDebitRequest::parse(json).map(drop);
}

macro_rules! forms {
    (
        $(#[$meta:meta])*
        enum $enum:ident or $outer:ident($inner:ident);
        $(
            $(#[doc = $about:literal])*
            $name:ident $(($($field:ident: $kind:ty),+))? = $($method:ident)|+ $($path:literal)|+, $word:literal,
                $audience:ident, $action:ident, $body:ident($($max:expr)?) $(as $request:ty)?
                $(, from $origins:ident)? $(, waits $waits:ident)? $(, refusals $refusals:ident)?
                $(, query $query:ident)? => $($status:literal $media:ident $(($($answer:ty),+))?)|+;
        )*
    ) => {
        impl BodyForm {
            /// That of an endpoint; `None` if its body is never a form in place of JSON.
            #[must_use]
            pub fn of(route: &Route) -> Option<Self> {
                match route {
                    $(Route::$name { .. } => form!($body $($request)?),)*
                    Route::$outer(_) => None,
                }
            }
        }
    };
}

macro_rules! form {
    (record $request:ty) => {
        Some(<$request as Formed>::FORM)
    };
    (multipart $request:ty) => {
        Some(<$request as Formed>::FORM)
    };
    ($body:ident $($request:ty)?) => {
        None
    };
}
crate::routes!(forms);

impl BodyForm {
    /// Refuses a form that is wrong as such, together with what its reader finds.
    ///
    /// # Errors
    /// [`Rejection::Invalid`] with every violation.
    pub fn check(
        &self,
        body: &RequestBody,
        settings: &MerchantSettings,
        installation: &Installation,
    ) -> Result<(), Rejection> {
        let Some(refuse) = self.refuse.filter(|_| !body.wrong.is_empty()) else { return Ok(()) };
        let read = refuse(&body.bytes, settings, installation);
        let found = if let Err(Rejection::Invalid(found)) = read { found } else { Vec::new() };
        Err(Rejection::Invalid(Violations::of_form(&body.wrong, found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::EndpointBody;
    use crate::words::media_type::BodyType;

    #[test]
    fn every_request_that_may_be_a_form_has_its_fields() {
        let mut forms = 0;
        for route in Route::examples() {
            let reads = route.facts().body;
            let takes_form = matches!(reads, EndpointBody::Typed(BodyType::Record | BodyType::Multipart, _));
            assert_eq!(BodyForm::of(&route).is_some(), takes_form, "{route:?}");
            forms += usize::from(takes_form);
        }
        assert_eq!(forms, 14);
    }
}
