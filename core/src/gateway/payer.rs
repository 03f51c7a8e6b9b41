//! The payer, and the forms in which gateways take what is known of one.
//!
//! Optional data must not cost a payment: a connector says in which form its gateway takes it, and what cannot be brought into
//! that form is left out.

use alloc::boxed::Box;
use alloc::string::String;

use super::text::line;
use crate::transaction::address::{Address, ShippingAddress};
use crate::value::email::is_plain_email;
use crate::value::phone::Phone;

/// The payer, as far as the merchant says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payer {
    /// The merchant's id of the payer, at most 64 characters.
    pub id: Option<String>,
    /// The first name, at most 64 characters.
    pub first_name: Option<String>,
    /// The last name, at most 64 characters.
    pub last_name: Option<String>,
    /// The e-mail address, any that RFC 5321 permits.
    pub email: Option<String>,
    /// The phone number with its country, as E.164 writes it; none if the merchant gave something else.
    pub phone: Option<String>,
    /// Where the payer lives.
    pub billing: Option<Box<Address>>,
    /// Where the goods go.
    pub shipping: Option<Box<ShippingAddress>>,
}

impl Payer {
    /// The e-mail address, if it is one that every system takes, of at most so many characters.
    #[must_use]
    pub fn plain_email(&self, max: usize) -> Option<&str> {
        self.email.as_deref().filter(|email| email.len() <= max && is_plain_email(email))
    }

    /// The telephone number, which is written as the gateway takes it.
    #[must_use]
    pub fn telephone(&self) -> Option<Phone> {
        self.phone.as_deref().and_then(Phone::parse_international)
    }

    /// First and last name, each of at most so many characters; `None` if one is missing.
    #[must_use]
    pub fn both_names(&self, max: usize) -> Option<(String, String)> {
        shortened(self.first_name.as_deref(), max).zip(shortened(self.last_name.as_deref(), max))
    }
}

/// One line of at most so many characters; `None` for nothing.
#[must_use]
pub fn shortened(text: Option<&str>, max: usize) -> Option<String> {
    let text: String = line(text?)?.chars().take(max).collect();
    line(&text)
}

/// One line that the gateway takes whole or not at all.
#[must_use]
pub fn fitting(text: Option<&str>, max: usize) -> Option<String> {
    text.filter(|text| text.chars().count() <= max).and_then(|text| shortened(Some(text), max))
}
