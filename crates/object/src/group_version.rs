//! Groups, versions, kinds and resources: how they are written together and read back (apimachinery's
//! pkg/runtime/schema/group_version.go). Knows no kind.
//!
//! All types hold their names borrowed (`GroupVersion<&str>`, which is `Copy`) or owned (`GroupVersion`).

use std::error::Error;
use std::fmt;

use kindsmith_schema::Str;

/// A group and one of its versions: `apps/v1`, or `v1` in the core group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersion<T = Str> {
    /// The group; empty for the core group.
    pub group: T,
    /// The version.
    pub version: T,
}

/// A kind in a version: printed as `apps/v1, Kind=Deployment`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersionKind<T = Str> {
    /// The group; empty for the core group.
    pub group: T,
    /// The version.
    pub version: T,
    /// The kind.
    pub kind: T,
}

/// A resource in a version: printed as `apps/v1, Resource=deployments`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersionResource<T = Str> {
    /// The group; empty for the core group.
    pub group: T,
    /// The version.
    pub version: T,
    /// The resource.
    pub resource: T,
}

/// A resource in all versions: printed as `deployments.apps`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupResource<T = Str> {
    /// The group; empty for the core group.
    pub group: T,
    /// The resource.
    pub resource: T,
}

/// A kind in all versions: printed as `Deployment.apps`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKind<T = Str> {
    /// The group; empty for the core group.
    pub group: T,
    /// The kind.
    pub kind: T,
}

/// A text with more than one slash is not a group and version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotGroupVersion(String);

impl Error for NotGroupVersion {}

impl fmt::Display for NotGroupVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "unexpected GroupVersion string: {}", self.0)
    }
}

impl<'a> GroupVersion<&'a str> {
    /// Reads `group/version` or `version`, as in `apiVersion` (`schema.ParseGroupVersion`). An empty text is an empty
    /// group and version.
    ///
    /// ```
    /// use kindsmith_object::GroupVersion;
    /// assert_eq!(GroupVersion::parse("apps/v1")?.group, "apps");
    /// assert_eq!(GroupVersion::parse("v1")?.version, "v1");
    /// let error = GroupVersion::parse("a/b/c").unwrap_err();
    /// assert_eq!(error.to_string(), "unexpected GroupVersion string: a/b/c");
    /// # Ok::<(), kindsmith_object::NotGroupVersion>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text has more than one slash.
    pub fn parse(text: &'a str) -> Result<Self, NotGroupVersion> {
        let (group, version) = text.split_once('/').unwrap_or(("", text));
        if version.contains('/') {
            return Err(NotGroupVersion(text.to_owned()));
        }
        Ok(Self { group, version })
    }
}

impl<T> GroupVersion<T> {
    /// A kind of this group and version.
    pub fn with_kind(self, kind: T) -> GroupVersionKind<T> {
        GroupVersionKind {
            group: self.group,
            version: self.version,
            kind,
        }
    }

    /// A resource of this group and version.
    pub fn with_resource(self, resource: T) -> GroupVersionResource<T> {
        GroupVersionResource {
            group: self.group,
            version: self.version,
            resource,
        }
    }
}

impl<T: AsRef<str>> GroupVersion<T> {
    /// The path under which it is served: `/apis/apps/v1`, `/api/v1`.
    #[must_use]
    pub fn url_path(&self) -> String {
        let version = self.version.as_ref();
        match self.group.as_ref() {
            "" => format!("/api/{version}"),
            group => format!("/apis/{group}/{version}"),
        }
    }
}

impl<T: AsRef<str>> GroupVersionKind<T> {
    /// The group and version.
    #[must_use]
    pub fn group_version(&self) -> GroupVersion<&str> {
        GroupVersion {
            group: self.group.as_ref(),
            version: self.version.as_ref(),
        }
    }

    /// The kind without its version.
    #[must_use]
    pub fn group_kind(&self) -> GroupKind<&str> {
        GroupKind {
            group: self.group.as_ref(),
            kind: self.kind.as_ref(),
        }
    }
}

impl<T: AsRef<str>> GroupVersionResource<T> {
    /// The group and version.
    #[must_use]
    pub fn group_version(&self) -> GroupVersion<&str> {
        GroupVersion {
            group: self.group.as_ref(),
            version: self.version.as_ref(),
        }
    }

    /// The resource without its version.
    #[must_use]
    pub fn group_resource(&self) -> GroupResource<&str> {
        GroupResource {
            group: self.group.as_ref(),
            resource: self.resource.as_ref(),
        }
    }
}

impl<T: AsRef<str>> fmt::Display for GroupVersion<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group.as_ref() {
            "" => out.write_str(self.version.as_ref()),
            group => write!(out, "{group}/{}", self.version.as_ref()),
        }
    }
}

impl<T: AsRef<str>> fmt::Display for GroupVersionKind<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, version) = (self.group.as_ref(), self.version.as_ref());
        write!(out, "{group}/{version}, Kind={}", self.kind.as_ref())
    }
}

impl<T: AsRef<str>> fmt::Display for GroupVersionResource<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, version) = (self.group.as_ref(), self.version.as_ref());
        write!(out, "{group}/{version}, Resource={}", self.resource.as_ref())
    }
}

impl<T: AsRef<str>> fmt::Display for GroupResource<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        dotted(out, self.resource.as_ref(), self.group.as_ref())
    }
}

impl<T: AsRef<str>> fmt::Display for GroupKind<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        dotted(out, self.kind.as_ref(), self.group.as_ref())
    }
}

fn dotted(out: &mut fmt::Formatter<'_>, name: &str, group: &str) -> fmt::Result {
    match group {
        "" => out.write_str(name),
        _ => write!(out, "{name}.{group}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_and_version_has_at_most_one_slash() {
        for (text, group, version) in [
            ("apps/v1", "apps", "v1"),
            ("v1", "", "v1"),
            ("", "", ""),
            ("/", "", ""),
            ("/v1", "", "v1"),
            ("apps/", "apps", ""),
        ] {
            assert_eq!(
                GroupVersion::parse(text),
                Ok(GroupVersion { group, version }),
                "{text}"
            );
        }
        for text in ["a/b/c", "//", "a//"] {
            let error = GroupVersion::parse(text).expect_err("too many slashes");
            assert_eq!(
                error.to_string(),
                format!("unexpected GroupVersion string: {text}")
            );
        }
    }

    #[test]
    fn they_are_printed_as_go_prints_them() {
        for (text, path, kind, resource, group_kind, group_resource) in [
            (
                "apps/v1",
                "/apis/apps/v1",
                "apps/v1, Kind=K",
                "apps/v1, Resource=r",
                "K.apps",
                "r.apps",
            ),
            ("v1", "/api/v1", "/v1, Kind=K", "/v1, Resource=r", "K", "r"),
        ] {
            let version = GroupVersion::parse(text).expect("one slash at most");
            assert_eq!(version.to_string(), text);
            assert_eq!(version.url_path(), path);
            assert_eq!(version.with_kind("K").to_string(), kind);
            assert_eq!(version.with_kind("K").group_kind().to_string(), group_kind);
            let resource_of = version.with_resource("r");
            assert_eq!(resource_of.to_string(), resource);
            assert_eq!(resource_of.group_resource().to_string(), group_resource);
        }
    }
}
