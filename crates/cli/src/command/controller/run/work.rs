//! Runs the controllers of all kinds in one process.

use std::sync::Arc;
use std::time::Duration;

use kindsmith_controller::google::{Credentials, Google};
use kindsmith_controller::kinds::Known;
use kindsmith_controller::{
    Controller, Counted, KubeCluster, Limited, Log, Metrics, Options, Pruned, RestAdapter, referenced, run,
    serve_metrics, watch, watch_references,
};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch as signal};
use tokio::task::JoinSet;

use super::Args;
use super::lead::Lead;
use crate::Outcome;
use crate::error::Error;
use crate::launch::stopped;
use crate::terminal::Terminal;

/// Names of objects that may wait between a watch and its controller.
const CHANGES: usize = 1024;

/// The controllers that run.
struct Running {
    cluster: KubeCluster,
    credentials: Credentials,
    stop: signal::Sender<bool>,
    tasks: JoinSet<()>,
    metrics: Vec<(String, Arc<Metrics>)>,
    log: Log,
}

impl Args {
    pub(in super::super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let kinds = super::super::kinds(&self.kinds)?;
        let runtime =
            tokio::runtime::Runtime::new().map_err(|error| Error::environment(error.to_string()))?;
        runtime.block_on(self.work(&kinds, terminal))
    }

    async fn work(self, kinds: &[&'static Known], terminal: &Terminal) -> Result<Outcome, Error> {
        let stopped = stopped()?;
        tokio::pin!(stopped);
        let credentials = self.credentials()?;
        let metrics = self.metrics().await?;
        let cluster = KubeCluster::connect().await.map_err(|error| {
            Error::environment(format!("cannot connect to the cluster: {error}"))
                .hint("set KUBECONFIG, or run it in the cluster")
        })?;
        let log: Log = Arc::new(|line: &str| Terminal::new(false).warn(line));
        let mut lead = Lead::new(self.lease.as_deref(), cluster.clone())?;
        if let Some(lease) = &self.lease {
            terminal.say(&format!("Waiting for the lease {lease}"));
        }
        tokio::select! {
            () = lead.acquire(&log) => {}
            _ = &mut stopped => return Ok(Outcome::Clean),
        }
        if lead.is_elected() {
            terminal.say("This process has the lease");
        }
        let mut running = Running {
            cluster,
            credentials,
            stop: signal::channel(false).0,
            tasks: JoinSet::new(),
            metrics: Vec::new(),
            log,
        };
        for known in kinds {
            let url = self.start(known, &mut running)?;
            terminal.say(&format!("Controlling {} through {url}", known.name));
        }
        if let Some(listener) = metrics {
            tokio::spawn(serve_metrics(listener, running.metrics));
        }
        tokio::select! {
            _ = &mut stopped => terminal.say("Stopping: finishing running passes"),
            // Another process may be at work already, so running passes are not finished.
            () = lead.keep() => return Err(Error::environment("the lease is lost")),
        }
        // A controller that has ended has no receiver.
        let _ = running.stop.send(true);
        while running.tasks.join_next().await.is_some() {}
        lead.give_up().await;
        Ok(Outcome::Clean)
    }

    /// Starts the controller of a kind; returns the URL of its service.
    fn start(&self, known: &'static Known, running: &mut Running) -> Result<String, Error> {
        let kind = Arc::new((known.kind)().map_err(|error| Error::bug(error.to_string()))?);
        let own = || format!("https://{}", known.host);
        let url = self.service_url.clone().unwrap_or_else(own);
        let google = Google::new(&url, running.credentials.clone(), self.quota_project.clone());
        let google = google.map_err(|error| Error::usage(error.to_string()))?;
        let metrics = Arc::new(Metrics::default());
        running.metrics.push((kind.kind.clone(), Arc::clone(&metrics)));
        let http = Counted {
            http: Limited::new(google, self.qps, self.burst),
            metrics: Arc::clone(&metrics),
        };
        let controller = Controller {
            cluster: running.cluster.clone(),
            adapter: RestAdapter {
                http,
                prefix: known.prefix.to_owned(),
                rest: kind.rest,
            },
            kind: Arc::clone(&kind),
            options: Options {
                interval: Duration::from_secs(self.interval),
                paused: self.paused,
                ignore_unspecified: self.ignore_unspecified,
            },
            dependents: Arc::default(),
            pruned: Pruned::default(),
        };
        let (sender, changes) = mpsc::channel(CHANGES);
        for of in referenced(&kind) {
            let dependents = Arc::clone(&controller.dependents);
            let (cluster, log) = (running.cluster.clone(), Arc::clone(&running.log));
            tokio::spawn(watch_references(cluster, of, dependents, sender.clone(), log));
        }
        let (cluster, log) = (running.cluster.clone(), Arc::clone(&running.log));
        tokio::spawn(async move { watch(cluster, &kind, sender, log).await });
        running.tasks.spawn(run(
            Arc::new(controller),
            changes,
            running.stop.subscribe(),
            self.workers,
            metrics,
            Arc::clone(&running.log),
        ));
        Ok(url)
    }

    async fn metrics(&self) -> Result<Option<TcpListener>, Error> {
        let Some(address) = self.metrics else {
            return Ok(None);
        };
        let listener = TcpListener::bind(address).await;
        let failed = |error| Error::environment(format!("--metrics {address}: {error}"));
        listener.map(Some).map_err(failed)
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
}
