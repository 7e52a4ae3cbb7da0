//! Metrics of controllers.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::http::{Http, HttpError, Request, Response};
use crate::queue::Next;

/// Counters of one kind's controller.
#[derive(Debug, Default)]
pub struct Metrics {
    settled: AtomicU64,
    polled: AtomicU64,
    failed: AtomicU64,
    microseconds: AtomicU64,
    /// Requests to the service, by method and status; status 0 without a response.
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
}

impl Metrics {
    pub(crate) fn passed(&self, next: &Next, took: Duration) {
        let counter = match next {
            Next::OnChange | Next::After(_) => &self.settled,
            Next::Poll => &self.polled,
            Next::Retry { .. } => &self.failed,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(micros, Ordering::Relaxed);
    }

    fn sent(&self, method: &'static str, status: u16) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((method, status)).or_default() += 1;
    }

    /// Requests to the service so far, by method and status; status 0 without a response.
    #[must_use]
    pub fn requests(&self) -> BTreeMap<(&'static str, u16), u64> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Passes so far: up to date, waiting, failed.
    #[must_use]
    pub fn passes(&self) -> (u64, u64, u64) {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (read(&self.settled), read(&self.polled), read(&self.failed))
    }
}

/// Counts the requests to a service.
#[derive(Debug)]
pub struct Counted<H> {
    /// Sends the requests.
    pub http: H,
    /// Counts them.
    pub metrics: Arc<Metrics>,
}

impl<H: Http> Http for Counted<H> {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        let method = request.method;
        let response = self.http.send(request).await;
        let status = response.as_ref().map_or(0, |response| response.status);
        self.metrics.sent(method, status);
        response
    }
}

/// All counters in the Prometheus text format.
fn text(counters: &[(String, Arc<Metrics>)]) -> String {
    let mut out =
        String::from("# HELP kindsmith_controller_passes_total Passes over objects, by how they ended.\n");
    out.push_str("# TYPE kindsmith_controller_passes_total counter\n");
    for (kind, metrics) in counters {
        let (settled, polled, failed) = metrics.passes();
        for (result, count) in [("settled", settled), ("waiting", polled), ("failed", failed)] {
            let labels = format!("kind=\"{kind}\",result=\"{result}\"");
            let _ = writeln!(out, "kindsmith_controller_passes_total{{{labels}}} {count}");
        }
    }
    out.push_str("# HELP kindsmith_controller_pass_seconds_total Time that passes took.\n");
    out.push_str("# TYPE kindsmith_controller_pass_seconds_total counter\n");
    for (kind, metrics) in counters {
        let seconds = metrics.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = writeln!(
            out,
            "kindsmith_controller_pass_seconds_total{{kind=\"{kind}\"}} {seconds}"
        );
    }
    out.push_str("# HELP kindsmith_controller_service_requests_total Requests to the service; code 0 without a response.\n");
    out.push_str("# TYPE kindsmith_controller_service_requests_total counter\n");
    for (kind, metrics) in counters {
        for ((method, code), count) in metrics.requests() {
            let labels = format!("kind=\"{kind}\",method=\"{method}\",code=\"{code}\"");
            let _ = writeln!(
                out,
                "kindsmith_controller_service_requests_total{{{labels}}} {count}"
            );
        }
    }
    out
}

/// Serves the metrics of all controllers until the listener fails.
///
/// # Errors
/// If no connection can be accepted.
pub async fn serve_metrics(
    listener: TcpListener,
    counters: Vec<(String, Arc<Metrics>)>,
) -> std::io::Result<()> {
    let counters = Arc::new(counters);
    loop {
        let (stream, _) = listener.accept().await?;
        let counters = Arc::clone(&counters);
        let service = service_fn(move |_: hyper::Request<Incoming>| {
            let text = text(&counters);
            std::future::ready(Ok::<_, Infallible>(hyper::Response::new(Full::new(Bytes::from(
                text,
            )))))
        });
        let connection =
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        // A broken connection is the client's problem.
        tokio::spawn(async move { drop(connection.await) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_counted_by_how_they_ended() {
        let metrics = Metrics::default();
        metrics.passed(&Next::Poll, Duration::from_millis(500));
        metrics.passed(&Next::OnChange, Duration::from_millis(500));
        metrics.sent("GET", 404);
        let text = text(&[
            ("Topic".to_owned(), Arc::new(metrics)),
            ("Lamp".to_owned(), Arc::default()),
        ]);
        assert_eq!(text.matches("# TYPE").count(), 3, "{text}");
        assert!(
            text.contains("passes_total{kind=\"Topic\",result=\"waiting\"} 1\n"),
            "{text}"
        );
        let requests = "service_requests_total{kind=\"Topic\",method=\"GET\",code=\"404\"} 1\n";
        assert!(text.contains(requests), "{text}");
        assert!(text.contains("pass_seconds_total{kind=\"Topic\"} 1\n"), "{text}");
    }
}
