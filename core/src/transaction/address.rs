//! Billing and shipping addresses.

use alloc::string::String;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The most bytes of an address, as written.
const MAX_BYTES: usize = 8_192;

/// Where someone lives, or where something is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Address {
    /// At most 40 characters.
    pub city: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// At most 128 characters.
    pub line1: String,
    /// At most 128 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line2: Option<String>,
    /// At most 12 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    /// At most 40 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// An address with the person who receives there. The limits are those of [`Address`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShippingAddress {
    /// The city.
    pub city: String,
    /// The country.
    pub country: String,
    /// At most 128 characters.
    pub email: String,
    /// At most 64 characters.
    pub first_name: String,
    /// At most 64 characters.
    pub last_name: String,
    /// The street.
    pub line1: String,
    /// More of the street.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line2: Option<String>,
    /// At most 16 characters.
    pub phone: String,
    /// The postal code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    /// The state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// The paths of the members of an address.
struct Paths {
    city: &'static str,
    country: &'static str,
    line1: &'static str,
    line2: &'static str,
    postal_code: &'static str,
    state: &'static str,
}

const BILLING: Paths = Paths {
    city: "billing_address.city",
    country: "billing_address.country",
    line1: "billing_address.line1",
    line2: "billing_address.line2",
    postal_code: "billing_address.postal_code",
    state: "billing_address.state",
};

const SHIPPING: Paths = Paths {
    city: "shipping_address.city",
    country: "shipping_address.country",
    line1: "shipping_address.line1",
    line2: "shipping_address.line2",
    postal_code: "shipping_address.postal_code",
    state: "shipping_address.state",
};

/// Reads `billing_address`.
pub(crate) fn read_billing(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Address> {
    let members = fields.object(path, raw, MAX_BYTES)?;
    read(fields, &members, &BILLING)
}

/// Reads `shipping_address`.
pub(crate) fn read_shipping(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
) -> Option<ShippingAddress> {
    let members = fields.object(path, raw, MAX_BYTES)?;
    let address = read(fields, &members, &SHIPPING);
    let email = fields.required("shipping_address.email", members.get("email"), |f, p, r| f.email(p, r, 128));
    let mut line = |name: &str, path: &'static str, max: usize| {
        fields.required(path, members.get(name), |f, p, r| f.line(p, r, max))
    };
    let first_name = line("first_name", "shipping_address.first_name", 64);
    let last_name = line("last_name", "shipping_address.last_name", 64);
    let phone = line("phone", "shipping_address.phone", 16);
    let Address { city, country, line1, line2, postal_code, state } = address?;
    Some(ShippingAddress {
        city,
        country,
        line1,
        line2,
        postal_code,
        state,
        email: email?,
        first_name: first_name?,
        last_name: last_name?,
        phone: phone?,
    })
}

fn read(fields: &mut Fields, members: &Members<'_>, paths: &Paths) -> Option<Address> {
    let city = fields.required(paths.city, members.get("city"), |f, p, r| f.line(p, r, 40));
    let country = fields.required(paths.country, members.get("country"), Fields::country);
    let line1 = fields.required(paths.line1, members.get("line1"), |f, p, r| f.line(p, r, 128));
    let mut line = |name: &str, path: &'static str, max: usize| {
        fields.optional(path, members.get(name), |f, p, r| f.line(p, r, max))
    };
    let line2 = line("line2", paths.line2, 128);
    let postal_code = line("postal_code", paths.postal_code, 12);
    let state = line("state", paths.state, 40);
    Some(Address { city: city?, country: country?, line1: line1?, line2, postal_code, state })
}
