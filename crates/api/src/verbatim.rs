//! Objects that are answered by copying the bytes they are stored in: only the resource version is inserted.
//!
//! Whether that is so is found out by answering once in the ordinary way, and noted at the stored value together with the
//! state of the resource it holds for: another schema prunes and defaults differently. Nothing else is assumed about how
//! objects are stored, so values of other servers are safe.
//!
//! Measured with `benches/instructions`: see `docs/performance.md`.

use kindsmith_json::write::Order;
use kindsmith_json::{Arena, Entry as Member, Object, Value};
use kindsmith_object::LabelSelector;
use kindsmith_store::{Bytes, Entry};

use crate::read::label_print;
use crate::response::Pieces;
use crate::response::spliced::{ROOM, Spliced, inserted};
use crate::{Generation, Served, stored};

/// How many bits of a note hold the offset of the resource version in an answer, and whether a line end follows it.
const OFFSET_BITS: u32 = 24;

/// Set if the value ends with a line end, as kube-apiserver ends the values of custom resources: a list does not look at the bytes.
const ENDS_LINE: u64 = 1 << (OFFSET_BITS - 1);

/// What is known about the answers of a resource in a version.
#[derive(Debug, Clone)]
pub(crate) struct Verbatim {
    generation: Generation,
    /// What typed lists leave out: `"kind":"Pod","apiVersion":"v1",` and the brace before it.
    head: String,
}

/// An object that was written, as it is answered.
#[derive(Clone, Copy)]
pub(crate) struct Settled<'w> {
    pub(crate) object: Value<'w>,
    /// The object as it is stored, and its revision, unless nothing was stored.
    pub(crate) stored: Option<(&'w Bytes, u64)>,
}

/// The answer of an object, in parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copied<'e> {
    stored: &'e [u8],
    /// Where the resource version is inserted.
    at: usize,
}

impl Verbatim {
    /// What is known about a resource; `None` if its objects are never copied.
    pub(crate) fn of(served: &Served) -> Option<Self> {
        let generation = served.resource.generation(&served.version)?;
        let head = if served.resource.is_custom() {
            "{".to_owned()
        } else {
            let (kind, api_version) = (&served.kind, served.api_version());
            format!("{{\"kind\":\"{kind}\",\"apiVersion\":\"{api_version}\",")
        };
        Some(Verbatim { generation, head })
    }

    /// What marks forms of a value that are made of its answer.
    pub(crate) fn mark(&self) -> u64 {
        self.generation.number()
    }

    /// The answer of a stored value, if it is known to be a copy.
    pub(crate) fn copied<'e>(&self, served: &Served, value: &'e Bytes) -> Option<Copied<'e>> {
        let note = value.note();
        let at = usize::try_from(note & (ENDS_LINE - 1)).ok()?;
        if note >> OFFSET_BITS != self.generation.number() || at == 0 {
            return None;
        }
        let end = value.len() - usize::from(note & ENDS_LINE != 0);
        let stored = value.get(..end)?;
        let copied = Copied { stored, at };
        debug_assert!(copied.is_what_decoding_gives(served));
        Some(copied)
    }

    /// Whether a value is known to be answered by a copy.
    pub(crate) fn is_copied(&self, value: &Bytes) -> bool {
        self.is_known(value) && value.note() & (ENDS_LINE - 1) != 0
    }

    /// Whether it is known that a value is, or is not, answered by a copy.
    pub(crate) fn is_known(&self, value: &Bytes) -> bool {
        value.note() >> OFFSET_BITS == self.generation.number()
    }

    /// The answer of a stored value as an item of a list, to be copied when it is sent.
    pub(crate) fn append_item(&self, out: &mut Pieces, entry: &Entry, copied: Copied<'_>) {
        let before: &[u8] = if out.is_empty() { b"{" } else { b",{" };
        let span = self.head.len()..copied.stored.len();
        out.splice(Spliced::new(
            before,
            &entry.value,
            span,
            copied.at,
            entry.modified,
        ));
    }

    /// Notes that an object that was just encoded is answered as it is stored.
    pub(crate) fn foresee(&self, value: &Bytes, order: Order) {
        let mut is_after_uid = false;
        // As `stored::with_revision` and the order of the answer place it.
        let at = kindsmith_json::place(value, "metadata", |name| match order {
            Order::Sorted => *name > b"resourceVersion"[..],
            Order::Kept => std::mem::replace(&mut is_after_uid, name == b"uid"),
        });
        let at = at.and_then(|at| u64::try_from(at).ok());
        if let Some(at) = at.filter(|_| value.starts_with(self.head.as_bytes())) {
            self.note(value, at);
        }
    }

    /// Learns from the answer of an entry.
    pub(crate) fn learn(&self, entry: &Entry, answer: &[u8]) {
        self.learn_rest(entry, answer.strip_prefix(self.head.as_bytes()));
    }

    /// Learns from an item of a list.
    pub(crate) fn learn_item(&self, entry: &Entry, item: &[u8]) {
        self.learn_rest(entry, item.strip_prefix(b"{"));
    }

    /// Learns from an answer without its head.
    fn learn_rest(&self, entry: &Entry, answer: Option<&[u8]>) {
        let head = self.head.as_bytes();
        let at = answer
            .zip(trimmed(&entry.value).strip_prefix(head))
            .and_then(|(answer, stored)| inserted_at(answer, stored, entry.modified))
            .and_then(|at| u64::try_from(at + head.len()).ok());
        self.note(&entry.value, at.unwrap_or_default());
    }

    /// Notes where the resource version is inserted into a value; 0 if it is not answered by a copy.
    fn note(&self, value: &Bytes, at: u64) {
        let at = if at < ENDS_LINE { at } else { 0 };
        let line = if value.ends_with(LINE_END) { ENDS_LINE } else { 0 };
        value.set_note((self.generation.number() << OFFSET_BITS) | line | at);
    }
}

/// How much of an object somebody needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    /// The rest is not read.
    Metadata,
}

impl<'e> Copied<'e> {
    /// The object, or an object with a part of it. As decoding changes nothing, it is only parsed. `None` if it has to be decoded.
    pub(crate) fn object<'a>(&self, arena: &'a Arena, part: Part, revision: u64) -> Option<Value<'a>>
    where
        'e: 'a,
    {
        let object = match part {
            Part::Whole => kindsmith_json::parse(arena, self.stored).ok()?,
            Part::Metadata => kindsmith_json::pick(arena, self.stored, &[vec!["metadata".to_owned()]])?,
        };
        Some(stored::with_revision(arena, object, revision))
    }

    /// Whether a selector selects the object's labels, and their fingerprint; `None` if they have to be decoded for that.
    pub(crate) fn is_selected(&self, labels: &LabelSelector, order: Order) -> Option<(bool, u64)> {
        let nothing = Member {
            key: "",
            value: Value::Null,
        };
        let (arena, mut members) = (Arena::new(), [nothing; 16]);
        // In Go's order labels follow the resource version; sorted they do not.
        let start = match order {
            Order::Kept => self.at,
            Order::Sorted => kindsmith_json::place(self.stored, "metadata", |_| true)?,
        };
        let count = kindsmith_json::strings(self.stored, start, "labels", &mut members)?;
        let found = Object::from_entries(&arena, &members[..count]);
        Some((labels.matches(found), label_print::print(found)))
    }

    /// The object without a resource version, as it is stored.
    pub(crate) fn stored(&self) -> &[u8] {
        self.stored
    }

    /// Appends the answer with a resource version.
    pub(crate) fn append(&self, out: &mut Vec<u8>, revision: u64) {
        out.reserve(self.stored.len() + ROOM);
        out.extend_from_slice(&self.stored[..self.at]);
        out.extend_from_slice(inserted(revision, &mut [0; ROOM]));
        out.extend_from_slice(&self.stored[self.at..]);
    }

    /// The metadata in Go's order, for objects in an order; `None` if it has to be decoded for that.
    pub(crate) fn typed_metadata(&self, order: Order) -> Option<Copied<'e>> {
        // Sorted metadata is not in the order of the Go struct.
        if order == Order::Sorted {
            return None;
        }
        let span = kindsmith_json::span(self.stored, "metadata").filter(|span| span.contains(&self.at))?;
        Some(Copied {
            stored: &self.stored[span.start..span.end],
            at: self.at - span.start,
        })
    }

    /// Appends the answer to a long one.
    pub(crate) fn append_to(&self, out: &mut Pieces, revision: u64) {
        out.extend(&self.stored[..self.at]);
        out.extend(inserted(revision, &mut [0; ROOM]));
        out.extend(&self.stored[self.at..]);
    }

    /// The law that all of this rests on; checked whenever an object is copied, except in release builds.
    fn is_what_decoding_gives(&self, served: &Served) -> bool {
        let (arena, mut copy) = (Arena::new(), Vec::new());
        self.append(&mut copy, 1);
        let Ok(value) = kindsmith_json::parse(&arena, self.stored) else {
            return false;
        };
        let Ok(object) = served.resource.read(&arena, value, &served.version) else {
            return false;
        };
        let object = stored::with_revision(&arena, object, 1);
        stored::text(object, stored::order(served)).as_bytes() == copy
    }
}

const LINE_END: &[u8] = b"\n";

fn trimmed(value: &[u8]) -> &[u8] {
    value.strip_suffix(LINE_END).unwrap_or(value)
}

/// Where a resource version has to be inserted into the stored text to get the answer; `None` if that does not give it.
fn inserted_at(answer: &[u8], stored: &[u8], revision: u64) -> Option<usize> {
    let mut room = [0; ROOM];
    let inserted = inserted(revision, &mut room);
    if answer.len() != stored.len() + inserted.len() {
        return None;
    }
    let same = answer
        .iter()
        .zip(stored)
        .take_while(|(answer, stored)| answer == stored);
    // The quote of the next name is the same in both.
    let at = same.count().checked_sub(1)?;
    let rest = answer[at..].strip_prefix(inserted)?;
    (rest == &stored[at..]).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_resource_version_may_differ() {
        let check = |answer: &str, stored: &str, expected: Option<usize>| {
            assert_eq!(
                inserted_at(answer.as_bytes(), stored.as_bytes(), 7),
                expected,
                "{answer}"
            );
        };
        let stored = r#"{"metadata":{"name":"a","uid":"u"}}"#;
        check(
            r#"{"metadata":{"name":"a","resourceVersion":"7","uid":"u"}}"#,
            stored,
            Some(24),
        );
        check(
            r#"{"metadata":{"resourceVersion":"7","name":"a","uid":"u"}}"#,
            stored,
            Some(13),
        );
        check(
            r#"{"metadata":{"name":"a","resourceVersion":"8","uid":"u"}}"#,
            stored,
            None,
        );
        check(
            r#"{"metadata":{"name":"a","resourceVersion":"7","uid":"v"}}"#,
            stored,
            None,
        );
        check(
            r#"{"metadata":{"name":"b","resourceVersion":"7","uid":"u"}}"#,
            stored,
            None,
        );
        check(
            r#"{"metadata":{"name":"a","uid":"u","resourceVersion":"7"}}"#,
            stored,
            None,
        );
        check("", stored, None);
        check(stored, stored, None);
    }
}
