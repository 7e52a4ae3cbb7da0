//! Paths as text, and the directories that a pattern such as `./...` matches.

use super::files::Files;

/// Directories are not searched deeper than this, so that a cycle of links ends.
const MAX_DEPTH: u32 = 60;

/// Resolves `.` and `..` inside a path.
pub(super) fn clean(path: &str) -> String {
    if is_clean(path) {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// Whether every part of a path is a name, which is true for most paths.
fn is_clean(path: &str) -> bool {
    let bytes = path.as_bytes();
    // Names that start with a dot are rare enough for the slow path.
    let starts_name = |at: usize| bytes.get(at).is_some_and(|byte| !matches!(byte, b'/' | b'.'));
    let starts = memchr::memchr_iter(b'/', bytes).map(|slash| slash + 1);
    (path.starts_with('/') || starts_name(0)) && starts.into_iter().all(starts_name)
}

/// A path below a directory, or the path itself if it is absolute.
pub(super) fn join(directory: &str, path: &str) -> String {
    if path.starts_with('/') {
        return clean(path);
    }
    match directory {
        "." | "" => clean(path),
        _ => clean(&format!("{directory}/{path}")),
    }
}

/// The parent directory; of a relative path it may be `..`.
pub(super) fn parent(directory: &str) -> Option<String> {
    match directory {
        "/" => None,
        _ => Some(join(directory, "..")),
    }
}

/// The rest of `path` below `directory`, without a leading slash.
pub(super) fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    if directory == "." {
        return (!path.starts_with(['/', '.']))
            .then_some(path)
            .or((path == ".").then_some(""));
    }
    match path.strip_prefix(directory)? {
        "" => Some(""),
        _ if directory == "/" => path.strip_prefix('/'),
        rest => rest.strip_prefix('/'),
    }
}

/// The directories with Go files that a pattern matches: itself, or with `/...` all below it.
pub(super) fn directories(files: &dyn Files, pattern: &str) -> Vec<String> {
    let all = pattern == "..." || pattern.ends_with("/...");
    if !all {
        return vec![clean(pattern)];
    }
    let root = clean(pattern.trim_end_matches("...").trim_end_matches('/'));
    let root = if pattern == "/..." { "/".to_owned() } else { root };
    let mut found = Vec::new();
    walk(files, &root, MAX_DEPTH, &mut found);
    found
}

fn walk(files: &dyn Files, directory: &str, depth: u32, found: &mut Vec<String>) {
    let Ok(mut entries) = files.list(directory) else {
        return;
    };
    entries.sort();
    if entries
        .iter()
        .any(|entry| !entry.directory && entry.name.ends_with(".go"))
    {
        found.push(directory.to_owned());
    }
    for entry in entries.iter().filter(|entry| entry.directory) {
        let name = entry.name.as_str();
        let hidden = name.starts_with(['.', '_']) || name == "testdata" || name == "vendor";
        let path = join(directory, name);
        // A directory with its own go.mod is another module.
        if !hidden && depth > 0 && !files.exists(&join(&path, "go.mod")) {
            walk(files, &path, depth - 1, found);
        }
    }
}
