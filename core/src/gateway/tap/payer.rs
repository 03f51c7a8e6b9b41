//! The customer of a charge. Tap makes one of what it is given, and answers with its id.

use alloc::string::{String, ToString};

use serde::Serialize;

use crate::gateway::payer::{Payer, shortened};

/// The longest e-mail address, and the most characters of a part of a name.
const MAX_EMAIL: usize = 255;
const MAX_PERSON: usize = 64;
/// The name of a payer of whom no name is known: Tap requires one.
const NAMELESS: &str = "Customer";

/// A customer in the wire format: one that Tap knows, or what is known of one.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum TapCustomer {
    Known {
        id: String,
    },
    New {
        first_name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        last_name: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        email: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        phone: Option<TapPhone>,
    },
}

/// A telephone number in the wire format: the code of the country without its plus, and the rest.
#[derive(Serialize)]
pub(super) struct TapPhone {
    country_code: String,
    number: String,
}

impl TapCustomer {
    /// What is known of a payer, as far as Tap takes it.
    pub(super) fn of(payer: &Payer) -> Self {
        let name = |text: &Option<String>| shortened(text.as_deref(), MAX_PERSON);
        Self::New {
            first_name: name(&payer.first_name).unwrap_or_else(|| NAMELESS.to_string()),
            last_name: name(&payer.last_name),
            email: payer.plain_email(MAX_EMAIL).map(ToString::to_string),
            phone: phone_of(payer),
        }
    }
}

/// The payer's number, in Tap's form.
pub(super) fn phone_of(payer: &Payer) -> Option<TapPhone> {
    let phone = payer.telephone()?.e123();
    let (code, number) = phone.strip_prefix('+')?.split_once(' ')?;
    Some(TapPhone { country_code: code.to_string(), number: number.to_string() })
}
