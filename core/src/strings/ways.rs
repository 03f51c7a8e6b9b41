//! The words of saved cards and device wallets. The names of wallets are never translated: their owners
//! forbid it.

use super::HeadedText;
use crate::words::Wallet;

/// The words of one language.
#[derive(Debug)]
pub struct WayWords {
    /// Before the name of a wallet, on its button.
    pub pay_with: &'static str,
    /// Between the wallets and the list.
    pub or: &'static str,
    /// Before the name of the only method, as the heading of the page.
    pub only: &'static str,
    /// Before several saved cards.
    pub saved_cards: &'static str,
    /// The gateway with which a card that is not saved is paid, next to those that are.
    pub another_card: &'static str,
    /// The heading of the saved cards that can be removed.
    pub remove_cards: &'static str,
    /// Before a card, on what opens the question whether to remove it, and on the button that does.
    pub remove: &'static str,
    /// What removing a card means.
    pub removing: &'static str,
    /// Next to the code that a phone scans.
    pub on_phone: HeadedText,
    /// A saved card whose brand is not known.
    pub card: &'static str,
    /// Before the last digits of a card, for anyone who hears the page read aloud.
    pub ending_in: &'static str,
    /// Before the month until which a card is valid.
    pub good_until: &'static str,
    /// A card that is expired.
    pub expired: &'static str,
    /// A card that is valid to the end of this month.
    pub last_month: &'static str,
    /// A card that is not valid for as long as the merchant requires.
    pub expires_too_soon: &'static str,
    /// Next to the tick that saves the card.
    pub save_card: &'static str,
}

impl WayWords {
    pub(super) const ENGLISH: Self = Self {
        pay_with: "Pay with",
        or: "or",
        only: "Pay with",
        saved_cards: "Saved cards",
        another_card: "Another card",
        remove_cards: "Remove a saved card",
        remove: "Remove",
        removing: "You can no longer pay with it here. Nothing that you bought changes.",
        on_phone: HeadedText {
            title: "Pay on your phone",
            text: "Scan this code with the camera of your phone. It opens this page there.",
        },
        card: "Card",
        ending_in: "ending in",
        good_until: "Expires",
        expired: "Expired",
        last_month: "Expires this month",
        expires_too_soon: "Expires too soon",
        save_card: "Save my card for next time",
    };

    pub(super) const ARABIC: Self = Self {
        pay_with: "الدفع عبر",
        or: "أو",
        only: "الدفع عبر",
        saved_cards: "البطاقات المحفوظة",
        another_card: "بطاقة أخرى",
        remove_cards: "إزالة بطاقة محفوظة",
        remove: "إزالة",
        removing: "لن تتمكن من الدفع بها هنا بعد الآن. ولا يتغيّر شيء في مشترياتك السابقة.",
        on_phone: HeadedText {
            title: "الدفع من الهاتف",
            text: "يُرجى مسح هذا الرمز بكاميرا الهاتف لفتح هذه الصفحة عليه.",
        },
        card: "بطاقة",
        ending_in: "تنتهي بالأرقام",
        good_until: "صالحة حتى",
        expired: "منتهية الصلاحية",
        last_month: "تنتهي هذا الشهر",
        expires_too_soon: "تنتهي صلاحيتها قريبًا",
        save_card: "حفظ بطاقتي للمرة القادمة",
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
