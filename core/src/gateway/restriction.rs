//! What an account cannot do at its gateway although the protocol can: banks enable some abilities for some merchants only.

use crate::words::word_list;

word_list! {
    /// Something that is not enabled for an account.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Restriction {
        /// There is one capture only: what it leaves is released.
        SingleCapture = "single_capture",
        /// A capture takes all that is held.
        FullCapture = "full_capture",
        /// A refund gives back all that was taken.
        FullRefund = "full_refund",
        /// No card is confirmed without an amount.
        NoVerification = "no_verification",
        /// No saved card is charged while the payer is there.
        NoSavedCardPayment = "no_saved_card_payment",
    }
}
