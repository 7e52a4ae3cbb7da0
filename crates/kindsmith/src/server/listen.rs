//! A server on a thread and a runtime of its own: a caller that is asynchronous has one already, and may not block in another.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use kindsmith_api::Api;
use kindsmith_server::{Server, Settings};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// A server that listens; it stops when it is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    /// Starts to listen; returns when clients can connect.
    pub(crate) fn start(api: Arc<Api>, address: SocketAddr, settings: Settings) -> io::Result<Self> {
        let (stop, stopped) = oneshot::channel();
        let (sender, started) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let listening = listen(api, address, settings);
            let (result, server) = match listening {
                Ok((runtime, server, address)) => (Ok(address), Some((runtime, server))),
                Err(error) => (Err(error), None),
            };
            let _ = sender.send(result);
            if let Some((runtime, server)) = server {
                runtime.block_on(server.run(async {
                    let _ = stopped.await;
                }));
            }
        });
        let address = started.recv().map_err(io::Error::other)??;
        Ok(Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

fn listen(
    api: Arc<Api>,
    address: SocketAddr,
    settings: Settings,
) -> io::Result<(Runtime, Server, SocketAddr)> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_stack_size(kindsmith_server::STACK)
        .enable_all()
        .build()?;
    let (server, address) = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let server = Server::new(listener, api, settings).map_err(io::Error::other)?;
        io::Result::Ok((server, address))
    })?;
    Ok((runtime, server, address))
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It ends early only after a panic, which the program has already seen.
            let _ = thread.join();
        }
    }
}
