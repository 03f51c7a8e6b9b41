//! Who calls: by an API key, by a name and a password, by a token of ours, or by a token of the merchant's provider.

mod api_key;
mod author;
mod bearer;
mod principal;
mod sign_in;
pub mod sign_on;
pub mod token;

pub(super) use author::author;
pub use principal::{answer_proved, identify, principal};
pub(super) use sign_in::sign_in;
