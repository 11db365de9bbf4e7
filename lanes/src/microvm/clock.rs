//! How fast the processor's own counter goes.
//!
//! A machine without old clocks has nothing to measure the counter by, so it is told. An emulated machine
//! sees the counter of the real one.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Its rate in thousands a second; nothing where there is no such counter.
pub(crate) fn kilohertz() -> Option<u64> {
    static RATE: OnceLock<Option<u64>> = OnceLock::new();
    *RATE.get_or_init(measure)
}

#[cfg(target_arch = "x86_64")]
fn measure() -> Option<u64> {
    /// Long enough that what it takes to look does not count.
    const LONG: Duration = Duration::from_millis(20);
    let began = Instant::now();
    let first = counter();
    std::thread::sleep(LONG);
    let ticks = counter().checked_sub(first)?;
    let nanoseconds = u64::try_from(began.elapsed().as_nanos()).ok()?;
    ticks.checked_mul(1_000_000)?.checked_div(nanoseconds)
}

#[cfg(target_arch = "x86_64")]
fn counter() -> u64 {
    // SAFETY: every processor of this kind has the counter, and reading it changes nothing.
    #[expect(unsafe_code, reason = "no crate below reads the counter")]
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn measure() -> Option<u64> {
    None
}
