//! What the page has to do beyond showing its model.

use checkout_core::api::pay::Form;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Send the form, then say [`Message::Answered`](crate::update::Message::Answered).
    Pay(Form),
    /// Ask how far the payment is, then say [`Message::Heard`](crate::update::Message::Heard).
    Ask,
    /// Say [`Message::AskNow`](crate::update::Message::AskNow) after a while.
    AskAfter {
        /// How long, in milliseconds.
        milliseconds: i32,
    },
    /// Go to an address.
    Go(String),
    /// Draw the page anew.
    Reload,
    /// Bring the banner to the payer's attention.
    FocusBanner,
    /// Let the payer mend the amount.
    FocusAmount,
}
