//! The amount field as the module knows it: its text, and when the payer is shown what is wrong with it.

use checkout_core::value::choice::{AmountChoice, ChoiceError, typed_amount};
use checkout_core::value::money::{Currency, Money};

/// The field, on a page on which the payer may choose how much to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    typed: String,
    choice: AmountChoice,
    /// Whether the payer left the field, or pressed the button, since something was wrong.
    is_shown: bool,
}

impl Amount {
    /// The field with its text, for amounts of a currency up to `most`.
    ///
    /// # Errors
    /// What is wrong in the data of the page.
    pub fn of(typed: &str, currency: &str, most: &str) -> Result<Self, &'static str> {
        let currency = Currency::parse(currency).ok_or("currency must be a currency")?;
        let most = Money::parse(most, currency).map_err(|_| "most must be an amount")?;
        let choice = AmountChoice::up_to(most).ok_or("most must leave a choice")?;
        let field = Self { typed: typed.into(), choice, is_shown: false };
        // What the server found wrong is shown already.
        Ok(Self { is_shown: field.read().is_err(), ..field })
    }

    /// The amounts that may be chosen.
    #[must_use]
    pub const fn choice(&self) -> &AmountChoice {
        &self.choice
    }

    /// The payer types. A mistake is shown when they leave the field; a corrected amount counts as correct at
    /// once.
    pub fn type_in(&mut self, typed: String) {
        self.typed = typed;
        self.is_shown = self.is_shown && self.read().is_err();
    }

    /// The payer left the field, or pressed the button.
    pub fn show_fault(&mut self) {
        self.is_shown = true;
    }

    /// The amount in the field.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&self) -> Result<Money, ChoiceError> {
        self.choice.read_typed(&self.sent())
    }

    /// Whether the payer is shown what is wrong or, if nothing is, what they pay.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// What the form sends.
    #[must_use]
    pub fn sent(&self) -> String {
        typed_amount(&self.typed)
    }
}
