//! Who sits at this machine, and times as people write them.

use std::str::FromStr;

/// The user who runs this program, by name, or by number where they have no name.
pub(crate) fn current() -> String {
    let named = ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let plain = |name: &String| !name.is_empty() && !name.contains(char::is_control);
    named.filter(plain).unwrap_or_else(|| format!("uid {}", rustix::process::getuid().as_raw()))
}

/// A stretch of time such as `90s`, `30m`, `8h` or `2d`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch(pub(crate) u32);

/// A text is not a stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a time such as `90s`, `30m`, `8h` or `2d`")]
pub(crate) struct NoStretch;

impl FromStr for Stretch {
    type Err = NoStretch;

    fn from_str(text: &str) -> Result<Self, NoStretch> {
        let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or(NoStretch)?;
        let unit = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            _ => return Err(NoStretch),
        };
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number: u32 = number.parse().ok().filter(|_| digits).ok_or(NoStretch)?;
        number.checked_mul(unit).filter(|seconds| *seconds > 0).map(Self).ok_or(NoStretch)
    }
}

#[cfg(test)]
mod tests {
    use super::{NoStretch, Stretch};

    #[test]
    fn a_stretch_of_time_has_a_number_and_a_unit() {
        let cases = [
            ("90s", Ok(Stretch(90))),
            ("30m", Ok(Stretch(1_800))),
            ("2d", Ok(Stretch(172_800))),
            ("0m", Err(NoStretch)),
            ("m", Err(NoStretch)),
            ("", Err(NoStretch)),
            ("+5m", Err(NoStretch)),
            ("5", Err(NoStretch)),
            ("5 m", Err(NoStretch)),
            ("4294967295d", Err(NoStretch)),
        ];
        for (text, want) in cases {
            assert_eq!(text.parse(), want, "{text}");
        }
    }
}
