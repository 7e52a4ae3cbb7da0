//! The thread on which all talk with etcd happens. Must not know what is said.
//!
//! The store's own functions are synchronous and may be called from anywhere, also from tasks of another runtime, where one
//! must not enter a runtime: they hand their work over and wait.

use std::fmt::Display;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use crate::Error;

/// A thread with a runtime; dropping it ends all its tasks.
#[derive(Debug)]
pub(super) struct Worker {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(super) fn start() -> Result<Self, Error> {
        let failed = |error: &dyn Display| Error::Unavailable(format!("no thread for etcd: {error}").into());
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        let named = thread::Builder::new().name("etcd".to_owned());
        let thread = named.spawn(move || {
            // It ends when told, and when whoever could tell is gone.
            let _ = runtime.block_on(stopped);
        });
        Ok(Self {
            handle,
            stop: Some(stop),
            thread: Some(thread.map_err(|error| failed(&error))?),
        })
    }

    /// Lets a task run for as long as the worker.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(task);
    }

    /// Runs a task and waits for it. The task has to see to it that this does not take forever.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Error> {
        let (send, receive) = mpsc::sync_channel(1);
        self.handle.spawn(async move {
            let outcome = task.await;
            // Nobody waits any more if the calling thread is gone.
            let _ = send.send(outcome);
        });
        receive.recv().map_err(|_| Error::Closed)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of a task does not reach the thread; there is nothing to learn from it.
            let _ = thread.join();
        }
    }
}
