//! `kindsmith serve`: an API server.

mod flags;
mod kubeconfig;
mod wrapped;

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use kindsmith_api::{PublishedDefaults, User};
use kindsmith_server::{Audit, Gates, Identity, Log};

use crate::Outcome;
use crate::admission_files;
use crate::error::Error;
use crate::launch::etcd_cluster::EtcdArgs;
use crate::launch::storage::{self, Storage};
use crate::launch::{
    self, Launch, admission_config, audit_log, controllers, credentials, limits, service_ranges,
};
use crate::release::ReleaseArgs;
use crate::schemas::{CrdsArgs, GeneratedCrds, OptionArgs, TypesArgs};
use crate::terminal::Terminal;
use kindsmith::local_api::{ADMINISTRATOR, MASTERS};
use kubeconfig::Kubeconfig;

/// Run an API server that kubectl and other clients can use
///
/// Serves built-in kinds (ConfigMaps, Secrets, RBAC, CRDs and more), the kinds of Go packages and those of CRDs, with
/// defaulting, pruning and validation as in kube-apiserver. Listens on loopback with TLS and writes a kubeconfig for
/// the administrator on start. Stop it with Ctrl-C: running requests are finished first. With a command behind `--`, it
/// serves while the command runs, from memory and on a free port unless told otherwise, and exits with its code.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith serve
  kindsmith serve --store memory --crds ./crds
  kindsmith serve --store memory --admission ./policies
  kindsmith serve --kubernetes-version 1.35
  kindsmith serve --types ./api/v1 --listen 127.0.0.1:0 -o json
  kindsmith serve --store memory --controllers '*'
  kindsmith serve --controllers namespace,garbage-collector -- go test ./...
  kindsmith serve --crds ./crds -- sh -c 'kubectl apply -f objects && ./check'
  kindsmith serve --limit connections=500,idle-time=30s
  kindsmith serve --store etcd://127.0.0.1:2379 --token-file tokens.csv
  kindsmith serve --store https://10.0.0.1:2379 --etcd-cafile ca.crt --keys /etc/kindsmith
  KUBECONFIG=kindsmith-data/kubeconfig kubectl get namespaces")]
pub struct Args {
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    release: ReleaseArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    options: OptionArgs,
    /// Where objects are kept: `memory`, a directory, or `etcd://HOST:PORT[,HOST:PORT...]`, with TLS `https://…` [default:
    /// the directory `kindsmith-data`; `memory` with a command]
    #[arg(long, value_name = "STORE")]
    store: Option<Storage>,
    #[command(flatten)]
    etcd: EtcdArgs,
    /// Where the server's CA and the key of service account tokens are kept; servers on one etcd share them [default: next
    /// to the objects, or nowhere]
    #[arg(long, value_name = "DIR")]
    keys: Option<PathBuf>,
    /// More names and addresses for the server's certificate, such as those of a load balancer
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tls_san: Vec<String>,
    /// The address to listen on; port 0 picks a free one [default: 127.0.0.1:6443; 127.0.0.1:0 with a command]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// How many MiB all objects and their history may take; then writes fail until something is deleted
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    store_quota: usize,
    /// Limits other than the default, as SECURITY.md lists them: `connections=500`, `body=1Mi`, `idle-time=30s`
    #[arg(long = "limit", value_name = "NAME=VALUE", value_delimiter = ',')]
    limits: Vec<String>,
    /// Where to write the administrator's kubeconfig [default: next to the objects, or in a temporary directory]
    #[arg(long, value_name = "PATH")]
    kubeconfig: Option<PathBuf>,
    /// The administrator's bearer token. Other users of the machine can see it in the list of processes: `@FILE` reads
    /// it from a file instead, and without this flag KINDSMITH_TOKEN in the environment counts [default: a random one]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// More users, as lines of `token,user,uid,"group1,group2"`
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Feature gates, also those that the Go packages declare: `A=true,B=false`; may be given more than once
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
    #[command(flatten)]
    services: service_ranges::ServiceArgs,
    /// Which definitions of /openapi/v2 publish their defaults; Kubernetes publishes none
    #[arg(long, value_name = "WHICH", default_value = "none")]
    openapi_v2_defaults: DefaultsArg,
    /// Files with webhook configurations, policies and bindings to put in force, without storing them
    #[arg(long, value_name = "PATH")]
    admission: Option<PathBuf>,
    /// Controllers to run beside the server, by kube-controller-manager's names: `*` for all, `-NAME` for all but one
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true)]
    controllers: Vec<String>,
    /// Admission plugins to switch on
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    enable_admission_plugins: Vec<String>,
    /// Admission plugins to switch off
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    disable_admission_plugins: Vec<String>,
    /// The configurations of admission plugins, as an AdmissionConfiguration
    #[arg(long, value_name = "FILE")]
    admission_control_config_file: Option<PathBuf>,
    /// Check expressions of ValidatingAdmissionPolicies against the kinds they match, and write warnings to their status
    #[arg(long)]
    type_check_policies: bool,
    /// Call webhooks at private addresses even if this server can be reached from elsewhere
    #[arg(long)]
    private_webhooks: bool,
    /// Serve plain HTTP without any authentication; only on loopback, and not for kubectl with tokens
    #[arg(long)]
    insecure_http: bool,
    /// How to report that the server is ready
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// A command to run while the server runs, with KUBECONFIG set for it
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
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

/// Which definitions publish their defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DefaultsArg {
    /// None
    None,
    /// Those of custom resources
    CustomResources,
    /// All
    All,
}

impl From<DefaultsArg> for PublishedDefaults {
    fn from(defaults: DefaultsArg) -> Self {
        match defaults {
            DefaultsArg::None => PublishedDefaults::None,
            DefaultsArg::CustomResources => PublishedDefaults::CustomResources,
            DefaultsArg::All => PublishedDefaults::All,
        }
    }
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
        self.refuse_danger()?;
        launch::block_on(self.serve(terminal, started))
    }

    fn listen(&self) -> SocketAddr {
        let port = if self.command.is_empty() { 6443 } else { 0 };
        self.listen
            .unwrap_or(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port))
    }

    fn store(&self) -> Storage {
        let default = if self.command.is_empty() {
            Storage::Directory(storage::DIRECTORY.into())
        } else {
            Storage::Memory
        };
        self.store.clone().unwrap_or(default)
    }

    /// Where keys are kept, if they are.
    fn keys<'a>(&'a self, store: &'a Storage) -> Option<&'a Path> {
        match store {
            Storage::Directory(directory) => Some(self.keys.as_deref().unwrap_or(directory)),
            Storage::Memory | Storage::Etcd(_) => self.keys.as_deref(),
        }
    }

    fn limits(&self) -> Result<limits::Limits, Error> {
        let mut limits = limits::Limits::default();
        limits.store.quota_bytes = self.store_quota.saturating_mul(1 << 20);
        self.limits.iter().try_for_each(|limit| limits.set(limit))?;
        Ok(limits)
    }

    /// A server that others can reach must authenticate them.
    fn refuse_danger(&self) -> Result<(), Error> {
        let listen = self.listen();
        if self.insecure_http && !listen.ip().is_loopback() {
            return Err(Error::usage(format!(
                "--insecure-http would let anybody who reaches {listen} do everything"
            ))
            .hint(
                "listen on 127.0.0.1, or leave --insecure-http out: TLS and authentication are on by default",
            ));
        }
        Ok(())
    }

    async fn serve(self, terminal: &Terminal, started: Instant) -> Result<Outcome, Error> {
        let token = credentials::token(self.token.as_deref())?;
        let (mut launch, crds) = self.launch(&token, terminal)?;
        self.set_plugins(&mut launch, terminal)?;
        launch.options.pages.flags = self.flags();
        launch.options.pages.v2_defaults = self.openapi_v2_defaults.into();
        if self.log != LogArg::Nothing {
            log_differences(&mut launch.options)?;
        }
        if let Some(path) = &self.admission {
            launch.options.admission.files = admission_files::read(path)?;
        }
        launch.options.tokens.signer = Some(credentials::token_signer(self.keys(&launch.store))?);
        let launched = launch.open().await?;
        self.crds.define(&launched.api, terminal)?;
        crds.define(&launched.api)?;
        let address = launched.address;
        let keys = self.keys.as_deref().or(launched.opened.directory.as_deref());
        let secrets = credentials::Secrets::open(keys, address.ip(), &self.tls_san)?;
        let url = if self.insecure_http {
            format!("http://{address}")
        } else {
            format!("https://{address}")
        };
        let kubeconfig = Kubeconfig::write(
            (self.kubeconfig.as_deref(), launched.opened.kubeconfig()),
            (&url, &secrets, &token),
            terminal,
        )?;
        let ready = Ready {
            url,
            kubeconfig: kubeconfig.path.clone(),
            token,
            authority: (!self.insecure_http).then(|| secrets.authority().to_owned()),
        };
        let authority = secrets.authority().to_owned();
        let tls = (!self.insecure_http).then(|| secrets.tls());
        let (server, opened) = launched.server(tls, &authority)?;
        let stopped = launch::stopped()?;
        if self.command.is_empty() {
            self.announce(terminal, &ready, started)?;
            server
                .run(async {
                    stopped.await;
                })
                .await;
            terminal.say("stopped; everything that was acknowledged is stored");
            drop(opened);
            return Ok(Outcome::Clean);
        }
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async {
            let _ = ended.await;
        }));
        let path = std::path::absolute(&ready.kubeconfig).unwrap_or_else(|_| ready.kubeconfig.clone());
        let outcome = wrapped::run(&self.command, &path, stopped).await;
        drop(end);
        // It ends early only after a panic, which was printed.
        let _ = serving.await;
        drop(opened);
        outcome
    }

    fn launch(&self, token: &str, terminal: &Terminal) -> Result<(Launch, GeneratedCrds), Error> {
        let release = self.release.release()?;
        let mut gates = if self.types.is_kep() {
            Gates::kep(release)
        } else {
            Gates::of(release)
        };
        let (mut options, crds) =
            self.types
                .gated_options(&mut gates, &self.feature_gates, &self.options, terminal)?;
        options.admission.checks_policies = self.type_check_policies;
        self.services.set(&mut options);
        let launch = Launch {
            listen: self.listen(),
            store: match self.store() {
                Storage::Etcd(cluster) => Storage::Etcd(cluster.with(self.etcd.clone())?),
                store => store,
            },
            limits: self.limits()?,
            service_resolver: self.service_resolver.clone(),
            identity: self.identity(token)?,
            options,
            gates,
            audit: self.audit()?,
            log: self.log.into(),
            trusts_everybody: self.insecure_http,
            private_webhooks: self.private_webhooks,
            advertised: None,
            controllers: controllers::select(self.controllers.iter().map(String::as_str))?,
        };
        Ok((launch, crds))
    }

    /// Switches admission plugins. Pods need an account if a controller creates those of namespaces.
    fn set_plugins(&self, launch: &mut Launch, terminal: &Terminal) -> Result<(), Error> {
        let plugins = &mut launch.options.admission.plugins;
        plugins.switch(
            kindsmith_api::Plugin::ServiceAccount,
            launch.controllers.has("serviceaccount"),
        );
        for (flag, names, on) in [
            ("enable-admission-plugins", &self.enable_admission_plugins, true),
            (
                "disable-admission-plugins",
                &self.disable_admission_plugins,
                false,
            ),
        ] {
            let names = names.iter().map(String::as_str);
            controllers::switch_plugins(plugins, (flag, on), names)?;
        }
        let file = self.admission_control_config_file.as_deref();
        admission_config::set(&mut launch.options, file, terminal)
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
        self.audit_log.as_deref().map(audit_log::open).transpose()
    }

    /// Reports that the server is ready.
    fn announce(&self, terminal: &Terminal, ready: &Ready, started: Instant) -> Result<(), Error> {
        let took = started.elapsed().as_millis();
        let path = std::path::absolute(&ready.kubeconfig).unwrap_or_else(|_| ready.kubeconfig.clone());
        let url = &ready.url;
        let release = self.release.release()?;
        if self.format == Format::Json {
            let line = serde_json::json!({
                "url": url,
                "kubeconfig": path.display().to_string(),
                "token": ready.token,
                "ca": ready.authority,
                "kubernetes": release.to_string(),
                "ready_ms": took,
            });
            return terminal.print(&format!("{line}\n"));
        }
        let how = if self.insecure_http {
            format!("  curl {url}/apis\n")
        } else {
            format!(
                "  export KUBECONFIG={}\n  kubectl get namespaces\n  kubectl api-resources\n",
                path.display()
            )
        };
        terminal.print(&format!(
            "Listening on {url} as Kubernetes {release} (ready in {took} ms), objects in {}\n\n{how}\nStop it with Ctrl-C.\n",
            self.store()
        ))
    }
}

/// What clients need to know of a server that is ready.
struct Ready {
    url: String,
    kubeconfig: PathBuf,
    token: String,
    /// The CA's certificate, in PEM; `None` without TLS.
    authority: Option<String>,
}

/// Writes a line of JSON to standard error where hand-written rules and tags differ.
fn log_differences(options: &mut kindsmith_api::Options) -> Result<(), Error> {
    let log = std::sync::Mutex::new(audit_log::lines(std::io::stderr())?);
    kindsmith::local_api::log_differences(options, move |line| {
        use std::io::Write as _;
        let entry =
            serde_json::json!({ "level": "error", "message": "declarative validation", "difference": line });
        if let Ok(mut log) = log.lock() {
            // A log that cannot be written must not stop the server.
            let _ = writeln!(log, "{entry}");
        }
    });
    Ok(())
}
