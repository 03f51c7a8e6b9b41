//! Where webhooks of a merchant go: what is given is changed, `null` takes an address away.

use alloc::vec::Vec;

use super::administration::refuse_unknown;
use crate::installation::Installation;
use crate::rejection::Rejection;
use crate::value::web_address::WebAddress;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::words::Plugin;

/// Where webhooks about captures, refunds and voids go.
pub(crate) const OPERATIONS: &str = "operations";
/// Where alerts go.
pub(crate) const ALERTS: &str = "alerts";
/// The members of a body: a plugin each, the operations, and the alerts.
pub(crate) const MEMBERS: [&str; 4] =
    [Plugin::ECommerce.as_str(), Plugin::PaymentRequest.as_str(), OPERATIONS, ALERTS];

/// What is asked for.
pub struct WebhookAddressesRequest {
    /// The addresses that are given, by member; `None` takes one away.
    pub addresses: Vec<(&'static str, Option<WebAddress>)>,
}

impl WebhookAddressesRequest {
    /// Reads a body; what is wrong with it is added to `fields`.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`].
    pub fn read(fields: &mut Fields, body: &[u8], installation: &Installation) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut addresses = Vec::new();
        for name in MEMBERS {
            match members.get(name) {
                Some(raw) => {
                    addresses.extend(fields.receiver(name, raw, installation).map(|url| (name, Some(url))));
                    noted::note(name, &Noted::Nullable);
                }
                None if members.all().any(|(known, _)| known == name) => addresses.push((name, None)),
                None => {}
            }
        }
        refuse_unknown(fields, &members, &MEMBERS);
        Ok(Self { addresses })
    }
}
