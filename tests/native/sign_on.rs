//! Single sign-on: tokens of a provider in memory, its keys as they are cached and rotated, passwords exchanged at it, and
//! published vectors of signatures. The signatures are judged by the crates of `RustCrypto`; on workerd the platform judges
//! them (`worker/tokens.test.mjs`).
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on has failed"
)]

#[path = "sign_on/cached.rs"]
mod cached;
#[path = "sign_on/connected.rs"]
mod connected;
#[path = "sign_on/judge.rs"]
mod judge;
#[path = "sign_on/password.rs"]
mod password;
#[path = "sign_on/provider.rs"]
mod provider;
#[path = "sign_on/secret.rs"]
mod secret;
#[path = "sign_on/settings.rs"]
mod settings;
#[path = "sign_on/vectors.rs"]
mod vectors;
