//! The one schema model: types as an API means them, with their defaults, rules and kinds.
//!
//! Front ends build a [`Schema`] through a [`Builder`], back ends read it. The model knows no source text, no
//! spans (a [`Place`] is the key under which a front end stores them), no files and no wire encoding.

mod all_types;
mod builder;
mod docs;
mod dump;
mod facet;
mod field;
mod id;
mod json;
mod json_schema;
mod kind;
mod late_type;
mod name;
mod package;
mod place;
mod profile;
mod rule;
mod schema;
mod schema_pointer;
mod shared;
mod type_ref;
mod types;
mod view;
mod written;

pub use builder::{Builder, Renumbering};
pub use docs::Docs;
pub use facet::{
    Bound, CelRule, CelRuleReason, ExternalDocs, Facet, Limit, ListType, MapType, TestCheck, UniqueKind,
    UpdateConstraint,
};
pub use field::{Default, Field, JsonTag, PatchTag};
pub use id::{FieldId, TypeId};
pub use json::{Json, Literal};
pub use json_schema::{Dependency, Items, JsonSchema, SchemaOrBool, ValidationRule, WithoutOld};
pub use kind::{Column, Kind, ResourceNames, Scale, Scope, Subresources};
pub use name::{Str, TypeName};
pub use package::{Function, Package, PackageOptions, RootSelector};
pub use place::{Owner, Part, Place};
pub use profile::Profile;
pub use rule::{Condition, Family, Level, Rule, Selector, Version, Wrap};
pub use schema::Schema;
pub use schema_pointer::SpineStep;
pub use shared::{Shared, SharedVec};
pub use type_ref::{Scalar, TypeRef};
pub use types::{Constant, Exclusion, Method, Shape, Struct, Type, TypeOptions, WellKnown};
pub use view::{GoKind, View};
