//! `kindsmith lint --watch`: runs again after changes of sources, of packages it imports and of settings.

use std::io::{BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

const TYPES: &str =
    "package v1\n\ntype Spec struct {\n\t// +k8s:maxLenght=3\n\tName string `json:\"name\"`\n}\n";

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    // In one step, so that the watcher sees either the old file or the new one.
    let new = root.join("new");
    std::fs::write(&new, text).expect("the file can be written");
    std::fs::rename(new, path).expect("it can be renamed");
}

fn project(name: &str) -> PathBuf {
    let root: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "lint-watch", name].iter().collect();
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).expect("the folder can be made");
    write(&root, "go.mod", "module example.org/park\n");
    write(
        &root,
        "v1/doc.go",
        "// +k8s:validation-gen=*\n// +groupName=park.example.org\npackage v1\n",
    );
    write(&root, "v1/types.go", TYPES);
    root
}

/// A watching linter; it ends with the test.
struct Watching {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watching {
    fn start(root: &Path, words: &str) -> Self {
        // One stream for findings and for what is said, so that their order is known.
        let command = format!("exec \"$0\" lint --watch {words} 2>&1");
        let mut child = Command::new("sh")
            .args(["-c", &command, env!("CARGO_BIN_EXE_kindsmith")])
            .current_dir(root)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let lines = BufReader::new(child.stdout.take().expect("it was asked for")).lines();
        Self { child, lines }
    }

    /// The text of one round.
    fn round(&mut self) -> String {
        let mut text = String::new();
        loop {
            let line = self.lines.next().expect("the binary goes on").expect("text");
            text += &line;
            text.push('\n');
            if line.contains("waiting for changes") || line.starts_with("error: ") {
                return text;
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn sources_and_settings_are_followed() {
    let root = project("follow");
    let mut watching = Watching::start(&root, "./...");
    assert!(watching.round().contains("unknown-tag"));
    write(&root, "v1/types.go", &TYPES.replace("Lenght", "Length"));
    let clean = watching.round();
    assert!(!clean.contains("unknown-tag"), "{clean}");
    // A package that was not there before.
    write(&root, "v2/types.go", &TYPES.replace("v1", "v2"));
    assert!(watching.round().contains("unknown-tag"));
    // Settings that were not there before, then wrong ones.
    write(&root, "kindsmith.toml", "[lint]\nignore = [\"unknown-tag\"]\n");
    let quiet = watching.round();
    assert!(!quiet.contains("unknown-tag"), "{quiet}");
    write(&root, "kindsmith.toml", "[lint]\nignore = 1\n");
    assert!(watching.round().starts_with("error: "));
    std::fs::remove_file(root.join("kindsmith.toml")).expect("it is there");
    assert!(watching.round().contains("unknown-tag"));
}

#[test]
fn a_wrong_command_line_ends_it() {
    let root = project("wrong");
    let output = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
        .args(["lint", "--watch", "no/such/directory"])
        .current_dir(&root)
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
}
