//! Members of structs: their names, which are required, and their schemas (kube-openapi `generateMembers`).

use kindsmith_schema::{Field, FieldId, Json, Type, TypeId, TypeRef, WellKnown};

use super::Lower;
use crate::openapi_gen::comment;
use crate::openapi_gen::node::Node;
use crate::openapi_gen::{declarative, default, enums, extensions, keywords};

/// Structs embedded deeper are ignored.
const MAX_DEPTH: usize = 64;

/// Adds the members of a struct, with those of inlined structs in their place.
pub(super) fn add(lower: &mut Lower<'_>, of: &TypeRef, node: &mut Node) {
    add_inside(lower, of, node, &mut Vec::new());
}

fn add_inside(lower: &mut Lower<'_>, of: &TypeRef, node: &mut Node, inside: &mut Vec<TypeId>) {
    let view = lower.selection.view;
    let mut of = of;
    while let TypeRef::Pointer(inner) = view.underlying(of) {
        of = inner;
    }
    let Some((id, fields)) = view.members(of) else {
        return;
    };
    if inside.contains(&id) || inside.len() > MAX_DEPTH {
        return;
    }
    if let Some((name, member)) = embedded_clock(view.ty(id)) {
        node.required.push(name.into());
        node.add(name, member);
        return;
    }
    inside.push(id);
    for (index, field) in (0..).zip(fields) {
        if field.is_openapi_hidden() {
            continue;
        }
        if field.is_openapi_inline() {
            add_inside(lower, &field.ty, node, inside);
            continue;
        }
        let Some(name) = field.openapi_name() else {
            continue;
        };
        if is_required(field) || (lower.validation && declarative::is_required(field)) {
            node.required.push(name.into());
        }
        lower.field = Some(FieldId { owner: id, index });
        let member = member(lower, field);
        node.add(name, member);
    }
    inside.pop();
}

/// The member of the wrappers around the standard library's times, which is visible where they are embedded
/// or renamed.
fn embedded_clock(ty: &Type) -> Option<(&'static str, Node)> {
    let known = ty.well_known?;
    if default::wraps_time(known) {
        return Some(("Time", Node::typed("string", "date-time")));
    }
    (known == WellKnown::Duration).then(|| {
        let mut node = Node::typed("integer", "int64");
        node.set("default", Json::int(0));
        ("Duration", node)
    })
}

fn is_required(field: &Field) -> bool {
    let has = |marker| comment::has(&field.docs, marker);
    has("required") || (!has("optional") && !field.json.omitempty)
}

/// The schema of one field (kube-openapi `generateProperty`).
fn member(lower: &mut Lower<'_>, field: &Field) -> Node {
    let enumeration = enums::of(lower.selection, &field.ty);
    let more = enumeration.iter().flat_map(enums::Enumeration::lines);
    let lines: Vec<String> = comment::lines(&field.docs)
        .map(str::to_owned)
        .chain(more)
        .collect();
    // Fields encoded as strings have neither default nor validations.
    let as_text = field.json.string_first;
    let mut node = if as_text {
        Node::typed("string", "")
    } else {
        lower.using(&field.ty)
    };
    node.set_text(
        "description",
        &comment::description(lines.iter().map(String::as_str)),
    );
    extensions::apply(&field.docs, &mut node);
    keywords::apply_rules(lower.selection.view, &field.rules, &field.ty, &mut node);
    if as_text {
        return node;
    }
    keywords::apply(lower.selection.view, &field.rules, &field.ty, &mut node);
    let default = default::of(lower.selection, field);
    if let Some(value) = default.value {
        node.set("default", value);
    }
    node.default_symbol = default.symbol;
    if lower.validation {
        declarative::on_field(lower.selection, field, &mut node);
    }
    node
}
