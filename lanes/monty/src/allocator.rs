//! The allocator of a binary that may be a worker: in a worker it counts and has a limit.
//!
//! It counts from the first byte on, because a counter that begins later would be told of memory that it never
//! saw taken. A process that turns out to be no worker stops counting: its threads would wait for each other at
//! the counter, and nobody reads it.
#![expect(unsafe_code, reason = "an allocator is unsafe to write; this one only hands on what it is given")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

use monty_alloc::LimitedAllocator;

/// The allocator that a binary with workers has as its `#[global_allocator]`.
pub struct Allocator;

static COUNTS: AtomicBool = AtomicBool::new(true);

/// This process is no worker, and never will be.
pub(crate) fn stop_counting() {
    COUNTS.store(false, Ordering::Relaxed);
}

// SAFETY: every method hands its arguments unchanged to one of two allocators and gives back what that gave. Both
// are the system's, one with a count beside it, so memory of one may go back to the other.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { if counts() { LimitedAllocator.alloc(layout) } else { System.alloc(layout) } }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe {
            if counts() { LimitedAllocator.dealloc(memory, layout) } else { System.dealloc(memory, layout) }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { if counts() { LimitedAllocator.alloc_zeroed(layout) } else { System.alloc_zeroed(layout) } }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe {
            if counts() {
                LimitedAllocator.realloc(memory, layout, size)
            } else {
                System.realloc(memory, layout, size)
            }
        }
    }
}

#[inline]
fn counts() -> bool {
    COUNTS.load(Ordering::Relaxed)
}
