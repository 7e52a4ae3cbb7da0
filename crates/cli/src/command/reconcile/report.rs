//! Prints a plan: for people, and as JSON.

use std::fmt::Write as _;

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Entry, Object, Value, to_string, to_string_pretty};
use kindsmith_merge::effective::{FieldPath, Ignored, at};

/// Everything to print.
pub(super) struct Plan<'a> {
    /// The object with its effective spec.
    pub(super) effective: Value<'a>,
    /// The live resource in the same form.
    pub(super) live: Option<Value<'a>>,
    /// Fields with their live values, and why they keep them.
    pub(super) kept: Vec<(String, Value<'a>, String)>,
    pub(super) set: Vec<String>,
    /// Those of them that the kind declares.
    pub(super) declared: Vec<String>,
    pub(super) released: Vec<String>,
    pub(super) ignored: Vec<Ignored>,
    pub(super) refused: Vec<Ignored>,
    pub(super) request: Option<Request<'a>>,
}

/// The first request.
pub(super) struct Request<'a> {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Value<'a>,
    /// The fields it changes, if not all.
    pub(super) fields: Vec<String>,
    /// How many requests follow.
    pub(super) more: usize,
}

impl<'a> Plan<'a> {
    /// One line of JSON.
    pub(super) fn json(&self, arena: &'a Arena) -> String {
        let texts = |paths: Vec<String>| {
            let texts = paths.iter().map(|path| Value::Str(arena.alloc_str(path)));
            Value::Array(arena.alloc_slice_fill_iter(texts.collect::<Vec<_>>()))
        };
        let request = self.request.as_ref().map(|request| {
            object(
                arena,
                &[
                    ("method", Value::Str(arena.alloc_str(&request.method))),
                    ("path", Value::Str(arena.alloc_str(&request.path))),
                    ("body", request.body),
                ],
            )
        });
        let kept = self.kept.iter().map(|(path, ..)| path.clone());
        let plan = [
            ("effective", self.effective),
            ("kept", texts(kept.collect())),
            ("set", texts(self.set.clone())),
            ("released", texts(self.released.clone())),
            ("ignored", notes(arena, self.ignored.iter().chain(&self.refused))),
            ("request", request.unwrap_or_default()),
        ];
        format!("{}\n", to_string(object(arena, &plan)))
    }

    /// Sections for people; empty ones are left out.
    pub(super) fn text(&self) -> String {
        let mut out = to_yaml(self.effective, Order::Kept);
        let kept = self
            .kept
            .iter()
            .map(|(path, value, by)| format!("{path}: {} ({by})", to_string(*value)));
        section(&mut out, "Kept: the live value is used", kept);
        section(
            &mut out,
            "Set: differs from the live value",
            self.set.iter().map(|path| self.change(path)),
        );
        section(
            &mut out,
            "Released: no longer in the spec",
            self.released.iter().cloned(),
        );
        let note = |note: &Ignored| format!("{}: {}", note.path, note.reason);
        section(&mut out, "Ignored", self.ignored.iter().map(note));
        let refused = self.refused.iter().map(note);
        section(
            &mut out,
            "Rejected: nothing is written until this is fixed",
            refused,
        );
        self.push_request(&mut out);
        out
    }

    /// `spec.a: 1 -> 2`.
    fn change(&self, path: &str) -> String {
        let of = |object: Option<Value<'a>>| {
            let value = FieldPath::parse(path).ok().and_then(|path| at(object?, &path));
            value.map_or("none".to_owned(), to_string)
        };
        let why = if self.declared.iter().any(|declared| declared == path) {
            " (not in the spec; the kind declares it)"
        } else {
            ""
        };
        format!("{path}: {} -> {}{why}", of(self.live), of(Some(self.effective)))
    }

    fn push_request(&self, out: &mut String) {
        let Some(request) = &self.request else {
            let why = if self.refused.is_empty() {
                "No request: the resource is up to date"
            } else {
                "No request: the spec changes what cannot be changed"
            };
            let _ = writeln!(out, "\n# {why}");
            return;
        };
        let _ = writeln!(out, "\n# Request\n# {} {}", request.method, request.path);
        for line in to_string_pretty(request.body).lines() {
            let _ = writeln!(out, "# {line}");
        }
        if request.more > 0 {
            let fields = request.fields.join(", ");
            let _ = writeln!(
                out,
                "# {fields} must be sent alone; {} more to follow",
                request.more
            );
        }
    }
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n# {title}");
    for line in lines {
        let _ = writeln!(out, "#   {line}");
    }
}

fn object<'a>(arena: &'a Arena, members: &[(&'static str, Value<'a>)]) -> Value<'a> {
    let entries = members.iter().map(|&(key, value)| Entry { key, value });
    let entries: Vec<Entry<'a>> = entries.collect();
    Value::Object(Object::from_entries(arena, arena.alloc_slice_copy(&entries)))
}

fn notes<'a, 'i>(arena: &'a Arena, notes: impl Iterator<Item = &'i Ignored>) -> Value<'a> {
    let notes = notes.map(|note| {
        let path = Value::Str(arena.alloc_str(&note.path));
        let reason = Value::Str(arena.alloc_str(&note.reason));
        object(arena, &[("path", path), ("reason", reason)])
    });
    let notes: Vec<Value<'a>> = notes.collect();
    Value::Array(arena.alloc_slice_copy(&notes))
}
