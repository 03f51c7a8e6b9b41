//! The loops over every byte of a request: JSON into members, text into what it is made of.
//!
//! They are a crate of their own because a crate has one level of optimisation: these are compiled for speed, the
//! rules of `checkout-core`, a hundred times as much code, for size. What is generic is compiled where it is used, so
//! all but the outermost shell of these is not.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod json;
pub mod text;
