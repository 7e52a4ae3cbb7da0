//! Tags to calls of checks, in the order and with the quirks of validation-gen.
//!
//! Does not know values: the engine's `plan` lays out the calls and its `run` runs them.

mod cohort;
mod collected;
mod context;
mod default_tree;
mod deferred;
mod dependent;
mod discover;
mod enforcement;
mod facet;
mod ir;
mod item;
mod kep_reading;
mod list;
mod lowered;
mod lowerer;
mod mode;
mod order;
mod reach;
mod requiredness;
mod subfield;
mod types;
mod union;
mod update;
mod virtual_group;
mod wrap;

use kindsmith_schema::{RootSelector, Schema, TypeId, TypeRef};

pub use cohort::cohorts;
pub use default_tree::{
    Below, Calls, DefaultBackend, DefaultTree, Defaulted, DefaultedPlace, FoundDefault, Inside,
    default_candidates, type_default,
};
pub use enforcement::{Decided, Enforcement, decide};
pub use facet::value_check;
pub use ir::{
    Body, Call, Compare, EnumExclusion, EnumSet, Leaf, Matching, Mode, Number, RouteStep, Union, UnionMembers,
};
pub use item::item_constraints;
pub use kep_reading::{kep_defaults, kep_immutability};
pub use kindsmith_schema::Profile;
pub use lowered::{Lowered, LoweredField, LoweredType};
use lowerer::Lowerer;
pub use order::in_order;
pub use reach::has_validations;
pub use requiredness::is_zero_default;
pub use types::{Resolved, Types};

/// Lowers all types reachable from a type.
#[must_use]
pub fn lower(schema: &Schema, root: TypeId, profile: Profile) -> Lowered {
    lower_roots(schema, &roots(schema, root), profile)
}

/// Lowers all types reachable from the roots, in this order.
#[must_use]
pub fn lower_roots(schema: &Schema, roots: &[TypeId], profile: Profile) -> Lowered {
    let mut lowerer = Lowerer::new(schema, profile);
    if profile == Profile::Kep {
        lowerer.spanning = virtual_group::spanning(lowerer.types, roots);
    }
    for root in roots {
        lowerer.discover(&TypeRef::Named(*root), 0);
    }
    if !lowerer.spanning.is_empty() {
        lowerer.add_spanning_groups(roots);
    }
    lowerer.done
}

/// The roots of the type's package in the generator's order, since results can depend on it.
fn roots(schema: &Schema, root: TypeId) -> Vec<TypeId> {
    let package = &schema.ty(root).name.package;
    let selectors = schema
        .package(package)
        .map_or(&[][..], |package| &package.options.validation);
    let mut roots: Vec<TypeId> = schema
        .types()
        .filter(|(_, ty)| ty.name.package == *package && ty.name.is_exported() && !ty.anonymous)
        .filter(|(_, ty)| {
            ty.options
                .validation
                .unwrap_or_else(|| selectors.iter().any(|selector| selects(selector, ty)))
        })
        .map(|(id, _)| id)
        .collect();
    if !roots.contains(&root) {
        roots.push(root);
    }
    roots
}

fn selects(selector: &RootSelector, ty: &kindsmith_schema::Type) -> bool {
    match selector {
        RootSelector::All => true,
        RootSelector::WithField(name) => ty.fields().iter().any(|field| field.name == *name),
        RootSelector::WithSuffix(suffix) => ty.name.name.ends_with(&**suffix),
    }
}
