//! One try to pay: how an [`attempt`] is opened ([`begin`]), what is learned about it ([`apply`]), and when an
//! attempt whose outcome is unknown is asked about again ([`chase`]).

pub mod apply;
pub mod attempt;
pub mod begin;
pub mod chase;
pub mod ending;
pub mod inquiry;
pub mod instrument;
pub mod known;
pub mod limit;
pub mod principal;
pub mod receipt;
pub mod stage;
