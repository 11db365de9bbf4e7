//! The digest of a JSON value, without loss.
//!
//! RFC 8785 reads every number as a float, so that two large whole numbers can share a form. An
//! approval is bound to these digests, so numbers are kept here as they are.

use call::Sha256;
use serde_json::Value;

/// The digest of a value: keys sorted, no blanks, numbers and texts as `serde_json` writes them.
pub(crate) fn digest(value: &Value) -> Sha256 {
    let mut out = String::new();
    write(value, &mut out);
    Sha256::of(out.as_bytes())
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (place, (key, value)) in sorted.into_iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write(&Value::String(key.clone()), out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            out.push_str(&value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn order_does_not_count_and_every_digit_does() {
        let of = super::digest;
        assert_eq!(of(&json!({"a": 1, "b": [null, "x"]})), of(&json!({"b": [null, "x"], "a": 1})));
        assert_ne!(of(&json!([9_007_199_254_740_992_u64])), of(&json!([9_007_199_254_740_993_u64])));
        assert_ne!(of(&json!(["a", "b"])), of(&json!(["a\",\"b"])));
    }
}
