//! Finds `MODULE@VERSION` in Go's module cache. A directory of the module may stand between path and version, as in
//! `go install`.

use std::path::Path;

use crate::error::Error;
use crate::files::module_cache;

/// The directory of a module's version; `None` if the text does not name one.
pub(super) fn directory(text: &str) -> Result<Option<String>, Error> {
    let Some((path, version)) = text.rsplit_once('@') else {
        return Ok(None);
    };
    if path.is_empty() || !version.starts_with('v') {
        return Ok(None);
    }
    let (path, is_tree) = match path.strip_suffix("/...") {
        Some(path) => (path, true),
        None => (path, false),
    };
    let found = module_cache().and_then(|cache| find(&cache, path, version));
    let Some((module, inside)) = found else {
        return Err(
            Error::input(format!("{path} {version} is not in Go's module cache")).hint(format!(
                "`go mod download MODULE@{version}` puts the module there"
            )),
        );
    };
    let directory = format!("{module}{inside}");
    if !Path::new(&directory).exists() {
        return Err(Error::input(format!(
            "{version} of the module has no {}",
            inside.trim_start_matches('/')
        )));
    }
    Ok(Some(if is_tree {
        format!("{directory}/...")
    } else {
        directory
    }))
}

/// The module's directory, and the path inside it: the longest module path that is there.
fn find(cache: &str, path: &str, version: &str) -> Option<(String, String)> {
    let mut module = path;
    loop {
        let directory = format!("{cache}/{}@{version}", escaped(module));
        if Path::new(&directory).is_dir() {
            return Some((directory, path[module.len()..].to_owned()));
        }
        module = module.rsplit_once('/')?.0;
    }
}

/// A module path as the cache spells it: capitals are small letters after `!`.
fn escaped(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for letter in path.chars() {
        if letter.is_ascii_uppercase() {
            escaped.push('!');
        }
        escaped.push(letter.to_ascii_lowercase());
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_are_escaped() {
        assert_eq!(escaped("github.com/Azure/api"), "github.com/!azure/api");
    }

    #[test]
    fn other_texts_are_no_modules() {
        for text in ["config/crd", "user@host", "@v1"] {
            assert_eq!(directory(text), Ok(None), "{text}");
        }
    }
}
