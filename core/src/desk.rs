//! The desk: the pages on which a merchant's staff see and do what its server sees and does by the API.
//!
//! Addresses are in [`route`], who visits in [`session`], and what is around every screen in [`frame`]. A screen shows what a flow
//! answers, and its permissions are those of the API.

pub mod access_link;
pub mod approval;
pub mod approval_policy;
pub mod columns;
pub mod device;
pub mod factor;
pub mod form;
pub mod frame;
pub mod guard;
pub mod new_payment;
pub(crate) mod personal;
pub mod result;
pub mod route;
pub mod session;
pub mod template;
pub(crate) mod totp;
pub mod trip;
