//! Patterns for files, for shells that do not expand them: `*` and `?` within a name, `**` for any number of
//! directories, `[abc]` for one of some characters.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// Whether a path is a pattern. A file whose name is the pattern itself is not.
pub(super) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[']) && !path.exists()
}

/// The files that match a pattern, sorted by name.
pub(super) fn matches(pattern: &Path) -> Result<Vec<PathBuf>, Error> {
    let text = pattern.to_string_lossy().replace('\\', "/");
    let parts: Vec<&str> = text.split('/').collect();
    let plain = parts
        .iter()
        .take_while(|part| !part.contains(['*', '?', '[']))
        .count();
    let start = match (plain, text.starts_with('/')) {
        (0, _) => PathBuf::from("."),
        (1, true) => PathBuf::from("/"),
        _ => PathBuf::from(parts[..plain].join("/")),
    };
    let mut found = Vec::new();
    walk(&start, &parts[plain..], &mut found)?;
    found.sort();
    found.dedup();
    if plain == 0 {
        let without_dot = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        found = found.into_iter().map(without_dot).collect();
    }
    Ok(found)
}

fn walk(directory: &Path, parts: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let Some((part, rest)) = parts.split_first() else {
        return Ok(());
    };
    if *part == "**" {
        walk(directory, rest, found)?;
    }
    let Ok(entries) = std::fs::read_dir(directory) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry.map_err(|error| Error::reading(directory, &error))?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with('.') && !part.starts_with('.') {
            continue;
        }
        let is_directory = path.is_dir();
        match (*part, rest.is_empty()) {
            // As in shells, links to directories have to be named: they may lead back.
            ("**", _) if is_directory && path.is_symlink() => {}
            ("**", _) if is_directory => walk(&path, parts, found)?,
            ("**", true) => found.push(path),
            ("**", false) => {}
            (part, true) if !is_directory && is_match(part, &name) => found.push(path),
            (part, false) if is_directory && is_match(part, &name) => walk(&path, rest, found)?,
            _ => {}
        }
    }
    Ok(())
}

/// Whether a name matches a part of a pattern.
fn is_match(part: &str, name: &str) -> bool {
    let (part, name): (Vec<char>, Vec<char>) = (part.chars().collect(), name.chars().collect());
    is_match_from(&part, &name)
}

fn is_match_from(part: &[char], name: &[char]) -> bool {
    let Some((first, rest)) = part.split_first() else {
        return name.is_empty();
    };
    match first {
        '*' => {
            // Several stars in a row would try the same ends again and again.
            let rest = &rest[rest.iter().take_while(|next| **next == '*').count()..];
            (0..=name.len()).any(|skipped| is_match_from(rest, &name[skipped..]))
        }
        '?' => !name.is_empty() && is_match_from(rest, &name[1..]),
        '[' => match rest.iter().skip(1).position(|next| *next == ']') {
            Some(end) => {
                let is_one = name.first().is_some_and(|first| is_in(&rest[..=end], *first));
                is_one && is_match_from(&rest[end + 2..], &name[1..])
            }
            None => name.first() == Some(&'[') && is_match_from(rest, &name[1..]),
        },
        plain => name.first() == Some(plain) && is_match_from(rest, &name[1..]),
    }
}

/// Whether a character is in a class such as `abc`, `a-z` or `!x`.
fn is_in(class: &[char], character: char) -> bool {
    let (class, is_negated) = match class {
        ['!' | '^', rest @ ..] if !rest.is_empty() => (rest, true),
        class => (class, false),
    };
    let mut index = 0;
    let mut is_found = false;
    while index < class.len() {
        match class[index..] {
            [from, '-', to, ..] => {
                is_found |= (from..=to).contains(&character);
                index += 3;
            }
            [one, ..] => {
                is_found |= one == character;
                index += 1;
            }
            [] => break,
        }
    }
    is_found != is_negated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(part: &str, yes: &[&str], no: &[&str]) {
        for name in yes {
            assert!(is_match(part, name), "{part} {name}");
        }
        for name in no {
            assert!(!is_match(part, name), "{part} {name}");
        }
    }

    #[test]
    fn parts_match_names() {
        check("*.yaml", &["a.yaml", ".yaml"], &["a.yml", "a.yaml.bak"]);
        check("a?c", &["abc", "a-c"], &["ac", "abbc"]);
        check("[a-c]x", &["ax", "cx"], &["dx", "x"]);
        check("[!a]x", &["bx"], &["ax"]);
        check("[]]", &["]"], &["a"]);
        check("[a", &["[a"], &["a"]);
        check("**a**b", &["ab", "xaxb"], &["ba"]);
    }
}
