//! `kindsmith controller run`: runs controllers in a cluster.

use std::net::SocketAddr;
use std::path::PathBuf;

#[cfg(not(feature = "cluster"))]
use crate::{Outcome, error::Error, terminal::Terminal};

/// Run controllers in the cluster of the kubeconfig, or in the one this runs in
///
/// Stop with Ctrl-C: running passes are finished first. Several processes may share the same --lease; only one of them
/// works at a time.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller run --kinds SQLInstance
  kindsmith controller run --service-url http://127.0.0.1:8085 --interval 30
  kindsmith controller run --credentials key.json --quota-project billing
  kindsmith controller run --lease kube-system/kindsmith --metrics 127.0.0.1:9090")]
#[cfg_attr(
    not(feature = "cluster"),
    allow(dead_code, reason = "built without the cluster client")
)]
pub(super) struct Args {
    /// Only these kinds
    #[arg(long, value_name = "KIND", num_args = 1..)]
    kinds: Vec<String>,
    /// Base URL to use instead of each service's own, such as http://127.0.0.1:8085
    #[arg(long, value_name = "URL")]
    service_url: Option<String>,
    /// Key file of a service account [default: GOOGLE_APPLICATION_CREDENTIALS, else the metadata server]
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// Project to charge requests to
    #[arg(long, value_name = "PROJECT")]
    quota_project: Option<String>,
    /// Mean seconds between two passes over a resource that is up to date
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    interval: u64,
    /// Objects of a kind to handle at once
    #[arg(long, value_name = "N", default_value_t = 20)]
    workers: usize,
    /// Requests per second to a service
    #[arg(long, value_name = "N", default_value_t = 10)]
    qps: u32,
    /// Requests at once after a pause
    #[arg(long, value_name = "N", default_value_t = 100)]
    burst: u32,
    /// Add finalizers, but write nothing to services
    #[arg(long)]
    paused: bool,
    /// The Lease for leader election among several controllers
    #[arg(long, value_name = "NAMESPACE/NAME")]
    lease: Option<String>,
    /// Serve metrics for Prometheus on this address
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
}

#[cfg(not(feature = "cluster"))]
impl Args {
    pub(super) fn run(self, _: &Terminal) -> Result<Outcome, Error> {
        super::kinds(&self.kinds)?;
        Err(Error::usage("this build of kindsmith has no cluster client")
            .hint("build it with `cargo build -p kindsmith-cli --features cluster`"))
    }
}

#[cfg(feature = "cluster")]
mod at_work {
    use std::sync::Arc;
    use std::time::Duration;

    use kindsmith_controller::google::{Credentials, Google};
    use kindsmith_controller::kinds::Known;
    use kindsmith_controller::{
        Controller, KubeCluster, Limited, Metrics, ObjectRef, Options, RestAdapter, lease, run,
        serve_metrics, watch,
    };
    use tokio::sync::{mpsc, watch as signal};
    use tokio::task::JoinSet;

    use super::Args;
    use crate::Outcome;
    use crate::error::Error;
    use crate::terminal::Terminal;

    impl Args {
        pub(in super::super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
            let kinds = super::super::kinds(&self.kinds)?;
            let runtime =
                tokio::runtime::Runtime::new().map_err(|error| Error::environment(error.to_string()))?;
            runtime.block_on(self.work(&kinds, terminal))
        }

        async fn work(self, kinds: &[&'static Known], terminal: &Terminal) -> Result<Outcome, Error> {
            let failed = |error: &dyn std::fmt::Display| Error::environment(error.to_string());
            let cluster = KubeCluster::connect().await.map_err(|error| failed(&error))?;
            let credentials = self.credentials()?;
            let (stop, stopped) = signal::channel(false);
            let mut tasks = JoinSet::new();
            let lost = self.lead(&cluster, terminal).await?;
            let mut counters = Vec::new();
            for known in kinds {
                let kind = Arc::new((known.kind)().map_err(|error| Error::bug(error.to_string()))?);
                let url = self
                    .service_url
                    .clone()
                    .unwrap_or_else(|| format!("https://{}", known.host));
                let google = Google::new(&url, credentials.clone(), self.quota_project.clone());
                let google = google.map_err(|error| Error::usage(error.to_string()))?;
                let metrics = Arc::new(Metrics::default());
                counters.push((kind.kind.clone(), Arc::clone(&metrics)));
                let controller = Controller {
                    cluster: cluster.clone(),
                    adapter: RestAdapter {
                        http: Limited::new(google, self.qps, self.burst),
                        prefix: known.prefix.to_owned(),
                        rest: kind.rest,
                    },
                    kind: Arc::clone(&kind),
                    options: Options {
                        interval: Duration::from_secs(self.interval),
                        paused: self.paused,
                    },
                };
                let (sender, changes) = mpsc::channel(1024);
                let watched = cluster.clone();
                tokio::spawn(async move { watch(watched, &kind, sender).await });
                tasks.spawn(run(
                    Arc::new(controller),
                    changes,
                    stopped.clone(),
                    self.workers,
                    metrics,
                ));
                terminal.say(&format!("Controlling {} through {url}", known.name));
            }
            if let Some(address) = self.metrics {
                tokio::spawn(serve_metrics(address, counters));
            }
            tokio::select! {
                _ = tokio::signal::ctrl_c() => terminal.say("Stopping: finishing running passes"),
                () = lost => terminal.warn("the lease is lost: stopping"),
            }
            // A receiver that was dropped has stopped already.
            let _ = stop.send(true);
            while tasks.join_next().await.is_some() {}
            Ok(Outcome::Clean)
        }

        fn credentials(&self) -> Result<Credentials, Error> {
            let from_environment = || std::env::var_os("GOOGLE_APPLICATION_CREDENTIALS").map(Into::into);
            // Google's tokens are not sent to a service at another address.
            if self.service_url.is_some() && self.credentials.is_none() {
                return Ok(Credentials::None);
            }
            let Some(file) = self.credentials.clone().or_else(from_environment) else {
                return Ok(Credentials::MetadataServer);
            };
            let text = crate::files::read_text(&file).map_err(|error| Error::reading(&file, &error))?;
            Credentials::key(&text).map_err(|error| Error::input(format!("{}: {error}", file.display())))
        }

        /// Waits for the lease; the returned future ends when it is lost.
        async fn lead(
            &self,
            cluster: &KubeCluster,
            terminal: &Terminal,
        ) -> Result<impl Future<Output = ()> + use<>, Error> {
            let name = self.lease.as_deref().map(|text| {
                let parts = text
                    .split_once('/')
                    .filter(|(namespace, name)| !namespace.is_empty() && !name.is_empty());
                parts.ok_or_else(|| Error::usage("--lease takes NAMESPACE/NAME"))
            });
            let what = name.transpose()?.map(|(namespace, name)| ObjectRef {
                api_version: "coordination.k8s.io/v1".to_owned(),
                kind: "Lease".to_owned(),
                plural: "leases".to_owned(),
                namespace: namespace.to_owned(),
                name: name.to_owned(),
            });
            let me = format!("kindsmith-{}", std::process::id());
            if let Some(what) = &what {
                terminal.say(&format!("Waiting for the lease {}/{}", what.namespace, what.name));
                while !lease::hold(cluster, what, &me, seconds()).await.unwrap_or(false) {
                    tokio::time::sleep(lease::EVERY).await;
                }
            }
            let cluster = cluster.clone();
            Ok(async move {
                let Some(what) = what else {
                    return std::future::pending().await;
                };
                let mut sure = tokio::time::Instant::now();
                while sure.elapsed() < lease::LASTS {
                    tokio::time::sleep(lease::EVERY).await;
                    match lease::hold(&cluster, &what, &me, seconds()).await {
                        Ok(true) => sure = tokio::time::Instant::now(),
                        Ok(false) => return,
                        // The lease is still valid for a while.
                        Err(_) => {}
                    }
                }
            })
        }
    }

    fn seconds() -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
        since
            .ok()
            .and_then(|since| i64::try_from(since.as_secs()).ok())
            .unwrap_or_default()
    }
}
