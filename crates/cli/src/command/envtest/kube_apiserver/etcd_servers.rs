//! `--etcd-servers`: a real etcd is used, envtest's stand-in means memory.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use crate::command::envtest::etcd::NO_STORE;
use crate::command::envtest::flags::Given;
use crate::error::Error;
use crate::launch::etcd_cluster::EtcdCluster;
use crate::launch::storage::Storage;
use crate::terminal::Terminal;

/// How long an etcd may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Who answers at an address.
#[derive(Debug, PartialEq, Eq)]
enum Answers {
    Etcd,
    StandIn,
    Nobody,
}

/// Where objects are kept.
pub(super) fn storage(given: &Given, terminal: &Terminal) -> Result<Storage, Error> {
    let mut hosts = Vec::new();
    for server in given.list("etcd-servers") {
        let Some(host) = server.strip_prefix("http://") else {
            return Err(Error::usage(format!("--etcd-servers {server} is not supported"))
                .hint("use http://HOST:PORT"));
        };
        hosts.push(host.trim_end_matches('/').to_owned());
    }
    let answers: Vec<Answers> = hosts.iter().map(|host| ask(host)).collect();
    if answers.contains(&Answers::Etcd) {
        return Ok(Storage::Etcd(EtcdCluster::plain(hosts)));
    }
    if !answers.contains(&Answers::StandIn) {
        terminal.warn("warning: no etcd answers, so objects are kept in memory");
    }
    Ok(Storage::Memory)
}

fn ask(host: &str) -> Answers {
    match version(host) {
        Ok(answer) if answer.contains(NO_STORE) => Answers::StandIn,
        Ok(answer) if answer.contains("\"etcdserver\"") => Answers::Etcd,
        _ => Answers::Nobody,
    }
}

fn version(host: &str) -> std::io::Result<String> {
    let address = host.to_socket_addrs()?.next();
    let address = address.ok_or(std::io::ErrorKind::AddrNotAvailable)?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET /version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.take(1 << 16).read_to_string(&mut answer)?;
    Ok(answer)
}
