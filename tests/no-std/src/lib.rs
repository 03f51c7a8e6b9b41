//! Stops compiling when `checkout-core` or `sandbox-bank`, or anything below them, links std.
//!
//! std brings a panic handler of its own, and a program may have only one: with std in the tree, the handler
//! below is the second. The allocator is the one that `alloc` needs if there is no std; it has no memory.
#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;
use core::ptr::null_mut;

extern crate checkout_core as _;
extern crate sandbox_bank as _;

struct Nothing;

// SAFETY: it never hands out memory, so there is nothing to get wrong.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Nothing = Nothing;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
