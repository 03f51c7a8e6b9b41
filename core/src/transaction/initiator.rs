//! The user who made a transaction or an operation, as they were then.
//!
//! Decision: who acted is stored in any case, and goes out only if they gave a name and a password with the request.

use alloc::string::String;

use serde::Serialize;

use crate::wire::object::Object;

/// A user, as notifications name them, the members in alphabetical order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Initiator {
    /// The e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The first name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// The number.
    pub id: u32,
    /// Whether receivers do not learn who it was.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub is_withheld: bool,
    /// The last name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// The telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// The name with which the user signs in.
    pub username: String,
}

impl Initiator {
    /// Reads the stored members; `None` only if they are broken.
    #[must_use]
    pub(crate) fn from_object(object: &mut Object<'_>) -> Option<Self> {
        Some(Self {
            id: object.needed_number("id")?,
            is_withheld: object.flag("is_withheld").unwrap_or_default(),
            first_name: object.optional_text("first_name"),
            last_name: object.optional_text("last_name"),
            username: object.text("username"),
            email: object.optional_text("email"),
            phone: object.optional_text("phone"),
        })
    }

    /// The user, if receivers learn who it was.
    pub(crate) fn named(stored: Option<&Self>) -> Option<&Self> {
        stored.filter(|user| !user.is_withheld)
    }

    /// Reads what is stored of an operation.
    #[must_use]
    pub fn from_json(text: &str) -> Option<Self> {
        Object::read(text, Self::from_object).flatten()
    }
}
