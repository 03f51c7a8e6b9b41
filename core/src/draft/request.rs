//! The body that creates a payment transaction (`POST /b/checkout/v1/pymt-txn/`) or updates it (`PUT` and `PATCH
//! /b/checkout/v1/pymt-txn/{session_id}/`). Its fields are those of the table
//! `fields`.
//!
//! A `PATCH` gives some fields and leaves the others unchanged: it is laid over what is stored, and the result is
//! checked. In all of them `null` means absent. The response is `answer::view`.

use alloc::vec::Vec;

use crate::record::attachment::{AttachedFile, AttachmentError};
use crate::transaction::fields::transaction_fields;
use crate::transaction::initiator::Initiator;
use crate::violation::Violation;
use crate::wire::form::{FormShape, NameKind};
use crate::wire::json::{NamedBody, record};

/// What is known about the files that a request brings or names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownFiles {
    /// The file in the request, under its new name, or what is wrong with it.
    pub sent: Option<Result<AttachedFile, AttachmentError>>,
    /// The file that `attachment_upload_url` names, if this merchant uploaded it.
    pub uploaded: Option<AttachedFile>,
    /// The file that the transaction has.
    pub current: Option<AttachedFile>,
}

/// The user who is recorded as the one who made the transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Author {
    /// The user; `None` if nobody is, or can be, recorded.
    pub user: Option<Initiator>,
    /// Whether the request cannot choose: a user calls, or has made the transaction.
    pub is_fixed: bool,
}

macro_rules! declare_request {
    ($($(#[doc = $about:literal])* $name:ident $(as $wire:literal)?;)*) => {
        record! {
            /// The body, each field raw. `null` reads as absent, unknown keys are ignored.
            pub struct DraftRequest<'a> {
                $($(#[doc = $about])* pub $name $(as $wire)?,)*
            }
            /// What is known about the files that the request brings or names. Never part of the body.
            with files: KnownFiles,
            /// The user who is recorded. Never part of the body.
            with author: Author,
            /// What is wrong with the form itself. Never part of the body.
            with wrong: Vec<Violation>,
        }
    };
}
transaction_fields!(request => declare_request);

macro_rules! declare_form {
    ($($name:ident: $kind:ident $({ $($($member:ident).+: $member_kind:ident;)* })?;)*) => {
        impl DraftRequest<'_> {
            /// How its fields are written in a form.
            pub(crate) const FORM: FormShape = FormShape {
                names: Self::NAMES,
                kinds: &[$(
                    (stringify!($name), NameKind::$kind),
                    $($((concat!(stringify!($name) $(, ".", stringify!($member))+), NameKind::$member_kind),)*)?
                )*],
                file: Some("attachment"),
            };
        }
    };
}
transaction_fields!(form => declare_form);

macro_rules! declare_patch {
    ($($name:ident;)*) => {
        impl<'a> DraftRequest<'a> {
            /// This partial request, with the fields of `stored` for those that it does not give.
            #[must_use]
            pub fn or(mut self, stored: &DraftRequest<'a>) -> Self {
                let (attachment, upload_url) = (self.attachment, self.attachment_upload_url);
                $(self.$name = self.$name.or(stored.$name);)*
                // A newly given file replaces everything that named the one before.
                if attachment.or(upload_url).is_some() || self.files.sent.is_some() {
                    self.attachment = attachment;
                    self.attachment_upload_url = upload_url;
                }
                self
            }
        }
    };
}
transaction_fields!(patched => declare_patch);
