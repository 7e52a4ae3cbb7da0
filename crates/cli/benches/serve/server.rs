//! The server that is measured.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    /// From the start of the process until it reports that it is ready.
    pub(crate) ready: Duration,
    _stdout: BufReader<std::process::ChildStdout>,
}

impl Server {
    pub(crate) fn start(store: &str) -> Self {
        let started = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
            .args([
                "serve",
                "--insecure-http",
                "--listen",
                "127.0.0.1:0",
                "-o",
                "json",
                "--store",
                store,
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it says that it is ready");
        let ready = started.elapsed();
        let address = line
            .split_once("http://")
            .and_then(|(_, rest)| rest.split_once('"'))
            .expect("it says where");
        Server {
            child,
            address: address.0.to_owned(),
            ready,
            _stdout: stdout,
        }
    }

    /// Memory in use, in KiB.
    pub(crate) fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.trim().split(' ').next()?.parse().ok());
        number.unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
