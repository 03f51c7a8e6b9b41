//! A new operator.

use alloc::string::String;

use super::administration::{Limits, expiry, name, refuse_unknown};
use crate::rejection::Rejection;
use crate::value::time::Timestamp;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::words::role::Role;

/// The members of the body.
const MEMBERS: [&str; 3] = ["name", "role", "expires_at"];
/// The longest name.
const MAX_NAME: usize = 64;

/// What is asked for.
pub struct OperatorRequest {
    /// What people call it.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// From when its key is no longer valid.
    pub expires_at: Option<Timestamp>,
}

impl OperatorRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8], limits: Limits) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let name = fields.given("name", members.get("name"), |f, p, raw| name(f, p, raw, MAX_NAME));
        let role =
            fields.given("role", members.get("role"), |f, p, raw| f.word(p, raw, Role::WORDS, Role::parse));
        let expires_at = expiry(&mut fields, &members, limits);
        refuse_unknown(&mut fields, &members, &MEMBERS);
        let found = fields.finish();
        match (name, role) {
            (Some(name), Some(role)) if found.is_empty() => Ok(Self { name, role, expires_at }),
            _ => Err(Rejection::Invalid(found)),
        }
    }
}
