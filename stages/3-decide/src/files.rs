//! The texts that a policy is made of.

use std::collections::BTreeMap;

use call::{AbsolutePath, Sha256};

/// Every file that belongs to a policy, by its name below the home: `policy.toml`,
/// `skills/<name>/PERMISSIONS.json`, `policies/<name>.cedar`, `tools/<server>.toml`, and `approvers`, because
/// who may approve is policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyFiles(pub BTreeMap<String, Vec<u8>>);

/// What the names in a policy are relative to, and where links lead. All of it is told by a door.
pub trait Ground {
    /// The folder that holds the home; relative entries belong to it.
    fn workspace(&self) -> &AbsolutePath;

    /// The user's home folder, which `~` stands for.
    fn user_home(&self) -> Option<&AbsolutePath>;

    /// The folder or file without links; what does not exist yet stays as it is written.
    fn real(&self, path: &AbsolutePath) -> AbsolutePath;
}

impl PolicyFiles {
    /// Whether a file of this name below the home belongs to the policy. Folders of skills that
    /// begin with `_` do not.
    ///
    /// ```
    /// use decide::PolicyFiles;
    ///
    /// assert!(PolicyFiles::has("skills/web_research/PERMISSIONS.json"));
    /// assert!(!PolicyFiles::has("skills/_drafts/PERMISSIONS.json"));
    /// ```
    #[must_use]
    pub fn has(name: &str) -> bool {
        let parts: Vec<&str> = name.split('/').collect();
        match parts.as_slice() {
            ["policy.toml" | "approvers"] => true,
            ["skills", skill, "PERMISSIONS.json"] => !skill.starts_with('_'),
            ["policies", file] => file.ends_with(".cedar"),
            ["tools", file] => file.ends_with(".toml"),
            _ => false,
        }
    }

    /// The digest of all names and contents: what is in force is known by it.
    #[must_use]
    pub fn digest(&self) -> Sha256 {
        let digests: BTreeMap<&str, Sha256> =
            self.0.iter().map(|(name, bytes)| (name.as_str(), Sha256::of(bytes))).collect();
        // Text keys and values only: this cannot fail, and a digest of nothing matches no policy.
        Sha256::of(&serde_json_canonicalizer::to_vec(&digests).unwrap_or_default())
    }
}
