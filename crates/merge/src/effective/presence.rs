//! Who wrote a field of the spec: its author, or something that filled it in. The key alone is not enough: schema
//! defaults, webhooks and other controllers write keys too. Knows no live object.

use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_schema::Json;

use crate::element::{Element, KeyField};
use crate::managed::{self, Operation};
use crate::set::FieldSet;

/// The annotation of client-side apply.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// The field manager of client-side apply; its fields are in the annotation.
const CLIENT_SIDE_APPLY: &str = "kubectl-client-side-apply";

/// What an object's metadata says about who wrote its fields.
#[derive(Clone, Copy)]
pub(super) struct Presence<'a> {
    /// Whether the object has been stored in a server, so that defaults have been set.
    stored: bool,
    /// Fields of users who use server-side apply.
    applied: FieldSet<'a>,
    /// Fields of users who write in other ways.
    updated: FieldSet<'a>,
    /// The value at this position in the configuration that client-side apply sent.
    last_applied: LastApplied<'a>,
}

#[derive(Clone, Copy)]
enum LastApplied<'a> {
    /// Client-side apply is not used.
    Unused,
    At(Option<Value<'a>>),
}

/// Whether a user set a field that is present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Specified {
    Yes,
    /// The user may not have meant it: it equals the schema's default.
    Perhaps,
    No,
}

impl<'a> Presence<'a> {
    /// `controllers` are field managers that are not users.
    pub(super) fn of(arena: &'a Arena, object: Value<'a>, controllers: &[&str]) -> Self {
        let entries =
            managed::decode(arena, object.lookup(&["metadata", "managedFields"])).unwrap_or_default();
        let (mut applied, mut updated) = (FieldSet::EMPTY, FieldSet::EMPTY);
        let users = entries
            .iter()
            .filter(|entry| entry.subresource.is_empty() && !controllers.contains(&entry.manager));
        let last_applied = last_applied(arena, object);
        for entry in users {
            match (entry.operation, last_applied) {
                (Operation::Apply, _) => applied = applied.union(arena, entry.fields),
                // Fields it owns beyond its configuration came from defaults and webhooks.
                (Operation::Update, LastApplied::At(_)) if entry.manager == CLIENT_SIDE_APPLY => {}
                (Operation::Update, _) => updated = updated.union(arena, entry.fields),
            }
        }
        let metadata = |key| {
            object
                .lookup(&["metadata", key])
                .is_some_and(|value| !value.is_null())
        };
        Presence {
            stored: !entries.is_empty() || metadata("uid") || metadata("resourceVersion"),
            applied,
            updated,
            last_applied,
        }
    }

    pub(super) fn field(self, name: &'a str) -> Self {
        self.below(&Element::Field(name), |value| value.get(name))
    }

    /// An item of a list map by its keys.
    pub(super) fn item(self, keys: &'a [KeyField<'a>]) -> Self {
        let is_it = |item: &Value<'a>| keys.iter().all(|key| item.get(key.name) == Some(key.value));
        self.below(&Element::Key(keys), |list| {
            list.as_array()?.iter().copied().find(is_it)
        })
    }

    fn below(self, element: &Element<'_>, value: impl Fn(Value<'a>) -> Option<Value<'a>>) -> Self {
        Presence {
            stored: self.stored,
            applied: below(self.applied, element),
            updated: below(self.updated, element),
            last_applied: match self.last_applied {
                LastApplied::At(here) => LastApplied::At(here.and_then(value)),
                LastApplied::Unused => LastApplied::Unused,
            },
        }
    }

    /// Whether a user set the value at this position.
    pub(super) fn specified(self, arena: &Arena, value: Value<'_>, default: Option<&Json>) -> Specified {
        let is_default = default.is_some_and(|default| default.value(arena).equals_numerically(value));
        if !self.applied.is_empty() {
            return Specified::Yes;
        }
        let updated = !self.updated.is_empty();
        match self.last_applied {
            LastApplied::At(Some(_)) => Specified::Yes,
            // The configuration has no such field, and no one else owns it.
            LastApplied::At(None) if !updated => Specified::No,
            _ if !is_default => Specified::Yes,
            _ if updated => Specified::Perhaps,
            _ if self.stored => Specified::No,
            // An object that was never in a server contains only what its author wrote.
            _ => Specified::Perhaps,
        }
    }
}

/// The part of a set below an element. A member without children owns its whole value, and so the whole part.
fn below<'a>(set: FieldSet<'a>, element: &Element<'_>) -> FieldSet<'a> {
    if set == WHOLE {
        return set;
    }
    match set.find(element) {
        Some(node) if node.children.is_empty() => WHOLE,
        Some(node) => node.children,
        None => FieldSet::EMPTY,
    }
}

/// The set of everything.
const WHOLE: FieldSet<'static> = FieldSet::of_nodes(&[crate::set::Node {
    element: Element::Index(-1),
    member: true,
    children: FieldSet::EMPTY,
}]);

fn last_applied<'a>(arena: &'a Arena, object: Value<'a>) -> LastApplied<'a> {
    let text = object
        .lookup(&["metadata", "annotations", LAST_APPLIED])
        .and_then(Value::as_str);
    // A configuration that cannot be parsed is ignored.
    match text.and_then(|text| parse_str(arena, text).ok()) {
        Some(config) if config.as_object().is_some() => LastApplied::At(Some(config)),
        _ => LastApplied::Unused,
    }
}
