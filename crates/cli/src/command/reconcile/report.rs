//! A plan in print: for people, and as JSON.

use std::fmt::Write as _;

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Entry, Object, Value, to_string, to_string_pretty};
use kindsmith_merge::effective::{Effective, Ignored, at};

/// Everything that is printed.
pub(super) struct Plan<'a> {
    pub(super) object: Value<'a>,
    pub(super) live: Option<Value<'a>>,
    pub(super) effective: Effective<'a>,
    pub(super) request: Option<Request<'a>>,
}

/// What would be sent first.
pub(super) struct Request<'a> {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) body: Value<'a>,
    /// The fields it is sent for, if not all.
    pub(super) fields: Vec<String>,
    /// Requests after this one.
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
                    ("method", Value::Str(request.method)),
                    ("path", Value::Str(arena.alloc_str(&request.path))),
                    ("body", request.body),
                ],
            )
        });
        let result = &self.effective;
        let plan = [
            ("effective", result.object),
            (
                "kept",
                texts(result.kept.iter().map(|kept| kept.path.clone()).collect()),
            ),
            (
                "set",
                texts(result.set.iter().map(|set| set.path.to_string()).collect()),
            ),
            ("released", texts(result.released.clone())),
            (
                "ignored",
                notes(arena, result.ignored.iter().chain(&result.refused)),
            ),
            ("request", request.unwrap_or_default()),
        ];
        format!("{}\n", to_string(object(arena, &plan)))
    }

    /// Sections for people; empty ones are left out.
    pub(super) fn text(&self) -> String {
        let mut out = to_yaml(self.effective.object, Order::Kept);
        let result = &self.effective;
        let kept = result
            .kept
            .iter()
            .map(|kept| format!("{}: {}", kept.path, to_string(kept.value)));
        section(&mut out, "Kept: not in the spec, so the live value holds", kept);
        let set = result.set.iter().map(|set| {
            let old = self.live.and_then(|live| at(live, &set.path));
            let old = old.map_or("none".to_owned(), to_string);
            let new = set.value.map_or("none".to_owned(), to_string);
            format!("{}: {old} -> {new}", set.path)
        });
        section(&mut out, "Set: differs from the live value", set);
        let released = result.released.iter().cloned();
        section(&mut out, "Released: no longer in the spec", released);
        let note = |note: &Ignored| format!("{}: {}", note.path, note.reason);
        section(&mut out, "Ignored", result.ignored.iter().map(note));
        section(
            &mut out,
            "Refused: nothing is written before this is resolved",
            result.refused.iter().map(note),
        );
        self.push_request(&mut out);
        out
    }

    fn push_request(&self, out: &mut String) {
        let Some(request) = &self.request else {
            let why = match self.effective.refused.is_empty() {
                true => "No request: the resource is up to date",
                false => "No request: the spec asks for what cannot be changed",
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
        if request.method == "POST" && self.object.lookup(&["metadata", "name"]).is_none() {
            let _ = writeln!(out, "# metadata.name is missing");
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
