//! Whose data is to be erased: the fields `customer_id` and `session_id`, exactly one of them.

use alloc::string::String;

use crate::rejection::Rejection;
use crate::value::id::SessionId;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The most characters of a merchant's id of a payer.
const MAX_CUSTOMER_CHARS: usize = 64;
/// The most characters of an id that is looked up.
const MAX_ID_CHARS: usize = 128;

/// Whose data is erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErasureSubject {
    /// Those of a customer of the merchant.
    Customer(String),
    /// Those in one payment transaction.
    Transaction(SessionId),
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErasureRequest {
    /// Whose data.
    pub subject: ErasureSubject,
}

impl ErasureRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], [`Rejection::Invalid`] with every wrong field, or [`Rejection::NotFound`] for what
    /// cannot be the id of a transaction.
    pub fn parse(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let customer = fields.unless_absent("customer_id", members.get("customer_id"), |f, p, raw| {
            f.line(p, raw, MAX_CUSTOMER_CHARS)
        });
        let session = fields
            .unless_absent("session_id", members.get("session_id"), |f, p, raw| f.line(p, raw, MAX_ID_CHARS));
        let is_either = customer.is_some() != session.is_some();
        if !is_either && !fields.has("customer_id") && !fields.has("session_id") {
            fields.violation("customer_id", Rule::OneOfTwo { other: "session_id" });
            fields.violation("session_id", Rule::OneOfTwo { other: "customer_id" });
        }
        let found = fields.finish();
        match (customer, session) {
            _ if !found.is_empty() => Err(Rejection::Invalid(found)),
            (Some(customer), _) => Ok(Self { subject: ErasureSubject::Customer(customer) }),
            (None, session) => {
                let session_id = session.as_deref().and_then(SessionId::parse).ok_or(Rejection::NotFound)?;
                Ok(Self { subject: ErasureSubject::Transaction(session_id) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    fn wrong(body: &str) -> Vec<String> {
        match ErasureRequest::parse(body.as_bytes()) {
            Err(Rejection::Invalid(found)) => found.iter().map(|one| one.path.to_string()).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn exactly_one_of_the_two_names_whose_data_is_erased() {
        let id = "0".repeat(40);
        let of = |body: &str| ErasureRequest::parse(body.as_bytes()).map(|request| request.subject);
        assert_eq!(of(r#"{"customer_id":"c/1"}"#), Ok(ErasureSubject::Customer("c/1".into())));
        let subject = ErasureSubject::Transaction(SessionId::parse(&id).unwrap());
        assert_eq!(of(&format!(r#"{{"session_id":"{id}"}}"#)), Ok(subject));
        assert_eq!(of(r#"{"session_id":"unknown"}"#), Err(Rejection::NotFound));
        assert_eq!(of("[]"), Err(Rejection::MalformedBody));
        let both = format!(r#"{{"session_id":"{id}","customer_id":"c"}}"#);
        for body in ["{}", &both, r#"{"customer_id":null}"#] {
            assert_eq!(wrong(body), ["customer_id", "session_id"], "{body}");
        }
        assert_eq!(wrong(r#"{"customer_id":""}"#), ["customer_id"]);
        assert_eq!(wrong(&format!(r#"{{"customer_id":"{}"}}"#, "x".repeat(65))), ["customer_id"]);
        assert_eq!(wrong(r#"{"session_id":1}"#), ["session_id"]);
    }
}
