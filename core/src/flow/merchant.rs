//! What a merchant's server asks for.

pub mod approvals;
pub mod attention;
pub mod basis;
pub mod create;
pub mod export;
pub mod inquiry;
pub mod list;
pub mod native;
pub mod operate;
pub mod operations;
pub mod payment_methods;
pub mod remind;
pub mod retrieve;
pub mod routing;
mod shown;
pub mod timeline;
pub mod totals;
pub mod update;
pub mod upload;
