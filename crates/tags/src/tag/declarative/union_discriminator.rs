//! `+k8s:unionDiscriminator`: the field that names the member of a union that is set.

use kindsmith_schema::{Facet, Family, Level};

use super::max_length::is_string;
use super::union_member::UNION;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Beta,
    scopes: &[Scope::Field, Scope::ListValue],
    types: "strings",
    args: &[UNION],
    docs: include_str!("union_discriminator.md"),
    ..Tag::declarative("k8s:unionDiscriminator", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    is_string(cx, at)?;
    if at.member.is_none() {
        return Misuse::crash("elements of a list cannot be the discriminator of a union")
            .help("validation-gen crashes on this")
            .into();
    }
    let union = links[0].named(UNION.name).map(|arg| arg.value.text().into());
    cx.add_of(at, Family::Declarative, Facet::UnionDiscriminator { union });
    nothing()
}
