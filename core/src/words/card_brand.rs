//! The brands of cards, as wallets and gateways name them.

use super::word_list;

word_list! {
    /// The brand of a card.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CardBrand {
        /// American Express.
        Amex = "amex",
        /// Discover.
        Discover = "discover",
        /// JCB.
        Jcb = "jcb",
        /// Mada, the debit network of Saudi Arabia.
        Mada = "mada",
        /// Maestro.
        Maestro = "maestro",
        /// Mastercard.
        Mastercard = "mastercard",
        /// `UnionPay`.
        UnionPay = "unionpay",
        /// Visa.
        Visa = "visa",
    }
}

impl CardBrand {
    /// Its name as it writes it itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Amex => "American Express",
            Self::Discover => "Discover",
            Self::Jcb => "JCB",
            Self::Mada => "mada",
            Self::Maestro => "Maestro",
            Self::Mastercard => "Mastercard",
            Self::UnionPay => "UnionPay",
            Self::Visa => "Visa",
        }
    }

    /// The brand of a network as a wallet names it: `MasterCard`, `AmEx`, `ChinaUnionPay`, `VISA`.
    #[must_use]
    pub(crate) fn of_network(network: &str) -> Option<Self> {
        let is = |word: &str| network.eq_ignore_ascii_case(word);
        Self::ALL
            .into_iter()
            .find(|brand| is(brand.as_str()))
            .or_else(|| is("ChinaUnionPay").then_some(Self::UnionPay))
    }
}
