//! `+k8s:ifSubresource("/x")=<tag>`: the check applies to requests for the subresource.

use kindsmith_schema::{Condition, Wrap};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Arg, Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    args: &[PATH],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("if_subresource.md"),
    ..Tag::kep("k8s:ifSubresource", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    conditional(cx, at, links, true)
}

pub(super) const PATH: Arg = Arg::required("", Kind::String, "path of the subresource, as `/status`");

/// Evaluates the chained tags under a condition on the request.
pub(super) fn conditional<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link], matches: bool) -> Answer {
    let Some(arg) = links[0].positional() else {
        return Misuse::new("missing required positional argument of type string").into();
    };
    // The KEP uses both spellings.
    let path = format!("/{}", arg.value.text().trim_start_matches('/'));
    let condition = Condition::Subresource {
        path: path.into(),
        matches,
    };
    cx.inner(&at.wrapped(Wrap::If(condition)), links)
}
