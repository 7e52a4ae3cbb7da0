//! Releases of Kubernetes whose answers can be given, and what changed with them. Gates decide most of it
//! ([`feature_gate`](crate::feature_gate)), fields and kinds are in `api/versions.txt`; the rest is in the list of
//! [`Behavior`]s. Rules ask for a behavior or a gate, never for a number.

mod behavior;
mod per_release;

use std::fmt;
use std::str::FromStr;

pub use behavior::Behavior;
pub use per_release::PerRelease;

/// A minor release of Kubernetes 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(u8);

impl Release {
    /// The newest one, which may not be out yet.
    pub const NEWEST: Release = Release(38);
    /// The newest one that is out.
    pub const OUT: Release = Release(37);
    /// Those whose answers can be given, oldest first.
    pub const KNOWN: &'static [Release] = &[Release(34), Release(35), Release(36), Release(37), Release(38)];

    /// The release 1.`minor`.
    #[must_use]
    pub const fn minor(minor: u8) -> Release {
        Release(minor)
    }

    /// The second number of its name.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The release before it.
    #[must_use]
    pub const fn before(self) -> Release {
        Release(self.0.saturating_sub(1))
    }

    /// The place among the known releases: of the oldest for older ones, of the newest for newer ones.
    #[must_use]
    pub fn place(self) -> usize {
        let last = Release::KNOWN.len() - 1;
        usize::from(self.0.saturating_sub(Release::KNOWN[0].0)).min(last)
    }

    /// Whether the release behaves so.
    #[must_use]
    pub fn has(self, behavior: Behavior) -> bool {
        behavior.since() <= self
    }

    /// Reads `1.36`, with or without `v` and patch release; `None` if it is not a version of Kubernetes 1.
    #[must_use]
    pub fn parse(text: &str) -> Option<Release> {
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
        let major = parts.next()?;
        let minor = parts.next()?.parse().ok()?;
        (major == "1").then_some(Release(minor))
    }
}

impl Default for Release {
    /// The newest release that is out.
    fn default() -> Self {
        Release::OUT
    }
}

impl fmt::Display for Release {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "1.{}", self.0)
    }
}

/// Why a text names no known release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRelease;

impl fmt::Display for UnknownRelease {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = Release::KNOWN.iter().map(ToString::to_string).collect();
        write!(out, "known releases are {}", names.join(", "))
    }
}

impl std::error::Error for UnknownRelease {}

impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let release = Release::parse(text).ok_or(UnknownRelease)?;
        if Release::KNOWN.contains(&release) {
            Ok(release)
        } else {
            Err(UnknownRelease)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_releases_are_read_with_and_without_patch_release() {
        for (text, expected) in [
            ("1.34", Some(34)),
            ("v1.36.4", Some(36)),
            ("1.38.0-alpha.0", Some(38)),
            ("1.33", None),
            ("1.39", None),
            ("2.36", None),
            ("1", None),
            ("", None),
        ] {
            let release = text.parse::<Release>().ok();
            assert_eq!(release.map(Release::number), expected, "{text}");
        }
        let error = "1.33".parse::<Release>().expect_err("it is not known");
        assert_eq!(
            error.to_string(),
            "known releases are 1.34, 1.35, 1.36, 1.37, 1.38"
        );
    }

    #[test]
    fn places_follow_each_other() {
        let places: Vec<usize> = [29, 34, 36, 38, 40].map(|minor| Release(minor).place()).into();
        assert_eq!(places, [0, 0, 2, 4, 4]);
    }
}
