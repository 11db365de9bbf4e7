//! How a run came to its end.

/// Why a program is not running any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExitReason {
    /// It ended by itself, with an exit code.
    Exited,
    /// A signal ended it that the gate did not send.
    Signal,
    /// Its time was over.
    TimeLimit,
    /// It wanted more memory than it had.
    MemoryLimit,
    /// It wanted more processes than it had.
    ProcessLimit,
    /// It wanted more disk than it had.
    DiskLimit,
    /// It wanted more files than it had.
    FileLimit,
    /// It wrote more than somebody would read.
    OutputLimit,
    /// Somebody did not want it any more.
    Cancelled,
}

impl ExitReason {
    /// All of them with their spellings.
    pub const ALL: [(&'static str, Self); 9] = [
        ("exited", Self::Exited),
        ("signal", Self::Signal),
        ("time_limit", Self::TimeLimit),
        ("memory_limit", Self::MemoryLimit),
        ("process_limit", Self::ProcessLimit),
        ("disk_limit", Self::DiskLimit),
        ("file_limit", Self::FileLimit),
        ("output_limit", Self::OutputLimit),
        ("cancelled", Self::Cancelled),
    ];

    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exited => "exited",
            Self::Signal => "signal",
            Self::TimeLimit => "time_limit",
            Self::MemoryLimit => "memory_limit",
            Self::ProcessLimit => "process_limit",
            Self::DiskLimit => "disk_limit",
            Self::FileLimit => "file_limit",
            Self::OutputLimit => "output_limit",
            Self::Cancelled => "cancelled",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ExitReason;

    #[test]
    fn every_reason_is_spelled_as_the_table_says() {
        for (spelling, reason) in ExitReason::ALL {
            assert_eq!(reason.as_str(), spelling);
        }
    }
}
