//! An API server for tests: plain HTTP on a free loopback port, stopped when dropped.

#![allow(clippy::disallowed_methods, reason = "a server for tests listens")]

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use kindsmith_api::{Api, Options};
use kindsmith_server::{Gates, Identity, System};
use kindsmith_store::Memory;
use tokio::sync::oneshot;

use crate::server::{Running, settings};
use crate::{Resource, local_api};

/// An API server for tests. Every client may do everything; it listens on loopback only.
#[derive(Debug)]
pub struct TestServer {
    running: Running,
}

impl TestServer {
    /// Starts a server with built-in kinds and the CRDs of these texts, each one document. Asynchronous tests may call it, too.
    ///
    /// # Errors
    ///
    /// If no port is free, or a CRD is rejected.
    pub fn start<'t>(crds: impl IntoIterator<Item = &'t str>) -> io::Result<Self> {
        let gates = Gates::default();
        Self::start_with(crds, local_api::options(&gates), gates)
    }

    /// [`start`](Self::start) for asynchronous programs: the executor goes on meanwhile.
    ///
    /// # Errors
    ///
    /// If no port is free, or a CRD is rejected.
    pub async fn start_async<'t>(crds: impl IntoIterator<Item = &'t str>) -> io::Result<Self> {
        let crds: Vec<String> = crds.into_iter().map(str::to_owned).collect();
        let (started, starting) = oneshot::channel();
        std::thread::spawn(move || {
            // Nobody may wait any more; then the server stops again.
            let _ = started.send(Self::start(crds.iter().map(String::as_str)));
        });
        starting.await.map_err(io::Error::other)?
    }

    /// Starts a server with these options, such as kinds of Go packages with hand-written rules.
    ///
    /// # Errors
    ///
    /// If no port is free, or a CRD is rejected.
    pub fn start_with<'t>(
        crds: impl IntoIterator<Item = &'t str>,
        options: Options,
        gates: Gates,
    ) -> io::Result<Self> {
        let api = Api::open(Arc::new(Memory::new()), Box::new(System), options).map_err(io::Error::other)?;
        for crd in crds {
            local_api::define(&api, crd).map_err(io::Error::other)?;
        }
        let settings = settings(gates, Identity::default(), None);
        let running = Running::start(Arc::new(api), (Ipv4Addr::LOCALHOST, 0).into(), settings)?;
        Ok(Self { running })
    }

    /// Starts a server with a kind written in Rust, for asynchronous programs.
    ///
    /// # Errors
    ///
    /// If no port is free, or the type or its CRD is wrong.
    pub async fn of<T: Resource>() -> io::Result<Self> {
        let crd = crate::crd::<T>().map_err(io::Error::other)?;
        Self::start_async([crd.as_str()]).await
    }

    /// A kubeconfig for it, which any client reads.
    #[must_use]
    pub fn kubeconfig(&self) -> String {
        format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: test\nclusters:\n- name: test\n  cluster: {{server: \"{}\"}}\n\
             contexts:\n- name: test\n  context: {{cluster: test, user: test}}\nusers:\n- name: test\n  user: {{}}\n",
            self.url()
        )
    }

    /// The configuration of a kube client.
    #[cfg(feature = "kube")]
    #[must_use]
    pub fn config(&self) -> kube::Config {
        kube::Config::new(self.url().parse().expect("an address is an address of the web"))
    }

    /// A kube client for it. The default namespace is `default`.
    ///
    /// # Errors
    ///
    /// If kube cannot make one.
    #[cfg(feature = "kube")]
    pub fn client(&self) -> kube::Result<kube::Client> {
        kube::Client::try_from(self.config())
    }

    /// Where clients find it: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.running.address)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::TestServer;

    #[tokio::test]
    async fn starts_inside_an_asynchronous_test() {
        let server = TestServer::start([]).expect("a port is free");
        assert!(server.kubeconfig().contains(&server.url()));
        let mut stream = tokio::net::TcpStream::connect(server.running.address)
            .await
            .expect("it listens");
        let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("it answers");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    #[cfg(feature = "kube")]
    #[tokio::test]
    async fn gives_a_client_of_kube() {
        let crd = include_str!("../../../fixtures/gate/crd.yaml");
        let server = TestServer::start_async([crd]).await.expect("a port is free");
        let client = server.client().expect("a client");
        let groups = client.list_api_groups().await.expect("it answers");
        let mut names = groups.groups.iter().map(|group| group.name.as_str());
        assert!(names.any(|name| name == "park.example.org"), "{groups:?}");
    }
}
