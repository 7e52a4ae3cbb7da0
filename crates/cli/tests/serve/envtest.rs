//! The program under other names: `kube-apiserver` and `etcd` as envtest starts them, and `serve -- COMMAND`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::client::Client;
use crate::binary::kindsmith;

/// A directory that is removed when the test ends.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("envtest-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room for a directory");
        Scratch(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("it is text").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program that runs until the test ends.
struct Program {
    child: Child,
    /// The lines before it was ready.
    said: Vec<String>,
    address: String,
    stderr: BufReader<ChildStderr>,
}

impl Program {
    /// Starts a program and waits for the line with its URL.
    fn start(program: impl AsRef<Path>, arguments: &[String]) -> Self {
        let mut child = Command::new(program.as_ref())
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let stderr = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut started = Program {
            child,
            said: Vec::new(),
            address: String::new(),
            stderr,
        };
        while started.address.is_empty() {
            let mut line = String::new();
            let read = started.stderr.read_line(&mut line).expect("it is text");
            assert_ne!(read, 0, "it ended: {:?}", started.said);
            match line.trim().split_once("://") {
                Some((_, url)) => {
                    started.address = url.split([';', ' ']).next().unwrap_or_default().to_owned();
                }
                None => started.said.push(line.trim().to_owned()),
            }
        }
        started
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn assets(scratch: &Scratch) -> PathBuf {
    let directory = scratch.path("assets");
    let run = kindsmith(&format!("envtest assets '{directory}'"));
    assert_eq!(
        (run.code, run.stdout.trim()),
        (Some(0), &*directory),
        "{}",
        run.stderr
    );
    directory.into()
}

/// The status of a request to an API server that created its certificate itself.
fn status(server: &Program, certificates: &str, path: &str, token: Option<&str>) -> u16 {
    let pem = std::fs::read(certificates).expect("the server has created it");
    let authority = CertificateDer::pem_slice_iter(&pem).last();
    let authority = authority.expect("it has a CA").expect("it is a certificate");
    let mut client = Client::connect_trusting(&server.address, authority);
    let header = token.map(|token| format!("Bearer {token}"));
    let headers: Vec<(&str, &str)> = header
        .iter()
        .map(|header| ("Authorization", header.as_str()))
        .collect();
    client.send("GET", path, &headers, b"").status
}

#[test]
fn an_api_server_is_started_by_its_name() {
    let scratch = Scratch::new("apiserver");
    let assets = assets(&scratch);
    std::fs::write(scratch.path("tokens"), "a,ann,1,system:masters\nb,bob,2").expect("there is room");
    let server = Program::start(
        assets.join("kube-apiserver"),
        &[
            "--secure-port=0".to_owned(),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--cert-dir={}", scratch.path("certs")),
            format!("--token-auth-file={}", scratch.path("tokens")),
            "--authorization-mode=Node,RBAC".to_owned(),
            "--runtime-config=apps/v1=false".to_owned(),
            "--max-requests-inflight=9".to_owned(),
            "--feature-gates=WindowsHostNetwork=true".to_owned(),
            "--disable-admission-plugins=ServiceAccount".to_owned(),
            "--controllers=*,-endpoints".to_owned(),
        ],
    );
    assert_eq!(
        server.said,
        [
            "warning: --max-requests-inflight has no effect",
            "warning: the feature gate WindowsHostNetwork has no effect",
            "warning: no etcd answers, so objects are kept in memory",
        ]
    );
    for (path, token, expected) in [
        ("/healthz", None, 200),
        ("/readyz", None, 200),
        ("/livez", None, 200),
        ("/api/v1/namespaces", None, 403),
        ("/api/v1/namespaces", Some("a"), 200),
        ("/api/v1/namespaces", Some("b"), 403),
        ("/api/v1/namespaces", Some("c"), 401),
        ("/apis/apps/v1", Some("a"), 404),
        ("/flagz", Some("a"), 200),
        ("/flagz", Some("b"), 403),
        ("/statusz", Some("a"), 200),
        ("/metrics/slis", Some("a"), 200),
    ] {
        let answered = status(&server, &scratch.path("certs/apiserver.crt"), path, token);
        assert_eq!(answered, expected, "{path} {token:?}");
    }
}

#[test]
fn without_an_authorization_mode_everything_is_allowed() {
    let scratch = Scratch::new("allow");
    let server = Program::start(
        env!("CARGO_BIN_EXE_kindsmith"),
        &[
            "envtest".to_owned(),
            "kube-apiserver".to_owned(),
            "--secure-port=0".to_owned(),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--cert-dir={}", scratch.path("certs")),
        ],
    );
    let certificates = scratch.path("certs/apiserver.crt");
    assert_eq!(status(&server, &certificates, "/api/v1/namespaces", None), 200);
}

#[test]
fn etcd_answers_health_checks() {
    let scratch = Scratch::new("etcd");
    let assets = assets(&scratch);
    // The port is free a moment before; envtest finds ports in the same way.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("there is a port")
        .port();
    let url = format!("http://127.0.0.1:{port}");
    let etcd = Program::start(
        assets.join("etcd"),
        &[
            format!("--listen-client-urls={url}"),
            "--unsafe-no-fsync=true".to_owned(),
        ],
    );
    let mut stream = TcpStream::connect(&etcd.address).expect("it listens");
    stream
        .write_all(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is text");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with(r#"{"health":"true","reason":""}"#), "{answer}");

    let server = Program::start(
        assets.join("kube-apiserver"),
        &[
            "--secure-port=0".to_owned(),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--cert-dir={}", scratch.path("certs")),
            format!("--etcd-servers={url}"),
        ],
    );
    assert_eq!(server.said, [""; 0], "this etcd means memory");
}

#[test]
fn wrong_command_lines_are_refused() {
    for (words, expected) in [
        ("kube-apiserver --frob=1", "unknown flag: --frob"),
        (
            "kube-apiserver --authorization-mode=Frob",
            "authorization-mode \"Frob\" is not a valid mode",
        ),
        (
            "kube-apiserver --authorization-mode=ABAC",
            "--authorization-mode ABAC is not supported",
        ),
        (
            "kube-apiserver --feature-gates=Frob=true",
            "--feature-gates: unrecognized feature gate: Frob",
        ),
        (
            "kube-apiserver --enable-admission-plugins=Frob",
            "--enable-admission-plugins plugin \"Frob\" is unknown",
        ),
        (
            "kube-apiserver --controllers=frob",
            "--controllers: no controller `frob`; available: *, endpoints,",
        ),
        (
            "kube-apiserver --event-ttl=0s",
            "--event-ttl 0s is not a duration such as 1h",
        ),
        (
            "kube-apiserver --etcd-servers=https://x:1",
            "--etcd-servers https://x:1 is not supported",
        ),
        (
            "kube-apiserver --bind-address=x",
            "--bind-address x is not an IP address",
        ),
        ("etcd --listen-client-urls=unix://x", "cannot listen on unix://x"),
    ] {
        let run = kindsmith(&format!("envtest {words}"));
        assert_eq!(run.code, Some(2), "{words}");
        assert!(run.stderr.contains(expected), "{words}: {}", run.stderr);
    }
}

#[test]
fn help_is_that_of_the_program() {
    for program in ["kube-apiserver", "etcd"] {
        let run = kindsmith(&format!("envtest {program} --help"));
        assert_eq!((run.code, &*run.stderr), (Some(0), ""));
        let is_listed = |flag: &str| run.stdout.lines().any(|line| line.trim_start().starts_with(flag));
        assert_eq!(is_listed("--secure-port "), program == "kube-apiserver");
        assert!(
            !is_listed("--insecure-port"),
            "envtest sets it where it is listed"
        );
    }
}

#[test]
fn files_in_the_assets_directory_are_not_replaced() {
    let scratch = Scratch::new("taken");
    std::fs::write(scratch.path("etcd"), "mine").expect("there is room");
    let run = kindsmith(&format!("envtest assets '{}'", scratch.0.display()));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("exists and is not a link"), "{}", run.stderr);
}

#[test]
fn a_command_runs_with_a_server_and_passes_its_exit_code_on() {
    let run = kindsmith("serve -- sh -c 'grep -c server: $KUBECONFIG; exit 3'");
    run.check(3, "1\n", "");
    let run = kindsmith("serve -- /does/not/exist");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("cannot run /does/not/exist"),
        "{}",
        run.stderr
    );
}
