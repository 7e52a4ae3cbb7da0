//! `+k8s:alpha(since: "1.34")=<tag>`: the check is evaluated, but not enforced.

use kindsmith_schema::{Level, Version, Wrap};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Arg, Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Beta,
    args: &[SINCE],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("alpha.md"),
    since: 36,
    ..Tag::declarative("k8s:alpha", apply)
};

pub(super) const SINCE: Arg = Arg::optional("since", Kind::String, "the Kubernetes version, as `1.34`");

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    leveled(cx, at, links, Level::Alpha)
}

/// Evaluates the chained tags at a level.
pub(super) fn leveled<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link], level: Level) -> Answer {
    let since = match links[0].args.as_slice() {
        [] => None,
        [arg] => {
            let text = arg.value.text();
            let version = Version::parse(text).ok_or_else(|| {
                let text = format!("invalid kubernetes version format, expected <major>.<minor>, got {text}");
                Misuse::new(text).in_arg(arg)
            })?;
            Some(version)
        }
        [_, second, ..] => {
            let text = "at most one optional kubernetes version argument is supported";
            return Misuse::new(text).in_arg(second).into();
        }
    };
    cx.inner(&at.wrapped(Wrap::Level { level, since }), links)
}
