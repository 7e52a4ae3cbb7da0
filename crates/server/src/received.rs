//! Bodies of requests: read within limits of size and time, and paid for as they arrive.

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Body;
use kindsmith_api::Response;

use crate::Limits;
use crate::memory::{Memory, Share};
use crate::reply::{busy, refusal};

/// In which steps memory is taken for a long body: what is announced but not sent takes none.
const STEP: usize = 64 * 1024;

/// A body, with the memory that it holds.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) bytes: Bytes,
    pub(crate) shares: Vec<Share>,
}

/// Reads a body; the error is the answer to one that is too large, too slow or broken.
pub(crate) async fn read<B>(
    body: B,
    client: &str,
    memory: &Memory,
    limits: &Limits,
) -> Result<Received, Response>
where
    B: Body<Data = Bytes, Error: std::fmt::Display> + Unpin,
{
    let reading = collect(body, client, memory, limits.body);
    let read = tokio::time::timeout(limits.request, reading).await;
    read.unwrap_or_else(|_| {
        let message = "the body of the request did not arrive in time";
        Err(refusal(408, "Timeout", message, None))
    })
}

async fn collect<B>(mut body: B, client: &str, memory: &Memory, limit: usize) -> Result<Received, Response>
where
    B: Body<Data = Bytes, Error: std::fmt::Display> + Unpin,
{
    let announced = body.size_hint().upper();
    let announced = announced.and_then(|bytes| usize::try_from(bytes).ok());
    if announced.is_some_and(|bytes| bytes > limit) {
        skip(&mut body, 2 * limit).await;
        return Err(too_large(limit));
    }
    let expected = announced.unwrap_or(limit);
    let (mut parts, mut shares) = (Vec::new(), Vec::new());
    let (mut length, mut paid) = (0, 0);
    while let Some(frame) = body.frame().await {
        // Trailers mean nothing.
        let Ok(part) = frame.map_err(|error| broken(&error))?.into_data() else {
            continue;
        };
        length += part.len();
        if length > limit {
            drop((parts, shares));
            skip(&mut body, limit).await;
            return Err(too_large(limit));
        }
        if length > paid {
            let step = STEP.min(expected.saturating_sub(paid)).max(length - paid);
            shares.push(memory.take(client, step).await.ok_or_else(busy)?);
            paid += step;
        }
        parts.push(part);
    }
    let bytes = match parts.len() {
        1 => parts.remove(0),
        _ => parts.concat().into(),
    };
    Ok(Received { bytes, shares })
}

/// Reads the rest of a body without keeping it, up to a limit: many clients look for an answer only when they have sent
/// everything.
async fn skip<B>(body: &mut B, limit: usize)
where
    B: Body<Data = Bytes> + Unpin,
{
    let mut left = limit;
    while let Some(Ok(frame)) = body.frame().await {
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        match left.checked_sub(bytes) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

fn too_large(limit: usize) -> Response {
    let message = format!("Request entity too large: limit is {limit}");
    refusal(413, "RequestEntityTooLarge", &message, None)
}

fn broken(error: &impl std::fmt::Display) -> Response {
    let message = format!("the body of the request could not be read: {error}");
    refusal(400, "BadRequest", &message, None)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use std::time::Duration;

    use hyper::body::{Frame, SizeHint};

    use super::*;

    /// A body of which only some parts arrive.
    struct Slow {
        announced: u64,
        parts: VecDeque<Bytes>,
        ends: bool,
    }

    impl Body for Slow {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            match self.parts.pop_front() {
                Some(part) => Poll::Ready(Some(Ok(Frame::data(part)))),
                None if self.ends => Poll::Ready(None),
                None => Poll::Pending,
            }
        }

        fn size_hint(&self) -> SizeHint {
            SizeHint::with_exact(self.announced)
        }
    }

    fn body(announced: u64, parts: &[usize], ends: bool) -> Slow {
        let parts = parts.iter().map(|&length| vec![7; length].into()).collect();
        Slow {
            announced,
            parts,
            ends,
        }
    }

    fn limits() -> Limits {
        Limits {
            body: 4 * STEP,
            ..Limits::default()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_does_not_arrive_takes_no_memory() {
        let memory = Memory::new(8 * STEP, Duration::from_secs(15));
        let limits = limits();
        let silent = body(4 * STEP as u64, &[], false);
        let begun = body(4 * STEP as u64, &[10], false);
        let check = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert!(memory.try_take("b", 7 * STEP).is_some(), "one step is taken");
            assert!(memory.try_take("b", 7 * STEP + 1).is_none());
        };
        let (silent, begun, ()) = tokio::join!(
            read(silent, "a", &memory, &limits),
            read(begun, "a", &memory, &limits),
            check,
        );
        let codes = [silent, begun].map(|read| read.err().map(|refusal| refusal.status));
        assert_eq!(codes, [Some(408), Some(408)]);
        assert!(memory.try_take("b", 8 * STEP).is_some(), "it is returned");
    }

    #[tokio::test(start_paused = true)]
    async fn bodies_are_bounded() {
        let memory = Memory::new(3 * STEP, Duration::from_secs(15));
        let limits = limits();
        let parts = [10, STEP, STEP];
        let whole = body(2 * STEP as u64 + 10, &parts, true);
        let whole = read(whole, "a", &memory, &limits).await.expect("it is small");
        assert_eq!(whole.bytes.len(), 2 * STEP + 10);
        let other = read(body(STEP as u64, &[STEP], true), "b", &memory, &limits).await;
        assert_eq!(other.err().map(|refusal| refusal.status), Some(429));
        drop(whole);
        let large = read(body(9 * STEP as u64, &[5 * STEP], true), "b", &memory, &limits).await;
        assert_eq!(large.err().map(|refusal| refusal.status), Some(413));
    }
}
