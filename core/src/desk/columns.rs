//! Which columns the list of payments has: the address says it.

use alloc::vec::Vec;

use super::form::DeskForm;
use crate::strings::desk::DeskWords;
use crate::words::word_list;

/// The parameter of an address that names a column, once for each.
pub const COLUMN: &str = "column";

word_list! {
    /// A column of the list, next to the moment, which leads to the payment.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PaymentColumn {
        /// Its state.
        State = "state",
        /// Its amount.
        Amount = "amount",
        /// The gateway, and the last digits of the card.
        Method = "method",
        /// The order number.
        OrderNo = "order_no",
        /// Who pays.
        Payer = "payer",
        /// The number on the receipt.
        Reference = "reference",
        /// Who made it.
        MadeBy = "made_by",
    }
}

/// The columns of an address that names none.
const USUAL: [PaymentColumn; 4] =
    [PaymentColumn::State, PaymentColumn::Amount, PaymentColumn::OrderNo, PaymentColumn::Payer];

impl PaymentColumn {
    /// The columns that an address names, in the order of the list; what is no column is none.
    #[must_use]
    pub fn chosen(query: &DeskForm) -> Vec<Self> {
        let is_named = |column: &Self| query.all(COLUMN).any(|name| name == column.as_str());
        let named: Vec<Self> = Self::ALL.into_iter().filter(is_named).collect();
        if named.is_empty() { USUAL.into() } else { named }
    }

    /// Its heading.
    #[must_use]
    pub const fn heading(self, words: &DeskWords) -> &'static str {
        let of_payment = &words.payment;
        match self {
            Self::State => of_payment.state,
            Self::Amount => of_payment.amount,
            Self::Method => of_payment.method,
            Self::OrderNo => of_payment.order_no,
            Self::Payer => of_payment.payer,
            Self::Reference => of_payment.reference,
            Self::MadeBy => of_payment.by,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_chooses_columns_and_their_order_is_that_of_the_list() {
        let chosen = |query: &str| PaymentColumn::chosen(&DeskForm::read(query.as_bytes()));
        assert_eq!(chosen("state=paid"), USUAL);
        assert_eq!(chosen("column=colour"), USUAL);
        assert_eq!(
            chosen("column=made_by&column=state&column=state&column=x"),
            [PaymentColumn::State, PaymentColumn::MadeBy]
        );
    }
}
