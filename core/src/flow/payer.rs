//! What the browser of a payer asks for.

pub mod come_back;
pub mod download;
pub mod forward;
pub mod open_page;
pub mod pay;
