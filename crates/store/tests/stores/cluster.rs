//! A real etcd, started for a test on free ports with directories of its own.

use std::net::TcpListener;
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{io, iter};

use kindsmith_store::{Etcd, EtcdOptions, Limits};
use kindsmith_testkit::tool::{Tool, left_out};
use tempfile::TempDir;

/// A cluster; it ends with the test.
pub(crate) struct Server {
    members: Vec<Member>,
    /// The peer addresses of all members (`--initial-cluster`).
    peers: String,
    certificates: Option<Certificates>,
}

/// Certificates of the members, in a directory: `ca.pem`, `server.pem`, `server.key`.
pub(crate) type Certificates = TempDir;

struct Member {
    child: Child,
    client_port: u16,
    peer_port: u16,
    folder: TempDir,
}

impl Server {
    /// Starts an empty cluster with one member; `None` if etcd is not installed.
    pub(crate) fn start() -> Option<Self> {
        Self::start_many(1)
    }

    /// Starts an empty cluster with one member that requires TLS and client certificates.
    pub(crate) fn start_secure(certificates: Certificates) -> Option<Self> {
        Self::start_all(1, Some(certificates))
    }

    /// Starts an empty cluster.
    pub(crate) fn start_many(count: usize) -> Option<Self> {
        Self::start_all(count, None)
    }

    fn start_all(count: usize, certificates: Option<Certificates>) -> Option<Self> {
        let ports: Vec<_> = (0..count).map(|_| (free_port(), free_port())).collect();
        let peer = |(_, peer): &(u16, u16)| format!("m{peer}=http://127.0.0.1:{peer}");
        let peers = ports.iter().map(peer).collect::<Vec<_>>().join(",");
        let mut members = Vec::new();
        for (client_port, peer_port) in ports {
            let folder = tempfile::tempdir().expect("there is room for a store");
            match spawn(&folder, (client_port, peer_port), &peers, certificates.as_ref()) {
                Ok(child) => members.push(Member {
                    child,
                    client_port,
                    peer_port,
                    folder,
                }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    left_out(Tool::Etcd, "the store on etcd");
                    return None;
                }
                Err(error) => panic!("etcd does not start: {error}"),
            }
        }
        Some(Self {
            members,
            peers,
            certificates,
        })
    }

    /// The first member's port.
    pub(crate) fn port(&self) -> u16 {
        self.members[0].client_port
    }

    /// All endpoints.
    pub(crate) fn endpoints(&self) -> String {
        let scheme = self.certificates.as_ref().map_or("http", |_| "https");
        let url = |member: &Member| format!("{scheme}://127.0.0.1:{}", member.client_port);
        self.members.iter().map(url).collect::<Vec<_>>().join(",")
    }

    /// Opens a store on it.
    pub(crate) fn open(&self, limits: Limits) -> Etcd {
        let mut options = options();
        options.limits = limits;
        self.open_with(options)
    }

    pub(crate) fn open_with(&self, options: EtcdOptions) -> Etcd {
        Etcd::open_with(&self.endpoints(), options).expect("etcd can be reached")
    }

    /// Kills a member without warning.
    pub(crate) fn kill(&mut self, member: usize) {
        let child = &mut self.members[member].child;
        child.kill().expect("SIGKILL can be sent");
        child.wait().expect("it was our child");
    }

    /// Restarts a member with its data.
    pub(crate) fn restart(&mut self, member: usize) {
        let member = &mut self.members[member];
        member.child = spawn(
            &member.folder,
            (member.client_port, member.peer_port),
            &self.peers,
            self.certificates.as_ref(),
        )
        .expect("it could be started before");
    }

    /// Restarts a member without its data.
    pub(crate) fn restart_empty(&mut self, member: usize) {
        self.members[member].folder = tempfile::tempdir().expect("there is room for a store");
        self.restart(member);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for member in &mut self.members {
            let _ = member.child.kill();
            let _ = member.child.wait();
        }
    }
}

/// All keys, long timeouts for a busy machine, and no compaction of its own.
pub(crate) fn options() -> EtcdOptions {
    let mut options = EtcdOptions::default();
    options.prefix = Vec::new();
    options.compaction = None;
    options.open_timeout = Duration::from_mins(1);
    options.read_timeout = Duration::from_mins(1);
    options.write_timeout = Duration::from_mins(1);
    options
}

/// A port below those that systems give to connections: none of them takes it before etcd does. Processes start at different places.
fn free_port() -> u16 {
    const FIRST: u32 = 10_000;
    const COUNT: u32 = 20_000;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = process::id() * 200;
    let ports = iter::repeat_with(|| FIRST + (start + NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT);
    let mut ports = ports.take(COUNT as usize).map(|port| port as u16);
    ports
        .find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok())
        .expect("there is a free port")
}

fn spawn(
    folder: &TempDir,
    (client_port, peer_port): (u16, u16),
    peers: &str,
    certificates: Option<&Certificates>,
) -> io::Result<Child> {
    let scheme = certificates.map_or("http", |_| "https");
    let clients = format!("{scheme}://127.0.0.1:{client_port}");
    let peer = format!("http://127.0.0.1:{peer_port}");
    let mut command = Command::new("etcd");
    if let Some(certificates) = certificates {
        let file = |name| certificates.path().join(name);
        command
            .arg("--client-cert-auth")
            .arg("--trusted-ca-file")
            .arg(file("ca.pem"))
            .arg("--cert-file")
            .arg(file("server.pem"))
            .arg("--key-file")
            .arg(file("server.key"));
    }
    command
        .args(["--name", &format!("m{peer_port}"), "--log-level", "error"])
        .arg("--data-dir")
        .arg(folder.path())
        .args([
            "--listen-client-urls",
            &clients,
            "--advertise-client-urls",
            &clients,
        ])
        .args([
            "--listen-peer-urls",
            &peer,
            "--initial-advertise-peer-urls",
            &peer,
        ])
        .args(["--initial-cluster", peers])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}
