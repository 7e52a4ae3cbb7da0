//! `+k8s:` tags in the eyes of controller-gen: it reads some of them by its own grammar, from the comments it counts, with
//! its own checks (controller-tools `pkg/crd/markers/validation.go` and `topology.go`). What they mean to others is not
//! decided here.

use kindsmith_schema::Facet;

use super::Node;
use crate::catalogue;
use crate::grammar::marker::{Arguments, MarkerValues};
use crate::tag::{Scope, Tag};

/// How controller-gen reads the tag of this name, if it does.
pub(super) fn find(name: &str) -> Option<&'static Tag> {
    match name.strip_prefix("k8s:")? {
        "enum" => Some(&ENUM),
        "immutable" => Some(&IMMUTABLE),
        // These are other spellings of older markers.
        same @ ("listMapKey" | "listType" | "optional" | "required") => catalogue::find(same),
        _ => None,
    }
}

static ENUM: Tag = Tag::schema("k8s:enum", &[Scope::Type], Arguments::None, enumeration);
static IMMUTABLE: Tag = Tag::schema("k8s:immutable", &[Scope::Field], Arguments::None, immutable);

/// What is wrong with the constants is said elsewhere.
fn enumeration(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, String> {
    Ok(Some(Facet::Enum))
}

fn immutable(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, String> {
    Ok(Some(Facet::Immutable))
}
