//! An API server for tests: plain HTTP on a free loopback port, stopped when dropped.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use kindsmith_api::Api;
use kindsmith_server::{Gates, Identity, Limits, Log, Server, Settings, System};
use kindsmith_store::Memory;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::local_api;

/// An API server for tests. Every client may do everything; it listens on loopback only.
#[derive(Debug)]
pub struct TestServer {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl TestServer {
    /// Starts a server with built-in kinds and the CRDs of these texts, each one document.
    ///
    /// # Errors
    ///
    /// If no port is free, or a CRD is rejected.
    pub fn start<'t>(crds: impl IntoIterator<Item = &'t str>) -> io::Result<Self> {
        let gates = Gates::default();
        let api = Api::open(
            Arc::new(Memory::new()),
            Box::new(System),
            local_api::options(&gates),
        )
        .map_err(io::Error::other)?;
        for crd in crds {
            local_api::define(&api, crd).map_err(io::Error::other)?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let (server, address) = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            let address = listener.local_addr()?;
            let server = Server::new(listener, Arc::new(api), settings(gates)).map_err(io::Error::other)?;
            io::Result::Ok((server, address))
        })?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            runtime.block_on(server.run(async {
                let _ = stopped.await;
            }));
        });
        Ok(Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Where clients find it: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn settings(gates: Gates) -> Settings {
    Settings {
        identity: Identity::default(),
        tls: None,
        limits: Limits::default(),
        gates,
        audit: None,
        log: Log::Nothing,
        webhook_metrics: None,
        is_slow: false,
        trusts_everybody: true,
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It ends early only after a panic, which the test has already seen.
            let _ = thread.join();
        }
    }
}
