//! Events that passes report: what they did and why.

use kindsmith_json::{Path, Value};
use kindsmith_schema::Place;

use crate::FieldError;

/// Receives events. Passes are compiled once with and once without it, so tracing costs nothing when off.
pub trait Trace {
    /// Whether events are collected.
    const ON: bool = true;

    /// Handles an event.
    fn event(&mut self, event: Event<'_>);
}

/// One step of a pass.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A default was set.
    Defaulted {
        /// The path of the value.
        path: &'e Path<'e>,
        /// The default's source; `None` for values implied by the type and for defaults of published schemas.
        source: Option<Place>,
        /// The default.
        value: Value<'e>,
    },
    /// A hand-written defaulting function changed a value.
    Hooked {
        /// The path of the value.
        path: &'e Path<'e>,
    },
    /// An unknown member was dropped.
    Pruned {
        /// The path of the member.
        path: &'e Path<'e>,
    },
    /// A `null` member was dropped, because its schema does not allow null.
    NullRemoved {
        /// The path of the member.
        path: &'e Path<'e>,
    },
    /// Validation skipped the value, because it equals the old one.
    Unchanged {
        /// The path of the equal value.
        path: &'e Path<'e>,
    },
    /// A rule failed silently, which stops other checks of its field.
    Stopped {
        /// The path of the value.
        path: &'e Path<'e>,
        /// The rule.
        rule: Option<Place>,
    },
    /// A rule failed.
    Failed {
        /// The error reported.
        error: &'e FieldError,
    },
}

/// Collects no events.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    const ON: bool = false;

    fn event(&mut self, _: Event<'_>) {}
}

impl<F: FnMut(Event<'_>)> Trace for F {
    fn event(&mut self, event: Event<'_>) {
        self(event);
    }
}
