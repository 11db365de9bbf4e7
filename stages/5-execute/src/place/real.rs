//! A path of the policy, with its links followed.

use call::AbsolutePath;

use super::entrance::under;

/// Where a path that a person wrote into the policy leads now.
///
/// All links are followed. What does not exist yet, or cannot be looked at, is kept as it is
/// written, below the last folder that does exist.
#[must_use]
pub fn real_path(path: &AbsolutePath) -> AbsolutePath {
    let found = path.and_above().find_map(|above| {
        let real = std::fs::canonicalize(above.as_str()).ok()?;
        under(&AbsolutePath::parse(real.to_str()?)?, path.below(&above)?)
    });
    found.unwrap_or_else(|| path.clone())
}
