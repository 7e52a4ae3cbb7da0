//! A running `kindsmith serve`, for tests with real clients.
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// A server that stops when the test ends.
pub(crate) struct Serving {
    child: Child,
    /// A home directory for clients, with the administrator's kubeconfig.
    pub(crate) home: PathBuf,
    /// The line of a server that is ready.
    pub(crate) line: String,
}

/// Creates a directory for the test.
fn directory() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("serving-{}-{number}", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("there is room for a directory");
    path
}

impl Serving {
    /// Starts a server on a free port with objects in memory.
    pub(crate) fn start() -> Self {
        Self::start_with(&["--store", "memory"])
    }

    /// Starts a server on a free port and waits until it is ready.
    pub(crate) fn start_with(options: &[&str]) -> Self {
        let home = directory();
        // A pipe that nobody reads would block the server once it is full.
        let errors = home.join("errors");
        let errors = File::create(errors).expect("there is room for a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
            .args(["serve", "--listen", "127.0.0.1:0", "-o", "json", "--kubeconfig"])
            .arg(home.join("kubeconfig"))
            .args(options)
            .current_dir(&home)
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("it was asked for");
        BufReader::new(output).read_line(&mut line).expect("it is text");
        if serde_json::from_str::<Value>(&line).is_err() {
            let said = std::fs::read_to_string(home.join("errors")).unwrap_or_default();
            panic!("the server is not ready: {line}{said}")
        }
        Self { child, home, line }
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.home.join("kubeconfig")
    }

    /// A command that uses this server and none of the developer's settings.
    pub(crate) fn client(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .env("KUBECONFIG", self.kubeconfig())
            .env("KUBECACHEDIR", self.home.join("cache"));
        command
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.home);
    }
}
