//! `kindsmith controller run` in its own process, and kubectl.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::binary::root;

/// The CRDs of the controllers.
pub(crate) const CRDS: &str = "crates/controller/api/crd";
/// How long anything may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// The kubectl to use, if there is one.
pub(crate) fn kubectl() -> Option<String> {
    let kubectl = std::env::var("KUBECTL").unwrap_or_else(|_| "kubectl".to_owned());
    let version = Command::new(&kubectl).args(["version", "--client"]).output();
    version.is_ok_and(|run| run.status.success()).then_some(kubectl)
}

/// `kindsmith controller run`, which ends with the test.
pub(crate) struct Controlling {
    child: Child,
    lines: Mutex<Receiver<String>>,
}

impl Controlling {
    pub(crate) fn start(kubeconfig: &str, service: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
            .args(["controller", "run", "--interval", "1", "--service-url"])
            .arg(format!("http://{service}"))
            .args(arguments)
            .current_dir(root())
            .env("KUBECONFIG", kubeconfig)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stderr = BufReader::new(child.stderr.take().expect("it is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let lines = stderr.lines().map_while(Result::ok);
            lines.for_each(|line| drop(sender.send(line)));
        });
        Controlling {
            child,
            lines: Mutex::new(lines),
        }
    }

    /// Waits for a line that starts with this.
    #[track_caller]
    pub(crate) fn wait_for(&self, start: &str) {
        let lines = self.lines.lock().expect("no test panicked");
        loop {
            let line = lines.recv_timeout(PATIENCE);
            if line
                .unwrap_or_else(|_| panic!("it never says: {start}"))
                .starts_with(start)
            {
                return;
            }
        }
    }

    /// Whether it has said nothing that starts with this yet.
    pub(crate) fn is_silent(&self, start: &str) -> bool {
        let lines = self.lines.lock().expect("no test panicked");
        lines.try_iter().all(|line| !line.starts_with(start))
    }

    /// Asks it to stop, as Kubernetes does.
    pub(crate) fn terminate(&self) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
    }

    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }
}

impl Drop for Controlling {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// kubectl with a kubeconfig.
pub(crate) struct User {
    pub(crate) kubectl: String,
    pub(crate) kubeconfig: String,
}

impl User {
    /// Runs kubectl with words; returns what it prints.
    #[track_caller]
    pub(crate) fn run(&self, words: &str) -> String {
        let run = Command::new(&self.kubectl)
            .args(words.split(' '))
            .current_dir(root())
            .env("KUBECONFIG", &self.kubeconfig)
            .output()
            .expect("kubectl starts");
        let errors = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{words}: {errors}");
        String::from_utf8_lossy(&run.stdout).trim_end().to_owned()
    }

    /// Applies an object.
    #[track_caller]
    pub(crate) fn apply(&self, object: &serde_json::Value) {
        let file = tempfile(object);
        self.run(&format!("apply -f {}", file.display()));
        std::fs::remove_file(file).expect("it is there");
    }

    /// Waits until an instance is ready.
    #[track_caller]
    pub(crate) fn wait_ready(&self, name: &str) {
        self.run(&format!(
            "wait sqlinstance/{name} --for=condition=Ready --timeout=60s"
        ));
    }
}

fn tempfile(object: &serde_json::Value) -> std::path::PathBuf {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("object_{}_{number}.json", std::process::id());
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, object.to_string()).expect("the directory is there");
    file
}
