//! `+k8s:optional`: the field is optional.

use kindsmith_schema::Facet;

use super::required::{SETTABLE, settable};
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::tag::{Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Field],
    types: SETTABLE,
    docs: include_str!("optional.md"),
    ..Tag::declarative("k8s:optional", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    // The field stays optional even if its default cannot be parsed.
    let zero_default = match cx.zero_default(at) {
        Ok(zero_default) => zero_default,
        Err(misuse) => {
            cx.add(at, Facet::Optional)?;
            return Err(misuse);
        }
    };
    if zero_default != Some(true)
        && let Err(misuse) = settable(cx, at, &links[0])
    {
        // KEP-5073, "Handling zero values": on what is always set the tag is documentation.
        if cx.is_upstream() {
            return Err(misuse);
        }
    }
    let answer = cx.add(at, Facet::Optional);
    if zero_default == Some(true) {
        nothing()
    } else {
        answer
    }
}
