//! Values that cannot be wrong once they exist: ids, amounts, times, addresses, texts.

pub mod choice;
pub mod colour;
pub mod country;
pub mod digest;
pub mod email;
pub mod id;
pub mod json;
pub mod money;
pub mod network;
pub mod phone;
pub mod sealed;
pub mod shape;
pub mod slot;
pub mod text;
pub mod time;
pub mod web_address;
