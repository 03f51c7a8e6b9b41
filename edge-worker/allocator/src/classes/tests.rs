extern crate std;

use core::alloc::{GlobalAlloc, Layout};
use core::cell::{Cell, RefCell};
use core::ptr;
use core::slice;
use std::alloc::System;
use std::vec::Vec;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::{CLASSES, LARGE, SLAB, SMALL, STEP, SizeClasses};

/// The system's allocator, which notes what it gave and may run out.
#[derive(Default)]
struct Backing {
    given: RefCell<Vec<(*mut u8, Layout)>>,
    is_empty: Cell<bool>,
}

impl Backing {
    fn bytes(&self) -> usize {
        self.given.borrow().iter().map(|(_, layout)| layout.size()).sum()
    }
}

// SAFETY: the system's allocator, except that it may give nothing.
unsafe impl GlobalAlloc for Backing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.is_empty.get() {
            return ptr::null_mut();
        }
        // SAFETY: as of the caller.
        let block = unsafe { System.alloc(layout) };
        self.given.borrow_mut().push((block, layout));
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let mut given = self.given.borrow_mut();
        let at = given
            .iter()
            .position(|one| *one == (block, layout))
            .expect("what was given comes back as it was");
        given.swap_remove(at);
        // SAFETY: as of the caller.
        unsafe { System.dealloc(block, layout) };
    }
}

impl Drop for Backing {
    fn drop(&mut self) {
        for (block, layout) in self.given.borrow_mut().drain(..) {
            // SAFETY: the system's allocator gave it with this layout.
            unsafe { System.dealloc(block, layout) };
        }
    }
}

fn allocator() -> SizeClasses<Backing> {
    // SAFETY: one thread has it.
    unsafe { SizeClasses::new(Backing::default()) }
}

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// A block in use, and what each of its bytes is.
struct Block {
    start: *mut u8,
    layout: Layout,
    value: u8,
}

impl Block {
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the block has this size, and nothing else uses it.
        unsafe { slice::from_raw_parts_mut(self.start, self.layout.size()) }
    }

    fn is_intact(&mut self) -> bool {
        let value = self.value;
        self.bytes().iter().all(|byte| *byte == value)
    }
}

#[derive(Clone, Debug)]
enum Step {
    Alloc { size: usize, align: usize, is_zeroed: bool },
    Realloc { at: Index, size: usize },
    Dealloc { at: Index },
}

/// Sizes about each border of a class, and any others.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        4 => 1..=SMALL + STEP,
        2 => select(&[SMALL - 1, SMALL, SMALL + 1, 2 * SMALL, 2 * SMALL + 1, LARGE - 1, LARGE, LARGE + 1]),
        1 => 1..=2 * LARGE,
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (sizes(), 0..=6_u32, any::<bool>())
            .prop_map(|(size, power, is_zeroed)| Step::Alloc { size, align: 1 << power, is_zeroed }),
        2 => (any::<Index>(), sizes()).prop_map(|(at, size)| Step::Realloc { at, size }),
        2 => any::<Index>().prop_map(|at| Step::Dealloc { at }),
    ];
    prop::collection::vec(step, 0..120)
}

/// Does the steps and gives everything back.
fn run(allocator: &SizeClasses<Backing>, steps: &[Step]) {
    let mut used: Vec<Block> = Vec::new();
    for (step, value) in steps.iter().zip(1..) {
        match *step {
            Step::Alloc { size, align, is_zeroed } => {
                let layout = layout(size, align);
                // SAFETY: the size is not zero.
                let start = unsafe {
                    if is_zeroed { allocator.alloc_zeroed(layout) } else { allocator.alloc(layout) }
                };
                assert!(!start.is_null() && start.addr().is_multiple_of(align), "{start:?} for {layout:?}");
                let mut block = Block { start, layout, value };
                assert!(
                    !is_zeroed || block.bytes().iter().all(|byte| *byte == 0),
                    "{layout:?} is not zeroed"
                );
                block.bytes().fill(value);
                used.push(block);
            }
            Step::Realloc { at, size } if !used.is_empty() => {
                let block = at.get_mut(&mut used);
                // SAFETY: the block was allocated with this layout, and the size is not zero.
                block.start = unsafe { allocator.realloc(block.start, block.layout, size) };
                assert!(block.start.addr().is_multiple_of(block.layout.align()));
                let remaining = size.min(block.layout.size());
                block.layout = layout(size, block.layout.align());
                let old = block.value;
                assert!(block.bytes()[..remaining].iter().all(|byte| *byte == old), "bytes were lost");
                block.value = value;
                block.bytes().fill(value);
            }
            Step::Dealloc { at } if !used.is_empty() => {
                let mut block = used.swap_remove(at.index(used.len()));
                assert!(block.is_intact(), "another block lies upon it");
                // SAFETY: the block was allocated with this layout, and is not used afterwards.
                unsafe { allocator.dealloc(block.start, block.layout) };
            }
            Step::Realloc { .. } | Step::Dealloc { .. } => {}
        }
    }
    for mut block in used {
        assert!(block.is_intact(), "another block lies upon it");
        // SAFETY: the block was allocated with this layout, and is not used afterwards.
        unsafe { allocator.dealloc(block.start, block.layout) };
    }
}

proptest! {
    /// Blocks in use keep their bytes, and doing the same again takes no more memory.
    #[test]
    fn blocks_do_not_overlap_and_are_used_again(steps in steps()) {
        let allocator = allocator();
        run(&allocator, &steps);
        let taken = allocator.backing.bytes();
        for _ in 0..3 {
            run(&allocator, &steps);
            prop_assert_eq!(allocator.backing.bytes(), taken);
        }
    }
}

#[test]
fn every_size_has_the_smallest_class_that_holds_it() {
    let allocator = allocator();
    let mut sizes = Vec::new();
    let mut lists = Vec::new();
    for size in 1..=LARGE {
        let class = allocator.class_of(layout(size, 1)).unwrap();
        assert!(class.size >= size);
        if sizes.last() != Some(&class.size) {
            assert!(sizes.last().is_none_or(|smaller| *smaller < size), "{size} fits into the class before");
            sizes.push(class.size);
            lists.push(ptr::from_ref(class.free));
        }
    }
    assert_eq!(sizes.len(), CLASSES);
    assert!(
        lists.iter().zip(&allocator.free).all(|(list, free)| ptr::eq(*list, free)),
        "each class has its own list"
    );
}

#[test]
fn what_has_no_class_goes_back_to_the_backing_allocator() {
    let allocator = allocator();
    for layout in [layout(LARGE + 1, 1), layout(10, 2 * STEP), layout(3 * LARGE, 64)] {
        // SAFETY: the size is not zero.
        let block = unsafe { allocator.alloc(layout) };
        assert_eq!(allocator.backing.bytes(), layout.size());
        // SAFETY: it was allocated with this layout.
        unsafe { allocator.dealloc(block, layout) };
        assert_eq!(allocator.backing.bytes(), 0);
    }
}

#[test]
fn the_rest_of_a_slab_is_used() {
    let allocator = allocator();
    let large = layout(SMALL - STEP, 1);
    let fitting = SLAB / large.size();
    let alloc = |layout| {
        // SAFETY: the size is not zero.
        unsafe { allocator.alloc(layout) }
    };
    let blocks: Vec<_> = (0..fitting).map(|_| alloc(large)).collect();
    let rest = layout(SLAB - fitting * large.size(), 1);
    // The next one begins another slab.
    alloc(large);
    assert_eq!(allocator.backing.bytes(), 2 * SLAB);
    assert_eq!(alloc(rest), blocks[0].wrapping_add(fitting * large.size()));
}

#[test]
fn without_memory_nothing_is_lost() {
    let allocator = allocator();
    let small = layout(100, 8);
    // SAFETY: the size is not zero.
    let block = unsafe { allocator.alloc(small) };
    // SAFETY: the block has this size.
    unsafe { block.write_bytes(7, small.size()) };
    allocator.backing.is_empty.set(true);
    for size in [SMALL + 1, LARGE + 1] {
        // SAFETY: the block was allocated with this layout, and the size is not zero.
        assert!(unsafe { allocator.realloc(block, small, size) }.is_null());
        // SAFETY: the size is not zero.
        assert!(unsafe { allocator.alloc_zeroed(layout(size, 1)) }.is_null());
    }
    // SAFETY: the block has this size and is still in use.
    assert!(unsafe { slice::from_raw_parts(block, small.size()) }.iter().all(|byte| *byte == 7));
    // What is left of the slab is there, and after it there is nothing.
    let mut given = 1;
    // SAFETY: the size is not zero.
    while !unsafe { allocator.alloc(small) }.is_null() {
        given += 1;
    }
    assert_eq!(given, SLAB / small.size().next_multiple_of(STEP));
}
