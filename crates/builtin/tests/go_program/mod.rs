//! A Go program that a test builds against published modules and talks to over its standard input and output.

pub(crate) mod staging;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kindsmith_testkit::tool::downloading;

/// A program: its directory below the target directory, its source, and the `go.mod` it needs.
pub(crate) struct Program<'a> {
    pub(crate) name: &'a str,
    pub(crate) source: &'a str,
    pub(crate) modules: String,
    /// What is downloaded, for people who wait.
    pub(crate) downloads: Vec<String>,
}

impl Program<'_> {
    /// Builds the program; `None` if Go or the modules are not available.
    pub(crate) fn build(&self) -> Option<PathBuf> {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.name);
        fs::create_dir_all(&directory).expect("a directory for the test");
        for (name, text) in [("main.go", self.source), ("go.mod", &*self.modules)] {
            fs::write(directory.join(name), text).expect("the directory can be written");
        }
        self.downloads.iter().for_each(|module| downloading(module));
        let built = go(&directory, &["build", "-ldflags=-s -w", "-o", "program", "."])?;
        if built.status.success() {
            return Some(directory.join("program"));
        }
        let said = String::from_utf8_lossy(&built.stderr);
        let no_modules = [
            "dial tcp",
            "no such host",
            "module lookup disabled",
            "connection refused",
        ];
        assert!(no_modules.iter().any(|words| said.contains(words)), "{said}");
        None
    }
}

/// Runs a Go command; `None` if Go is not installed.
fn go(directory: &Path, arguments: &[&str]) -> Option<Output> {
    let mut command = Command::new("go");
    command.args(arguments).current_dir(directory);
    command
        .env("GOFLAGS", "-mod=mod")
        .env("GOWORK", "off")
        .env("GOTOOLCHAIN", "local");
    run(command, &[]).ok()
}

/// What the program answers to this input.
///
/// # Panics
///
/// If it fails.
pub(crate) fn ask(program: &Path, input: &str) -> String {
    let output = run(Command::new(program), input.as_bytes()).expect("the program starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("the program writes text")
}

fn run(mut command: Command, input: &[u8]) -> io::Result<Output> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().expect("it was asked for");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output()
    })?;
    Ok(output)
}
