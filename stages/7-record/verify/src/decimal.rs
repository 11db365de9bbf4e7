//! Numbers, in the one spelling that checkpoints and proofs allow.

/// The number that these digits are. Nothing for a sign, a leading zero or more than 64 bits.
pub(crate) fn parse(digits: &str) -> Option<u64> {
    let number: u64 = digits.parse().ok()?;
    (number.to_string() == digits).then_some(number)
}
