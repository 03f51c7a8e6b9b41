//! Which currencies exist and how many decimals their amounts have.
//!
//! The table is the list of active codes of ISO 4217 that have a minor unit. Metals, drawing rights and the
//! codes for testing or for no currency at all have none, so no amount can be written in them: they are not
//! currencies here.

use alloc::string::String;
use core::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Sorted, because the look-up is a binary search.
static ACTIVE: [&str; 165] = [
    "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD",
    "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHE", "CHF", "CHW", "CLF",
    "CLP", "CNY", "COP", "COU", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB",
    "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF",
    "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW",
    "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT",
    "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD",
    "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD",
    "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS",
    "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "USN", "UYI", "UYU", "UYW", "UZS",
    "VED", "VES", "VND", "VUV", "WST", "XAD", "XAF", "XCD", "XCG", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG",
];

/// The decimals of a code of [`ACTIVE`]: two, except for these.
fn minor_units_of(code: &str) -> u8 {
    match code {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "UYI"
        | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        "CLF" | "UYW" => 4,
        _ => 2,
    }
}

/// A currency in which an amount can be written.
///
/// ```
/// use checkout_core::value::money::Currency;
///
/// let dinar = Currency::parse("KWD").unwrap();
/// assert_eq!(dinar.minor_units(), 3);
/// assert_eq!(Currency::parse("XAU"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency {
    code: &'static str,
    minor_units: u8,
}

impl Currency {
    /// The dinar of Kuwait, in which samples are.
    pub(crate) const KWD: Self = Self { code: "KWD", minor_units: 3 };

    /// The currency of a three-letter code in capitals; `None` for any other text and for codes without a
    /// minor unit.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let place = ACTIVE.binary_search(&text).ok()?;
        ACTIVE.get(place).map(|code| Self::of(code))
    }

    /// The three-letter code of ISO 4217.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// How many decimals an amount has: 0 for JPY, 2 for USD, 3 for KWD, 4 for UYW.
    #[must_use]
    pub fn minor_units(&self) -> u8 {
        self.minor_units
    }

    /// Every currency, in the order of the codes.
    pub fn all() -> impl Iterator<Item = Self> {
        ACTIVE.iter().map(|code| Self::of(code))
    }

    fn of(code: &'static str) -> Self {
        Self { code, minor_units: minor_units_of(code) }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::parse(&code).ok_or_else(|| D::Error::custom("must be an active currency code of ISO 4217"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_without_repeats() {
        assert!(ACTIVE.is_sorted_by(|earlier, later| earlier < later));
    }

    #[test]
    fn every_code_is_three_capitals_and_finds_itself() {
        for currency in Currency::all() {
            assert_eq!(currency.code().len(), 3);
            assert!(currency.code().bytes().all(|byte| byte.is_ascii_uppercase()));
            assert_eq!(Currency::parse(currency.code()), Some(currency));
        }
    }

    #[test]
    fn codes_are_exactly_three_capitals() {
        for text in ["", "K", "KW", "kwd", "Kwd", "KWDD", " KWD", "KWD ", "KWD\0", "ＫＷＤ", "414"] {
            assert_eq!(Currency::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn codes_without_a_minor_unit_are_not_currencies() {
        for text in
            ["XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX"]
        {
            assert_eq!(Currency::parse(text), None, "{text}");
        }
    }

    #[test]
    fn withdrawn_codes_are_not_currencies() {
        for text in ["ANG", "BGN", "CUC", "DEM", "HRK", "MRO", "SLL", "STD", "ZWL"] {
            assert_eq!(Currency::parse(text), None, "{text}");
        }
    }

    #[test]
    fn currencies_of_the_gulf_have_their_decimals() {
        let decimals = |code| Currency::parse(code).unwrap().minor_units();
        assert_eq!(["KWD", "BHD", "OMR", "SAR", "AED", "QAR"].map(decimals), [3, 3, 3, 2, 2, 2]);
    }

    #[test]
    fn stored_as_its_code() {
        let yen = Currency::parse("JPY").unwrap();
        assert_eq!(serde_json::to_string(&yen).unwrap(), "\"JPY\"");
        assert_eq!(serde_json::from_str::<Currency>("\"JPY\"").unwrap(), yen);
        assert!(serde_json::from_str::<Currency>("\"XXX\"").is_err());
    }
}
