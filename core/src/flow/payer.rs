//! What the browser of a payer asks for.

pub mod come_back;
pub mod download;
pub mod forward;
pub(super) mod local;
pub mod open_page;
pub(crate) mod page;
pub mod pay;
pub mod receipt;
pub(crate) mod saved_card;
