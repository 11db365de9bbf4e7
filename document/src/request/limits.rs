//! What the program may use: cores, memory, time.

use super::types::Limits;
use crate::fields::Fields;
use crate::rules::{self, Rule};
use crate::text::quoted;

/// `cpu_limit`, `memory_limit_mb` and `time_limit_sec`.
pub(super) fn limits(fields: &mut Fields<'_>) -> Option<Limits> {
    let cpus = cpus(fields);
    let memory_mb = whole(fields, "memory_limit_mb", &rules::MEMORY_LIMIT, 1_048_576);
    let seconds = whole(fields, "time_limit_sec", &rules::TIME_LIMIT, 86_400);
    Some(Limits { cpus: cpus?, memory_mb: memory_mb?, seconds: seconds? })
}

fn cpus(fields: &mut Fields<'_>) -> Option<f64> {
    let field = fields.required("cpu_limit", &rules::CPU_LIMIT)?;
    let number = decimal(field.text).filter(|number| *number > 0.0 && *number <= 64.0);
    if number.is_none() {
        let message =
            format!("`cpu_limit` is {}, expected a number above 0 and at most 64", quoted(field.text));
        fields.findings.add(&rules::CPU_LIMIT, field.span, message);
    }
    number
}

fn whole(fields: &mut Fields<'_>, key: &str, rule: &'static Rule, most: u32) -> Option<u32> {
    let field = fields.required(key, rule)?;
    let plain = is_digits(field.text) && !field.text.starts_with('0');
    let number = field.text.parse().ok().filter(|number| plain && (1..=most).contains(number));
    if number.is_none() {
        let message = format!("`{key}` is {}, expected a whole number from 1 to {most}", quoted(field.text));
        fields.findings.add(rule, field.span, message);
    }
    number
}

/// A number of plain digits with at most one point: no sign, no exponent, no `nan`, and no zero in
/// front that another reader could take for an octal number.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let plain = is_digits(whole) && is_digits(fraction) && (whole == "0" || !whole.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn a_number_has_one_spelling() {
        let cases = [
            ("2", Some(2.0)),
            ("0.5", Some(0.5)),
            ("1.50", Some(1.5)),
            ("0", Some(0.0)),
            ("02", None),
            ("1e3", None),
            ("+5", None),
            ("-1", None),
            ("1.", None),
            (".5", None),
            ("1_000", None),
            ("NaN", None),
            ("inf", None),
            ("0x10", None),
            ("2; ls", None),
            (" 2", None),
            ("", None),
            ("٢", None),
        ];
        for (text, want) in cases {
            assert_eq!(decimal(text), want, "{text}");
        }
    }
}
