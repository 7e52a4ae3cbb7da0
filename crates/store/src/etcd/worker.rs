//! The thread for all communication with etcd. Must not know its content.
//!
//! The store's own functions are synchronous and may be called from anywhere, even from tasks of another
//! runtime, where one must not enter a runtime: they hand their work over and wait.

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
            // Ends on request, or when the sender is gone.
            let _ = runtime.block_on(stopped);
        });
        Ok(Self {
            handle,
            stop: Some(stop),
            thread: Some(thread.map_err(|error| failed(&error))?),
        })
    }

    /// Where tasks may be started from anywhere.
    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs a task as long as the worker lives.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(task);
    }

    /// Runs a task and waits for it. The task must limit its own time.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Error> {
        let (send, receive) = mpsc::sync_channel(1);
        self.handle.spawn(async move {
            let outcome = task.await;
            // There is no receiver if the calling thread is gone.
            let _ = send.send(outcome);
        });
        receive.recv().map_err(|_| Error::Closed)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic in a task does not reach the thread, so the result has no information.
            let _ = thread.join();
        }
    }
}
