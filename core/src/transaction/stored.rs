//! Reads the stored details of a transaction, written by this version and by earlier ones: a missing member
//! has the value that applied before the member existed.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::CardAcceptanceCriteria;
use super::address::{Address, ShippingAddress};
use super::agreement::{Agreement, ExtraParams, MostPerCycle, Seller};
use super::initiator::Initiator;
use super::notifications::Notifications;
use crate::record::attachment::{AttachedFile, AttachmentName};
use crate::value::time::Timestamp;
use crate::value::time::date::Date;
use crate::value::web_address::WebAddress;
use crate::wire::object::Object;
use crate::words::Language;
use crate::words::agreement::{AgreementType, Frequency, Variability};
use crate::words::payment_type::PaymentType;

/// The value of a field, as it is stored.
pub(crate) trait StoredField: Sized {
    /// Reads the member `name`.
    fn read(object: &mut Object<'_>, name: &str) -> Self;

    /// Whether it is stored as no member.
    fn is_absent(&self) -> bool;
}

/// A value that is stored as an object.
pub(super) trait StoredObject: Sized {
    /// Reads its members; `None` only if the object is broken.
    fn read(object: &mut Object<'_>) -> Option<Self>;
}

/// Each type with how its member is read, and when there is none.
macro_rules! stored {
    ($($type:ty: $read:expr, $is_absent:expr;)*) => {
        $(impl StoredField for $type {
            fn read(object: &mut Object<'_>, name: &str) -> Self {
                $read(object, name)
            }

            fn is_absent(&self) -> bool {
                $is_absent(self)
            }
        })*
    };
}

stored! {
    Option<String>: Object::optional_text, Option::is_none;
    Option<WebAddress>: |object: &mut Object<'_>, name| object.word(name, WebAddress::stored), Option::is_none;
    Option<bool>: Object::flag, Option::is_none;
    Option<u32>: Object::number, Option::is_none;
    Option<Box<RawValue>>: Object::verbatim, Option::is_none;
    Vec<String>: Object::texts, Vec::is_empty;
    bool: |object: &mut Object<'_>, name| object.flag(name).unwrap_or_default(), core::ops::Not::not;
    Option<Timestamp>: |object: &mut Object<'_>, name| object.number(name).map(Timestamp::from_millis), Option::is_none;
    Option<Language>: |object: &mut Object<'_>, name| object.word(name, Language::parse), Option::is_none;
    PaymentType: |object: &mut Object<'_>, name| object.word(name, PaymentType::parse).unwrap_or_default(),
        PaymentType::is_default;
}

impl<T: StoredObject> StoredField for Option<T> {
    fn read(object: &mut Object<'_>, name: &str) -> Self {
        object.object(name, T::read).flatten()
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: StoredObject> StoredObject for Box<T> {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        T::read(object).map(Self::new)
    }
}

impl Agreement {
    /// Reads a stored agreement; `None` if it is not a valid stored agreement.
    #[must_use]
    pub fn from_json(text: &str) -> Option<Self> {
        Object::read(text, StoredObject::read).flatten()
    }
}

impl StoredObject for Agreement {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        Some(Self {
            id: object.optional_text("id"),
            kind: object.needed_word("type", AgreementType::parse)?,
            amount_variability: object.word("amount_variability", Variability::parse),
            cycle_interval_days: object.number("cycle_interval_days"),
            expiry_date: object.word("expiry_date", Date::parse),
            start_date: object.word("start_date", Date::parse),
            frequency: object.word("frequency", Frequency::parse),
            max_amount_per_cycle: object.word("max_amount_per_cycle", MostPerCycle::parse),
            total_cycles: object.number("total_cycles"),
            seller: object.object("seller", |seller| Seller {
                name: seller.optional_text("name"),
                short_name: seller.optional_text("short_name"),
                category_code: seller.optional_text("category_code"),
            }),
            extra_params: object.object("extra_params", |params| ExtraParams {
                payment_processing_day: params.number("payment_processing_day"),
            }),
        })
    }
}

impl StoredObject for Address {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        Some(Self {
            city: object.text("city"),
            country: object.text("country"),
            line1: object.text("line1"),
            line2: object.optional_text("line2"),
            postal_code: object.optional_text("postal_code"),
            state: object.optional_text("state"),
        })
    }
}

impl StoredObject for ShippingAddress {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        let Address { city, country, line1, line2, postal_code, state } = StoredObject::read(object)?;
        Some(Self {
            city,
            country,
            line1,
            line2,
            postal_code,
            state,
            email: object.text("email"),
            first_name: object.text("first_name"),
            last_name: object.text("last_name"),
            phone: object.text("phone"),
        })
    }
}

impl StoredObject for CardAcceptanceCriteria {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        Some(Self { min_expiry_time: object.number("min_expiry_time") })
    }
}

impl StoredObject for Notifications {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        let mut events = |channel: &str| {
            let mut events = BTreeSet::new();
            events.extend(object.texts(channel));
            events
        };
        Some(Self { email: events("email"), sms: events("sms"), whatsapp: events("whatsapp") })
    }
}

impl StoredObject for Initiator {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        Self::from_object(object)
    }
}

impl StoredObject for AttachedFile {
    fn read(object: &mut Object<'_>) -> Option<Self> {
        let original_name = object.text("original_name");
        Some(Self {
            name: object.needed_word("name", AttachmentName::parse)?,
            original_name,
            size: object.needed_number("size")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use crate::transaction::Details;

    /// Every field, as it is stored.
    const FULL: &str = r#"{"payment_type":"auto_debit","order_no":"1","customer_id":"2","customer_first_name":"3",
        "customer_last_name":"4","customer_email":"5@a.example","customer_phone":"6","customer_phone_2":"7",
        "customer_birthdate":"1990-01-01","product_type":"8","vendor_name":"9","language":"ar",
        "redirect_url":"https://a.example/","webhook_url":"https://b.example/","due_datetime":1795222923000,
        "agreement":{"id":"10","type":"installment","amount_variability":"fixed","cycle_interval_days":30,
        "expiry_date":"2027-01-01","start_date":"2026-01-01","frequency":"monthly","max_amount_per_cycle":"11",
        "total_cycles":12,"seller":{"name":"13","short_name":"14","category_code":"1515"},
        "extra_params":{"payment_processing_day":16}},
        "billing_address":{"city":"17","country":"KW","line1":"18","line2":"19","postal_code":"20","state":"21"},
        "shipping_address":{"city":"22","country":"KW","email":"23@a.example","first_name":"24","last_name":"25",
        "line1":"26","line2":"27","phone":"28","postal_code":"29","state":"30"},
        "capture_delivery_address":true,"capture_delivery_location":false,
        "card_acceptance_criteria":{"min_expiry_time":31},"email_recipients":["32@a.example","33@a.example"],
        "notifications":{"email":["created","paid"],"sms":["paid"],"whatsapp":["failed"]},"initiator_id":34,
        "transaction_log_id":35,
        "attachment":{"name":"NAME","original_name":"36.pdf","size":37},
        "attachment_upload_url":"38","unit_code":"39","extra":{"a": [1, "b"]},"is_amount_editable":true,
        "initiator":{"email":"42","first_name":"40","id":34,"username":"41"}}"#;

    fn full() -> String {
        let name = alloc::format!("{}.pdf", "a".repeat(32));
        let lines: Vec<&str> = FULL.lines().map(str::trim).collect();
        lines.concat().replace("NAME", &name)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let stored = full();
        let details = Details::from_json(&stored).unwrap();
        assert_eq!(serde_json::to_string(&details).unwrap(), stored);
        assert_eq!(serde_json::to_string(&Details::from_json("{}").unwrap()).unwrap(), "{}");
    }

    #[test]
    fn every_member_is_read_and_one_of_another_type_is_refused() {
        let stored: serde_json::Value = serde_json::from_str(&full()).unwrap();
        let paths =
            ["", "/agreement", "/agreement/seller", "/billing_address", "/shipping_address", "/attachment"];
        for path in paths {
            let names: Vec<_> = stored.pointer(path).unwrap().as_object().unwrap().keys().cloned().collect();
            for name in names.iter().filter(|name| *name != "extra") {
                let mut broken = stored.clone();
                broken.pointer_mut(path).unwrap()[name] = serde_json::json!([[]]);
                assert!(Details::from_json(&broken.to_string()).is_none(), "{path}/{name}");
            }
        }
    }
}
