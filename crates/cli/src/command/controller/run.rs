//! `kindsmith controller run`: runs controllers in a cluster.

mod lead;
mod work;

use std::net::SocketAddr;

use crate::descriptions::DescriptionArgs;
use crate::service_access::ServiceArgs;

/// Run controllers in the cluster of the kubeconfig, or in the one this runs in
///
/// Stop with Ctrl-C or SIGTERM: running passes are finished first. Several processes may share the same --lease; only one of
/// them works at a time, and another one takes over when it stops.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller run --kinds SQLInstance
  kindsmith controller run --service-url http://127.0.0.1:8085 --interval 30
  kindsmith controller run --description lamp.yaml --token-file token
  kindsmith controller run --credentials key.json --quota-project billing
  kindsmith controller run --lease kube-system/kindsmith --metrics 127.0.0.1:9090")]
pub(super) struct Args {
    /// Only these kinds
    #[arg(long, value_name = "KIND", num_args = 1..)]
    kinds: Vec<String>,
    #[command(flatten)]
    descriptions: DescriptionArgs,
    #[command(flatten)]
    services: ServiceArgs,
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
    /// Leave all fields alone that objects do not set, whatever their kind declares for them
    #[arg(long)]
    ignore_unspecified: bool,
    /// The Lease for leader election among several controllers
    #[arg(long, value_name = "NAMESPACE/NAME")]
    lease: Option<String>,
    /// Serve metrics for Prometheus on this address
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
}
