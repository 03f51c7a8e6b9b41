//! The words of saved cards and device wallets. The names of wallets are never translated: their owners
//! forbid it.

use crate::words::Wallet;

/// The words of one language.
#[derive(Debug)]
pub struct WayWords {
    /// Before the name of a wallet, on its button.
    pub pay_with: &'static str,
    /// Between the wallets and the other payment methods.
    pub otherwise: &'static str,
    /// A saved card whose brand is not known.
    pub card: &'static str,
    /// Before the last digits of a card, for anyone who hears the page read aloud.
    pub ending_in: &'static str,
    /// Before the month until which a card is valid.
    pub good_until: &'static str,
    /// A card that is expired.
    pub expired: &'static str,
    /// A card that is not valid for as long as the merchant requires.
    pub expires_too_soon: &'static str,
    /// Next to the tick that saves the card.
    pub save_card: &'static str,
}

impl WayWords {
    pub(super) const ENGLISH: Self = Self {
        pay_with: "Pay with",
        otherwise: "or pay another way",
        card: "Card",
        ending_in: "ending in",
        good_until: "Expires",
        expired: "Expired",
        expires_too_soon: "Expires too soon",
        save_card: "Save my card for next time",
    };

    pub(super) const ARABIC: Self = Self {
        pay_with: "ادفع عبر",
        otherwise: "أو ادفع بطريقة أخرى",
        card: "بطاقة",
        ending_in: "تنتهي بالأرقام",
        good_until: "صالحة حتى",
        expired: "منتهية الصلاحية",
        expires_too_soon: "تنتهي صلاحيتها قريبًا",
        save_card: "احفظ بطاقتي للمرة القادمة",
    };

    /// The name on the button of a wallet, in every language.
    #[must_use]
    pub const fn name(wallet: Wallet) -> &'static str {
        match wallet {
            Wallet::ApplePay => "Apple Pay",
            Wallet::GooglePay => "Google Pay",
        }
    }
}
