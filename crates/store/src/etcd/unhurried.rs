//! A stream of HTTP/2 on which answers to pings wait for something else to be sent.
//!
//! etcd pings with each request, to measure the connection. An answer alone is a packet, a system call here and one there;
//! together with the next request it is none of them. Must not know what is sent besides.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// How long an answer waits. etcd closes connections that do not answer for 20 seconds.
const PATIENCE: Duration = Duration::from_secs(1);
const FRAME: usize = 17;
/// How an answer to a ping begins: 8 bytes of it follow, on the stream of the connection.
const ANSWER: [u8; 9] = [0, 0, 8, 6, 1, 0, 0, 0, 0];

/// A stream whose answers to pings wait.
pub(super) struct Unhurried<S> {
    stream: S,
    /// What waits.
    kept: Vec<u8>,
    /// Ends when it has waited long enough.
    alarm: Pin<Box<Sleep>>,
}

impl<S: AsyncWrite + Unpin> Unhurried<S> {
    pub(super) fn new(stream: S) -> Self {
        Self {
            stream,
            kept: Vec::with_capacity(FRAME),
            alarm: Box::pin(sleep(PATIENCE)),
        }
    }

    /// Keeps an answer to a ping for later. Whatever it is, it is sent before all that follows.
    fn keep(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> bool {
        let is_kept = self.kept.is_empty() && bytes.len() == FRAME && bytes.starts_with(&ANSWER);
        if is_kept {
            self.kept.extend_from_slice(bytes);
            if self.alarm.is_elapsed() {
                self.alarm.as_mut().reset(Instant::now() + PATIENCE);
            }
            // Registers the task. An alarm that is over already is noticed when the task reads, which it does next.
            if self.alarm.as_mut().poll(context).is_ready() {
                context.waker().wake_by_ref();
            }
        }
        is_kept
    }

    /// Sends what waits, if it has waited long enough.
    fn poll_alarm(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        while !self.kept.is_empty() && self.alarm.as_mut().poll(context).is_ready() {
            match Pin::new(&mut self.stream).poll_write(context, &self.kept)? {
                Poll::Ready(0) => return Err(io::ErrorKind::WriteZero.into()),
                Poll::Ready(written) => drop(self.kept.drain(..written)),
                Poll::Pending => break,
            }
        }
        Ok(())
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Unhurried<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let [part] = parts
            && this.keep(context, part)
        {
            return Poll::Ready(Ok(FRAME));
        }
        while !this.kept.is_empty() {
            let kept = IoSlice::new(&this.kept);
            let all: Vec<IoSlice<'_>> = [kept].into_iter().chain(parts.iter().copied()).collect();
            let written = ready!(Pin::new(&mut this.stream).poll_write_vectored(context, &all))?;
            let of_kept = written.min(this.kept.len());
            this.kept.drain(..of_kept);
            if written > of_kept || written == 0 {
                return Poll::Ready(Ok(written - of_kept));
            }
        }
        Pin::new(&mut this.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Unhurried<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.poll_alarm(context)?;
        Pin::new(&mut this.stream).poll_read(context, into)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::timeout;

    use super::*;

    fn answer(number: u8) -> Vec<u8> {
        [&ANSWER[..], &[number; 8]].concat()
    }

    #[tokio::test(start_paused = true)]
    async fn answers_to_pings_are_sent_with_what_follows() {
        let (near, mut far) = duplex(1_000);
        let mut stream = Unhurried::new(near);
        stream.write_all(&answer(1)).await.expect("it is kept");
        let mut read = [0; 20];
        let early = timeout(PATIENCE / 2, far.read(&mut read)).await;
        assert!(early.is_err(), "it waits");
        stream.write_all(b"abc").await.expect("there is room");
        far.read_exact(&mut read).await.expect("both are sent");
        assert_eq!(read[..], [&answer(1)[..], b"abc"].concat());
        for number in [2, 3] {
            stream.write_all(&answer(number)).await.expect("there is room");
        }
        let mut read = [0; 2 * FRAME];
        far.read_exact(&mut read).await.expect("only one waits");
        assert_eq!(read[..], [answer(2), answer(3)].concat());
    }

    #[tokio::test(start_paused = true)]
    async fn answers_to_pings_do_not_wait_for_long() {
        let (near, mut far) = duplex(1_000);
        let mut stream = Unhurried::new(near);
        for number in [1, 2] {
            stream.write_all(&answer(number)).await.expect("it is kept");
            let (mut read, mut nothing) = ([0; FRAME], [0; 1]);
            let start = Instant::now();
            tokio::select! {
                _ = stream.read(&mut nothing) => panic!("nothing comes"),
                sent = far.read_exact(&mut read) => sent.map(drop).expect("it is sent"),
            }
            assert_eq!(read[..], answer(number));
            assert!(start.elapsed() <= PATIENCE);
        }
    }
}
