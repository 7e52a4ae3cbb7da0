//! Starts all tasks of one kind's controller. Nothing here is generic: the tasks are compiled in this crate, with its
//! optimization, not in the one that starts them.

use std::sync::Arc;

use tokio::sync::{mpsc, watch as signal};
use tokio::task::JoinSet;

use crate::adapter::RestAdapter;
use crate::dependents::referenced;
use crate::description::Described;
use crate::google::Google;
use crate::kube::{KubeCluster, watch, watch_references};
use crate::limit::Limited;
use crate::metrics::{Counted, Metrics};
use crate::pass::{Controller, Options};
use crate::run::{Log, run};

/// Names of objects that may wait between a watch and its controller.
const CHANGES: usize = 1024;

/// What a controller works with.
pub struct Parts {
    /// The cluster of the objects.
    pub cluster: KubeCluster,
    /// The service of the resources.
    pub service: Google,
    /// How many requests the service gets in a second, and at once.
    pub limits: (u32, u32),
    /// How many objects are handled at once.
    pub workers: usize,
    /// Options of passes.
    pub options: Options,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// What goes wrong.
    pub log: Log,
}

/// Starts the controller of a kind among `tasks`. It ends when it is told to stop; its watches end with it.
pub fn start(described: &Described, parts: Parts, stop: signal::Receiver<bool>, tasks: &mut JoinSet<()>) {
    let Parts {
        cluster,
        service,
        limits: (per_second, burst),
        workers,
        options,
        metrics,
        log,
    } = parts;
    let kind = Arc::clone(&described.kind);
    let adapter = RestAdapter {
        http: Counted {
            http: Limited::new(service, per_second, burst),
            metrics: Arc::clone(&metrics),
        },
        prefix: described.prefix.clone(),
        rest: kind.rest,
    };
    let controller = Controller {
        options,
        ..Controller::new(cluster.clone(), adapter, Arc::clone(&kind))
    };
    let (sender, changes) = mpsc::channel(CHANGES);
    for of in referenced(&kind) {
        let dependents = Arc::clone(&controller.dependents);
        let (cluster, sender, log) = (cluster.clone(), sender.clone(), Arc::clone(&log));
        tokio::spawn(watch_references(cluster, of, dependents, sender, log));
    }
    let told = Arc::clone(&log);
    tokio::spawn(async move { watch(cluster, &kind, sender, told).await });
    tasks.spawn(run(Arc::new(controller), changes, stop, workers, metrics, log));
}
