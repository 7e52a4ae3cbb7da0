//! What clients may hold of a server.

use std::time::Duration;

use kindsmith_formats::limit::REQUEST_BYTES;

/// Limits on connections, concurrent requests, and their size and duration.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Requests that read.
    pub reads: usize,
    /// Requests that write.
    pub writes: usize,
    /// Requests that wait for webhooks; they need no seat meanwhile.
    pub webhook_waits: usize,
    /// Reads that compute long, like lists: how many at once.
    pub heavy: usize,
    /// How many requests of one client may queue.
    pub queue: usize,
    /// How long they may queue.
    pub patience: Duration,
    /// The largest body.
    pub body: usize,
    /// The memory for the headers, bodies and answers of all requests together: half for what comes, half for answers.
    pub memory: usize,
    /// The memory that writes work in together, and that reads work in; one may use half of it.
    pub work: usize,
    /// Connections; more wait to be accepted.
    pub connections: usize,
    /// The concurrent requests of one HTTP/2 connection. The default is kube-apiserver's.
    pub streams: u32,
    /// The size of a request's headers; at least 8 KiB. The default is that of Go.
    pub header_bytes: usize,
    /// How long a body may take to arrive, and a request to be answered.
    pub request: Duration,
    /// How long a connection may take for TLS and for the headers of a request.
    pub headers: Duration,
    /// How long a connection may stay open between requests. The default is kube-apiserver's.
    pub idle: Duration,
    /// How long a client may take to read nothing of an answer before it is cut.
    pub stall: Duration,
    /// The shortest default duration of a watch; the longest is twice as long.
    pub watch: Duration,
    /// How long running requests may take when the server stops.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            reads: 400,
            writes: 200,
            webhook_waits: 400,
            heavy: std::thread::available_parallelism().map_or(2, usize::from),
            queue: 200,
            patience: Duration::from_secs(15),
            body: REQUEST_BYTES,
            memory: 512 * 1024 * 1024,
            work: 1024 * 1024 * 1024,
            connections: 20_000,
            streams: 100,
            header_bytes: 1024 * 1024,
            request: Duration::from_mins(1),
            headers: Duration::from_secs(32),
            idle: Duration::from_secs(90),
            stall: Duration::from_secs(30),
            watch: Duration::from_mins(30),
            drain: Duration::from_secs(5),
        }
    }
}
