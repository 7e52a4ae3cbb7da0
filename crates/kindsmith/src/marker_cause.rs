//! The marker in Go types behind an error of a custom resource, or behind a default: through the CRD that the types become.

use std::cell::OnceCell;

use kindsmith_generate::controller_gen::Definition;
use kindsmith_go::Read;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_object::GroupVersion;
use kindsmith_schema::Kind;
use kindsmith_source::Span;

use crate::cause::{self, Blamed, Cause};
use crate::go_types::GoTypes;
use crate::marker_place;

/// The CRDs that Go types become, read when they are needed first.
pub struct MarkerCauses<'a> {
    go_types: Option<&'a GoTypes>,
    arena: &'a Arena,
    made: OnceCell<Vec<(&'a Definition, Value<'a>)>>,
}

impl<'a> MarkerCauses<'a> {
    /// The markers of these types; there are none without types.
    #[must_use]
    pub fn new(go_types: Option<&'a GoTypes>, arena: &'a Arena) -> Self {
        Self {
            go_types,
            arena,
            made: OnceCell::new(),
        }
    }

    /// The marker behind something at `path` of an object, and what it is in the CRD.
    #[must_use]
    pub fn behind(
        &self,
        (api_version, kind): (&str, &str),
        path: &PathBuf,
        cause: Cause<'_>,
    ) -> Option<(Span, Blamed)> {
        let go_types = self.go_types?;
        let GroupVersion { group, version } = GroupVersion::parse(api_version).ok()?;
        let is_it = |(made, _): &&(&Definition, Value<'_>)| {
            *made.model.spec.group == *group && *made.model.spec.names.kind == *kind
        };
        let (made, value) = self.made(go_types).iter().find(is_it)?;
        let (mut place, blamed) = cause::behind(*value, version, path, cause)?;
        // The struct above says in the CRD that a field is required; in Go it is the field.
        if cause.is_missing() && blamed == Blamed::Schema {
            place = cause::schema(*value, version, path).unwrap_or(place);
        }
        Some((of(go_types.read(), made, &place)?, blamed))
    }

    fn made(&self, go_types: &'a GoTypes) -> &[(&'a Definition, Value<'a>)] {
        self.made.get_or_init(|| {
            let made = go_types.crds().definitions.iter();
            made.filter_map(|made| Some((made, yaml::parse(self.arena, made.text.as_bytes()).ok()?)))
                .collect()
        })
    }
}

/// The marker behind a place in a CRD that Go types became.
#[must_use]
pub fn of(read: &Read, definition: &Definition, place: &PathBuf) -> Option<Span> {
    marker_place::of(
        read,
        &definition.model,
        &versions(read, definition),
        &printed(place),
    )
}

/// The Go kinds that a CRD is made of.
#[must_use]
pub fn versions<'r>(read: &'r Read, definition: &Definition) -> Vec<&'r Kind> {
    let spec = &definition.model.spec;
    let kinds = read.schema.kinds().iter();
    kinds
        .filter(|kind| kind.group == spec.group && kind.kind == spec.names.kind)
        .collect()
}

/// A path in a CRD as the server prints it: `properties[spec]`.
fn printed(path: &PathBuf) -> String {
    let mut printed = PathBuf::default();
    let mut is_name = false;
    for step in path.steps() {
        let next = matches!(step, Step::Field(name) if **name == *"properties") && !is_name;
        printed.push(match step {
            Step::Field(name) if is_name => Step::Key(name.clone()),
            step => step.clone(),
        });
        is_name = next;
    }
    printed.to_string()
}
