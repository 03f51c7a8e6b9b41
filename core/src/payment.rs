//! One try to pay: how an [`attempt`](crate::attempt) is opened ([`begin`]), what is learned about it
//! ([`apply`]), and when the gateway is asked again about an attempt whose outcome is unknown ([`chase`]).

pub(crate) mod acceptance;
mod afterwards;
pub mod apply;
pub mod begin;
pub mod card_testing;
pub mod chase;
pub mod ending;
pub mod inquiry;
pub mod known;
pub mod ladder;
pub mod limit;
pub(crate) mod next_way;
pub mod payer;
pub mod principal;
pub mod receipt;
pub mod routing;
