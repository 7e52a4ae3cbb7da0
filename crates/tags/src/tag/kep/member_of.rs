//! `+k8s:memberOf(group: <name>)`: the value is a member of a group.

use kindsmith_schema::{Facet, Str};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Arg, Kind, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Field, Scope::ListValue],
    args: &[Arg::required("group", Kind::String, "name of the group")],
    docs: include_str!("member_of.md"),
    ..Tag::kep("k8s:memberOf", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let Some(arg) = links[0].named("group") else {
        return Misuse::ours("missing named argument \"group\" of type string").into();
    };
    let group: Str = arg.value.text().into();
    let known = cx.virtual_group(at, &group);
    known.member.get_or_insert_with(|| at.clone());
    cx.add(at, Facet::MemberOf { group })
}
