//! Details as they are stored. What only shows a transaction copies their members into the answer, instead of reading each
//! into a value and writing it again: that is most of what retrieving costs.

use alloc::borrow::Cow;
use alloc::string::String;

use serde_json::value::RawValue;

use super::stored::StoredObject;
use super::{CardAcceptanceCriteria, Details, Transaction, criteria_of};
use crate::record::attachment::AttachedFile;
use crate::transaction::fields::transaction_fields;
use crate::value::json;
use crate::value::time::Timestamp;
use crate::wire::json::{record, text_of};
use crate::wire::object::Object;
use crate::words::Language;
use crate::words::payment_type::PaymentType;

/// The text of stored details.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDetails(pub String);

/// What rules and answers look up in details, whether their other members are read or not.
pub trait KeyDetails {
    /// What the payment is for.
    fn payment_type(&self) -> PaymentType;

    /// The language of all communication, and of a page whose reader names none.
    fn language(&self) -> Language;

    /// The merchant's order number.
    fn order_no(&self) -> Option<&str>;

    /// The country of the billing address.
    fn billing_country(&self) -> Option<Cow<'_, str>>;
}

impl KeyDetails for Details {
    fn payment_type(&self) -> PaymentType {
        self.payment_type
    }

    fn language(&self) -> Language {
        self.language.unwrap_or_default()
    }

    fn order_no(&self) -> Option<&str> {
        self.order_no.as_deref()
    }

    fn billing_country(&self) -> Option<Cow<'_, str>> {
        self.billing_address.as_ref().map(|address| Cow::Borrowed(address.country.as_str()))
    }
}

macro_rules! declare_members {
    ($($(#[doc = $about:literal])* $name:ident: $type:ty;)*) => {
        record! {
            /// The members, each raw.
            pub(crate) struct RawMembers<'a> {
                $($(#[doc = $about])* pub $name,)*
            }
        }
    };
}
transaction_fields!(stored => declare_members);

/// Details whose members are raw, except those that are looked up or shown otherwise.
#[derive(Debug)]
pub struct RawDetails<'a> {
    /// The members.
    pub(crate) members: RawMembers<'a>,
    /// When payment is due.
    pub(crate) due_datetime: Option<Timestamp>,
    /// The file that goes with it.
    pub(crate) attachment: Option<AttachedFile>,
    criteria: Option<CardAcceptanceCriteria>,
    payment_type: PaymentType,
    language: Language,
    order_no: Option<Cow<'a, str>>,
}

impl<'a> RawDetails<'a> {
    /// Finds the members in stored details; `None` if they are no JSON object, or if what is looked up cannot be read.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        Self::find(RawMembers::from_json(text.as_bytes()).ok()?).ok()
    }

    fn find(members: RawMembers<'a>) -> Result<Self, Unreadable> {
        let due_at = optional(members.due_datetime, |raw| raw.get().parse().ok())?;
        let payment_type = optional(members.payment_type, |raw| PaymentType::parse(&text_of(raw)?))?;
        let language = optional(members.language, |raw| Language::parse(&text_of(raw)?))?;
        Ok(Self {
            due_datetime: due_at.map(Timestamp::from_millis),
            attachment: optional(members.attachment, object)?,
            criteria: optional(members.card_acceptance_criteria, object)?,
            payment_type: payment_type.unwrap_or_default(),
            language: language.unwrap_or_default(),
            order_no: optional(members.order_no, text_of)?,
            members,
        })
    }

    /// The requirements for a card that apply.
    pub(crate) fn card_criteria(&self) -> Option<CardAcceptanceCriteria> {
        criteria_of(self.payment_type, self.criteria)
    }
}

impl KeyDetails for RawDetails<'_> {
    fn payment_type(&self) -> PaymentType {
        self.payment_type
    }

    fn language(&self) -> Language {
        self.language
    }

    fn order_no(&self) -> Option<&str> {
        self.order_no.as_deref()
    }

    fn billing_country(&self) -> Option<Cow<'_, str>> {
        let address = self.members.billing_address?;
        Object::read(address.get(), |address| address.optional_text("country")).flatten().map(Cow::Owned)
    }
}

/// A member that cannot be read.
struct Unreadable;

/// A member that may be absent.
fn optional<'a, T>(
    raw: Option<&'a RawValue>,
    read: impl FnOnce(&'a RawValue) -> Option<T>,
) -> Result<Option<T>, Unreadable> {
    raw.map(|raw| read(raw).ok_or(Unreadable)).transpose()
}

fn object<T: StoredObject>(raw: &RawValue) -> Option<T> {
    Object::read(raw.get(), T::read).flatten()
}

impl Transaction {
    /// The transaction with its details as they are stored.
    #[must_use]
    pub fn to_stored(&self) -> Transaction<StoredDetails> {
        self.with(self.details.to_stored())
    }
}

impl Details {
    /// The text in which they are stored.
    #[must_use]
    pub fn to_stored(&self) -> StoredDetails {
        StoredDetails(json::write(self))
    }
}

impl<D> Transaction<D> {
    /// The same transaction with these details.
    pub(crate) fn with<E>(&self, details: E) -> Transaction<E> {
        Transaction {
            session_id: self.session_id.clone(),
            merchant: self.merchant.clone(),
            version: self.version,
            state: self.state,
            moved_at: self.moved_at,
            plugin: self.plugin,
            operation: self.operation,
            amount: self.amount,
            pg_codes: self.pg_codes.clone(),
            created_at: self.created_at,
            expires_at: self.expires_at,
            settlement: self.settlement.clone(),
            shown: self.shown.clone(),
            details,
        }
    }

    /// The same transaction with the members of `details` found; `None` if what is looked up in them cannot be read.
    #[must_use]
    pub fn raw<'a>(&self, details: &'a StoredDetails) -> Option<Transaction<RawDetails<'a>>> {
        Some(self.with(RawDetails::read(&details.0)?))
    }
}

impl Transaction<StoredDetails> {
    /// The transaction with its details read; `None` if they are not valid stored details.
    #[must_use]
    pub fn read(&self) -> Option<Transaction> {
        Some(self.with(Details::from_json(&self.details.0)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_up_is_read_and_the_rest_is_raw() {
        let text = r#"{"payment_type":"auto_debit","order_no":"a\u0062","language":"ar","due_datetime":5,
            "billing_address":{"country":"KW"},"extra":{"a": [1]},"vendor_name":null,"unknown":1}"#;
        let details = RawDetails::read(text).unwrap();
        assert_eq!((details.payment_type(), details.language()), (PaymentType::AutoDebit, Language::Ar));
        assert_eq!((details.order_no(), details.billing_country().as_deref()), (Some("ab"), Some("KW")));
        assert_eq!(details.due_datetime, Some(Timestamp::from_millis(5)));
        assert_eq!(details.card_criteria().unwrap().min_expiry_time, Some(30), "the default of the type");
        assert_eq!(details.members.extra.map(RawValue::get), Some(r#"{"a": [1]}"#));
        assert!(details.members.vendor_name.is_none() && details.attachment.is_none());
    }

    #[test]
    fn absent_members_have_their_defaults() {
        let details = RawDetails::read("{}").unwrap();
        assert_eq!((details.payment_type(), details.language()), (PaymentType::OneOff, Language::En));
        assert_eq!((details.order_no(), details.billing_country()), (None, None));
    }

    #[test]
    fn what_cannot_be_looked_up_is_refused() {
        for text in [
            "[]",
            "",
            r#"{"payment_type":"other"}"#,
            r#"{"language":7}"#,
            r#"{"order_no":7}"#,
            r#"{"due_datetime":"5"}"#,
            r#"{"attachment":{"name":"../a"}}"#,
            r#"{"card_acceptance_criteria":[]}"#,
            r#"{"extra":{]}"#,
        ] {
            assert!(RawDetails::read(text).is_none(), "{text}");
        }
    }
}
