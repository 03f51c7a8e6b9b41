//! What a method must know of the payer: a transaction has it from the merchant, or the payer says it on the page.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::gateway::flexible::{Flexible, PayerField};
use crate::gateway::payer::Payer;
use crate::rejection::Rejection;
use crate::transaction::Details;
use crate::value::email::is_email;
use crate::value::phone::Phone;
use crate::value::text::check_line;
use crate::violation::{Rule, Violation};

/// The longest name.
const MAX_NAME: usize = 64;
/// The longest e-mail address.
const MAX_EMAIL: usize = 128;

/// What a payer says, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenPayer {
    /// A phone number.
    pub phone: Option<String>,
    /// An e-mail address.
    pub email: Option<String>,
    /// The first name.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
}

impl GivenPayer {
    /// What is said in a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = match name {
            "customer_phone" => &self.phone,
            "customer_email" => &self.email,
            "customer_first_name" => &self.first_name,
            "customer_last_name" => &self.last_name,
            _ => return None,
        };
        value.as_deref()
    }

    /// Notes what is said in a field; another name is ignored.
    pub fn set(&mut self, name: &str, value: String) {
        match name {
            "customer_phone" => self.phone = Some(value),
            "customer_email" => self.email = Some(value),
            "customer_first_name" => self.first_name = Some(value),
            "customer_last_name" => self.last_name = Some(value),
            _ => {}
        }
    }
}

impl PayerField {
    /// The fields of a form in which it is said.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Phone => &["customer_phone"],
            Self::Email => &["customer_email"],
            Self::Name => &["customer_first_name", "customer_last_name"],
        }
    }
}

/// Who pays, as far as the merchant says it; `home` is the country of a phone number without one.
pub(crate) fn payer_of(details: &Details, home: &str) -> Payer {
    let phone = details.customer_phone.as_deref().and_then(|phone| Phone::parse(phone, home));
    Payer {
        id: details.customer_id.clone(),
        first_name: details.customer_first_name.clone(),
        last_name: details.customer_last_name.clone(),
        email: details.customer_email.clone(),
        phone: phone.map(|phone| phone.e164()),
        billing: details.billing_address.clone(),
        shipping: details.shipping_address.clone(),
    }
}

/// What a method must know of the payer and the transaction lacks.
pub(crate) fn lacking(details: &Details, home: &str, flexible: Flexible) -> Vec<PayerField> {
    let payer = payer_of(details, home);
    flexible.needs.iter().copied().filter(|field| !field.is_known(&payer)).collect()
}

/// The details with what the payer says and the method must know; `None` if nothing is lacking. What the merchant said
/// stays, unless nobody can be reached by it.
///
/// # Errors
/// Every field that is missing or wrong.
pub(crate) fn completed(
    details: &Details,
    home: &str,
    flexible: Flexible,
    given: &GivenPayer,
) -> Result<Option<Details>, Rejection> {
    let lacking = lacking(details, home, flexible);
    if lacking.is_empty() {
        return Ok(None);
    }
    let mut next = details.clone();
    let mut found = Vec::new();
    for name in lacking.into_iter().flat_map(PayerField::names).copied() {
        let said = given.get(name).map(str::trim).filter(|said| !said.is_empty());
        let read = said.ok_or(Rule::Required).and_then(|said| checked(name, said, home));
        let place = match name {
            "customer_phone" => &mut next.customer_phone,
            "customer_email" => &mut next.customer_email,
            "customer_first_name" => &mut next.customer_first_name,
            _ => &mut next.customer_last_name,
        };
        match read {
            Ok(text) => *place = Some(text),
            Err(Rule::Required) if place.is_some() && name != "customer_phone" => {}
            Err(rule) => found.push(Violation::new(name, rule)),
        }
    }
    if found.is_empty() { Ok(Some(next)) } else { Err(Rejection::Invalid(found)) }
}

fn checked(name: &str, said: &str, home: &str) -> Result<String, Rule> {
    match name {
        "customer_phone" => {
            let phone = Phone::parse(said, home).ok_or_else(|| Rule::NotPhone { home: home.into() })?;
            Ok(phone.e164())
        }
        "customer_email" if said.chars().count() > MAX_EMAIL || !is_email(said) => Err(Rule::NotEmail),
        "customer_email" => Ok(said.to_string()),
        _ => {
            check_line(said, MAX_NAME)?;
            Ok(said.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 4] =
        ["customer_phone", "customer_email", "customer_first_name", "customer_last_name"];
    const ALL: Flexible = Flexible {
        flow: "later",
        needs: &[PayerField::Phone, PayerField::Email, PayerField::Name],
        asks_first: true,
    };

    fn given(values: [&str; 4]) -> GivenPayer {
        let mut given = GivenPayer::default();
        for (name, value) in FIELDS.into_iter().zip(values) {
            given.set(name, value.into());
        }
        given
    }

    #[test]
    fn what_the_merchant_did_not_say_is_taken_from_the_payer() {
        let nothing = Details::default();
        let said = given([" 50001234 ", "noura@example.com", "Noura", "Al-Sabah"]);
        let full = completed(&nothing, "KW", ALL, &said).unwrap().unwrap();
        assert_eq!(full.customer_phone.as_deref(), Some("+96550001234"));
        assert_eq!(full.customer_email.as_deref(), Some("noura@example.com"));
        assert_eq!(full.customer_first_name.as_deref(), Some("Noura"));
        assert_eq!(full.customer_last_name.as_deref(), Some("Al-Sabah"));
        assert!(completed(&full, "KW", ALL, &GivenPayer::default()).unwrap().is_none());
        // Another name than the merchant's is not taken, once both are known.
        let other = given(["+96550009999", "other@example.com", "Other", "Name"]);
        assert!(completed(&full, "KW", ALL, &other).unwrap().is_none());
    }

    #[test]
    fn every_field_that_is_missing_or_wrong_is_named() {
        let refused = |given: &GivenPayer| match completed(&Details::default(), "KW", ALL, given) {
            Err(Rejection::Invalid(found)) => {
                found.into_iter().map(|found| (found.path.to_string(), found.rule)).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        };
        let required = |name: &str| (name.to_string(), Rule::Required);
        assert_eq!(refused(&GivenPayer::default()), FIELDS.map(required));
        let long = "x".repeat(65);
        let wrong = refused(&given(["12", "noura", &long, "a\nb"]));
        assert_eq!(wrong.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), FIELDS);
    }
}
