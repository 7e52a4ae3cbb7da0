//! Runs commands as a reader would: in a project, with `kindsmith` on the path, servers in the background.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use kindsmith_testkit::tool::{Tool, left_out};

use crate::binary::root;
use crate::check_gate::Folder;

/// Programs of others that a reader has, as scripts: what a chart renders, and a browser that opens nothing.
const STAND_INS: [(&str, &str); 2] = [("helm", "cat manifests/*.yaml"), ("xdg-open", "true")];

/// A project in a directory of its own, and the server that runs in it.
pub(super) struct Stage {
    document: String,
    folder: Folder,
    server: Option<Child>,
    kubeconfig: Option<String>,
    /// What `export` set.
    variables: Vec<(String, String)>,
    /// Files that commands would have written whose program is missing.
    unwritten: Vec<(String, Tool)>,
}

impl Stage {
    pub(super) fn new(document: &str) -> Self {
        let name = document.replace(['/', '.'], "-");
        // The tutorial begins with nothing.
        let is_empty = document == "docs/tutorial.md";
        let project = if is_empty {
            Vec::new()
        } else {
            files(include_str!("project.txt"))
        };
        let folder = Folder::new(&name, &project);
        fs::create_dir_all(folder.path()).expect("a folder");
        let stage = Self {
            document: document.to_owned(),
            folder,
            server: None,
            kubeconfig: None,
            variables: Vec::new(),
            unwritten: Vec::new(),
        };
        for name in ["fixtures", "examples"] {
            symlink(root().join(name), stage.path().join(name)).expect("a link");
        }
        for folder in [
            "home/.local/share/bash-completion/completions",
            "home/.local/share/man/man1",
            "bin",
        ] {
            fs::create_dir_all(stage.path().join(folder)).expect("a folder");
        }
        for (name, script) in STAND_INS {
            let path = stage.path().join("bin").join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script");
        }
        symlink(
            env!("CARGO_BIN_EXE_kindsmith"),
            stage.path().join("bin/kindsmith"),
        )
        .expect("a link");
        if !is_empty {
            stage.commit();
        }
        stage
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The history of the project: version 1.2.0 with other types, then `main`.
    fn commit(&self) {
        self.folder
            .write(".gitignore", "/bin\n/home\n/fixtures\n/examples\n");
        let types = self.folder.text("api/v1/types.go");
        self.folder
            .write("api/v1/types.go", &types.replace("Maximum=64", "Maximum=32"));
        for words in ["init -q -b main", "add .", "commit -q -m first", "tag v1.2.0"] {
            self.folder.git(words);
        }
        self.folder.write("api/v1/types.go", &types);
        let made = self.folder.run("gen crd ./api/... --out config/crd");
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let made = self.folder.run("gen object ./api/...");
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        for words in [
            "add .",
            "commit -q -m second",
            "update-ref refs/remotes/origin/main main",
        ] {
            self.folder.git(words);
        }
    }

    fn shell(&self, command: &str) -> Command {
        let mut shell = Command::new("bash");
        let path = std::env::var("PATH").unwrap_or_default();
        let kubectl = std::env::var("KUBECTL").map(PathBuf::from).ok();
        let kubectl = kubectl
            .as_deref()
            .and_then(Path::parent)
            .unwrap_or(Path::new("/"));
        shell
            .args(["-o", "pipefail", "-c", command])
            .current_dir(self.path())
            .env(
                "PATH",
                format!(
                    "{}:{path}:{}",
                    self.path().join("bin").display(),
                    kubectl.display()
                ),
            )
            .env("HOME", self.path().join("home"))
            .env("XDG_CACHE_HOME", self.path().join("home/.cache"))
            .env("NO_COLOR", "1")
            .env_remove("KUBECONFIG");
        // Modules that the developer's Go has are not downloaded again.
        for (name, folder) in [("GOMODCACHE", "go/pkg/mod"), ("GOCACHE", ".cache/go-build")] {
            if let (Some(home), None) = (std::env::var_os("HOME"), std::env::var_os(name)) {
                shell.env(name, Path::new(&home).join(folder));
            }
        }
        shell.envs(self.variables.iter().cloned());
        if let Some(kubeconfig) = &self.kubeconfig {
            shell.env("KUBECONFIG", kubeconfig);
        }
        shell
    }

    /// Runs a command, and compares what it prints with what is shown.
    pub(super) fn run(&mut self, command: &str, shown: Option<&str>) -> Result<(), String> {
        if let Some(tool) = missing(command).or_else(|| self.needed(command)) {
            let written = command.split_once(" > ").map(|(_, file)| file.trim());
            self.unwritten.extend(written.map(|file| (file.to_owned(), tool)));
            left_out(tool, &format!("{}: {command}", self.document));
            return Ok(());
        }
        if let Some(value) = command.strip_prefix("export KUBECONFIG=") {
            // The page shows where a reader's is.
            return if self.kubeconfig.is_some() {
                Ok(())
            } else {
                Err(format!("no server before {value}"))
            };
        }
        if command.starts_with("export ") {
            return self.export(command);
        }
        if is_server(command) {
            return self.start(command);
        }
        if command.contains(" --watch") {
            return self.watch(command, shown);
        }
        let run = self.shell(&format!("{{ {command}\n}} 2>&1")).output();
        let run = run.map_err(|error| error.to_string())?;
        let printed = String::from_utf8_lossy(&run.stdout).into_owned();
        let may_fail = ["reject", "denied"].iter().any(|word| command.contains(word));
        let is_fine = match run.status.code() {
            Some(0) => true,
            // Findings are what a reader looks for.
            Some(1) => may_fail || command.contains("kindsmith "),
            Some(2) => shown.is_some_and(|shown| shown.starts_with("error")),
            _ => false,
        };
        if !is_fine {
            return Err(format!("{}\n{printed}", run.status));
        }
        match shown {
            Some(shown) if timeless(shown) != timeless(&without_notes(&printed)) => {
                Err(format!("prints\n{printed}\nbut the page shows\n{shown}"))
            }
            _ => Ok(()),
        }
    }

    /// The program that would have written a file which a command reads.
    fn needed(&self, command: &str) -> Option<Tool> {
        let is_read = |file: &str| command.split_whitespace().any(|word| word == file);
        let found = self.unwritten.iter().find(|(file, _)| is_read(file));
        found.map(|(_, tool)| *tool)
    }

    /// `export NAME=$(command)`: the command works, and later lines have the variable.
    fn export(&mut self, command: &str) -> Result<(), String> {
        let run = self.shell(&format!("set -e; {command}; env")).output();
        let run = run.map_err(|error| error.to_string())?;
        let name = command
            .trim_start_matches("export ")
            .split('=')
            .next()
            .unwrap_or_default();
        let printed = String::from_utf8_lossy(&run.stdout);
        let value = printed
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        match value {
            Some(value) if !value.is_empty() && run.status.success() => {
                self.variables.push((name.to_owned(), value.to_owned()));
                Ok(())
            }
            _ => Err(String::from_utf8_lossy(&run.stderr).into_owned()),
        }
    }

    /// Starts a server and waits until it says where it listens.
    fn start(&mut self, command: &str) -> Result<(), String> {
        self.stop();
        let command = command.split(" # ").next().unwrap_or_default();
        let command = command.trim().trim_end_matches('&').trim();
        let port = if command.contains("kindsmith serve") && !command.contains("--listen") {
            " --listen 127.0.0.1:0"
        } else {
            ""
        };
        let errors = fs::File::create(self.path().join("bin/errors")).map_err(|error| error.to_string())?;
        let child = self
            .shell(&format!("exec {command}{port}"))
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let output = child.stdout.take().expect("it was asked for");
        self.server = Some(child);
        let mut said = String::new();
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            said.push_str(&line);
            said.push('\n');
            if let Ok(ready) = serde_json::from_str::<serde_json::Value>(&line) {
                self.kubeconfig = ready["kubeconfig"].as_str().map(str::to_owned);
                return Ok(());
            }
            if let Some(path) = line.split("KUBECONFIG=").nth(1) {
                let path = path.split_whitespace().next().unwrap_or_default();
                self.kubeconfig = Some(self.path().join(path).display().to_string());
                return Ok(());
            }
            if line.contains("http://localhost") {
                return Ok(());
            }
        }
        let errors = fs::read_to_string(self.path().join("bin/errors")).unwrap_or_default();
        Err(format!("the server ended: {said}{errors}"))
    }

    /// Runs a command that waits for changes until it says so.
    fn watch(&mut self, command: &str, shown: Option<&str>) -> Result<(), String> {
        let last = shown
            .and_then(|shown| shown.lines().next_back())
            .unwrap_or_default();
        let child = self
            .shell(&format!("exec {command} 2>&1"))
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let output = child.stdout.take().expect("it was asked for");
        self.server = Some(child);
        let mut said = String::new();
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            said.push_str(&line);
            said.push('\n');
            if timeless(&line) == timeless(last) {
                break;
            }
        }
        self.stop();
        if timeless(&without_notes(&said)) == timeless(shown.unwrap_or_default()) {
            Ok(())
        } else {
            Err(format!("prints\n{said}"))
        }
    }

    fn stop(&mut self) {
        if let Some(mut child) = self.server.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        self.kubeconfig = None;
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The sections `-- name --` of a text.
fn files(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let sections = text.split("\n-- ").skip(1);
    sections
        .filter_map(|section| section.split_once(" --\n"))
        .collect()
}

fn is_server(command: &str) -> bool {
    let is_one = ["kindsmith serve", "kindsmith play"];
    is_one.iter().any(|start| command.starts_with(start)) && !command.contains(" -- ")
}

/// A tool that the command needs and that is not here.
fn missing(command: &str) -> Option<Tool> {
    let works = |program: &str, words: &[&str]| {
        let run = Command::new(program).args(words).output();
        run.is_ok_and(|run| run.status.success())
    };
    let kubectl = std::env::var("KUBECTL").unwrap_or("kubectl".to_owned());
    if command.contains("kubectl ") && !works(&kubectl, &["version", "--client"]) {
        return Some(Tool::Kubectl);
    }
    let needs_go = command.contains("go test") || command.contains("@v");
    (needs_go && !works("go", &["version"])).then_some(Tool::Go)
}

/// Where a reader's libraries are is not part of a page.
fn without_notes(printed: &str) -> String {
    let lines = printed
        .lines()
        .filter(|line| !line.starts_with("note: the source of "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// A text with `#` in place of times (`8.1ms`, `4 ms`), and without blanks at its end.
fn timeless(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.trim_end();
    while let Some(at) = rest.find(|symbol: char| symbol.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from
            .find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.')
            .unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let unit = after.strip_prefix(' ').unwrap_or(after);
        let unit = ["ms", "µs", "s"].iter().find(|known| {
            unit.strip_prefix(**known)
                .is_some_and(|rest| !rest.starts_with(|symbol: char| symbol.is_alphanumeric()))
        });
        out.push_str(before);
        match unit {
            Some(unit) => {
                out.push('#');
                let at = after.find(unit).unwrap_or_default() + unit.len();
                rest = &after[at..];
            }
            None => {
                out.push_str(number);
                rest = after;
            }
        }
    }
    out + rest
}

#[test]
fn times_are_not_compared() {
    assert_eq!(timeless("7 passed in 8.1ms\n"), "7 passed in #");
    assert_eq!(timeless("took 4 ms; 1 written"), "took #; 1 written");
    assert_eq!(timeless("3 shapes, 2 stones"), "3 shapes, 2 stones");
}
