//! Single sign-on: tokens of a provider in memory, its keys as they are cached and rotated, passwords exchanged at it, and
//! published vectors of signatures. The signatures are judged by the crates of `RustCrypto`; on workerd the platform judges
//! them (`worker/tokens.test.mjs`).
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on has failed"
)]

mod cached;
mod connected;
mod judge;
mod password;
mod provider;
mod secret;
mod settings;
mod vectors;
