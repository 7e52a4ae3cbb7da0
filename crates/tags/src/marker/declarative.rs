//! `+k8s:` tags as controller-gen reads them: it parses some of them with its own grammar, from its own
//! choice of comments, with its own checks (controller-tools `pkg/crd/markers/validation.go` and
//! `topology.go`). Their meaning to other tools is not decided here.

use kindsmith_schema::Facet;

use super::{Node, Unfit};
use crate::catalogue;
use crate::grammar::marker::{Arguments, MarkerValues};
use crate::tag::{Scope, Tag};

/// How controller-gen reads the tag of this name, if it does.
pub(super) fn find(name: &str) -> Option<&'static Tag> {
    match name.strip_prefix("k8s:")? {
        "enum" => Some(&ENUM),
        "immutable" => Some(&IMMUTABLE),
        // These are new spellings of older markers.
        same @ ("listMapKey" | "listType" | "optional" | "required") => catalogue::find(same),
        _ => None,
    }
}

static ENUM: Tag = Tag::schema("k8s:enum", &[Scope::Type], Arguments::None, enumeration);
static IMMUTABLE: Tag = Tag::schema("k8s:immutable", &[Scope::Field], Arguments::None, immutable);

/// Errors in the constants are reported elsewhere.
fn enumeration(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::Enum))
}

fn immutable(_: &mut Node, _: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    Ok(Some(Facet::Immutable))
}
