//! The same work, compiled once more for processors that do more at a time.
//!
//! What is built has to run on every processor of its kind, so loops over bytes are compiled for the least of
//! them. Nearly all in use do twice as much with one instruction. Whether this one does is asked
//! once; what comes out is the same, since it is the same text that is compiled.

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// Work on a text. Whatever it calls must be inlined, or is compiled for the least processor all the same.
pub(crate) trait Work {
    type Done;

    /// Does it. To be inlined always.
    fn done(self) -> Self::Done;
}

/// Does `work` with what this processor has.
#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(unsafe_code, reason = "what a processor has is known only when it runs")]
pub(crate) fn widely<W: Work>(work: W) -> W::Done {
    if *HAS_MORE {
        // SAFETY: the processor has all that this function is compiled for.
        return unsafe { more_at_a_time(work) };
    }
    work.done()
}

/// Has this processor all that [`more_at_a_time`] is compiled for?
#[cfg(target_arch = "x86_64")]
static HAS_MORE: LazyLock<bool> = LazyLock::new(|| {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
});

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn widely<W: Work>(work: W) -> W::Done {
    work.done()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn more_at_a_time<W: Work>(work: W) -> W::Done {
    work.done()
}
