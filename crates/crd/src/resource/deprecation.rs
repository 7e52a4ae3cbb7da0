//! The warning for requests to a deprecated version.

use std::cmp::Ordering;

use kindsmith_openapi::crd::{Spec, Version};

/// The CRD's warning, or the default one (`defaultDeprecationWarning` in apiextensions-apiserver's
/// pkg/apiserver/customresource_handler.go).
pub(super) fn warning(spec: &Spec, version: &Version) -> Option<String> {
    if !version.deprecated {
        return None;
    }
    if let Some(text) = &version.deprecation_warning {
        return Some(text.to_string());
    }
    let (group, kind) = (&spec.group, &spec.names.kind);
    let newest = spec
        .versions
        .iter()
        .filter(|other| other.served && !other.deprecated)
        .filter(|other| compare(&version.name, &other.name) == Ordering::Less)
        .max_by(|left, right| compare(&left.name, &right.name));
    let instead = newest.map_or_else(String::new, |newest| {
        format!("; use {group}/{} {kind}", newest.name)
    });
    Some(format!("{group}/{} {kind} is deprecated{instead}", version.name))
}

/// Orders versions as discovery does: stable before beta before alpha, then by number; other names are the lowest,
/// ordered by text (`CompareKubeAwareVersionStrings` in apimachinery's pkg/version/helpers.go).
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    match (parse(left), parse(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (None, None) => right.cmp(left),
    }
}

/// Stability (2 is stable), major and minor number of `v1`, `v2beta3`, `v1alpha1`.
fn parse(name: &str) -> Option<(u8, u64, u64)> {
    let rest = name.strip_prefix('v')?;
    let digits = rest
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(rest.len());
    let (major, rest) = rest.split_at(digits);
    let major = number(major)?;
    let (stability, minor) = match rest {
        "" => return Some((2, major, 0)),
        rest => match rest.strip_prefix("beta") {
            Some(minor) => (1, minor),
            None => (0, rest.strip_prefix("alpha")?),
        },
    };
    Some((stability, major, number(minor)?))
}

fn number(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_in_discovery() {
        let mut names = [
            "v1beta1",
            "v10",
            "foo1",
            "v11alpha2",
            "v2",
            "v3beta1",
            "v12alpha1",
            "v1",
            "v11beta2",
            "foo10",
        ];
        names.sort_by(|left, right| compare(right, left));
        let expected = [
            "v10",
            "v2",
            "v1",
            "v11beta2",
            "v3beta1",
            "v1beta1",
            "v12alpha1",
            "v11alpha2",
            "foo1",
            "foo10",
        ];
        assert_eq!(names, expected);
    }
}
