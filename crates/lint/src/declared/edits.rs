//! Edits of declarations: add or remove a marker, an option of a `json` tag, a pointer. They keep gofmt's form within a
//! line; the columns of neighboring fields are aligned when fixes are applied.

use kindsmith_source::{Fix, Span};

use super::{Declared, Marker, Member, Named};

/// Removes the line of a marker.
pub(crate) fn remove_line(declared: &Declared<'_>, fix: Fix, marker: &Marker<'_>) -> Fix {
    let text = declared.sources.file(marker.span.file).text();
    let (start, end) = (marker.span.start as usize, marker.span.end as usize);
    let start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    fix.edit(Span::new(marker.span.file, start as u32, end as u32), "")
}

/// Replaces a marker by another.
pub(crate) fn replace_text(fix: Fix, marker: &Marker<'_>, text: &str) -> Fix {
    fix.edit(marker.text_span(), text)
}

/// Adds a marker as the last line of the doc comment.
pub(crate) fn add_marker(declared: &Declared<'_>, fix: Fix, to: impl Into<Commented>, text: &str) -> Fix {
    let to = to.into();
    let file = declared.sources.file(to.start.file);
    let start = to.start.start as usize;
    let line = file.text()[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent: &str = &file.text()[line..start];
    let indent = &indent[..indent.len() - indent.trim_start().len()];
    match to.doc {
        Some(doc) => fix.edit(
            Span::new(doc.file, doc.end, doc.end),
            format!("\n{indent}// +{text}"),
        ),
        None => {
            let at = (line + indent.len()) as u32;
            fix.edit(Span::new(to.start.file, at, at), format!("// +{text}\n{indent}"))
        }
    }
}

/// A declaration that can have a comment.
pub(crate) struct Commented {
    start: Span,
    doc: Option<Span>,
}

impl From<&Member<'_>> for Commented {
    fn from(member: &Member<'_>) -> Self {
        Self {
            start: member.span,
            doc: member.doc,
        }
    }
}

impl TryFrom<&Named<'_>> for Commented {
    type Error = ();

    fn try_from(named: &Named<'_>) -> Result<Self, ()> {
        Ok(Self {
            start: named.name.ok_or(())?,
            doc: named.doc,
        })
    }
}

/// Adds an option to the `json` tag; `None` if the field has no such tag.
pub(crate) fn add_option(
    declared: &Declared<'_>,
    fix: Fix,
    member: &Member<'_>,
    option: &str,
) -> Option<Fix> {
    let value = json_value(declared, member)?;
    Some(fix.edit(Span::new(value.file, value.end, value.end), format!(",{option}")))
}

/// Removes an option from the `json` tag, or puts another in its place.
pub(crate) fn remove_option(
    declared: &Declared<'_>,
    fix: Fix,
    member: &Member<'_>,
    option: &str,
    instead: &str,
) -> Option<Fix> {
    let value = json_value(declared, member)?;
    let text = declared.text(value);
    let mut at = 0;
    for part in text.split(',') {
        if at > 0 && part == option {
            let place = value.part(at - usize::from(instead.is_empty()), at + part.len());
            return Some(fix.edit(place, instead));
        }
        at += part.len() + 1;
    }
    None
}

/// Adds or removes the pointer of a field's type.
pub(crate) fn set_pointer(fix: Fix, member: &Member<'_>, pointer: bool) -> Option<Fix> {
    match (member.is_pointer(), pointer) {
        (false, true) => Some(fix.edit(member.ty.part(0, 0), "*")),
        (true, false) => Some(fix.edit(member.ty.part(0, 1), "")),
        _ => None,
    }
}

/// The place of the `json` tag's value, without quotes.
pub(super) fn json_value(declared: &Declared<'_>, member: &Member<'_>) -> Option<Span> {
    let tag = member.tag?;
    let text = declared.text(tag);
    let start = text.find("json:\"")? + "json:\"".len();
    let length = text[start..].find('"')?;
    Some(tag.part(start, start + length))
}

impl Member<'_> {
    /// The place of the `json` tag's value, without quotes.
    pub(crate) fn json_value(&self, declared: &Declared<'_>) -> Option<Span> {
        json_value(declared, self)
    }
}
