//! `+k8s:format=<name>`: text in a named format.

use kindsmith_schema::Facet;

use super::max_length::is_string;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse};
use crate::tag::{Kind, Payload, Tag};

pub(super) const TAG: Tag = Tag {
    types: "strings",
    payload: Payload::Required(Kind::String),
    docs: include_str!("format.md"),
    since: 35,
    ..Tag::declarative("k8s:format", apply)
};

/// The formats that validation-gen knows.
const FORMATS: &[&str] = &[
    "k8s-extended-resource-name",
    "k8s-label-key",
    "k8s-label-value",
    "k8s-long-name",
    "k8s-long-name-caseless",
    "k8s-path-segment-name",
    "k8s-prefixed-label-key",
    "k8s-resource-fully-qualified-name",
    "k8s-resource-pool-name",
    "k8s-short-name",
    "k8s-uuid",
];

/// The formats of KEP-5073 that were renamed: `dns-label` became `k8s-short-name`.
const KEP: &[&str] = &["dns-label", "ip", "k8s-ip"];

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    is_string(cx, at)?;
    let link = &links[0];
    let name = link.text();
    if !FORMATS.contains(&name) {
        let misuse = Misuse::new(format!("unsupported validation format {name:?}")).in_value(link);
        if !KEP.contains(&name) {
            return misuse.help(format!("formats are {}", FORMATS.join(", "))).into();
        }
        cx.kep_only(at, misuse);
    }
    cx.add(at, Facet::Format(name.into()))
}
