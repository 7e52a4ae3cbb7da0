//! `kube-apiserver` for envtest: an API server with kube-apiserver's command line.

mod certificates;
mod emulated_version;
mod etcd_servers;
mod feature_gates;
mod runtime_config;
mod services;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use kindsmith::local_api;
use kindsmith_api::{AuthorizationMode, Options, Plugins};
use kindsmith_gostd::duration::Duration;
use kindsmith_server::{Identity, Log};

pub(super) use emulated_version::flag_of;

use super::flags::{Given, Request, Table};
use crate::Outcome;
use crate::error::Error;
use crate::launch::limits::Limits;
use crate::launch::{self, Launch, admission_config, audit_log, controllers};
use crate::terminal::Terminal;

const FLAGS: Table = Table {
    program: super::KUBE_APISERVER,
    lines: include_str!("kube_apiserver_flags.txt"),
    effective: &[
        (
            "admission-control-config-file",
            "The configurations of admission plugins, as an AdmissionConfiguration",
        ),
        (
            "advertise-address",
            "The address in the endpoints of the service default/kubernetes",
        ),
        (
            "api-audiences",
            "Who service account tokens are for (default the issuer)",
        ),
        (
            "allow-privileged",
            "Whether containers may be privileged (default false)",
        ),
        (
            "anonymous-auth",
            "Whether requests without credentials are anonymous (default true)",
        ),
        (
            "audit-log-path",
            "Write one line of JSON per write request to a file; - is standard error",
        ),
        (
            "authorization-mode",
            "Who decides what may be done: RBAC, AlwaysAllow, AlwaysDeny, Node (default AlwaysAllow)",
        ),
        ("bind-address", "The address to listen on (default 0.0.0.0)"),
        (
            "cert-dir",
            "Where apiserver.crt and apiserver.key are, or are created (default /var/run/kubernetes)",
        ),
        (
            "client-ca-file",
            "The CA of client certificates: their common name is the user, organizations are groups",
        ),
        (
            "controllers",
            "Controllers to run, by kube-controller-manager's names: * for all, -NAME for all but one (default none)",
        ),
        ("disable-admission-plugins", "Admission plugins to switch off"),
        ("enable-admission-plugins", "Admission plugins to switch on"),
        (
            "emulated-version",
            "The release of Kubernetes to answer as, 1.36 or kube=1.36 (default that in the name of the assets directory, or 1.37)",
        ),
        (
            "etcd-servers",
            "An etcd cluster, as http://HOST:PORT; objects are kept in memory if envtest's etcd answers there",
        ),
        ("event-ttl", "How long events are kept (default 1h0m0s)"),
        ("feature-gates", "Feature gates: A=true,B=false"),
        ("kubernetes-version", "The same as --emulated-version"),
        ("runtime-config", "Versions to switch off: batch/v1=false"),
        ("secure-port", "The port to listen on (default 6443)"),
        (
            "service-account-issuer",
            "Whom service account tokens name as their issuer",
        ),
        (
            "service-account-key-file",
            "Accepted as given; tokens are checked with the signing key",
        ),
        (
            "service-account-signing-key-file",
            "The private key that signs service account tokens; without one, none are signed",
        ),
        (
            "service-cluster-ip-range",
            "The range of cluster IPs, one for each family (default 10.0.0.0/24)",
        ),
        (
            "service-node-port-range",
            "The range of node ports (default 30000-32767)",
        ),
        ("tls-cert-file", "The server's certificate"),
        ("tls-private-key-file", "The server's key"),
        (
            "token-auth-file",
            "Users by token, as lines of token,user,uid,\"group1,group2\"",
        ),
        ("v", "Log all requests from 3 on"),
        ("version", "Show the version"),
    ],
    has_single_dashes: false,
};

const ABOUT: &str = "Kindsmith's API server with kube-apiserver's command line, for envtest.";

/// The default port.
const PORT: u16 = 6443;

pub(super) fn run(words: &[String], terminal: &Terminal) -> Result<Outcome, Error> {
    match FLAGS.parse(words)? {
        Request::Help => terminal.print(&FLAGS.help(ABOUT))?,
        Request::Version => {
            let release = emulated_version::in_words(words)?;
            terminal.print(&format!(
                "Kubernetes v{release}.0+kindsmith-{}\n",
                env!("CARGO_PKG_VERSION")
            ))?;
        }
        Request::Run(given) => {
            FLAGS
                .warnings(&given)
                .iter()
                .for_each(|warning| terminal.warn(warning));
            return launch::block_on(serve(&given, terminal));
        }
    }
    Ok(Outcome::Clean)
}

async fn serve(given: &Given, terminal: &Terminal) -> Result<Outcome, Error> {
    let listen = listen(given)?;
    let release = emulated_version::read(given)?;
    let launched = launch(given, listen, terminal)?.open().await?;
    let advertised = address(given, "advertise-address")?;
    let tls = certificates::load(given, &[Some(launched.address.ip()), advertised])?;
    let url = format!("https://{}", launched.address);
    let authority = tls.server.certificate.clone();
    let (server, opened) = launched.server(Some(tls), &authority)?;
    let stopped = launch::stopped()?;
    terminal.say(&format!("Listening on {url} as Kubernetes {release}"));
    server
        .run(async {
            stopped.await;
        })
        .await;
    drop(opened);
    Ok(Outcome::Clean)
}

fn launch(given: &Given, listen: SocketAddr, terminal: &Terminal) -> Result<Launch, Error> {
    let release = emulated_version::read(given)?;
    let gates = feature_gates::read(release, given, terminal)?;
    let mut options = local_api::options(&gates);
    options.authorization = authorization(given)?;
    options.admission.plugins = Plugins::default();
    options.admission.plugins.keep_to(release);
    switch_plugins(&mut options, given)?;
    let file = given
        .text("admission-control-config-file")
        .filter(|path| !path.is_empty());
    admission_config::set(&mut options, file.map(Path::new), terminal)?;
    services::set(&mut options, given)?;
    options.writes.allow_privileged = given.boolean("allow-privileged") == Some(true);
    options.writes.event_ttl_seconds = event_ttl(given)?;
    options.pages.flags = FLAGS.values(given);
    options.serving.disabled_versions = runtime_config::disabled(given, terminal)?;
    let audit = given.text("audit-log-path").filter(|path| !path.is_empty());
    Ok(Launch {
        listen,
        store: etcd_servers::storage(given, terminal)?,
        limits: Limits::default(),
        service_resolver: None,
        identity: identity(given)?,
        options,
        gates,
        audit: audit.map(|path| audit_log::open(Path::new(path))).transpose()?,
        log: log(given),
        trusts_everybody: false,
        // Suites serve their webhooks beside the server, whatever it listens on.
        private_webhooks: true,
        advertised: address(given, "advertise-address")?,
        controllers: controllers::select(given.list("controllers"))?,
    })
}

fn listen(given: &Given) -> Result<SocketAddr, Error> {
    let port = match given.text("secure-port") {
        Some(text) => text
            .parse()
            .map_err(|_| Error::usage(format!("--secure-port {text} is not a port")))?,
        None => PORT,
    };
    let ip = address(given, "bind-address")?;
    Ok(SocketAddr::new(ip.unwrap_or(Ipv4Addr::UNSPECIFIED.into()), port))
}

fn address(given: &Given, flag: &str) -> Result<Option<IpAddr>, Error> {
    let text = given.text(flag).filter(|text| !text.is_empty());
    let parse = |text: &str| {
        text.parse()
            .map_err(|_| Error::usage(format!("--{flag} {text} is not an IP address")))
    };
    text.map(parse).transpose()
}

fn identity(given: &Given) -> Result<Identity, Error> {
    let mut identity = Identity::default();
    if let Some(path) = given.text("token-auth-file").filter(|path| !path.is_empty()) {
        let text = read(path)?;
        identity
            .add_token_file(&text)
            .map_err(|error| Error::input(format!("{path}: {error}")))?;
    }
    if given.boolean("anonymous-auth") == Some(false) {
        identity.reject_anonymous();
    }
    Ok(identity)
}

/// Reads a file that a flag names.
fn read(path: &str) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|error| Error::reading(Path::new(path), &error))
}

fn authorization(given: &Given) -> Result<Vec<AuthorizationMode>, Error> {
    let names = given.list("authorization-mode");
    if names.is_empty() {
        return Ok(vec![AuthorizationMode::AlwaysAllow]);
    }
    let mut modes = Vec::new();
    for name in names {
        match name {
            "AlwaysAllow" => modes.push(AuthorizationMode::AlwaysAllow),
            "AlwaysDeny" => modes.push(AuthorizationMode::AlwaysDeny),
            "RBAC" => modes.push(AuthorizationMode::Rbac),
            // Decides about kubelets only, and there are none.
            "Node" => {}
            "ABAC" | "Webhook" => {
                return Err(
                    Error::usage(format!("--authorization-mode {name} is not supported"))
                        .hint("available: RBAC, AlwaysAllow, AlwaysDeny, Node"),
                );
            }
            name => {
                return Err(Error::usage(format!(
                    "authorization-mode \"{name}\" is not a valid mode"
                )));
            }
        }
    }
    if modes.is_empty() {
        modes.push(AuthorizationMode::AlwaysDeny);
    }
    Ok(modes)
}

fn switch_plugins(options: &mut Options, given: &Given) -> Result<(), Error> {
    let switches = [
        ("enable-admission-plugins", true),
        ("disable-admission-plugins", false),
    ];
    for (flag, on) in switches {
        controllers::switch_plugins(&mut options.admission.plugins, (flag, on), given.list(flag))?;
    }
    Ok(())
}

/// How long events are kept, in seconds.
fn event_ttl(given: &Given) -> Result<Option<u64>, Error> {
    let Some(text) = given.text("event-ttl") else {
        return Ok(None);
    };
    let parsed = Duration::parse(text)
        .ok()
        .map(|Duration(nanoseconds)| nanoseconds / 1_000_000_000);
    let seconds = parsed.and_then(|seconds| u64::try_from(seconds).ok());
    let seconds = seconds.filter(|seconds| *seconds > 0);
    match seconds {
        Some(seconds) => Ok(Some(seconds)),
        None => Err(Error::usage(format!(
            "--event-ttl {text} is not a duration such as 1h"
        ))),
    }
}

fn log(given: &Given) -> Log {
    let level = given.text("v").and_then(|level| level.parse::<i64>().ok());
    if level.is_some_and(|level| level >= 3) {
        Log::Requests
    } else {
        Log::Failures
    }
}
