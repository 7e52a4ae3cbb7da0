//! `+k8s:defaulter-gen=<which>`: which types defaulter-gen writes functions for.

use kindsmith_schema::{Owner, Str};

use super::recorded::record;
use crate::finding;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::tag::Tag;

pub(super) const TAG: Tag = Tag {
    docs: include_str!("defaulter_gen.md"),
    ..Tag::control(NAME, apply)
};

const NAME: &str = "k8s:defaulter-gen";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    match (at.owner, link.text()) {
        (Owner::Package(_), "false") => {
            let values = cx.package_values(at, NAME);
            match values.len() {
                0 | 1 => nothing(),
                _ => Misuse::new(format!(
                    "+{NAME}: cannot mix \"false\" with other values; got [{}]",
                    values.join(" ")
                ))
                .with_finding(&finding::DEFAULTER_TAG)
                .into(),
            }
        }
        (Owner::Package(index), member) => {
            let member: Str = member.into();
            cx.edit(move |builder| builder.package_mut(index).options.defaulter.push(member));
            nothing()
        }
        (Owner::Type(id), value @ ("true" | "false")) => {
            let on = value == "true";
            cx.edit(move |builder| builder.ty_mut(id).options.defaulter = Some(on));
            nothing()
        }
        _ => record(cx, at, link),
    }
}
