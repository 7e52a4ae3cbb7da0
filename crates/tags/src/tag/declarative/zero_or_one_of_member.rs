//! `+k8s:zeroOrOneOfMember`: a member of a group in which at most one may be set.

use kindsmith_schema::Facet;

use super::union_member::{MEMBER_NAME, MEMBERS, UNION, join};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, UnionKind};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Field, Scope::ListValue],
    types: MEMBERS,
    args: &[UNION, MEMBER_NAME],
    docs: include_str!("zero_or_one_of_member.md"),
    ..Tag::declarative("k8s:zeroOrOneOfMember", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let (union, member_name) = join(cx, at, &links[0], UnionKind::ZeroOrOne)?;
    cx.add(at, Facet::ZeroOrOneOfMember { union, member_name })
}
