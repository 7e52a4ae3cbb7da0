//! The API server in its own process, and the fake service on a socket of this one.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use kindsmith_controller::PlainHttp;
use kindsmith_controller::fake::{Fake, serve};

use super::rig::runtime;
use crate::binary::root;

/// `kindsmith serve` over plain HTTP, with objects in memory unless told otherwise. It stops with the test.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
    pub(crate) kubeconfig: String,
    _stdout: BufReader<ChildStdout>,
}

impl Serving {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::launch(&[&["--insecure-http"], arguments].concat())
    }

    /// With TLS, for clients that use its kubeconfig.
    pub(crate) fn start_with_tls(arguments: &[&str]) -> Self {
        Self::launch(arguments)
    }

    fn launch(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kindsmith"));
        command.args(["serve", "-o", "json"]);
        if !arguments.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        if !arguments.contains(&"--store") {
            command.args(["--store", "memory"]);
        }
        let mut child = command
            .args(arguments)
            .current_dir(root())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout
            .read_line(&mut line)
            .expect("the server says that it is ready");
        let ready: serde_json::Value = serde_json::from_str(&line).expect("it is a line of JSON");
        let text = |key: &str| ready[key].as_str().expect("it is text").to_owned();
        Serving {
            child,
            address: text("url").replace("http://", ""),
            kubeconfig: text("kubeconfig"),
            _stdout: stdout,
        }
    }

    /// Ends it at once.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ended");
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A fake service that listens.
pub(crate) struct Service {
    pub(crate) fake: Fake,
    pub(crate) address: String,
}

impl Service {
    pub(crate) fn start() -> Self {
        let fake = Fake::default();
        let (sender, receiver) = std::sync::mpsc::channel();
        let served = fake.clone();
        std::thread::spawn(move || {
            runtime().block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                    .await
                    .expect("a port is free");
                sender
                    .send(listener.local_addr().expect("it is bound"))
                    .expect("the test waits");
                serve(listener, served).await
            })
        });
        Service {
            fake,
            address: receiver.recv().expect("the fake starts").to_string(),
        }
    }

    pub(crate) fn http(&self) -> PlainHttp {
        http(&self.address)
    }
}

/// A client of a service.
pub(crate) fn http(address: &str) -> PlainHttp {
    PlainHttp {
        address: address.to_owned(),
        timeout: Duration::from_secs(30),
    }
}
