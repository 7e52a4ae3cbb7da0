//! `+k8s:monotonic`: an integer never decreases.

use kindsmith_schema::{Facet, Level};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    scopes: &[Scope::Type, Scope::Field],
    types: "integers",
    docs: include_str!("monotonic.md"),
    since: 37,
    ..Tag::declarative("k8s:monotonic", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, _: &[Link]) -> Answer {
    if cx.resolved(at).integer().is_none() && !cx.is_unknown(at) {
        let text = format!("must be an integer type (got {})", cx.root_text(at));
        return Misuse::new(text).into();
    }
    cx.add(at, Facet::Monotonic)
}
