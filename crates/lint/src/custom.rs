//! The types that controller-gen publishes: custom resources and everything below them.

use std::collections::HashSet;

use kindsmith_schema::{Package, Schema, Shape, TypeId, TypeRef};

/// Switches that custom resources do not need: such a package is compiled into a server.
const BUILTIN: [&str; 4] = [
    "k8s:protobuf-gen",
    "k8s:prerelease-lifecycle-gen",
    "k8s:conversion-gen",
    "k8s:deepcopy-gen",
];

/// Types of input packages, in the order found.
pub(crate) fn types(schema: &Schema) -> Vec<TypeId> {
    let kinds = schema.kinds().iter().map(|kind| kind.ty);
    let mut open: Vec<TypeId> = kinds.filter(|id| is_custom(schema, *id)).collect();
    let mut seen: HashSet<TypeId> = open.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        found.push(id);
        let mut visit = |of: &TypeRef| {
            of.clone().for_each_named(&mut |id| {
                let ty = schema.ty(*id);
                let is_input = schema
                    .package(&ty.name.package)
                    .is_some_and(|package| package.input);
                if is_input && ty.well_known.is_none() && seen.insert(*id) {
                    open.push(*id);
                }
            });
        };
        match &schema.ty(id).shape {
            Shape::Struct(members) => {
                let encoded = members.fields.iter().filter(|field| !field.json.skip);
                encoded.for_each(|field| visit(&field.ty));
            }
            Shape::Def(target) | Shape::Alias(target) => visit(target),
            Shape::Hole => {}
        }
    }
    found
}

/// Whether a type's package is for custom resources, judging by its markers.
fn is_custom(schema: &Schema, id: TypeId) -> bool {
    let package = schema.package(&schema.ty(id).name.package);
    package.is_some_and(|package| !has_marker(package)) || has_crd_rules(schema, id)
}

fn has_marker(package: &Package) -> bool {
    let mut markers = package.options.markers.iter();
    !package.options.validation.is_empty()
        || package.options.model_package.is_some()
        || markers.any(|(name, _)| BUILTIN.contains(&&**name))
}

fn has_crd_rules(schema: &Schema, id: TypeId) -> bool {
    let marked = |name: &str| name.starts_with("kubebuilder:");
    schema.ty(id).options.markers.iter().any(|(name, _)| marked(name))
}
