//! An in-memory view of stored objects that follows their changes: readers see all acknowledged writes.

use std::sync::{Arc, Mutex, PoisonError};

use kindsmith_gostd::budget;
use kindsmith_object::StorePrefix;
use kindsmith_store::{Error, List, Store, Watch};

/// A view of the objects under some key prefixes.
pub(crate) trait Follow: Clone {
    /// The key prefixes of the objects.
    const PREFIXES: &'static [StorePrefix<&'static str>];

    /// Takes over a changed object; `None` if it was deleted.
    fn set(&mut self, key: &[u8], value: Option<&[u8]>);
}

/// A view of a store's objects.
pub(crate) struct Followed<T> {
    store: Arc<dyn Store>,
    /// The view while there are no objects.
    empty: T,
    state: Mutex<Option<State<T>>>,
}

struct State<T> {
    made: Arc<T>,
    watches: Vec<Watch>,
}

impl<T: Follow> Followed<T> {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self
    where
        T: Default,
    {
        Self::starting_with(T::default(), store)
    }

    /// A view that is `empty` while there are no objects.
    pub(crate) fn starting_with(empty: T, store: Arc<dyn Store>) -> Self {
        Followed {
            store,
            empty,
            state: Mutex::default(),
        }
    }

    /// The view with all changes so far. A change is taken once, so whoever takes it finishes that.
    pub(crate) fn now(&self) -> Result<Arc<T>, Error> {
        budget::finish(|| self.follow())
    }

    /// Whether the view can be had without asking the store.
    pub(crate) fn is_loaded(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state
            .as_mut()
            .is_some_and(|known| budget::finish(|| known.follow()))
    }

    fn follow(&self) -> Result<Arc<T>, Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &mut *state
            && known.follow()
        {
            return Ok(Arc::clone(&known.made));
        }
        let loaded = state.insert(State::load(self.empty.clone(), &*self.store)?);
        Ok(Arc::clone(&loaded.made))
    }
}

impl<T: Follow> State<T> {
    fn load(mut made: T, store: &dyn Store) -> Result<Self, Error> {
        let mut watches = Vec::new();
        for prefix in T::PREFIXES {
            let page = store.list(&List::of(prefix.as_bytes()))?;
            for entry in &page.entries {
                made.set(&entry.key, Some(&entry.value));
            }
            watches.push(store.watch(prefix.as_bytes(), page.revision)?);
        }
        Ok(State {
            made: Arc::new(made),
            watches,
        })
    }

    /// Takes over the changes since the last call; `false` if some were missed.
    fn follow(&mut self) -> bool {
        for watch in &mut self.watches {
            loop {
                match watch.try_next() {
                    Ok(Some(event)) => {
                        let made = Arc::make_mut(&mut self.made);
                        made.set(&event.key, event.value.as_deref());
                    }
                    Ok(None) => break,
                    Err(_) => return false,
                }
            }
        }
        true
    }
}
