//! What the browser of a payer asks for.

pub mod come_back;
pub mod download;
pub mod forward;
pub mod open_page;
pub(crate) mod page;
pub mod pay;
pub(crate) mod saved_card;
