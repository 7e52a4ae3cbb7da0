//! `kindsmith controller fake`: fake services.

use std::net::SocketAddr;
use std::path::PathBuf;

use kindsmith_controller::fake::{Fake, Quota, Script, serve};
use tokio::net::TcpListener;

use crate::Outcome;
use crate::descriptions::DescriptionArgs;
use crate::error::Error;
use crate::terminal::Terminal;

/// Serve fake services over HTTP, for tests and to try things out
///
/// The services of all kinds in memory, and of your own with --description: operations take time, the service sets and
/// omits values, stale writes are rejected. Change resources with PATCH to simulate changes by others.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith controller fake
  kindsmith controller fake --listen 127.0.0.1:8085 --latency 3
  kindsmith controller fake --script faults.txt --max-resources 3
  kindsmith controller fake --description lamp.yaml
  curl http://127.0.0.1:8085/sql/v1beta4/projects/default/instances/lion")]
pub(super) struct Args {
    /// The address to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8085")]
    listen: SocketAddr,
    /// Requests that an operation takes to finish
    #[arg(long, value_name = "N", default_value_t = 1)]
    latency: u32,
    /// Faults, one per line: `POST 503 x2`, `GET slow=250ms`, `PATCH unheard`, `* lost`, `* ok`
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Refuse more resources than this in a project
    #[arg(long, value_name = "N")]
    max_resources: Option<usize>,
    /// Refuse every Nth request with 429
    #[arg(long, value_name = "N")]
    throttle: Option<usize>,
    #[command(flatten)]
    descriptions: DescriptionArgs,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let fake = Fake::default();
        self.prepare(&fake)?;
        let runtime =
            tokio::runtime::Runtime::new().map_err(|error| Error::environment(error.to_string()))?;
        runtime.block_on(async {
            let failed = |error: std::io::Error| Error::environment(format!("{}: {error}", self.listen));
            let listener = TcpListener::bind(self.listen).await.map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            terminal.say(&format!("Listening on http://{address}"));
            tokio::select! {
                served = serve(listener, fake) => served.map_err(failed)?,
                stopped = tokio::signal::ctrl_c() => stopped.map_err(failed)?,
            }
            Ok(Outcome::Clean)
        })
    }

    fn prepare(&self, fake: &Fake) -> Result<(), Error> {
        let own = self.descriptions.read()?;
        let mut state = fake.state();
        state.kinds = own;
        state.latency = self.latency;
        state.quota = Quota {
            resources: self.max_resources,
            requests: self.throttle,
        };
        if let Some(file) = &self.script {
            let text = std::fs::read_to_string(file).map_err(|error| Error::reading(file, &error))?;
            let script: Result<Script, _> = text.parse();
            state.script = script.map_err(|error| Error::input(format!("{}: {error}", file.display())))?;
        }
        Ok(())
    }
}
