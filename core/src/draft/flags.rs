//! What a request may ask its own response to show, and that is not stored: short addresses, a QR code, and
//! what an SDK needs.

use crate::draft::request::Request;
use crate::record::short_link::LinkKind;
use crate::wire::field::Fields;

/// The flags that are only written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags of the request")]
pub struct Flags {
    /// Show `attachment_short_url`.
    pub shortify_attachment_url: bool,
    /// Show `checkout_short_url`.
    pub shortify_checkout_url: bool,
    /// Show `qr_code_url`.
    pub generate_qr_code: bool,
    /// Show `sdk_setup_preload_payload`.
    pub include_sdk_setup_preload: bool,
}

impl Flags {
    /// Reads the flags of a request. One that is left out is false.
    pub fn read(fields: &mut Fields, request: &Request<'_>) -> Self {
        let mut read = |path, raw| fields.optional(path, raw, Fields::flag).unwrap_or(false);
        Self {
            shortify_attachment_url: read("shortify_attachment_url", request.shortify_attachment_url),
            shortify_checkout_url: read("shortify_checkout_url", request.shortify_checkout_url),
            generate_qr_code: read("generate_qr_code", request.generate_qr_code),
            include_sdk_setup_preload: read("include_sdk_setup_preload", request.include_sdk_setup_preload),
        }
    }

    /// Whether a short address of this kind is requested.
    #[must_use]
    pub const fn shortens(self, kind: LinkKind) -> bool {
        match kind {
            LinkKind::Checkout => self.shortify_checkout_url,
            LinkKind::Attachment => self.shortify_attachment_url,
        }
    }
}
