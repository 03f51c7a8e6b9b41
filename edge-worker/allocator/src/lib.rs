//! The memory allocator of the Worker's module: segregated free lists, one for each size class.
//!
//! A request allocates and frees some hundreds of small blocks. The default allocator of the target looks for a
//! block that fits, and joins each freed block with its neighbours, whose memory is in no cache. Here a block that is
//! freed becomes the first of its class's list, and the next allocation of that class takes it: both are a few
//! instructions on memory that was used a moment ago.
//!
//! Blocks stay in their class and go back to the backing allocator never, so an isolate keeps, for each class, as
//! much memory as was in use at one time. WebAssembly could not give memory back to the platform anyway.
//!
//! This is the only unsafe code of the Worker; a crate that depends on this one allocates by it on WebAssembly, and by
//! the system elsewhere.
#![no_std]
#![allow(unsafe_code, reason = "an allocator hands out raw memory")]

mod classes;

#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
mod global {
    extern crate std;

    use std::alloc::System;

    use super::SizeClasses;

    // SAFETY: without the feature `atomics` a module has one thread.
    #[global_allocator]
    static ALLOCATOR: SizeClasses<System> = unsafe { SizeClasses::new(System) };
}

pub use self::classes::SizeClasses;
