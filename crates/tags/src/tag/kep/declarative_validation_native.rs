//! `+k8s:declarativeValidationNative`: no hand-written validation mirrors the tags of the field.

use kindsmith_schema::{Facet, Level};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    // It says how rules are enforced, so stable APIs use it.
    stability: Level::Stable,
    scopes: &[Scope::Field],
    docs: include_str!("declarative_validation_native.md"),
    ..Tag::kep("k8s:declarativeValidationNative", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    cx.add(at, Facet::DeclarativeValidationNative)
}
