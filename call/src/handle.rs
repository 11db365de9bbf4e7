//! Handles of credentials, as they stand in the texts of a call.

/// What every handle begins with.
pub const HANDLE_FORM: &str = "tgh1";

/// What stands before a handle in a text that ends with one, and the handle: agents write `Bearer `, then what
/// `secrets_get` gave them. A text with one is never sent as it is: it would mean nothing to whoever gets it.
///
/// ```
/// let handle = "tgh1:header:1770653101:0f0f:deploy:token";
///
/// assert_eq!(call::handle_in(handle), Some(("", handle)));
/// assert_eq!(call::handle_in(&format!("Bearer {handle}")), Some(("Bearer ", handle)));
///
/// assert_eq!(call::handle_in("Bearer tgh1"), None);
/// assert_eq!(call::handle_in(&format!("not{handle}")), None);
/// assert_eq!(call::handle_in(&format!("{handle} and more")), None);
/// ```
#[must_use]
pub fn handle_in(text: &str) -> Option<(&str, &str)> {
    let at = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    // Whatever white space is longer than a byte belongs to no header.
    let (prefix, handle) = text.split_at_checked(at)?;
    let parts = handle.split(':').count();
    (handle.split(':').next() == Some(HANDLE_FORM) && parts >= 6).then_some((prefix, handle))
}
