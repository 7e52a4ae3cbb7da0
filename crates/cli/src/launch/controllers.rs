//! Controllers beside a server, and the admission plugins inside it, as flags name them. Shared by `serve` and by `envtest
//! kube-apiserver`.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kindsmith_api::{Api, Plugin, Plugins};
use kindsmith_kube_controllers::{Manager, Selection, Settings};
use kindsmith_store::{Error as StoreError, Store};

use crate::error::Error;

/// How long to wait for a store that fails.
const PAUSE: Duration = Duration::from_secs(1);

/// Reads the names of controllers.
pub(crate) fn select<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Selection, Error> {
    Selection::parse(names).map_err(|error| Error::usage(format!("--controllers: {error}")))
}

/// Switches admission plugins on or off.
pub(crate) fn switch_plugins<'n>(
    plugins: &mut Plugins,
    (flag, on): (&str, bool),
    names: impl IntoIterator<Item = &'n str>,
) -> Result<(), Error> {
    for name in names {
        let Some(plugin) = Plugin::named(name) else {
            let names: Vec<&str> = Plugin::ALL.iter().map(|plugin| plugin.name()).collect();
            return Err(Error::usage(format!("--{flag} plugin \"{name}\" is unknown"))
                .hint(format!("available: {}", names.join(", "))));
        };
        plugins.switch(plugin, on);
    }
    Ok(())
}

/// Runs controllers as long as the runtime runs.
pub(crate) fn run(
    api: &Arc<Api>,
    store: &Arc<dyn Store>,
    selection: Selection,
    authority: &str,
) -> Result<(), Error> {
    let settings = Settings {
        authority: authority.to_owned(),
    };
    let manager = Manager::start(Arc::clone(api), Arc::clone(store), selection, settings)
        .map_err(|error| Error::environment(format!("cannot start controllers: {error}")))?;
    tokio::spawn(follow(manager));
    Ok(())
}

async fn follow(manager: Manager) {
    let mut manager = manager;
    loop {
        // Requests may block, so they have a thread of their own.
        let settled = tokio::task::spawn_blocking(move || {
            let due = manager.settle(now());
            (manager, due)
        });
        let Ok((back, due)) = settled.await else { return };
        manager = back;
        let next = match due {
            Ok(due) => wait(&mut manager, due).await,
            Err(error) => Err(error),
        };
        if next.is_err() {
            tokio::time::sleep(PAUSE).await;
            let restarted = tokio::task::spawn_blocking(move || {
                // If this fails, the next round tries again.
                let _ = manager.restart();
                manager
            });
            let Ok(back) = restarted.await else { return };
            manager = back;
        }
    }
}

/// Waits until something happens or is due.
async fn wait(manager: &mut Manager, due: Option<i64>) -> Result<(), StoreError> {
    let event = std::future::poll_fn(|context| manager.poll(context));
    let Some(due) = due else { return event.await };
    let seconds = u64::try_from(due - now()).unwrap_or_default();
    tokio::select! {
        event = event => event,
        () = tokio::time::sleep(Duration::from_secs(seconds)) => Ok(()),
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
