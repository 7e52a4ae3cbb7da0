//! Runs the built binary and captures its output.
use std::process::{Command, Output, Stdio};

/// The output of one run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn check(&self, code: i32, stdout: &str, stderr: &str) {
        assert_eq!(self.stderr, stderr);
        assert_eq!(self.stdout, stdout);
        assert_eq!(self.code, Some(code));
    }
}

/// Runs `kindsmith` at the top of the repository. Arguments are split at spaces, except between single quotes.
pub(crate) fn kindsmith(words: &str) -> Run {
    finish(&mut command(words))
}

/// Runs it in another directory.
pub(crate) fn kindsmith_in(directory: &std::path::Path, words: &str) -> Run {
    finish(command(words).current_dir(directory))
}

/// Runs it with one environment variable set.
pub(crate) fn with_env(words: &str, name: &str, value: &str) -> Run {
    finish(command(words).env(name, value))
}

/// Runs it with standard output closed.
pub(crate) fn into_closed_pipe(words: &str) -> Run {
    let (reader, writer) = std::io::pipe().expect("pipes are there");
    drop(reader);
    let child = command(words).stdout(writer).stderr(Stdio::piped()).spawn();
    let output = child.and_then(std::process::Child::wait_with_output);
    read(output.expect("the binary starts"))
}

/// The top of the repository.
pub(crate) fn root() -> &'static std::path::Path {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).expect("the crate lies in crates/cli")
}

fn command(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kindsmith"));
    command.args(split(words)).current_dir(root());
    // Settings of the developer's terminal must not change results.
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

fn split(words: &str) -> Vec<String> {
    let mut split = Vec::new();
    for (index, part) in words.split('\'').enumerate() {
        if index % 2 == 1 {
            split.push(part.to_owned());
        } else {
            split.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    split
}

fn finish(command: &mut Command) -> Run {
    read(command.output().expect("the binary starts"))
}

fn read(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Run {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Runs it with text on standard input.
pub(crate) fn with_input(words: &str, input: &str) -> Run {
    use std::io::Write as _;
    let mut command = command(words);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it was asked for");
    // Write and read at once: a process that answers line by line would block on a full pipe.
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.write_all(input.as_bytes()));
        let run = read(child.wait_with_output().expect("the binary ends"));
        writer.join().expect("no panic").expect("the binary reads");
        run
    })
}
