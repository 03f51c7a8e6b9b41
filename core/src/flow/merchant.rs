//! What a merchant's server asks for.

pub mod create;
pub mod inquiry;
pub mod list;
pub mod native;
pub mod operate;
pub mod payment_methods;
pub mod retrieve;
mod shown;
pub mod update;
pub mod upload;
