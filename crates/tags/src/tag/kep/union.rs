//! `+k8s:union(union: <name>)`: exactly one member of the group is set.

use kindsmith_schema::{Facet, Str};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx};
use crate::tag::{Arg, Kind, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type, Scope::Field],
    args: &[Arg::optional("union", Kind::String, "name of the group")],
    docs: include_str!("union.md"),
    ..Tag::kep("k8s:union", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let union: Option<Str> = links[0].named("union").map(|arg| arg.value.text().into());
    let known = cx.virtual_group(at, union.as_deref().unwrap_or_default());
    known.declared.get_or_insert_with(|| at.clone());
    cx.add(at, Facet::Union { union })
}
