//! A member that does what etcd never does: every request ends, with an error where there is no answer.

use std::time::Duration;

use h2::server::{SendResponse, handshake};
use h2::{Reason, SendStream};
use http::header::{HeaderMap, HeaderValue};
use http::{Response, StatusCode};
use prost::Message;
use prost::bytes::{BufMut, Bytes, BytesMut};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

use super::client::{Client, Repeat};
use super::failure::Failure;
use super::options::EtcdTls;
use super::proto::{Header, RANGE, RangeRequest, RangeResponse};

/// What a member does with each request.
#[derive(Debug, Clone, Copy)]
enum Does {
    /// Answers a byte at a time, with empty frames between them.
    Drips,
    /// Announces an answer of some length and sends its beginning.
    Announces(u32),
    /// Answers again and again.
    Repeats,
    /// Says that the answer is compressed.
    Compresses,
    /// Sends no message, and says that all is well.
    SaysNothing,
    /// Ends within the answer.
    CutsOff,
    /// Sends a long message of an error that there is not.
    Explains,
    /// Answers that it is no etcd.
    Redirects,
    /// Sends bytes that are no message.
    Babbles,
    Resets,
    /// Closes the connection.
    Leaves,
    IsSilent,
    /// Speaks no HTTP/2.
    Stammers,
}

fn framed(message: &[u8]) -> Bytes {
    let mut bytes = BytesMut::new();
    bytes.put_u8(0);
    bytes.put_u32(u32::try_from(message.len()).expect("a short message"));
    bytes.put_slice(message);
    bytes.freeze()
}

fn well() -> HeaderMap {
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    trailers
}

async fn listen(listener: TcpListener, does: Does) {
    while let Ok((stream, _)) = listener.accept().await {
        match does {
            Does::Stammers => {
                let _ = stream.try_write(b"220 mail.example.org\r\n");
            }
            _ => {
                tokio::spawn(speak(stream, does));
            }
        }
    }
}

async fn speak(stream: TcpStream, does: Does) {
    let Ok(mut connection) = handshake(stream).await else {
        return;
    };
    while let Some(Ok((_, respond))) = connection.accept().await {
        if matches!(does, Does::Leaves) {
            return;
        }
        tokio::spawn(async move { answer(respond, does).await.ok() });
    }
}

async fn answer(mut respond: SendResponse<Bytes>, does: Does) -> Result<(), h2::Error> {
    let whole = framed(&right().encode_to_vec());
    if matches!(does, Does::Redirects) {
        let mut elsewhere = Response::new(());
        *elsewhere.status_mut() = StatusCode::FOUND;
        respond.send_response(elsewhere, true)?;
        return Ok(());
    }
    let mut body = respond.send_response(Response::new(()), false)?;
    match does {
        Does::Drips => {
            for byte in whole {
                body.send_data(Bytes::new(), false)?;
                body.send_data(vec![byte].into(), false)?;
            }
            body.send_trailers(well())?;
        }
        Does::Announces(length) => {
            let head = [&[0][..], &length.to_be_bytes(), &[0; 1_000]].concat();
            body.send_data(head.into(), false)?;
            wait(&mut body).await;
        }
        Does::Repeats => {
            for _ in 0..1_000 {
                body.send_data(whole.clone(), false)?;
            }
            wait(&mut body).await;
        }
        Does::Compresses => body.send_data(Bytes::from_static(&[1, 0, 0, 0, 1, 0]), true)?,
        Does::SaysNothing => body.send_trailers(well())?,
        Does::CutsOff => body.send_data(whole.slice(..whole.len() - 1), true)?,
        Does::Explains => {
            let mut trailers = well();
            trailers.insert("grpc-status", HeaderValue::from_static("99999999999"));
            let long = HeaderValue::from_str(&"%25".repeat(100_000)).expect("a header");
            trailers.insert("grpc-message", long);
            body.send_trailers(trailers)?;
        }
        Does::Babbles => {
            body.send_data(framed(&[0xff; 100]), false)?;
            body.send_trailers(well())?;
        }
        Does::Resets => body.send_reset(Reason::INTERNAL_ERROR),
        _ => wait(&mut body).await,
    }
    Ok(())
}

/// Waits until nobody wants the answer any more.
async fn wait(body: &mut SendStream<Bytes>) {
    let _ = std::future::poll_fn(|cx| body.poll_reset(cx)).await;
}

fn right() -> RangeResponse {
    RangeResponse {
        header: Some(Header {
            cluster_id: 1,
            revision: 7,
        }),
        ..RangeResponse::default()
    }
}

/// The revision that a member answers, or why there is none.
fn asked(does: Does, within: Duration) -> Result<i64, String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let answer = runtime.expect("a runtime").block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(listen(listener, does));
        let client = Client::new(&format!("http://{address}"), &EtcdTls::default()).expect("a client");
        let (request, repeat) = (RangeRequest::default(), Repeat::Unsent);
        let answer: Result<RangeResponse, Failure> = client.call(RANGE, &request, within, repeat).await;
        answer
    });
    match answer {
        Ok(answer) => Ok(answer.header.unwrap_or_default().revision),
        Err(Failure::Lost(why)) => Err(why.to_string()),
        Err(other) => Err(format!("{other:?}")),
    }
}

#[test]
fn answers_that_are_right_are_read_however_they_come() {
    assert_eq!(asked(Does::Drips, Duration::from_secs(20)), Ok(7));
}

#[test]
fn whatever_a_member_does_a_request_ends() {
    for (does, expected) in [
        (Does::Announces(1 << 30), "etcd: no answer in "),
        (Does::Announces(u32::MAX), "etcd: an answer that nobody can read"),
        (Does::Repeats, "etcd: two answers to one request"),
        (Does::Compresses, "etcd: an answer that nobody can read"),
        (Does::SaysNothing, "etcd: an answer without a message"),
        (Does::CutsOff, "etcd: an answer was cut off"),
        (Does::Explains, "etcd: %%%%"),
        (Does::Redirects, "etcd: HTTP status 302 Found"),
        (Does::Babbles, "etcd: failed to decode Protobuf message"),
        (Does::Resets, "etcd: stream error received"),
        (Does::Leaves, "etcd: "),
        (Does::IsSilent, "etcd: no answer in "),
        (Does::Stammers, "etcd: "),
    ] {
        let is_waited_for = expected.contains("no answer in");
        let within = Duration::from_millis(if is_waited_for { 300 } else { 20_000 });
        let answer = asked(does, within);
        let why = answer.expect_err("it is no answer");
        assert!(why.contains(expected), "{does:?}: {why:.200}");
    }
}
