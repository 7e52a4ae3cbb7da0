//! A server from its settings: listener, store and API, for every command that runs one.

pub(crate) mod admission_config;
pub(crate) mod audit_log;
pub(crate) mod controllers;
pub(crate) mod credentials;
pub(crate) mod etcd_cluster;
pub(crate) mod limits;
pub(crate) mod service_ranges;
pub(crate) mod storage;
pub(crate) mod temporary;
mod token;
mod upkeep;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use kindsmith::local_api;
use kindsmith_api::{Api, Options};
use kindsmith_kube_controllers::Selection;
use kindsmith_server::{
    Audit, Gates, Identity, Log, Reach, Server, Settings, System, Tls, WebhookCaller, WebhookMetrics,
};
use tokio::net::TcpListener;
use tokio::runtime::Handle;

use crate::Outcome;
use crate::error::Error;
use crate::platform;
use limits::Limits;
use storage::{Opened, Storage};

/// What a server is started with.
pub(crate) struct Launch {
    pub(crate) listen: SocketAddr,
    pub(crate) store: Storage,
    pub(crate) limits: Limits,
    pub(crate) service_resolver: Option<String>,
    pub(crate) identity: Identity,
    pub(crate) options: Options,
    pub(crate) gates: Gates,
    pub(crate) audit: Option<Audit>,
    pub(crate) log: Log,
    pub(crate) trusts_everybody: bool,
    /// Whether webhooks may be called in the server's own network though others reach it.
    pub(crate) private_webhooks: bool,
    /// The address for clients inside a cluster, if it is not the one that is listened on.
    pub(crate) advertised: Option<IpAddr>,
    /// The controllers that run beside the server.
    pub(crate) controllers: Selection,
}

/// A server that has its address and store, and serves nobody yet.
pub(crate) struct Launched {
    listener: TcpListener,
    pub(crate) address: SocketAddr,
    pub(crate) opened: Opened,
    pub(crate) api: Arc<Api>,
    settings: Settings,
    controllers: Selection,
    /// The store's revision before this server wrote to it.
    before: u64,
}

impl Launch {
    /// Listens, opens the store and creates what every server has.
    pub(crate) async fn open(self) -> Result<Launched, Error> {
        let listener = TcpListener::bind(self.listen).await.map_err(|error| {
            Error::environment(format!("cannot listen on {}: {error}", self.listen))
                .hint("port 0 picks a free one")
        })?;
        let address = listener
            .local_addr()
            .map_err(|error| Error::environment(format!("cannot read the address: {error}")))?;
        let opened = self.store.open(self.limits.store)?;
        let before = opened.store.revision().unwrap_or_default();
        let mut options = self.options;
        let endpoint = self.advertised.unwrap_or_else(|| reachable(address.ip()));
        options.host.endpoint = Some(SocketAddr::new(endpoint, address.port()));
        options.host.name = Some(host_name());
        options.host.probe = Some(probe);
        options.tokens.authenticator = Some(Arc::new(self.identity.clone()));
        options.webhooks.caller = Some(Arc::new(webhook_caller(
            address,
            self.private_webhooks,
            self.service_resolver,
        )));
        let webhook_metrics = Arc::<WebhookMetrics>::default();
        options.webhooks.observer = Some(Arc::clone(&webhook_metrics) as _);
        let api = Api::open(Arc::clone(&opened.store), Box::new(System), options)
            .map_err(|error| Error::environment(format!("cannot open the store {}: {error}", self.store)))?;
        let settings = Settings {
            identity: self.identity,
            tls: None,
            limits: self.limits.server,
            gates: self.gates,
            audit: self.audit,
            log: self.log,
            webhook_metrics: Some(webhook_metrics),
            is_slow: opened.is_slow,
            trusts_everybody: self.trusts_everybody,
        };
        Ok(Launched {
            listener,
            address,
            opened,
            api: Arc::new(api),
            settings,
            controllers: self.controllers,
            before,
        })
    }
}

impl Launched {
    /// The server, ready to run, and its controllers, which run already and publish the CA's certificate. What was opened
    /// must live as long as it.
    pub(crate) fn server(mut self, tls: Option<Tls>, authority: &str) -> Result<(Server, Opened), Error> {
        if self.opened.is_slow {
            local_api::follow_definitions(&self.api, &self.opened.store, self.before);
        }
        upkeep::keep(&self.opened.store, self.settings.log);
        upkeep::keep_own(&self.api);
        if let Some(clients) = tls.as_ref().and_then(|tls| tls.clients.as_ref()) {
            self.api
                .publish_client_authority(clients)
                .map_err(|error| Error::environment(format!("cannot write to the store: {error}")))?;
        }
        if !self.controllers.is_empty() {
            controllers::run(&self.api, &self.opened.store, self.controllers, authority)?;
        }
        self.settings.tls = tls;
        let server = Server::new(self.listener, self.api, self.settings)
            .map_err(|error| Error::environment(format!("cannot set up TLS: {error}")))?;
        Ok((server, self.opened))
    }
}

/// The name of this machine.
fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "localhost".to_owned(),
        name => name.to_owned(),
    }
}

/// How long a component beside this server has to accept a connection.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether somebody listens at an address.
fn probe(address: SocketAddr) -> Result<(), String> {
    match std::net::TcpStream::connect_timeout(&address, PATIENCE) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            Err("connect: connection refused".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The address for clients inside a cluster: that of the host, if the server listens on all addresses or on loopback, which
/// endpoints may not have (`ResolveBindAddress` in apimachinery's pkg/util/net/interface.go).
fn reachable(listen: IpAddr) -> IpAddr {
    if listen.is_unspecified() || listen.is_loopback() {
        host_address().unwrap_or(listen)
    } else {
        listen
    }
}

/// The address of this machine on its default route, if it has one. Nothing is sent: the system only picks a route to an
/// address that is reserved for documentation.
fn host_address() -> Option<IpAddr> {
    let routed: [(IpAddr, IpAddr); 2] = [
        (Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        (
            Ipv6Addr::UNSPECIFIED.into(),
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
        ),
    ];
    let own = |(any, outside)| {
        let socket = UdpSocket::bind((any, 0)).ok()?;
        socket.connect((outside, 9)).ok()?;
        socket.local_addr().ok().map(|address| address.ip())
    };
    routed.into_iter().find_map(own)
}

/// Unless `private` is set, a server that listens for other machines calls webhooks at public addresses only.
fn webhook_caller(address: SocketAddr, private: bool, resolver: Option<String>) -> WebhookCaller {
    let reach = if private || address.ip().is_loopback() {
        Reach::Anywhere
    } else {
        Reach::PublicOnly
    };
    WebhookCaller::new(Handle::current(), resolver, reach)
}

/// How long a thread that has nothing to do is kept. Upkeep wakes idle threads in turn, about one every second, so with
/// tokio's ten seconds those of a burst of slow requests would stay for ever.
const IDLE: Duration = Duration::from_secs(1);

/// How many threads may wait: more than the requests that may, so that nothing waits for a thread.
const THREADS: usize = 2_000;

/// Runs a server on threads of its own until it ends.
pub(crate) fn block_on(work: impl Future<Output = Result<Outcome, Error>>) -> Result<Outcome, Error> {
    keep_small();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("kindsmith")
        .thread_keep_alive(IDLE)
        .max_blocking_threads(THREADS)
        .thread_stack_size(kindsmith_server::STACK)
        .build()
        .map_err(|error| Error::environment(format!("cannot start threads: {error}")))?;
    let outcome = runtime.block_on(work);
    // Requests that still run are not waited for: the time to finish them is over.
    runtime.shutdown_background();
    outcome
}

/// Turns off huge pages: an idle server then uses a third less memory. Huge pages pay off only for short commands that
/// use much memory.
fn keep_small() {
    #[cfg(target_os = "linux")]
    // If the kernel does not support this, the server only uses more memory.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Which signal asked the process to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// Ctrl-C: the terminal sends it to child processes too.
    Interrupt,
    /// By another process, which does not know the children.
    Terminate,
}

/// Starts listening for signals. From here on none is lost, even if nobody waits for it yet; a second one ends the process
/// whatever its other threads do, because a thread of its own notices it.
pub(crate) fn stopped() -> Result<impl Future<Output = Stopped>, Error> {
    let fail = |error| Error::environment(format!("cannot listen for signals: {error}"));
    let (first, asked) = tokio::sync::oneshot::channel();
    let (ready, listens) = std::sync::mpsc::channel();
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(move || listen(first, &ready)).map_err(fail)?;
    let listens = listens.recv().unwrap_or(Err(io::ErrorKind::Other.into()));
    listens.map_err(fail)?;
    Ok(async move { asked.await.unwrap_or(Stopped::Terminate) })
}

/// Tells of the first signal, and ends the process with the second: whoever asks twice does not want to wait.
fn listen(first: tokio::sync::oneshot::Sender<Stopped>, ready: &std::sync::mpsc::Sender<io::Result<()>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let listening = runtime.and_then(|runtime| {
        let signals = {
            let _inside = runtime.enter();
            (platform::interrupt()?, platform::terminate()?)
        };
        Ok((runtime, signals))
    });
    let (runtime, (mut interrupt, mut terminate)) = match listening {
        Ok(listening) => listening,
        Err(error) => return drop(ready.send(Err(error))),
    };
    // If nobody is there any more, the process ends anyway.
    drop(ready.send(Ok(())));
    let code = runtime.block_on(async {
        let by = tokio::select! {
            _ = interrupt.recv() => Stopped::Interrupt,
            _ = terminate.recv() => Stopped::Terminate,
        };
        // If nobody waits any more, the process ends anyway.
        let _ = first.send(by);
        tokio::select! {
            _ = interrupt.recv() => 130,
            _ = terminate.recv() => 143,
        }
    });
    std::process::exit(code);
}
