//! Paths of files in volumes and containers, as text of an object (`validateLocalDescendingPath` and its neighbors in
//! pkg/apis/core/validation/validation.go).

use crate::field::{Errors, Field};

/// Does a path go up anywhere?
pub(crate) fn goes_up(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}

/// Refuses a path that goes up.
pub(crate) fn check_descending(path: &Field<'_, '_>, errors: &mut Errors) {
    if goes_up(path.text()) {
        path.invalid("must not contain '..'", errors);
    }
}

/// Must start below some directory, and stay there.
pub(crate) fn check_relative(path: &Field<'_, '_>, errors: &mut Errors) {
    if path.text().starts_with('/') {
        path.invalid("must be a relative path", errors);
    }
    check_descending(path, errors);
}

/// Must be relative, and no name that volumes keep for themselves.
pub(crate) fn check_unreserved(path: &Field<'_, '_>, errors: &mut Errors) {
    check_relative(path, errors);
    let text = path.text();
    if text.starts_with("..") && !text.starts_with("../") {
        path.invalid("must not start with '..'", errors);
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Path, Value};

    use super::*;

    #[test]
    fn says_what_is_wrong() {
        for (path, expected) in [
            ("a/b", ""),
            ("/a", "must be a relative path"),
            ("a/../b", "must not contain '..'"),
            ("..a", "must not start with '..'"),
            ("../a", "must not contain '..'"),
        ] {
            let field = Field {
                path: Path::root("path"),
                value: Some(Value::Str(path)),
                release: kindsmith_object::Release::NEWEST,
            };
            let mut errors = Vec::new();
            check_unreserved(&field, &mut errors);
            let found: Vec<String> = errors.iter().map(|error| error.detail.to_string()).collect();
            assert_eq!(found.join(" "), expected, "{path}");
        }
    }
}
