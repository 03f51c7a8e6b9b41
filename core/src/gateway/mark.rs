//! The mark by which a payer recognises a way to pay: that of a network or wallet that is known, otherwise a
//! neutral picture.

use alloc::string::String;

use crate::gateway::icon::{ChosenIcon, Icon};
use crate::gateway::profile::Profile;
use crate::words::card_brand::CardBrand;

/// A mark that the hosted page can draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// KNET, the debit network of Kuwait.
    Knet,
    /// Benefit, the debit network of Bahrain.
    Benefit,
    /// mada, the debit network of Saudi Arabia.
    Mada,
    /// Visa.
    Visa,
    /// Mastercard.
    Mastercard,
    /// American Express.
    Amex,
    /// Apple Pay.
    ApplePay,
    /// Google Pay.
    GooglePay,
    /// A neutral picture.
    Neutral(Icon),
}

impl Mark {
    /// The mark of a gateway: the picture of ours that the merchant set, otherwise that of its family
    /// (`pg_name`).
    #[must_use]
    pub fn of_gateway(profile: &Profile) -> Self {
        if let Some(ChosenIcon::Own(icon)) = &profile.icon {
            return Self::Neutral(*icon);
        }
        Self::named(&profile.pg_name).unwrap_or(Self::Neutral(profile.own_icon()))
    }

    /// The mark of a brand of cards, if there is a picture of it.
    #[must_use]
    pub const fn of_card_brand(brand: CardBrand) -> Option<Self> {
        match brand {
            CardBrand::Amex => Some(Self::Amex),
            CardBrand::Mada => Some(Self::Mada),
            CardBrand::Mastercard => Some(Self::Mastercard),
            CardBrand::Visa => Some(Self::Visa),
            CardBrand::Discover | CardBrand::Jcb | CardBrand::Maestro | CardBrand::UnionPay => None,
        }
    }

    /// The mark of the brand of a saved card, as its gateway writes it.
    #[must_use]
    pub(crate) fn of_brand(brand: &str) -> Self {
        Self::named(brand).unwrap_or(Self::Neutral(Icon::Card))
    }

    /// The name of a network as it writes it itself.
    #[must_use]
    pub(crate) const fn own_name(self) -> Option<&'static str> {
        match self {
            Self::Knet => Some("KNET"),
            Self::Benefit => Some("Benefit"),
            Self::Mada => Some("mada"),
            Self::Visa => Some("Visa"),
            Self::Mastercard => Some("Mastercard"),
            Self::Amex => Some("American Express"),
            Self::ApplePay => Some("Apple Pay"),
            Self::GooglePay => Some("Google Pay"),
            Self::Neutral(_) => None,
        }
    }

    /// The name of its picture, if it is one of a network of cards or banks.
    #[must_use]
    pub const fn file(self) -> Option<&'static str> {
        match self {
            Self::Knet => Some("knet"),
            Self::Benefit => Some("benefit"),
            Self::Mada => Some("mada"),
            Self::Visa => Some("visa"),
            Self::Mastercard => Some("mastercard"),
            Self::Amex => Some("amex"),
            Self::ApplePay | Self::GooglePay | Self::Neutral(_) => None,
        }
    }

    /// The address of its picture. `public_url` is the origin of the installation.
    #[must_use]
    pub fn address(self, public_url: &str) -> Option<String> {
        self.file().map(|file| alloc::format!("{public_url}/icons/marks/{file}.svg"))
    }

    fn named(word: &str) -> Option<Self> {
        let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        Some(match plain.to_ascii_lowercase().as_str() {
            "knet" | "kpay" => Self::Knet,
            "benefit" | "benefitpay" => Self::Benefit,
            "mada" => Self::Mada,
            "visa" | "visacredit" | "visadebit" => Self::Visa,
            "mastercard" | "mc" | "master" => Self::Mastercard,
            "amex" | "americanexpress" => Self::Amex,
            "applepay" => Self::ApplePay,
            "googlepay" | "gpay" => Self::GooglePay,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brand_is_recognised_however_its_gateway_writes_it() {
        for (brand, mark) in [
            ("VISA", Mark::Visa),
            ("Mastercard", Mark::Mastercard),
            ("MASTER_CARD", Mark::Mastercard),
            ("AMERICAN EXPRESS", Mark::Amex),
            ("amex", Mark::Amex),
            ("mada", Mark::Mada),
            ("UNIONPAY", Mark::Neutral(Icon::Card)),
            ("", Mark::Neutral(Icon::Card)),
            ("<b>VISA", Mark::Neutral(Icon::Card)),
        ] {
            assert_eq!(Mark::of_brand(brand), mark, "{brand}");
        }
    }
}
