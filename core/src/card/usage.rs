//! How an attempt uses saved cards, and who began it: the payer (CIT) or the merchant (MIT).

use crate::words::word_list;
use alloc::string::String;

use super::CardToken;

/// How an attempt uses saved cards.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CardUse {
    /// It does not.
    #[default]
    Nothing,
    /// The gateway is asked to save the card with which the payer pays.
    Save,
    /// The gateway saved it.
    Saved(CardToken),
    /// A saved card is charged.
    Charge(CardToken, ChargeInitiator),
}

word_list! {
    /// Who begins a charge of a saved card.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ChargeInitiator {
        /// The payer, who is there (CIT).
        Payer = "payer",
        /// The merchant, under an agreement or with the payer's permission (MIT).
        Merchant = "merchant",
    }
}

// The words that are stored.
const SAVE: &str = "keep";
const SAVED: &str = "kept";

impl CardUse {
    /// The saved card that was made or is charged.
    #[must_use]
    pub const fn token(&self) -> Option<&CardToken> {
        match self {
            Self::Nothing | Self::Save => None,
            Self::Saved(token) | Self::Charge(token, _) => Some(token),
        }
    }

    /// The text in the database; empty for nothing.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Save => SAVE.into(),
            Self::Saved(token) => [SAVED, " ", token.as_str()].concat(),
            Self::Charge(token, initiator) => [initiator.as_str(), " ", token.as_str()].concat(),
        }
    }

    /// Reads the text of the database.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let Some((word, token)) = text.split_once(' ') else {
            return match text {
                "" => Some(Self::Nothing),
                SAVE => Some(Self::Save),
                _ => None,
            };
        };
        let token = CardToken::parse(token)?;
        if word == SAVED {
            return Some(Self::Saved(token));
        }
        let mut initiators = [ChargeInitiator::Payer, ChargeInitiator::Merchant].into_iter();
        initiators.find(|known| known.as_str() == word).map(|initiator| Self::Charge(token, initiator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::slot::Slot;

    #[test]
    fn every_use_is_read_back_as_it_is_stored() {
        let token = CardToken::generate(Slot::FIRST, [7; 16]);
        for usage in [
            CardUse::Nothing,
            CardUse::Save,
            CardUse::Saved(token.clone()),
            CardUse::Charge(token.clone(), ChargeInitiator::Payer),
            CardUse::Charge(token.clone(), ChargeInitiator::Merchant),
        ] {
            assert_eq!(CardUse::parse(&usage.to_text()), Some(usage));
        }
        for text in ["kept", "keep ", "payer", "someone card_07070707070707070707070707070707", "kept 4111"] {
            assert_eq!(CardUse::parse(text), None, "{text}");
        }
    }
}
