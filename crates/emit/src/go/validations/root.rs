//! Which packages get validation functions, and for which types.

use std::collections::{HashMap, HashSet};

use kindsmith_checks::{Lowered, Types};
use kindsmith_schema::{GoKind, Package, RootSelector, Schema, Str, Type, TypeId, TypeRef, WellKnown};

use super::{Options, Target};

/// The packages that have validation-gen enabled, with their roots in the order of names.
pub(crate) fn targets<'s>(schema: &'s Schema, options: &Options) -> Vec<Target<'s>> {
    let asking = options
        .selected(schema)
        .filter(|package| !package.options.validation.is_empty());
    asking
        .map(|package| {
            let input = package.options.validation_input.as_ref().unwrap_or(&package.path);
            Target {
                package,
                input: input.clone(),
                roots: roots(schema, package, input),
            }
        })
        .collect()
}

fn roots(schema: &Schema, package: &Package, input: &Str) -> Vec<TypeId> {
    let types = Types::new(schema);
    let roots = schema
        .types()
        .filter(|(_, ty)| ty.name.package == *input && ty.name.is_exported() && !ty.anonymous)
        .filter(|(id, _)| {
            matches!(types.kind(&TypeRef::Named(*id)), GoKind::Struct | GoKind::Alias)
                && types.unalias(&TypeRef::Named(*id)) == TypeRef::Named(*id)
        })
        .filter(|(id, ty)| {
            let selectors = &package.options.validation;
            ty.options.validation.unwrap_or_else(|| {
                !is_list(types, *id) && selectors.iter().any(|selector| selects(types, selector, *id, ty))
            })
        });
    roots.map(|(id, _)| id).collect()
}

/// Lists of objects are not validated.
fn is_list(types: Types<'_>, id: TypeId) -> bool {
    let members = types
        .members(&TypeRef::Named(id))
        .map_or(&[][..], |(_, fields)| fields);
    members.iter().filter(|field| field.embedded).any(|field| {
        matches!(types.unalias(&field.ty), TypeRef::Named(ty)
            if types.schema.ty(ty).well_known == Some(WellKnown::ListMeta))
    })
}

fn selects(types: Types<'_>, selector: &RootSelector, id: TypeId, ty: &Type) -> bool {
    match selector {
        RootSelector::All => true,
        RootSelector::WithField(name) => types
            .members(&TypeRef::Named(id))
            .is_some_and(|(_, fields)| fields.iter().any(|field| field.name == *name)),
        RootSelector::WithSuffix(suffix) => ty.name.name.ends_with(&**suffix),
    }
}

/// Types that another type uses; a root that nothing uses concerns only its own package.
pub(super) fn referenced(types: Types<'_>, lowered: &Lowered) -> HashSet<TypeId> {
    let mut found = HashSet::new();
    for id in lowered.keys() {
        let named = TypeRef::Named(*id);
        match types.members(&named) {
            Some((_, fields)) => {
                for field in fields.iter().filter(|field| field.is_exported()) {
                    collect(types, &field.ty, &mut found);
                }
            }
            None => collect(types, &types.underlying(&named), &mut found),
        }
    }
    found
}

fn collect(types: Types<'_>, ty: &TypeRef, found: &mut HashSet<TypeId>) {
    match types.non_pointer(ty) {
        TypeRef::Named(id) => {
            found.insert(id);
        }
        TypeRef::List(element) | TypeRef::Array(_, element) => collect(types, &element, found),
        TypeRef::Map(key, value) => {
            collect(types, &key, found);
            collect(types, &value, found);
        }
        _ => {}
    }
}

/// Packages with published functions for types of other packages.
const PUBLISHED: &[(&str, &str)] = &[(
    "k8s.io/apimachinery/pkg/apis/meta/v1",
    "k8s.io/apimachinery/pkg/apis/meta/v1/validation",
)];

/// The package of the functions for a package's types: the one that registers them, otherwise the first.
pub(super) fn homes(targets: &[Target<'_>]) -> HashMap<Str, Str> {
    let mut homes: HashMap<Str, (Str, bool)> = HashMap::new();
    for (input, home) in PUBLISHED {
        homes.insert((*input).into(), ((*home).into(), false));
    }
    for target in targets {
        let registers = target.package.options.scheme_registry.as_deref() != Some("nil");
        let home = (target.package.path.clone(), registers);
        match homes.get_mut(&target.input) {
            Some(known) if registers && !known.1 => *known = home,
            Some(_) => {}
            None => {
                homes.insert(target.input.clone(), home);
            }
        }
    }
    homes
        .into_iter()
        .map(|(input, (home, _))| (input, home))
        .collect()
}
