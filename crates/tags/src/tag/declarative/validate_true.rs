//! `+k8s:validateTrue`: a check that never fails; for tests of the machinery.

use kindsmith_schema::{Facet, Level, TestCheck};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Arg, Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    stability: Level::Alpha,
    args: ARGS,
    payload: Payload::Optional(Kind::String),
    docs: include_str!("validate_true.md"),
    ..Tag::declarative("k8s:validateTrue", apply)
};

/// The arguments of test checks.
pub(super) const ARGS: &[Arg] = &[
    Arg::optional(
        "flags",
        Kind::String,
        "comma-separated: `ShortCircuit`, `NonError`",
    ),
    Arg::optional("typeArg", Kind::String, "the type argument of the generated call"),
    Arg::optional("cohort", Kind::String, "name of the cohort"),
];

pub(super) fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    fixed(cx, at, &links[0], false)
}

/// A check whose result is fixed.
pub(super) fn fixed<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link, fails: bool) -> Answer {
    let mut check = TestCheck {
        fails,
        message: Some(link.text()).filter(|text| !text.is_empty()).map(Into::into),
        short_circuit: false,
        non_error: false,
        cohort: link.named("cohort").map(|arg| arg.value.text().into()),
    };
    if let Some(arg) = link.named("flags") {
        for flag in arg.value.text().split(',').map(str::trim) {
            match flag {
                "ShortCircuit" => check.short_circuit = true,
                "NonError" => check.non_error = true,
                other => {
                    let text = format!("can't decode tag payload: unknown flag: {other:?}");
                    return Misuse::new(text).in_arg(arg).into();
                }
            }
        }
        if check.non_error && !check.short_circuit {
            cx.report(
                at,
                Misuse::unformatted("the flag NonError alone has no use")
                    .in_arg(arg)
                    .help("add ShortCircuit; validation-gen writes Go code for it that cannot be formatted"),
            );
        }
    }
    cx.add(at, Facet::Test(check))
}
