//! Where the program begins: by hand, because there is no library that would do it.
//!
//! `lanes/build.rs` compiles this file with the compiler alone and puts the program into the gate's.
#![no_std]
#![no_main]

mod answer;
mod guest;
mod init;
mod monitor;
mod plan;
mod root;
mod sys;
mod talk;
mod walls;
mod wire;

use core::arch::global_asm;
use core::panic::PanicInfo;

// The kernel leaves nothing in registers but the stack; a function wants it aligned.
#[cfg(target_arch = "x86_64")]
global_asm!(".globl _start", "_start:", "xor %ebp, %ebp", "and $-16, %rsp", "call {start}", "ud2", start = sym start, options(att_syntax));
#[cfg(target_arch = "aarch64")]
global_asm!(".globl _start", "_start:", "mov x29, xzr", "bl {start}", "brk 1", start = sym start);

extern "C" fn start() -> ! {
    // The first process of a whole machine is the kernel's own child; everywhere else the gate is above.
    if matches!(sys::plain(sys::number::GETPID, [0; 6]), Ok(1)) { guest::run() } else { monitor::run() }
}

#[panic_handler]
fn panicked(_: &PanicInfo<'_>) -> ! {
    sys::exit(101)
}

/// What the compiler calls for copies, and a library would have.
mod memory {
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        let mut place = 0;
        while place < count {
            // SAFETY: the caller promises `count` bytes at both. Volatile, so that this loop is not made
            // into a call of itself.
            unsafe { to.add(place).write_volatile(*from.add(place)) };
            place += 1;
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        if from.cast_mut() >= to {
            // SAFETY: the same promise, and no byte is overwritten before it is read.
            return unsafe { memcpy(to, from, count) };
        }
        let mut place = count;
        while place > 0 {
            place -= 1;
            // SAFETY: the same promise; from the end, because the source lies before the target.
            unsafe { to.add(place).write_volatile(*from.add(place)) };
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
        let mut place = 0;
        while place < count {
            // SAFETY: the caller promises `count` bytes.
            unsafe { to.add(place).write_volatile(byte.to_le_bytes()[0]) };
            place += 1;
        }
        to
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(one: *const u8, other: *const u8, count: usize) -> i32 {
        let mut place = 0;
        while place < count {
            // SAFETY: the caller promises `count` bytes at both.
            let (one, other) = unsafe { (one.add(place).read_volatile(), other.add(place).read_volatile()) };
            if one != other {
                return i32::from(one) - i32::from(other);
            }
            place += 1;
        }
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn bcmp(one: *const u8, other: *const u8, count: usize) -> i32 {
        // SAFETY: the same promise.
        unsafe { memcmp(one, other, count) }
    }
}
