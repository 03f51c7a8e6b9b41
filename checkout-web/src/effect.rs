//! What the page has to do beyond showing its model.

use checkout_core::api::pay::PayForm;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Send the form, then send [`Message::Answered`](crate::update::Message::Answered).
    Pay(PayForm),
    /// Ask for the state of the payment, then send [`Message::Heard`](crate::update::Message::Heard).
    Ask,
    /// Send [`Message::AskNow`](crate::update::Message::AskNow) after a while.
    AskAfter {
        /// How long, in milliseconds.
        milliseconds: i32,
    },
    /// Go to an address.
    Go(String),
    /// Load the page again.
    Reload,
    /// Load the page again, which then says that the price is another one.
    Redraw,
    /// Bring the banner to the payer's attention.
    FocusBanner,
    /// Let the payer correct the amount.
    FocusAmount,
}
