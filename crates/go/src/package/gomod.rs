//! The file formats of modules: `go.mod` and `go.work`. Unknown directives are skipped: the Go toolchain
//! checks these files, we only need the places of packages.

/// The content of a `go.mod`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoMod {
    /// The module's path.
    pub module: String,
    /// The `go` version.
    pub go: Option<String>,
    /// Required modules.
    pub require: Vec<Requirement>,
    /// Replaced modules.
    pub replace: Vec<Replacement>,
}

/// A required module and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The module's path.
    pub path: String,
    /// The version, such as `v1.2.3`.
    pub version: String,
}

/// A replacement for a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The replaced module.
    pub path: String,
    /// The replaced version; `None` means every version.
    pub version: Option<String>,
    /// A directory (starting with `.` or `/`) or another module's path.
    pub target: String,
    /// The version of the other module; `None` for a directory.
    pub target_version: Option<String>,
}

/// The content of a `go.work`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoWork {
    /// Directories of the workspace's modules.
    pub directories: Vec<String>,
    /// Replaced modules.
    pub replace: Vec<Replacement>,
}

impl GoMod {
    /// Reads a `go.mod`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut module = Self::default();
        directives(text, |words| match words {
            ["module", path] => module.module = (*path).to_owned(),
            ["go", version] => module.go = Some((*version).to_owned()),
            ["require", path, version, ..] => module.require.push(Requirement {
                path: (*path).to_owned(),
                version: (*version).to_owned(),
            }),
            ["replace", rest @ ..] => module.replace.extend(replacement(rest)),
            _ => {}
        });
        module
    }
}

impl GoWork {
    /// Reads a `go.work`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut work = Self::default();
        directives(text, |words| match words {
            ["use", directory] => work.directories.push((*directory).to_owned()),
            ["replace", rest @ ..] => work.replace.extend(replacement(rest)),
            _ => {}
        });
        work
    }
}

fn replacement(words: &[&str]) -> Option<Replacement> {
    let arrow = words.iter().position(|word| *word == "=>")?;
    let word = |index: usize| words.get(index).map(|word| (*word).to_owned());
    Some(Replacement {
        path: word(0)?,
        version: if arrow > 1 { word(1) } else { None },
        target: word(arrow + 1)?,
        target_version: word(arrow + 2),
    })
}

/// Splits the directives of a file into words; those in parentheses with their keyword repeated.
fn directives<'t>(text: &'t str, mut each: impl FnMut(&[&'t str])) {
    let mut block: Option<&str> = None;
    let mut words: Vec<&str> = Vec::new();
    for line in text.lines() {
        let comment = line.as_bytes().windows(2).position(|two| two == b"//");
        let line = &line[..comment.unwrap_or(line.len())];
        words.clear();
        words.extend(block);
        words.extend(line.split_whitespace().map(unquote));
        match (block, words.as_slice()) {
            (_, []) | (Some(_), [_]) => {}
            (Some(_), [_, ")"]) => block = None,
            (None, [keyword, "("]) => block = Some(keyword),
            (_, words) => each(words),
        }
    }
}

fn unquote(word: &str) -> &str {
    word.trim_matches(['"', '`'])
}
