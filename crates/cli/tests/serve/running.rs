//! A server in its own process, which stops with the test.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::client::Client;

/// The administrator's token.
pub(crate) const TOKEN: &str = "test-token";

/// A running server.
pub(crate) struct Running {
    child: Child,
    /// The address, without scheme.
    pub(crate) address: String,
    pub(crate) kubeconfig: PathBuf,
    /// What the server prints after it is ready.
    _stdout: BufReader<std::process::ChildStdout>,
}

impl Running {
    /// Starts a server on a free port with objects in memory, unless the arguments say otherwise.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    /// Same, with a place for what it writes to standard error.
    pub(crate) fn start_into(stderr: Stdio, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kindsmith"));
        command.stderr(stderr);
        Self::ready(command, arguments, environment)
    }

    /// Same, with variables in its environment.
    pub(crate) fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_kindsmith"));
        Self::ready(command, arguments, environment)
    }

    fn ready(mut command: Command, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0", "-o", "json", "--token", TOKEN]);
        if !arguments.contains(&"--store") {
            command.args(["--store", "memory"]);
        }
        let mut child = command
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(crate::binary::root())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        stdout
            .read_line(&mut line)
            .expect("the server says that it is ready");
        let ready: Value = serde_json::from_str(&line).expect("it is a line of JSON");
        let url = ready["url"].as_str().expect("it has a URL");
        assert_eq!(ready["token"], TOKEN);
        let authority = ready["ca"].as_str().unwrap_or_default();
        let is_plain = arguments.contains(&"--insecure-http");
        assert!(
            is_plain || authority.starts_with("-----BEGIN CERTIFICATE-----"),
            "{line}"
        );
        Running {
            child,
            address: url.split_once("://").expect("it has a scheme").1.to_owned(),
            kubeconfig: ready["kubeconfig"]
                .as_str()
                .expect("it names a kubeconfig")
                .into(),
            _stdout: stdout,
        }
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// A new connection to the server.
    pub(crate) fn client(&self) -> Client {
        Client::connect(&self.address, &self.kubeconfig)
    }

    /// Kills the server, which cannot do anything about it.
    pub(crate) fn kill(&self) {
        let killed = Command::new("kill")
            .args(["-9", &self.child.id().to_string()])
            .status();
        assert!(killed.is_ok_and(|status| status.success()), "the server is there");
    }

    /// Asks the server to stop and waits for it; returns whether it exited with 0.
    pub(crate) fn stop(mut self) -> bool {
        let asked = Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(asked.is_ok_and(|status| status.success()), "the server is there");
        self.child.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
