//! The fakes on a socket.

use std::io;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use super::Fake;
use crate::Json;

/// Serves until the listener fails.
///
/// # Errors
/// If no connection can be accepted.
pub async fn serve(listener: TcpListener, fake: Fake) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let fake = fake.clone();
        let service = service_fn(move |request| answer(fake.clone(), request));
        let connection =
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        // A broken connection is the client's problem.
        tokio::spawn(async move { drop(connection.await) });
    }
}

async fn answer(
    fake: Fake,
    request: hyper::Request<Incoming>,
) -> Result<hyper::Response<Full<Bytes>>, io::Error> {
    let (head, body) = request.into_parts();
    let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let body: Json = serde_json::from_slice(&bytes).unwrap_or_default();
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let (reply, late) = fake.handle_late(head.method.as_str(), path, &body);
    tokio::time::sleep(late).await;
    let Some((status, body)) = reply else {
        return Err(io::Error::other("by script"));
    };
    let mut response = hyper::Response::builder()
        .status(status)
        .header("content-type", "application/json");
    if status == 429 {
        response = response.header("retry-after", "1");
    }
    let response = response.body(Full::new(Bytes::from(body.to_string())));
    response.map_err(io::Error::other)
}
