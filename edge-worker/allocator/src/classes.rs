//! The free lists.

#[cfg(test)]
mod tests;

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::ptr;

/// The alignment of every block, in bytes, and the difference between two small classes.
const STEP: usize = 16;
/// The largest small class, in bytes.
const SMALL: usize = 1024;
const SMALL_CLASSES: usize = SMALL / STEP;
/// Each is twice the one before, as buffers that grow are.
const LARGE_CLASSES: usize = 5;
/// The largest class, in bytes.
const LARGE: usize = SMALL << LARGE_CLASSES;
const CLASSES: usize = SMALL_CLASSES + LARGE_CLASSES;
/// Blocks of small classes are cut from slabs of this many bytes.
const SLAB: usize = 16 * 1024;

/// A free block. Its memory holds where the next one of its class is.
struct Free {
    next: *mut Free,
}

/// The part of a slab that no block was cut from yet.
#[derive(Clone, Copy)]
struct Rest {
    start: *mut u8,
    len: usize,
}

/// A size class: the list of its free blocks, and how many bytes each has.
#[derive(Clone, Copy)]
struct Class<'a> {
    free: &'a Cell<*mut Free>,
    size: usize,
}

/// An allocator with a list of free blocks for each size class. What is larger than the largest class, or aligned to
/// more than 16 bytes, is the backing allocator's.
pub struct SizeClasses<A> {
    backing: A,
    free: [Cell<*mut Free>; CLASSES],
    rest: Cell<Rest>,
}

// SAFETY: `new` demands that only one thread uses it.
unsafe impl<A> Sync for SizeClasses<A> {}

impl<A> SizeClasses<A> {
    /// An allocator that takes its memory from `backing`.
    ///
    /// # Safety
    /// Only one thread may use it.
    pub const unsafe fn new(backing: A) -> Self {
        Self {
            backing,
            free: [const { Cell::new(ptr::null_mut()) }; CLASSES],
            rest: Cell::new(Rest { start: ptr::null_mut(), len: 0 }),
        }
    }

    /// The class of a layout; none if it is the backing allocator's.
    #[inline]
    fn class_of(&self, layout: Layout) -> Option<Class<'_>> {
        let size = layout.size();
        if layout.align() > STEP || size > LARGE {
            return None;
        }
        if size <= SMALL {
            let steps = size.div_ceil(STEP);
            let free = self.free.get(steps.checked_sub(1)?)?;
            return Some(Class { free, size: steps.checked_mul(STEP)? });
        }
        let size = size.next_power_of_two();
        let doublings = usize::try_from(size.div_ceil(SMALL).trailing_zeros()).ok()?;
        let free = self.free.get((SMALL_CLASSES - 1).checked_add(doublings)?)?;
        Some(Class { free, size })
    }
}

impl Class<'_> {
    /// The first free block of the class.
    #[inline]
    fn take(self) -> Option<*mut u8> {
        let first = self.free.get();
        if first.is_null() {
            return None;
        }
        // SAFETY: a list has only blocks that `put` wrote to, and that nothing has used since.
        self.free.set(unsafe { (*first).next });
        Some(first.cast())
    }

    /// Makes a block the first free one of the class.
    ///
    /// # Safety
    /// The block has the size of the class and the alignment of all blocks, and nothing uses it.
    #[inline]
    unsafe fn put(self, block: *mut u8) {
        let block: *mut Free = block.cast();
        // SAFETY: the smallest class is as large as `Free` and aligned for it.
        unsafe { block.write(Free { next: self.free.get() }) };
        self.free.set(block);
    }
}

const _: () =
    assert!(size_of::<Free>() <= STEP && align_of::<Free>() <= STEP, "a block holds where the next one is");

/// The layout of that many bytes, at most those of a slab or of the largest class, aligned as every block is.
const fn layout_of(size: usize) -> Layout {
    // SAFETY: the alignment is a power of two, and the size is far below the largest possible one.
    unsafe { Layout::from_size_align_unchecked(size, STEP) }
}

impl<A: GlobalAlloc> SizeClasses<A> {
    /// A block that was never used; null if the backing allocator has no memory.
    #[cold]
    #[inline(never)]
    fn fresh(&self, size: usize) -> *mut u8 {
        if size > SMALL {
            // SAFETY: the size is not zero.
            return unsafe { self.backing.alloc(layout_of(size)) };
        }
        let mut rest = self.rest.get();
        if rest.len < size {
            // SAFETY: the size is not zero.
            let start = unsafe { self.backing.alloc(layout_of(SLAB)) };
            if start.is_null() {
                return start;
            }
            // What is left of the slab before is a block of a smaller class, because every size is so many steps.
            if let Some(class) = self.class_of(layout_of(rest.len)) {
                // SAFETY: it has the size of that class, and nothing was cut from it.
                unsafe { class.put(rest.start) };
            }
            rest = Rest { start, len: SLAB };
        }
        // SAFETY: the rest has at least as many bytes.
        self.rest.set(Rest { start: unsafe { rest.start.add(size) }, len: rest.len.saturating_sub(size) });
        rest.start
    }
}

// SAFETY: a block is handed out once until it is given back, has at least the size of its layout and is aligned to the
// largest alignment that has a class. A layout has the same class whenever it is asked, so each block goes back where it
// came from. Nothing here panics.
unsafe impl<A: GlobalAlloc> GlobalAlloc for SizeClasses<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.class_of(layout) {
            Some(class) => class.take().unwrap_or_else(|| self.fresh(class.size)),
            // SAFETY: as of the caller.
            None => unsafe { self.backing.alloc(layout) },
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match self.class_of(layout) {
            // SAFETY: the block was allocated with this layout, so it is of this class, and the caller is done with it.
            Some(class) => unsafe { class.put(block) },
            // SAFETY: as of the caller.
            None => unsafe { self.backing.dealloc(block, layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if self.class_of(layout).is_none() {
            // SAFETY: as of the caller.
            return unsafe { self.backing.alloc_zeroed(layout) };
        }
        // SAFETY: as of the caller.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block has at least as many bytes.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the new size makes a layout.
        let renewed = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        match (self.class_of(layout), self.class_of(renewed)) {
            // SAFETY: as of the caller.
            (None, None) => return unsafe { self.backing.realloc(block, layout, new_size) },
            (Some(class), Some(new)) if class.size == new.size => return block,
            _ => {}
        }
        // SAFETY: the caller promises that the new size is not zero.
        let moved = unsafe { self.alloc(renewed) };
        if !moved.is_null() {
            // SAFETY: both have at least as many bytes, are two blocks, and the first is not used afterwards.
            unsafe {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
        }
        moved
    }
}
