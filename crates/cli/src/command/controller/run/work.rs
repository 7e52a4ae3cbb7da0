//! Runs the controllers of all kinds in one process.

use std::sync::Arc;
use std::time::Duration;

use kindsmith_controller::description::Described;
use kindsmith_controller::{
    Cluster as _, Kind, KubeCluster, Log, Metrics, Options, Parts, serve_metrics, start, unsuitable,
};
use tokio::net::TcpListener;
use tokio::sync::watch as signal;
use tokio::task::JoinSet;

use super::Args;
use super::lead::Lead;
use crate::Outcome;
use crate::error::Error;
use crate::launch::stopped;
use crate::service_access::Services;
use crate::terminal::Terminal;

/// The controllers that run.
struct Running {
    cluster: KubeCluster,
    services: Services,
    stop: signal::Sender<bool>,
    tasks: JoinSet<()>,
    metrics: Vec<(String, Arc<Metrics>)>,
    log: Log,
}

impl Args {
    pub(in super::super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let kinds = self.descriptions.chosen(&self.kinds)?;
        let runtime =
            tokio::runtime::Runtime::new().map_err(|error| Error::environment(error.to_string()))?;
        runtime.block_on(self.work(&kinds, terminal))
    }

    async fn work(self, kinds: &[Arc<Described>], terminal: &Terminal) -> Result<Outcome, Error> {
        let stopped = stopped()?;
        tokio::pin!(stopped);
        let services = self.services.services()?;
        let metrics = self.metrics().await?;
        let cluster = KubeCluster::connect().await.map_err(|error| {
            Error::environment(format!("cannot connect to the cluster: {error}"))
                .hint("set KUBECONFIG, or run it in the cluster")
        })?;
        let log: Log = Arc::new(|line: &str| Terminal::new(false).warn(line));
        for described in kinds {
            self.suits(&cluster, &described.kind, terminal).await?;
        }
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
            services,
            stop: signal::channel(false).0,
            tasks: JoinSet::new(),
            metrics: Vec::new(),
            log,
        };
        for described in kinds {
            let url = self.start(described, &mut running)?;
            terminal.say(&format!("Controlling {} through {url}", described.kind.kind));
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
    fn start(&self, described: &Described, running: &mut Running) -> Result<String, Error> {
        let url = running.services.url(described);
        let metrics = Arc::new(Metrics::default());
        running
            .metrics
            .push((described.kind.kind.clone(), Arc::clone(&metrics)));
        let parts = Parts {
            cluster: running.cluster.clone(),
            service: running.services.of(described)?,
            limits: (self.qps, self.burst),
            workers: self.workers,
            options: Options {
                interval: Duration::from_secs(self.interval),
                paused: self.paused,
                ignore_unspecified: self.ignore_unspecified,
            },
            metrics,
            log: Arc::clone(&running.log),
        };
        start(described, parts, running.stop.subscribe(), &mut running.tasks);
        Ok(url)
    }

    /// Refuses the CRD of a kind that the controller cannot work with. That a cluster does not have one is only told if
    /// nobody asked for the kind.
    async fn suits(&self, cluster: &KubeCluster, kind: &Kind, terminal: &Terminal) -> Result<(), Error> {
        let found = cluster.get(&kind.crd()).await.map_err(|error| {
            Error::environment(format!("cannot read the CRD of {}: {error}", kind.kind))
                .hint("the controller needs `get` of customresourcedefinitions")
        })?;
        let is_wanted = !self.kinds.is_empty() || !self.descriptions.is_empty();
        for problem in unsuitable(kind, found.as_ref()) {
            if problem.is_fatal && (is_wanted || found.is_some()) {
                return Err(
                    Error::environment(format!("{}: {}", kind.kind, problem.reason)).hint(problem.cure)
                );
            }
            terminal.warn(&format!(
                "warning: {}: {}; {}",
                kind.kind, problem.reason, problem.cure
            ));
        }
        Ok(())
    }

    async fn metrics(&self) -> Result<Option<TcpListener>, Error> {
        let Some(address) = self.metrics else {
            return Ok(None);
        };
        let listener = TcpListener::bind(address).await;
        let failed = |error| Error::environment(format!("--metrics {address}: {error}"));
        listener.map(Some).map_err(failed)
    }
}
