//! Forms instead of JSON: create and update also accept `application/x-www-form-urlencoded` and
//! `multipart/form-data`.
//!
//! The fields of a form become the JSON object that means the same, and all rules are then those of JSON:
//!
//! - a list is a repeated field (`pg_codes=knet&pg_codes=cash`), a field with empty brackets
//!   (`pg_codes[]=knet`), or one with positions (`pg_codes[0]=knet`); `email_recipients` may also be
//!   separated by commas;
//! - an object is a field whose value is its JSON text (`extra={"a":1}`), or one field per member, with
//!   brackets (`billing_address[city]=Salmiya`, `notifications[sms][]=paid`) or with dots
//!   (`agreement.id=A1`);
//! - a flag is `true` or `false`, or one of the words that forms use for them;
//! - everything else is text. If a field is given twice, the last value counts.
//!
//! Fields that the request does not have are ignored, as unknown keys of JSON are. What is wrong with the
//! form itself, such as an object that is given both whole and by its members, is a violation in addition to
//! those of the fields.

mod body;
mod object;

pub use body::{RequestBody, read_body};
pub use object::{Form, FormField, FormShape, NameKind, read};
