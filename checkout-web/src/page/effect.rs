//! What the page has to do beyond showing its model.

use checkout_core::api::pay::PayForm;

use crate::wallet::Order;

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Send the form, then send [`Message::Answered`](crate::page::update::Message::Answered).
    Pay(PayForm),
    /// Open the sheet of a wallet, then send [`Message::WalletClosed`](crate::page::update::Message::WalletClosed).
    OpenSheet(Order),
    /// Ask for the state of the payment, then send [`Message::Heard`](crate::page::update::Message::Heard).
    Ask,
    /// Send [`Message::AskNow`](crate::page::update::Message::AskNow) after a while.
    AskAfter {
        /// How long, in milliseconds.
        milliseconds: i32,
    },
    /// Send [`Message::LookNow`](crate::page::update::Message::LookNow) after [`LOOK_EVERY`](crate::follow::LOOK_EVERY).
    LookLater,
    /// Go to an address.
    Go(String),
    /// Load the page again.
    Reload,
    /// Load the page again with what the payer chose. It then says that the price is another one.
    Redraw,
    /// Bring the banner to the payer's attention.
    FocusBanner,
    /// Let the payer correct the amount.
    FocusAmount,
}
