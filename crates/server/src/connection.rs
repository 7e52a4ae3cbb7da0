//! Connections: accept, TLS, serve, and drain when the server stops.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use kindsmith_api::Api;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_rustls::TlsAcceptor;

use crate::handler::Handler;
use crate::meter::{Counted, Meter, Metered, Sent};
use crate::stalled::Stalled;
use crate::tls::{Configured, Presented};
use crate::{Audit, Gates, Identity, Limits, Log, Tls, TlsError, WebhookMetrics, tls};

/// The least size of headers that the HTTP library allows to limit.
const LEAST_HEADERS: usize = 8 * 1024;

/// Settings of a server.
#[derive(Debug)]
pub struct Settings {
    /// Known users.
    pub identity: Identity,
    /// Certificates; `None` for plain HTTP.
    pub tls: Option<Tls>,
    /// Limits on concurrent requests.
    pub limits: Limits,
    /// Which features are on.
    pub gates: Gates,
    /// The audit log.
    pub audit: Option<Audit>,
    /// Which requests are logged.
    pub log: Log,
    /// Counts calls of webhooks.
    pub webhook_metrics: Option<Arc<WebhookMetrics>>,
    /// Whether reads wait for another machine; writes are always expected to wait.
    pub is_slow: bool,
    /// Whether authentication and authorization are off.
    pub trusts_everybody: bool,
}

/// A server that listens and is ready to serve.
pub struct Server {
    listener: TcpListener,
    tls: Option<Arc<Configured>>,
    handler: Arc<Handler>,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Creates a server on a listener. Must be called within a runtime.
    ///
    /// # Errors
    ///
    /// If the certificates cannot be used.
    pub fn new(listener: TcpListener, api: Arc<Api>, settings: Settings) -> Result<Self, TlsError> {
        let tls = match &settings.tls {
            Some(tls) => Some(Arc::new(tls::config(tls)?)),
            None => None,
        };
        let (stop, stopped) = watch::channel(false);
        let handler = Handler {
            audit: settings.audit,
            webhook_metrics: settings.webhook_metrics,
            log: settings.log,
            is_slow: settings.is_slow,
            trusts_everybody: settings.trusts_everybody,
            ..Handler::new(api, settings.identity, settings.limits, settings.gates, stopped)
        };
        Ok(Server {
            listener,
            tls,
            handler: Arc::new(handler),
            stop,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// If the operating system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `shutdown` completes; then it accepts no more connections, ends watches and finishes running
    /// requests.
    pub async fn run(self, shutdown: impl Future<Output = ()>) {
        let graceful = GracefulShutdown::new();
        let builder = builder(&self.handler.limits);
        let mut shutdown = std::pin::pin!(shutdown);
        let places = Arc::new(Semaphore::new(self.handler.limits.connections));
        loop {
            let next = async {
                let place = Arc::clone(&places).acquire_owned().await;
                (self.listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                accepted = next => accepted,
                () = &mut shutdown => break,
            };
            let Ok((stream, _)) = accepted else {
                // Out of file descriptors, or the client is already gone: try again in a moment.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let connection = Connection {
                builder: builder.clone(),
                handler: Arc::clone(&self.handler),
                tls: self.tls.clone(),
            };
            connection.start(stream, graceful.watcher(), place.ok());
        }
        drop(self.listener);
        self.stop.send_replace(true);
        let _ = tokio::time::timeout(self.handler.limits.drain, graceful.shutdown()).await;
        self.handler.threads.close();
    }
}

fn builder(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let headers = limits.header_bytes.max(LEAST_HEADERS);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.headers)
        .max_buf_size(headers);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(u32::try_from(headers).unwrap_or(u32::MAX))
        .keep_alive_interval(Some(Duration::from_secs(30)));
    builder
}

/// One connection.
struct Connection {
    builder: auto::Builder<TokioExecutor>,
    handler: Arc<Handler>,
    tls: Option<Arc<Configured>>,
}

impl Connection {
    /// Serves in a task. Nothing here is generic, so that the task is compiled in this crate, optimized as it is: [`Server::run`] is compiled
    /// where it is called.
    fn start(
        self,
        stream: TcpStream,
        watcher: hyper_util::server::graceful::Watcher,
        place: Option<OwnedSemaphorePermit>,
    ) {
        tokio::spawn(async move {
            self.serve(stream, watcher).await;
            drop(place);
        });
    }

    async fn serve(self, stream: TcpStream, watcher: hyper_util::server::graceful::Watcher) {
        // What is boxed is freed when it is over; otherwise each connection would hold memory for the largest of its steps, and most
        // have one watch to which nothing happens.
        let Some(tls) = self.tls.clone() else {
            return Box::pin(self.speak(stream, None, watcher)).await;
        };
        let acceptor = TlsAcceptor::from(Arc::clone(&tls.config));
        let peer = stream.peer_addr();
        let handshake = tokio::time::timeout(self.handler.limits.headers, acceptor.accept(stream));
        let handshake = Box::pin(handshake);
        let stream = match handshake.await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return self.tell_refused(peer.ok(), &error),
            Err(_) => return,
        };
        let presented = match (stream.get_ref().1.peer_certificates(), &tls.clients) {
            (Some(chain), Some(clients)) => tls::presented(clients, chain),
            _ => None,
        };
        Box::pin(self.speak(stream, presented, watcher)).await;
    }

    /// Logs a handshake that failed. Who only looks whether the port is open is not told about.
    fn tell_refused(&self, peer: Option<SocketAddr>, error: &io::Error) {
        let is_gone = matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe
        );
        if !is_gone {
            let from = peer.map_or_else(|| "unknown".to_owned(), |peer| peer.to_string());
            let message = format!("TLS handshake error from {from}");
            self.handler.log.event("info", &message, &error.to_string());
        }
    }

    async fn speak(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        presented: Option<Presented>,
        watcher: hyper_util::server::graceful::Watcher,
    ) {
        let handler = self.handler;
        let limits = handler.limits.clone();
        let meter = Meter::new(handler.pools());
        let account = Arc::clone(&meter);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let (handler, presented, meter) = (Arc::clone(&handler), presented.clone(), Arc::clone(&account));
            let under_way = meter.begin();
            let request = request.map(|body| Metered { body, meter });
            // The library keeps the place of a request for the next one of the connection.
            Box::pin(async move {
                let answer = handler.answer(request, presented).await;
                Ok::<_, Infallible>(answer.map(|answer| Sent {
                    answer,
                    _under_way: under_way,
                }))
            })
        });
        let stream = Counted::new(Stalled::new(stream, limits.stall), Arc::clone(&meter));
        let connection = self.builder.serve_connection(TokioIo::new(stream), service);
        let connection = watcher.watch(connection.into_owned());
        // A broken connection is not our error; its requests were answered or are lost.
        tokio::select! {
            _ = connection => {}
            () = meter.is_idle(limits.headers, limits.idle) => {}
        }
    }
}
