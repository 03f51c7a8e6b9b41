//! The providers, and what each needs.

use super::{ProviderDeclaration, meta, postmark, resend, sandbox, twilio, unifonic};
use crate::words::word_list;

word_list! {
    /// Who carries messages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Provider {
        /// The inbox of the sandbox, which shows what payers would get.
        #[default]
        Sandbox = "sandbox",
        /// E-mail by Resend.
        Resend = "resend",
        /// E-mail by Postmark.
        Postmark = "postmark",
        /// SMS and `WhatsApp` by Twilio.
        Twilio = "twilio",
        /// SMS by Unifonic, in the Gulf.
        Unifonic = "unifonic",
        /// `WhatsApp` by the Cloud API of Meta.
        Meta = "meta",
    }
}

impl Provider {
    /// What it is.
    #[must_use]
    pub const fn declaration(self) -> &'static ProviderDeclaration {
        match self {
            Self::Sandbox => &sandbox::DECLARATION,
            Self::Resend => &resend::DECLARATION,
            Self::Postmark => &postmark::DECLARATION,
            Self::Twilio => &twilio::DECLARATION,
            Self::Unifonic => &unifonic::DECLARATION,
            Self::Meta => &meta::DECLARATION,
        }
    }
}
