//! Base64 in its one spelling.

use data_encoding::BASE64;

/// The bytes of a text, when it is what they are written as. The decoder also takes several texts with
/// padding one behind the other, which are a second spelling.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let bytes = BASE64.decode(text.as_bytes()).ok()?;
    (BASE64.encode(&bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn bytes_have_one_spelling() {
        assert_eq!(decode("AQID").as_deref(), Some([1, 2, 3].as_slice()));
        assert_eq!(decode("AQ==").as_deref(), Some([1].as_slice()));
        for text in ["AQ==AQ==", "AQ", "AQ=", "AR==", "AQ==\n", "AQ-_", "A"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
