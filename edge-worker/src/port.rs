//! The ports of the core, on the platform.

pub(crate) mod clock;
pub(crate) mod courier;
pub(crate) mod d1;
pub(crate) mod kv;
pub(crate) mod limiters;
pub(crate) mod queue;
pub(crate) mod rng;
pub(crate) mod seal;
pub(crate) mod sign;
pub(crate) mod sign_ins;
pub(crate) mod verify;
