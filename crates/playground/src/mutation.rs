//! What mutating policies change of the object.

use kindsmith::FieldPath;
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, parse_str};

use crate::comparison::compare;
use crate::document::Document;
use crate::response::{Change, ChangeKind, Mark, Pane, Response, Stored};
use crate::review::Subject;

/// The object as the server would store it, as JSON: without policies, and with them.
pub(crate) struct Mutation {
    pub(crate) before: String,
    pub(crate) after: String,
}

/// Metadata that the server sets, whatever policies say.
const STAMPS: [&str; 5] = [
    "creationTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "uid",
];

/// Shows what mutating policies changed.
pub(crate) fn show(mutation: &Mutation, subject: &Subject<'_>, response: &mut Response) {
    let arena = Arena::new();
    let read = |text| {
        let mut value = parse_str(&arena, text).unwrap_or_default();
        for name in STAMPS {
            value.unset(&arena, &["metadata", name]);
        }
        if subject.object.value.text(&["metadata", "namespace"]).is_empty() {
            value.unset(&arena, &["metadata", "namespace"]);
        }
        value
    };
    let (before, after) = (read(&mutation.before), read(&mutation.after));
    let changed = compare(before, after, &[]);
    if changed.is_empty() {
        return;
    }
    let text = to_yaml(after, Order::Kept);
    let (documents, _) = Document::all(&arena, Pane::Object, arena.alloc_str(&text));
    let mut marks = Vec::new();
    let mut mark = |path: &FieldPath, kind: ChangeKind| {
        let place = documents.first().and_then(|document| document.whole_place(path));
        marks.extend(place.map(|place| Mark {
            from: place.from,
            to: place.to,
            kind,
        }));
    };
    for difference in compare(subject.object.value, after, &[]) {
        if !changed.iter().any(|changed| changed.path == difference.path) {
            mark(&difference.path, difference.kind);
        }
    }
    for difference in changed {
        mark(&difference.path, ChangeKind::Mutated);
        response.changes.push(Change {
            kind: ChangeKind::Mutated,
            path: difference.path.to_string(),
            value: difference.value,
            place: None,
            cause: None,
        });
    }
    marks.sort_by_key(|mark| mark.from);
    response.stored = Some(Stored { text, marks });
}
