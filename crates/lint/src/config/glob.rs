//! Patterns for paths: `*` within a name, `**` over directories.

/// A pattern for paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob(Vec<String>);

impl Glob {
    pub(super) fn new(pattern: &str) -> Self {
        let pattern = pattern.trim_start_matches("./");
        Self(pattern.split('/').map(str::to_owned).collect())
    }

    /// Whether the end of a path matches, at the start of a name. A pattern for a directory matches everything in it.
    pub(super) fn matches(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').filter(|part| *part != ".").collect();
        (0..parts.len()).any(|from| matches(&self.0, &parts[from..]))
    }
}

fn matches(pattern: &[String], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, _) => true,
        (Some((first, rest)), _) if first == "**" => {
            (0..=path.len()).any(|skipped| matches(rest, &path[skipped..]))
        }
        (Some(_), None) => false,
        (Some((first, rest)), Some((name, below))) => {
            name_matches(first.as_bytes(), name.as_bytes()) && matches(rest, below)
        }
    }
}

fn name_matches(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', rest)) => (0..=name.len()).any(|skipped| name_matches(rest, &name[skipped..])),
        Some((first, rest)) => name
            .split_first()
            .is_some_and(|(c, name)| c == first && name_matches(rest, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stay_within_names() {
        for (pattern, path, expected) in [
            ("api/v1", "api/v1/types.go", true),
            ("api/*/types.go", "./api/v1/types.go", true),
            ("api/*.go", "api/v1/types.go", false),
            ("api/**/*.go", "api/v1/x/types.go", true),
            ("*_test.go", "api/v1/a_test.go", true),
            ("v1", "api/v1beta1/types.go", false),
        ] {
            assert_eq!(Glob::new(pattern).matches(path), expected, "{pattern} {path}");
        }
    }
}
