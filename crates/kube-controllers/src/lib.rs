//! Controllers of a cluster, as kube-controller-manager has them, in the process of the API server: they follow the store's
//! watch and act through the API. One file per controller.
//!
//! Knows no thread and no clock: whoever runs a [`Manager`] says what time it is and when something happened.

mod cluster;
mod controller;
mod selection;
mod settings;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use kindsmith_api::Api;
use kindsmith_json::{Arena, Value};
use kindsmith_object::store_key;
use kindsmith_store::{Error, Event, List, Store, Watch};

use cluster::{Change, Cluster, Place};
use controller::Controller;
pub use selection::{Selection, UnknownController};
pub use settings::Settings;

/// Where all objects are.
const ROOT: &[u8] = store_key::ROOT.as_bytes();
/// How often controllers act on what they caused themselves, before others get a turn.
const ROUNDS: usize = 100;

/// Controllers that run.
pub struct Manager {
    api: Arc<Api>,
    store: Arc<dyn Store>,
    selection: Selection,
    settings: Settings,
    controllers: Vec<Box<dyn Controller>>,
    watch: Watch,
    pending: VecDeque<Arc<Event>>,
}

impl fmt::Debug for Manager {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Manager")
            .field("selection", &self.selection)
            .finish_non_exhaustive()
    }
}

impl Manager {
    /// Starts controllers over all objects there are.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn start(
        api: Arc<Api>,
        store: Arc<dyn Store>,
        selection: Selection,
        settings: Settings,
    ) -> Result<Manager, Error> {
        let (controllers, watch) = begin(&api, &*store, &selection, &settings)?;
        Ok(Manager {
            api,
            store,
            selection,
            settings,
            controllers,
            watch,
            pending: VecDeque::new(),
        })
    }

    /// Waits for something to happen.
    ///
    /// # Errors
    ///
    /// If the store fails; events that were missed are made up for by [`Manager::restart`].
    pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        if !self.pending.is_empty() {
            return Poll::Ready(Ok(()));
        }
        self.watch.poll_next(context).map(|event| {
            self.pending.push_back(event?);
            Ok(())
        })
    }

    /// Starts again over all objects there are.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub fn restart(&mut self) -> Result<(), Error> {
        self.pending.clear();
        (self.controllers, self.watch) = begin(&self.api, &*self.store, &self.selection, &self.settings)?;
        Ok(())
    }

    /// Acts on all that happened, until nothing more does; returns when to act again at the latest, in seconds since 1970.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn settle(&mut self, now: i64) -> Result<Option<i64>, Error> {
        let mut due = None;
        for round in 0..ROUNDS {
            let cluster = Cluster::new(&self.api, now);
            while let Some(event) = self.watch.try_next()? {
                self.pending.push_back(event);
            }
            if self.pending.is_empty() && round > 0 {
                return Ok(due);
            }
            for event in self.pending.drain(..) {
                show(&cluster, &mut self.controllers, &event);
            }
            let acted = self
                .controllers
                .iter_mut()
                .map(|controller| controller.act(&cluster));
            due = acted.flatten().min();
        }
        Ok(Some(now))
    }
}

/// New controllers that have seen all objects, and a watch on what comes.
fn begin(
    api: &Api,
    store: &dyn Store,
    selection: &Selection,
    settings: &Settings,
) -> Result<(Vec<Box<dyn Controller>>, Watch), Error> {
    let mut controllers = selection.start(settings);
    let page = store.list(&List::of(ROOT))?;
    let watch = store.watch(ROOT, page.revision)?;
    let cluster = Cluster::new(api, 0);
    for entry in page.entries {
        let event = Event {
            key: entry.key,
            revision: entry.modified,
            value: Some(entry.value),
            previous: None,
        };
        show(&cluster, &mut controllers, &event);
    }
    Ok((controllers, watch))
}

fn show(cluster: &Cluster<'_>, controllers: &mut [Box<dyn Controller>], event: &Event) {
    let key = String::from_utf8_lossy(&event.key);
    let Some(place) = Place::of(&cluster.catalog, &key) else {
        return;
    };
    let arena = Arena::new();
    let read = |bytes: &[u8]| kindsmith_json::parse(&arena, arena.alloc_slice_copy(bytes)).ok();
    let new: Option<Value<'_>> = event.value.as_deref().and_then(read);
    let old = event.previous.as_ref().and_then(|entry| read(&entry.value));
    let change = Change {
        place: &place,
        new,
        old,
    };
    for controller in controllers {
        controller.see(&change);
    }
}
