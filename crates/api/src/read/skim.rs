//! Selects stored objects without decoding them: selectors need a few members, which are found in the bytes.

use kindsmith_json::Arena;
use kindsmith_store::{Bytes, Entry};

use crate::Served;
use crate::read::label_print::Wanted;
use crate::read::list_options::ListOptions;
use crate::stored;
use crate::verbatim::{Copied, Verbatim};

/// How the objects of a list or watch are selected.
#[derive(Debug)]
pub(crate) struct Skim {
    verbatim: Option<Verbatim>,
    /// The members that decide, if they are enough.
    paths: Option<Vec<Vec<String>>>,
    wanted: Wanted,
}

impl Skim {
    /// For a resource and selectors.
    pub(crate) fn new(served: &Served, options: &ListOptions) -> Self {
        Skim {
            verbatim: Verbatim::of(served),
            paths: options.paths(),
            wanted: Wanted::new(&options.labels),
        }
    }

    /// Whether a value may be selected, as far as that is known without its bytes.
    pub(crate) fn may_select(&self, value: &Bytes) -> bool {
        let verbatim = self.verbatim.as_ref();
        !(self.wanted.excludes(value.hint()) && verbatim.is_some_and(|verbatim| verbatim.is_copied(value)))
    }

    /// The answer of a stored value and whether it is selected; `None` if it must be decoded for that.
    pub(crate) fn copied<'e>(
        &self,
        served: &Served,
        options: &ListOptions,
        value: &'e Bytes,
    ) -> Option<(Copied<'e>, bool)> {
        let copied = self.verbatim.as_ref()?.copied(served, value)?;
        if options.selects_all() {
            return Some((copied, true));
        }
        if self.wanted.excludes(value.hint()) {
            return Some((copied, false));
        }
        if !options.labels.is_empty()
            && let Some((is_selected, print)) = copied.is_selected(&options.labels, stored::order(served))
        {
            value.set_hint(print);
            if !is_selected || options.fields.is_empty() {
                return Some((copied, is_selected));
            }
        }
        let arena = Arena::new();
        let picked = kindsmith_json::pick(&arena, copied.stored(), self.paths.as_ref()?)?;
        Some((copied, options.selects(picked)))
    }

    /// Learns from an object that is not answered because it is not selected: next time it need not be decoded.
    pub(crate) fn learn(&self, served: &Served, entry: &Entry, object: kindsmith_json::Value<'_>) {
        if let Some(verbatim) = &self.verbatim
            && self.paths.is_some()
            && !verbatim.is_known(&entry.value)
        {
            verbatim.learn(entry, stored::text(object, stored::order(served)).as_bytes());
        }
    }
}
