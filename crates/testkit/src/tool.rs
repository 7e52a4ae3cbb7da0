//! Optional tools: a test skips what needs a missing tool, and says so.
//!
//! `KINDSMITH_REQUIRE=go,etcd,kubectl` names tools that must be installed. A test that would skip something because one
//! of them is missing fails instead.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// The Go toolchain with the modules it downloads.
    Go,
    /// An etcd server.
    Etcd,
    /// A kubectl.
    Kubectl,
}

impl Tool {
    const ALL: [Self; 3] = [Self::Go, Self::Etcd, Self::Kubectl];

    /// Its name in `KINDSMITH_REQUIRE`.
    fn name(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Etcd => "etcd",
            Self::Kubectl => "kubectl",
        }
    }

    fn missing(self) -> &'static str {
        match self {
            Self::Go => "no go, or it cannot get its modules",
            Self::Etcd => "no etcd",
            Self::Kubectl => "no kubectl",
        }
    }
}

/// Prints, once, what a test skips because a tool is missing.
///
/// # Panics
///
/// If the tool is required.
pub fn left_out(tool: Tool, what: &str) {
    let line = format!("left out: {what} ({})", tool.missing());
    let required = env::var("KINDSMITH_REQUIRE").unwrap_or_default();
    assert!(
        !lists(&required, tool),
        "KINDSMITH_REQUIRE={required}, but {line}"
    );
    say_once(line);
}

/// Whether a list of names contains a tool. Panics on a misspelled name, which would otherwise require nothing.
fn lists(required: &str, tool: Tool) -> bool {
    let names = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    let tools = names.map(|name| {
        let known = Tool::ALL.into_iter().find(|tool| tool.name() == name);
        known.unwrap_or_else(|| panic!("KINDSMITH_REQUIRE={required}: no test uses {name}"))
    });
    // All names are visited, so that a misspelled one is noticed even after a match.
    tools.filter(|listed| *listed == tool).count() > 0
}

/// The directory of a Go module, downloaded if necessary; `None` if it is not available.
#[must_use]
pub fn download(module: &str) -> Option<PathBuf> {
    let child = Command::new("go")
        .args(["mod", "download", "-json", module])
        .current_dir("/")
        .env("GOTOOLCHAIN", "local")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    downloading(module);
    let output = child.wait_with_output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    let line = answer.lines().find(|line| line.contains("\"Dir\":"))?;
    line.split('"').nth(3).map(PathBuf::from)
}

/// Prints, once, that a module may be downloaded.
pub fn downloading(module: &str) {
    say_once(format!("downloading {module} through the Go module proxy"));
}

fn say_once(line: String) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().expect("nobody panics while saying something");
    if !said.contains(&line) {
        say(&line);
        said.insert(line);
    }
}

/// Prints a line that the test harness does not capture.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", line.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_tools_are_listed() {
        assert!(lists("go, etcd", Tool::Etcd));
        assert!(!lists("go,etcd", Tool::Kubectl));
        assert!(!lists("", Tool::Go));
    }

    #[test]
    #[should_panic(expected = "no test uses etdc")]
    fn misspelled_tools_are_rejected() {
        lists("go,etdc", Tool::Go);
    }
}
