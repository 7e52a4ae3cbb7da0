//! What passes did and why, for those who ask.

use kindsmith_json::{Path, Value};
use kindsmith_schema::Place;

use crate::FieldError;

/// Receives what a pass does. Passes are compiled once with and once without it, so that it costs nothing when off.
pub trait Trace {
    /// Whether events are wanted at all.
    const ON: bool = true;

    /// Something happened.
    fn event(&mut self, event: Event<'_>);
}

/// Something a pass did.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A value was filled in.
    Defaulted {
        /// Where.
        path: &'e Path<'e>,
        /// The default's source; `None` for values that the type implies and for defaults of published schemas.
        source: Option<Place>,
        /// With what.
        value: Value<'e>,
    },
    /// A hand-written defaulting function changed a value.
    Hooked {
        /// Where.
        path: &'e Path<'e>,
    },
    /// A member that the type does not have was dropped.
    Pruned {
        /// Where.
        path: &'e Path<'e>,
    },
    /// A member that was `null` was dropped, as its schema wants a value or nothing.
    NullRemoved {
        /// Where.
        path: &'e Path<'e>,
    },
    /// Nothing below was validated, because it is equal to the old value.
    Unchanged {
        /// The ancestor that is equal.
        path: &'e Path<'e>,
    },
    /// A rule failed without a report, which stops other checks of its field.
    Stopped {
        /// Where.
        path: &'e Path<'e>,
        /// The rule.
        rule: Option<Place>,
    },
    /// A rule failed.
    Failed {
        /// What is reported.
        error: &'e FieldError,
    },
}

/// Nobody asks.
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
