//! Log lines written by a thread of their own: a pipe that nobody reads must not stop requests.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How many lines may wait to be written; more are dropped and counted.
const WAITING: usize = 4_096;
/// How long a log may take to write its last lines when the server stops.
const LAST_LINES: Duration = Duration::from_secs(1);

/// How many lines of all logs were dropped.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// A writer whose writes never wait. Each write is one line.
#[derive(Debug)]
pub struct Lines {
    queue: Option<SyncSender<Vec<u8>>>,
    /// Disconnected when the last line is written.
    done: Receiver<()>,
}

impl Lines {
    /// Writes lines to `to`.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn new(mut to: impl Write + Send + 'static) -> io::Result<Self> {
        let (queue, lines) = sync_channel::<Vec<u8>>(WAITING);
        let (alive, done) = sync_channel(0);
        std::thread::Builder::new()
            .name("kindsmith-log".to_owned())
            .spawn(move || {
                let _alive: SyncSender<()> = alive;
                for line in lines {
                    // A log that cannot be written must not fail requests; its lines are counted as lost.
                    if to.write_all(&line).and_then(|()| to.flush()).is_err() {
                        DROPPED.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })?;
        Ok(Lines {
            queue: Some(queue),
            done,
        })
    }
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Some(queue) = &self.queue
            && let Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) = queue.try_send(line.to_vec())
        {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.queue = None;
        // The thread sends nothing; it only goes away.
        let _: Result<(), RecvTimeoutError> = self.done.recv_timeout(LAST_LINES);
    }
}

/// How many lines were dropped because nobody read them.
pub(crate) fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// Writes a line to standard error.
pub(crate) fn to_stderr(line: &str) {
    static STDERR: OnceLock<Option<Arc<std::sync::Mutex<Lines>>>> = OnceLock::new();
    let lines = STDERR.get_or_init(|| Lines::new(io::stderr()).ok().map(|lines| Arc::new(lines.into())));
    if let Some(lines) = lines {
        let mut lines = lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Writing to the queue does not fail.
        let _ = lines.write(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Instant;

    use super::*;

    /// Keeps what is written; waits for `gate` before each line.
    struct Sink {
        gate: Arc<Mutex<()>>,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _open = self.gate.lock().expect("no test panicked");
            self.written.lock().expect("no test panicked").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_order_and_before_the_end() {
        let written = Arc::<Mutex<Vec<u8>>>::default();
        let mut lines = Lines::new(Sink {
            gate: Arc::default(),
            written: Arc::clone(&written),
        })
        .expect("a thread");
        for number in 0..100 {
            lines.write_all(format!("{number}\n").as_bytes()).expect("a line");
        }
        drop(lines);
        let expected: String = (0..100).map(|number| format!("{number}\n")).collect();
        assert_eq!(*written.lock().expect("no test panicked"), expected.as_bytes());
    }

    #[test]
    fn a_log_that_nobody_reads_drops_lines_and_holds_nobody_up() {
        let gate = Arc::<Mutex<()>>::default();
        let closed = gate.lock().expect("no test panicked");
        let mut lines = Lines::new(Sink {
            gate: Arc::clone(&gate),
            written: Arc::default(),
        })
        .expect("a thread");
        let before = dropped();
        for _ in 0..WAITING + 100 {
            lines.write_all(b"line\n").expect("a line");
        }
        assert!(dropped() - before >= 99);
        let stopping = Instant::now();
        drop(lines);
        assert!(stopping.elapsed() < LAST_LINES * 10);
        drop(closed);
    }
}
