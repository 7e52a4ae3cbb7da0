//! From a path in a CRD to the marker in the Go source that made it.

use kindsmith_go::Read;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_openapi::crd;
use kindsmith_schema::{
    Facet, FieldId, GoKind, JsonSchema, Kind, Owner, Part, Place, Rule, Schema, Shape, SpineStep, TypeId,
    TypeRef, View,
};
use kindsmith_source::Span;

/// The place in the source of a part of the schema, or of its nearest parent.
pub fn span(read: &Read, place: Place) -> Span {
    let own = read.origins.span(&place);
    let around = || read.origins.span(&place.owner.part(Part::Name));
    // A library type that was not read has no place; the error is reported anyway.
    own.or_else(around)
        .or_else(|| read.sources.files().next().map(|(file, _)| Span::new(file, 0, 0)))
        .expect("a schema with types was read from files")
}

/// The place of what an error is about; `None` if the path is not one of a schema.
pub fn of(read: &Read, definition: &crd::Definition, versions: &[&Kind], path: &str) -> Option<Span> {
    let (before, rest) = path.split_once("openAPIV3Schema")?;
    let (steps, rest) = steps(rest);
    let index = before
        .split_once("versions[")
        .and_then(|(_, rest)| rest.split(']').next()?.parse::<usize>().ok());
    let version = definition.spec.versions.get(index.unwrap_or(0))?;
    let kind = versions
        .iter()
        .find(|kind| kind.version == version.name)
        .or(versions.first())?;
    let schema = version.schema.as_ref()?.open_api_v3_schema.as_deref()?;
    let found = owners(&read.schema, kind.ty, &steps);
    let node = schema.at(&pointer(&steps));
    let marker = found
        .iter()
        .filter(|owner| is_input(&read.schema, **owner))
        .find_map(|owner| blamed(read, *owner, node, rest));
    // A library's mistake is reported where the library is used.
    let around = (0..=steps.len()).rev().find_map(|end| {
        let owners = owners(&read.schema, kind.ty, &steps[..end]);
        let mut owners = owners.into_iter().filter(|owner| is_input(&read.schema, *owner));
        read.origins.span(&owners.next()?.part(Part::Name))
    });
    marker.or(around)
}

fn is_input(schema: &Schema, owner: Owner) -> bool {
    let id = match owner {
        Owner::Field(id) => id.owner,
        Owner::Type(id) | Owner::Constant(id, _) => id,
        Owner::Package(_) => return false,
    };
    let package = schema.package(&schema.ty(id).name.package);
    package.is_some_and(|package| package.input)
}

/// Whether the declaration behind a path was not found, so that its schema is empty.
pub fn is_hole(read: &Read, versions: &[&Kind], path: &str) -> bool {
    let Some((_, rest)) = path.split_once("openAPIV3Schema") else {
        return false;
    };
    let (steps, _) = steps(rest);
    versions.iter().any(|kind| {
        let owners = owners(&read.schema, kind.ty, &steps);
        owners.iter().any(|owner| match owner {
            Owner::Type(id) => read.schema.is_hole(*id),
            Owner::Field(id) => has_unknown_key(read.schema.view(), &read.schema.field(*id).ty),
            _ => false,
        })
    })
}

/// Whether a map has keys of a type that was not found, so that it has no schema either.
fn has_unknown_key(view: View<'_>, of: &TypeRef) -> bool {
    match view.underlying(view.deref(of)) {
        TypeRef::Map(key, value) => view.kind(key) == GoKind::Unknown || has_unknown_key(view, value),
        TypeRef::List(item) | TypeRef::Array(_, item) => has_unknown_key(view, item),
        _ => false,
    }
}

/// The path in a schema of a value of an object.
pub fn path(root: &JsonSchema, object: &PathBuf) -> Option<String> {
    let mut text = String::new();
    let mut schema = root;
    for step in object.steps() {
        let (next, part) = match step {
            Step::Index(_) => (schema.at("/items")?, ".items".to_owned()),
            Step::Field(name) | Step::Key(name) => match schema.property(name) {
                Some(member) => (member, format!(".properties[{name}]")),
                None => (
                    schema.at("/additionalProperties")?,
                    ".additionalProperties".to_owned(),
                ),
            },
        };
        schema = next;
        text.push_str(&part);
    }
    Some(text)
}

/// The pointer of steps.
pub fn pointer(steps: &[SpineStep]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            SpineStep::Property(name) => {
                text.push_str("/properties/");
                text.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            SpineStep::Items => text.push_str("/items"),
            SpineStep::Additional => text.push_str("/additionalProperties"),
        }
    }
    text
}

/// The steps down the spine at the start of a path, and the rest.
pub fn steps(path: &str) -> (Vec<SpineStep>, &str) {
    let mut steps = Vec::new();
    let mut rest = path;
    loop {
        let next = rest.strip_prefix('.').unwrap_or(rest);
        if let Some((name, after)) = next
            .strip_prefix("properties[")
            .and_then(|inside| inside.split_once(']'))
        {
            steps.push(SpineStep::Property(name.to_owned()));
            rest = after;
        } else if let Some(after) = next.strip_prefix("items") {
            steps.push(SpineStep::Items);
            rest = after;
        } else if let Some(after) = next.strip_prefix("additionalProperties") {
            steps.push(SpineStep::Additional);
            rest = after;
        } else {
            return (steps, next);
        }
    }
}

/// The declarations behind steps, innermost first: the field, the types that it names.
fn owners(schema: &Schema, root: TypeId, steps: &[SpineStep]) -> Vec<Owner> {
    let view = schema.view();
    let root = TypeRef::Named(root);
    let mut owners = vec![&root];
    let mut field: Option<FieldId> = None;
    for step in steps {
        let of = *owners.last().expect("there is always a type");
        let inner = match (step, view.underlying(view.deref(of))) {
            (SpineStep::Property(name), _) => match member(schema, view.deref(of), name, 0) {
                Some(found) => {
                    field = Some(found);
                    &schema.field(found).ty
                }
                None => break,
            },
            (SpineStep::Items, TypeRef::List(item) | TypeRef::Array(_, item)) => item,
            (SpineStep::Additional, TypeRef::Map(_, value)) => value,
            _ => break,
        };
        owners.push(inner);
    }
    let mut found: Vec<Owner> = field.map(Owner::Field).into_iter().collect();
    let mut of = view.deref(owners.last().expect("there is always a type"));
    for _ in 0..16 {
        let TypeRef::Named(id) = of else {
            break;
        };
        found.push(Owner::Type(*id));
        match &schema.ty(*id).shape {
            Shape::Def(target) | Shape::Alias(target) => of = target,
            _ => break,
        }
    }
    found
}

/// The field with a name in JSON, also inside embedded structs.
fn member(schema: &Schema, of: &TypeRef, name: &str, depth: usize) -> Option<FieldId> {
    let (id, _) = schema.view().members(of)?;
    schema.fields(id).find_map(|(field_id, field)| {
        if field.is_inline() && depth < 8 {
            return member(schema, schema.view().deref(&field.ty), name, depth + 1);
        }
        (field.json_name() == Some(name)).then_some(field_id)
    })
}

/// The marker of a declaration that made a part of a schema.
fn blamed(read: &Read, owner: Owner, node: Option<&JsonSchema>, part: &str) -> Option<Span> {
    if part.starts_with("default") {
        let recorded = read.origins.span(&owner.part(Part::Default));
        return recorded.or_else(|| default_marker(read, owner));
    }
    let rules: &[Rule] = match owner {
        Owner::Field(id) => &read.schema.field(id).rules,
        Owner::Type(id) => &read.schema.ty(id).rules,
        Owner::Package(_) | Owner::Constant(..) => return None,
    };
    let is_it = |rule: &Rule| match (&rule.facet, part) {
        (Facet::Cel(cel), part) if part.starts_with("x-kubernetes-validations[") => {
            let index = part["x-kubernetes-validations[".len()..].split(']').next();
            let index = index.and_then(|index| index.parse::<usize>().ok());
            let validations = node.map(|node| &node.validations);
            let made = index.zip(validations).and_then(|(index, all)| all.get(index));
            made.is_some_and(|made| made.rule == cel.rule)
        }
        (Facet::Pattern(_), part) => part.starts_with("pattern"),
        (Facet::Format(_), part) => part.starts_with("format"),
        (Facet::Enum | Facet::EnumValues(_), part) => part.starts_with("enum"),
        (Facet::ListType(_) | Facet::ListMapKey(_), part) => part.starts_with("x-kubernetes-list"),
        (Facet::Minimum(_) | Facet::ExclusiveMinimum(_), part) => part == "minimum",
        (Facet::Maximum(_) | Facet::ExclusiveMaximum(_), part) => part == "maximum",
        (Facet::MultipleOf(_), part) => part == "multipleOf",
        (Facet::MinLength(_), part) => part == "minLength",
        (Facet::MaxLength(_), part) => part == "maxLength",
        (Facet::MinItems(_), part) => part == "minItems",
        (Facet::MaxItems(_), part) => part == "maxItems",
        (Facet::MinProperties(_), part) => part == "minProperties",
        (Facet::MaxProperties(_), part) => part == "maxProperties",
        _ => false,
    };
    let index = rules.iter().position(is_it)?;
    read.origins.span(&owner.part(Part::Rule(index as u32)))
}

/// The marker with the default in the comment above a declaration. controller-gen's has no place of its own in the schema.
fn default_marker(read: &Read, owner: Owner) -> Option<Span> {
    const NAMES: [&str; 3] = ["kubebuilder:default", "k8s:default", "default"];
    let name = read.origins.span(&owner.part(Part::Name))?;
    let file = read.sources.file(name.file);
    let line = file.position(name.start).line;
    let above = (1..line).rev().map(|line| file.line_range(line));
    let comment = above.map_while(|range| {
        let text = &file.text()[range.clone()];
        let start = range.start + text.len() - text.trim_start().len();
        text.trim_start().starts_with("//").then_some(start..range.end)
    });
    let mut markers = comment.filter(|range| {
        let text = file.text()[range.clone()].trim_start_matches(['/', ' ', '\t']);
        let marker = text.strip_prefix('+').unwrap_or_default();
        let mut rest = NAMES.iter().filter_map(|name| marker.strip_prefix(name));
        rest.any(|rest| rest.starts_with([':', '=']))
    });
    let range = markers.next()?;
    Some(Span::new(name.file, range.start as u32, range.end as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_steps_and_a_rest() {
        let (found, rest) = steps(".properties[spec].properties[a].items.x-kubernetes-validations[0].rule");
        assert_eq!(pointer(&found), "/properties/spec/properties/a/items");
        assert_eq!(rest, "x-kubernetes-validations[0].rule");
        assert_eq!(steps("").0, []);
    }
}
