//! `kindsmith controller run`: runs controllers in a cluster.

#[cfg(feature = "cluster")]
mod lead;
#[cfg(feature = "cluster")]
mod work;

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::descriptions::DescriptionArgs;
#[cfg(not(feature = "cluster"))]
use crate::{Outcome, error::Error, terminal::Terminal};

/// Run controllers in the cluster of the kubeconfig, or in the one this runs in
///
/// Stop with Ctrl-C or SIGTERM: running passes are finished first. Several processes may share the same --lease; only one of
/// them works at a time, and another one takes over when it stops.
///
/// Needs the cluster client, which packages and the image do not have: `cargo install --path crates/cli --features cluster`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller run --kinds SQLInstance
  kindsmith controller run --service-url http://127.0.0.1:8085 --interval 30
  kindsmith controller run --description lamp.yaml --token-file token
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
    #[command(flatten)]
    descriptions: DescriptionArgs,
    /// Base URL to use instead of each service's own, such as http://127.0.0.1:8085
    #[arg(long, value_name = "URL")]
    service_url: Option<String>,
    /// Key file of a service account [default: GOOGLE_APPLICATION_CREDENTIALS, else the metadata server]
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// File with a bearer token, for services that are not Google's; read for every request
    #[arg(long, value_name = "FILE", conflicts_with = "credentials")]
    token_file: Option<PathBuf>,
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

#[cfg(not(feature = "cluster"))]
impl Args {
    pub(super) fn run(self, _: &Terminal) -> Result<Outcome, Error> {
        self.descriptions.chosen(&self.kinds)?;
        Err(Error::usage("this build of kindsmith has no cluster client")
            .hint("build it with `cargo build -p kindsmith-cli --features cluster`"))
    }
}
