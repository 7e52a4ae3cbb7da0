//! Members of structs: their names, schemas, and which of them are required.

use kindsmith_schema::{Facet, Family, Field, FieldId, JsonSchema, Owner, Part, Rule, Str, ValidationRule};

use super::{At, Link, Lower};
use crate::controller_gen::Release;
use crate::controller_gen::describe::description;
use crate::controller_gen::known::typed;
use crate::controller_gen::markers;
use crate::k8s_tags;

/// The schema of a struct; embedded structs are in `allOf` (controller-tools `pkg/crd/schema.go`,
/// `structToSchema`).
pub(crate) fn members(lower: &mut Lower<'_>, link: Link) -> JsonSchema {
    let id = link.id;
    let schema = lower.schema;
    let package = &*schema.ty(id).name.package;
    let optional_by_default = schema
        .package(package)
        .is_some_and(|package| package.options.optional_by_default);
    let carried = !link.opaque && lower.carries(package);
    let mut made = typed("object");
    let mut immutable: Vec<Str> = Vec::new();
    for (field_id, field) in schema.fields(id) {
        if !field.embedded && lower.options.ignore_unexported_fields && !field.is_exported() {
            continue;
        }
        if !field.json.present && !lower.options.go_json {
            let name = if field.embedded { "" } else { &*field.name };
            let message = format!(
                "encountered struct field \"{name}\" without JSON tag in type \"{}\"",
                schema.ty(id).name.name
            );
            lower.problem(Owner::Field(field_id).part(Part::Name), message);
            continue;
        }
        // Without a tag, Go uses the names of exported fields.
        let (name, inline): (Str, bool) = match field.json.present {
            _ if field.json.skip => continue,
            true => (
                field.json.name.clone(),
                field.json.inline || field.json.name.is_empty(),
            ),
            false if !field.is_exported() => continue,
            false => (field.json_name().unwrap_or_default().into(), field.is_inline()),
        };
        // Parts that Go does not validate may be incomplete.
        let is_looked_at = carried || !link.opaque || !lower.carries(package);
        if is_looked_at && is_required(field, inline, optional_by_default, lower.options.release) {
            made.required.push(name.clone());
        }
        let mut property = property(lower, package, field_id, field, link.opaque, carried);
        if inline {
            if carried {
                let pointee = k8s_tags::pointee(lower.view, field);
                let opaque = k8s_tags::is_opaque(field);
                let pointee = pointee.and_then(|id| lower.declared_within(Link { id, opaque }).cloned());
                k8s_tags::on_embedded(&mut lower.tags, field_id, field, pointee, &mut property);
            }
            made.all_of.push(property);
            continue;
        }
        if carried {
            let absence = k8s_tags::on_field(&mut lower.tags, field_id, field, &mut property, &mut made);
            if lower.implies_defaults(package) {
                let is_empty_valid = absence.structure.is_some_and(|id| {
                    let declared = lower.declared_within(Link { id, opaque: false });
                    declared.is_some_and(k8s_tags::is_valid_empty)
                });
                k8s_tags::on_absent(
                    &lower.tags,
                    &absence,
                    is_empty_valid,
                    field,
                    &mut property,
                    &mut made,
                );
            } else {
                absence.demand(&mut property, &mut made);
            }
        } else if markers::is_immutable(field, lower.options.release) {
            immutable.push(name.clone());
        }
        insert(&mut made.properties, &name, property);
    }
    made.required.sort();
    for name in immutable {
        if !made.required.contains(&name) {
            made.validations.push(once_set(&name));
        }
    }
    made
}

/// If two members have the same name, the last one counts.
fn insert(properties: &mut Vec<(Str, JsonSchema)>, name: &Str, property: JsonSchema) {
    match properties.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => *known = property,
        None => properties.push((name.clone(), property)),
    }
}

fn property(
    lower: &mut Lower<'_>,
    package: &str,
    id: FieldId,
    field: &Field,
    opaque: bool,
    carried: bool,
) -> JsonSchema {
    let schemaless = field.rules.iter().any(|rule| rule.facet == Facet::Schemaless);
    let at = At {
        package,
        place: Owner::Field(id).part(Part::Type),
        opaque: opaque || carried && k8s_tags::is_opaque(field),
    };
    // Tags of lists, maps and scalars mean something else where the field may be unset.
    let own = carried
        .then(|| k8s_tags::scalar_or_list(lower.view, &field.ty))
        .flatten();
    let mut made = match own {
        _ if schemaless => JsonSchema::default(),
        Some(of) => lower.bare(of, at.opaque),
        None => lower.using(at, &field.ty, 0),
    };
    let text = description(&field.docs);
    if own.is_none() || !text.is_empty() {
        made.description = text;
    }
    markers::on_field(field, carried, lower.options, &mut made);
    made
}

/// An immutable field cannot be unset again.
fn once_set(name: &str) -> ValidationRule {
    ValidationRule {
        rule: format!("!has(oldSelf.{name}) || has(self.{name})").into(),
        message: format!("field {name} is immutable once set").into(),
        ..ValidationRule::default()
    }
}

/// Whether a field is required: decided by its own marker, then by Kubernetes' markers, then by its package,
/// then by its JSON tag.
fn is_required(field: &Field, inline: bool, optional_by_default: bool, release: Release) -> bool {
    let own = |facet: &Facet| {
        let is = |rule: &Rule| rule.family == Family::Kubebuilder && rule.is_plain() && rule.facet == *facet;
        field.rules.iter().any(is)
    };
    let shared = |facet: &Facet| {
        let is = |rule: &Rule| rule.facet == *facet && release.reads(rule);
        field.published.iter().any(is)
    };
    if own(&Facet::Optional) {
        false
    } else if own(&Facet::Required) {
        true
    } else if shared(&Facet::Optional) {
        false
    } else if shared(&Facet::Required) {
        true
    } else {
        !optional_by_default && !inline && !field.json.omitempty && !field.json.omitzero
    }
}
