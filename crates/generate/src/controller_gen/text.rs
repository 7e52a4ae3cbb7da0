//! Writes CRDs as text. Kinds share much of their schemas, so all are written together.

use kindsmith_json::write::{Documents, Lengths, Order, to_yaml};
use kindsmith_json::{Arena, Value};
use kindsmith_schema::Place;

use super::{Definition, Options, control, next_line};
use kindsmith_openapi::crd;

/// A CRD before it is written.
pub(crate) struct Unrendered {
    /// Where its kind is declared, if it has one.
    pub(crate) place: Option<Place>,
    pub(crate) file_name: String,
    pub(crate) model: crd::Definition,
}

/// The CRDs with their documents, without the fields that only the server sets, and with their full size as
/// JSON. The places are those of kinds that controller-gen cannot write.
pub(crate) fn render(unrendered: Vec<Unrendered>, options: &Options) -> (Vec<Definition>, Vec<Place>) {
    let texts = texts(&unrendered, options);
    let is_refused = |(unrendered, text): (&Unrendered, &Text)| unrendered.place.filter(|_| !text.writable);
    let refused = unrendered.iter().zip(&texts).filter_map(is_refused).collect();
    let told = unrendered
        .into_iter()
        .zip(texts)
        .map(|(unrendered, text)| Definition {
            file_name: unrendered.file_name,
            text: text.text,
            bytes: text.bytes,
            model: unrendered.model,
        });
    (told.collect(), refused)
}

/// A document.
struct Text {
    text: String,
    /// The full size as JSON in bytes.
    bytes: usize,
    /// Whether controller-gen can write it.
    writable: bool,
}

fn texts(unrendered: &[Unrendered], options: &Options) -> Vec<Text> {
    let arena = Arena::new();
    let values = crd::Values::new(&arena);
    let (mut documents, mut lengths) = (Documents::new(Order::Sorted), Lengths::default());
    let head = format!("{}---\n", options.header);
    let mut written: Vec<(Value<'_>, usize)> = Vec::with_capacity(unrendered.len());
    for definition in unrendered {
        let whole = values.of(&definition.model);
        let bytes = lengths.of(whole);
        // YAML takes more space, mostly for indentation.
        let mut text = String::with_capacity(3 * bytes);
        text.push_str(&head);
        let value = published(&arena, whole, options);
        documents.add(text, value);
        written.push((value, bytes));
    }
    // Characters that need treatment are written as escapes, and hardly any document has some.
    let has_escapes = documents.has_escapes();
    let texts = documents.into_texts().into_iter().zip(written);
    texts
        .map(|(mut text, (value, bytes))| Text {
            writable: !has_escapes || settle(&arena, &mut text, head.len(), value),
            text,
            bytes,
        })
        .collect()
}

/// The part of a CRD that is written to a file.
fn published<'a>(arena: &'a Arena, whole: Value<'a>, options: &Options) -> Value<'a> {
    let mut value = whole;
    value.unset(arena, &["status"]);
    if let Some(preserve) = options.preserve_unknown_fields {
        value.set(arena, &["spec", "preserveUnknownFields"], preserve.into());
    }
    value
}

/// Rewrites a document if it has line breaks that only YAML knows. Returns whether controller-gen can write
/// it.
fn settle<'a>(arena: &'a Arena, text: &mut String, head: usize, value: Value<'a>) -> bool {
    if next_line::may_be_in(&text[head..]) {
        text.truncate(head);
        text.push_str(&to_yaml(next_line::folded(arena, value), Order::Sorted));
    }
    !control::is_in(&text[head..], value)
}
