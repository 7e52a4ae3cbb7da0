//! `+validations=<text>`: an extension with rules, given verbatim.

use crate::tag::{Scope, Tag};
use kindsmith_schema::Facet;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("validations.md"),
    ..Tag::openapi("validations", &[Scope::Field, Scope::Type], openapi)
};

fn openapi(value: &str) -> Option<Facet> {
    Some(Facet::Extension {
        name: "x-kubernetes-validations".into(),
        value: value.into(),
    })
}
