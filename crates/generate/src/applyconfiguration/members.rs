//! The struct of an apply configuration, with gofmt's columns.

use kindsmith_schema::{Field, TypeRef};

use super::comment;
use super::graph::{Graph, is_tagged};
use super::imports::Imports;

/// A member as written, in columns.
struct Line {
    comment: Vec<String>,
    name: String,
    /// Empty for embedded types.
    ty: String,
    tag: String,
}

/// The members of the struct, between its braces.
pub(super) fn body(graph: &Graph<'_>, of: &[Field], imports: &mut Imports) -> String {
    let is_written = |field: &&Field| is_tagged(field) && !is_hidden(field);
    let lines: Vec<Line> = of
        .iter()
        .filter(is_written)
        .map(|field| line(graph, field, imports))
        .collect();
    aligned(&lines)
}

/// Members on their way out have no apply configuration.
pub(super) fn is_hidden(field: &Field) -> bool {
    field.name.starts_with("ZZZ_")
}

/// Whether members of a type are lists or maps themselves, so that they need no pointer.
pub(super) fn is_nillable(graph: &Graph<'_>, of: &TypeRef) -> bool {
    matches!(graph.view.unalias(of), TypeRef::List(_) | TypeRef::Map(..))
}

fn line(graph: &Graph<'_>, field: &Field, imports: &mut Imports) -> Line {
    let text = field.docs.text.as_deref().unwrap_or_default();
    let comment = comment::lines(text.lines());
    let ty = graph.member_type(&field.ty).text(imports);
    if field.is_inline() {
        let omit = if field.json.omitempty { ",omitempty" } else { "" };
        return Line {
            comment,
            name: ty,
            ty: String::new(),
            tag: format!("`json:\"{omit}\"`"),
        };
    }
    let name = match &*field.json.name {
        "" => &field.name,
        name => name,
    };
    let tag = format!("`json:\"{name},omitempty\"`");
    let (name, ty) = if field.embedded {
        (format!("*{ty}"), String::new())
    } else if is_nillable(graph, &field.ty) {
        (field.name.to_string(), ty)
    } else {
        (field.name.to_string(), format!("*{ty}"))
    };
    Line {
        comment,
        name,
        ty,
        tag,
    }
}

/// Columns are aligned among lines without comments between them.
fn aligned(lines: &[Line]) -> String {
    let mut text = String::new();
    let mut rest = lines;
    while let Some((first, after)) = rest.split_first() {
        let more = after.iter().take_while(|line| line.comment.is_empty()).count();
        let (section, later) = rest.split_at(more + 1);
        for comment in &first.comment {
            text += &format!("\t{comment}\n");
        }
        let width = |of: fn(&Line) -> &str| section.iter().map(|line| of(line).chars().count()).max();
        let names = width(|line| &line.name).unwrap_or_default();
        let types = width(|line| &line.ty).unwrap_or_default();
        for Line { name, ty, tag, .. } in section {
            text += &match &**ty {
                "" => format!("\t{name:names$} {tag}\n"),
                ty => format!("\t{name:names$} {ty:types$} {tag}\n"),
            };
        }
        rest = later;
    }
    text
}
