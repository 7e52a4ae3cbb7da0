//! `kindsmith serve`: an API server.

mod credentials;
mod kubeconfig;
mod storage;
mod upkeep;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;
use kindsmith_api::{Api, User};
use kindsmith_server::{Audit, Gates, Identity, Limits, Log, Reach, Server, Settings, System, WebhookCaller};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};

use crate::Outcome;
use crate::admission_files;
use crate::error::Error;
use crate::schemas::CrdsArgs;
use crate::schemas::TypesArgs;
use crate::terminal::Terminal;
use kindsmith::local_api::{self, ADMINISTRATOR, MASTERS};
use storage::Storage;

/// Run an API server that kubectl and other clients can use
///
/// Serves built-in kinds (ConfigMaps, Secrets, RBAC, CRDs and more), the kinds of Go packages and those of CRDs, with
/// defaulting, pruning and validation as in kube-apiserver. Listens on loopback with TLS and writes a kubeconfig for
/// the administrator on start. Stop it with Ctrl-C: running requests are finished first.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith serve
  kindsmith serve --store memory --crds ./crds
  kindsmith serve --store memory --admission ./policies
  kindsmith serve --types ./api/v1 --listen 127.0.0.1:0 -o json
  kindsmith serve --store etcd://127.0.0.1:2379 --token-file tokens.csv
  KUBECONFIG=kindsmith-data/kubeconfig kubectl get namespaces")]
pub struct Args {
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    /// Where objects are kept: `memory`, a directory, or `etcd://HOST:PORT[,HOST:PORT...]`
    #[arg(long, value_name = "STORE", default_value = storage::DIRECTORY)]
    store: Storage,
    /// The address to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:6443")]
    listen: SocketAddr,
    /// Where to write the administrator's kubeconfig [default: next to the objects, or in a temporary directory]
    #[arg(long, value_name = "PATH")]
    kubeconfig: Option<PathBuf>,
    /// The administrator's bearer token [default: a random one]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// More users, as lines of `token,user,uid,"group1,group2"`
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Feature gates: `A=true,B=false`; may be given more than once
    #[arg(long, value_name = "GATES")]
    feature_gates: Vec<String>,
    /// Write one line of JSON per write request to a file; `-` is standard error
    #[arg(long, value_name = "FILE")]
    audit_log: Option<PathBuf>,
    /// Which requests to log to standard error, as lines of JSON
    #[arg(long, value_name = "WHAT", default_value = "failures")]
    log: LogArg,
    /// Where webhooks that are services are called: the host and port of a proxy or of the only one
    #[arg(long, value_name = "HOST:PORT")]
    service_resolver: Option<String>,
    /// Files with webhook configurations, policies and bindings to put in force, without storing them
    #[arg(long, value_name = "PATH")]
    admission: Option<PathBuf>,
    /// Serve plain HTTP without any authentication; only on loopback, and not for kubectl with tokens
    #[arg(long)]
    insecure_http: bool,
    /// How to report that the server is ready
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How the server reports that it is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A screen for people
    Text,
    /// One line of JSON on standard output
    Json,
}

/// Which requests are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogArg {
    /// Nothing
    Nothing,
    /// Requests that failed with a server error
    Failures,
    /// All requests
    Requests,
}

impl From<LogArg> for Log {
    fn from(log: LogArg) -> Self {
        match log {
            LogArg::Nothing => Log::Nothing,
            LogArg::Failures => Log::Failures,
            LogArg::Requests => Log::Requests,
        }
    }
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let started = Instant::now();
        keep_small();
        self.refuse_danger()?;
        let mut gates = Gates::default();
        for text in &self.feature_gates {
            gates
                .set(text)
                .map_err(|error| Error::usage(format!("--feature-gates: {error}")))?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("kindsmith")
            .build()
            .map_err(|error| Error::environment(format!("cannot start threads: {error}")))?;
        runtime.block_on(self.serve(terminal, gates, started))
    }

    /// A server that others can reach must authenticate them.
    fn refuse_danger(&self) -> Result<(), Error> {
        if self.insecure_http && !self.listen.ip().is_loopback() {
            return Err(Error::usage(format!(
                "--insecure-http would let anybody who reaches {} do everything",
                self.listen
            ))
            .hint(
                "listen on 127.0.0.1, or leave --insecure-http out: TLS and authentication are on by default",
            ));
        }
        Ok(())
    }

    async fn serve(self, terminal: &Terminal, gates: Gates, started: Instant) -> Result<Outcome, Error> {
        let listener = TcpListener::bind(self.listen).await.map_err(|error| {
            Error::environment(format!("cannot listen on {}: {error}", self.listen))
                .hint("--listen 127.0.0.1:0 picks a free port")
        })?;
        let address = listener
            .local_addr()
            .map_err(|error| Error::environment(format!("cannot read the address: {error}")))?;
        let opened = self.store.open()?;
        let before = opened.store.revision().unwrap_or_default();
        let token = self.token.clone().unwrap_or_else(credentials::random_token);
        let identity = self.identity(&token)?;
        let mut options = self.types.options(&gates, terminal)?;
        options.tokens = Some(Arc::new(identity.clone()));
        options.webhooks = Some(Arc::new(self.webhook_caller(address)));
        if let Some(path) = &self.admission {
            options.admission = admission_files::read(path)?;
        }
        let api = Api::open(Arc::clone(&opened.store), Box::new(System), options)
            .map_err(|error| Error::environment(format!("cannot open the store {}: {error}", self.store)))?;
        let api = Arc::new(api);
        self.crds.define(&api, terminal)?;
        if opened.is_slow {
            local_api::follow_definitions(&api, &opened.store, before);
        }
        upkeep::keep(&opened.store);

        let secrets = credentials::Secrets::open(opened.directory.as_deref(), address.ip())?;
        let url = if self.insecure_http {
            format!("http://{address}")
        } else {
            format!("https://{address}")
        };
        let kubeconfig = self.kubeconfig.clone().unwrap_or_else(|| opened.kubeconfig());
        kubeconfig::write(&kubeconfig, &url, &secrets, &token)?;
        let settings = Settings {
            identity,
            tls: (!self.insecure_http).then(|| secrets.tls()),
            limits: Limits::default(),
            gates,
            audit: self.audit()?,
            log: self.log.into(),
            is_slow: opened.is_slow,
            trusts_everybody: self.insecure_http,
        };
        let server = Server::new(listener, api, settings)
            .map_err(|error| Error::environment(format!("cannot set up TLS: {error}")))?;
        let stopped = stopped()?;
        self.announce(terminal, &url, &kubeconfig, started)?;
        server.run(stopped).await;
        terminal.say("stopped; everything that was acknowledged is stored");
        drop(opened);
        Ok(Outcome::Clean)
    }

    /// A server that others reach does not call into its own network.
    fn webhook_caller(&self, address: SocketAddr) -> WebhookCaller {
        let reach = match address.ip().is_loopback() {
            true => Reach::Anywhere,
            false => Reach::PublicOnly,
        };
        WebhookCaller::new(Handle::current(), self.service_resolver.clone(), reach)
    }

    fn identity(&self, token: &str) -> Result<Identity, Error> {
        let mut identity = Identity::default();
        if let Some(file) = &self.token_file {
            let text = std::fs::read_to_string(file).map_err(|error| Error::reading(file, &error))?;
            identity
                .add_token_file(&text)
                .map_err(|error| Error::input(format!("{}: {error}", file.display())))?;
        }
        let administrator = User {
            name: ADMINISTRATOR.to_owned(),
            uid: ADMINISTRATOR.to_owned(),
            groups: vec![MASTERS.to_owned()],
            extra: Vec::new(),
        };
        identity.add_token(token, administrator);
        Ok(identity)
    }

    fn audit(&self) -> Result<Option<Audit>, Error> {
        let Some(file) = &self.audit_log else {
            return Ok(None);
        };
        if file.as_os_str() == "-" {
            return Ok(Some(Audit::new(Box::new(std::io::stderr()))));
        }
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
        let opened = opened.map_err(|error| Error::reading(file, &error))?;
        Ok(Some(Audit::new(Box::new(opened))))
    }

    /// Reports that the server is ready.
    fn announce(
        &self,
        terminal: &Terminal,
        url: &str,
        kubeconfig: &std::path::Path,
        started: Instant,
    ) -> Result<(), Error> {
        let took = started.elapsed().as_millis();
        let path = std::path::absolute(kubeconfig).unwrap_or_else(|_| kubeconfig.to_owned());
        if self.format == Format::Json {
            let line =
                serde_json::json!({ "url": url, "kubeconfig": path.display().to_string(), "ready_ms": took });
            return terminal.print(&format!("{line}\n"));
        }
        let how = match self.insecure_http {
            true => format!("  curl {url}/apis\n"),
            false => format!(
                "  export KUBECONFIG={}\n  kubectl get namespaces\n  kubectl api-resources\n",
                path.display()
            ),
        };
        terminal.print(&format!(
            "Listening on {url} (ready in {took} ms), objects in {}\n\n{how}\nStop it with Ctrl-C.\n",
            self.store
        ))
    }
}

/// Turns off huge pages: an idle server then uses a third less memory. Huge pages pay off only for short commands that
/// use much memory.
fn keep_small() {
    #[cfg(target_os = "linux")]
    // If the kernel does not support this, the server only uses more memory.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Starts listening for signals. From here on none is lost, even if nobody waits for it yet.
fn stopped() -> Result<impl Future<Output = ()>, Error> {
    let listen = |kind| {
        signal(kind).map_err(|error| Error::environment(format!("cannot listen for signals: {error}")))
    };
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Addresses that clients may use for the server.
fn addresses(listen: IpAddr) -> Vec<IpAddr> {
    let mut addresses = vec![
        IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
    ];
    if !addresses.contains(&listen) && !listen.is_unspecified() {
        addresses.push(listen);
    }
    addresses
}
