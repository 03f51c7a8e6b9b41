//! What a request may ask its own response to show, and that is not stored: short addresses, a QR code, and
//! what an SDK needs.

use crate::draft::request::DraftRequest;
use crate::record::short_link::LinkKind;
use crate::transaction::fields::transaction_fields;
use crate::wire::field::Fields;

macro_rules! declare_flags {
    ($($(#[$about:meta])* $name:ident;)*) => {
        /// The flags that are only written.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct Flags {
            $($(#[$about])* pub $name: bool,)*
        }

        impl Flags {
            /// Reads the flags of a request. One that is left out is false.
            pub(super) fn read(fields: &mut Fields, request: &DraftRequest<'_>) -> Self {
                let mut read = |path, raw| fields.optional(path, raw, Fields::flag).unwrap_or(false);
                Self { $($name: read(stringify!($name), request.$name),)* }
            }
        }
    };
}
transaction_fields!(flags => declare_flags);

impl Flags {
    /// Whether a short address of this kind is requested.
    pub(crate) const fn shortens(self, kind: LinkKind) -> bool {
        match kind {
            LinkKind::Checkout => self.shortify_checkout_url,
            LinkKind::Attachment => self.shortify_attachment_url,
        }
    }
}
