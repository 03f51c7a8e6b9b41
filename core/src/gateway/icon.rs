//! The picture of a gateway: one of our own, by its family, or the merchant's.
//!
//! Decision: a picture address of the merchant is given to those who ask the API. The hosted page shows our
//! own pictures only: an image from elsewhere would show its host who pays, and the page's policy permits
//! none.

use crate::words::word_list;
use alloc::string::String;

use crate::value::web_address::WebAddress;

word_list! {
    /// A picture of ours. They are neutral drawings: none is the mark of a bank or a scheme.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Icon {
        /// A card.
        Card = "card",
        /// A bank, for national debit networks.
        Bank = "bank",
        /// A wallet.
        Wallet = "wallet",
        /// Cash.
        Cash = "cash",
    }
}

impl Icon {
    /// The picture of a family of gateways (`pg_name`), if it is known.
    pub(crate) fn of_family(pg_name: &str) -> Option<Self> {
        let is_one_of = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(pg_name));
        if is_one_of(&["kpay", "knet", "benefit", "mada", "naps", "omannet"]) {
            Some(Self::Bank)
        } else if is_one_of(&["stc_pay", "urpay", "wallet", "apple_pay", "google_pay", "samsung_pay"]) {
            Some(Self::Wallet)
        } else if is_one_of(&["cod", "cash"]) {
            Some(Self::Cash)
        } else if is_one_of(&["mpgs", "card_page", "cybersource"]) {
            Some(Self::Card)
        } else {
            None
        }
    }

    /// The address of its file. `public_url` is the origin of the installation.
    #[must_use]
    pub fn address(self, public_url: &str) -> String {
        [public_url, "/icons/", self.as_str(), ".svg"].concat()
    }

    /// The address of the same picture in pixels, for apps that cannot draw SVG.
    pub(crate) fn webp_address(self, public_url: &str) -> String {
        [public_url, "/icons/", self.as_str(), ".webp"].concat()
    }
}

/// What a merchant set as the picture of a gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChosenIcon {
    /// One of ours.
    Own(Icon),
    /// One of the merchant's.
    At(WebAddress),
}
