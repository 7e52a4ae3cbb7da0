//! `+k8s:eachVal=<tag>`: the check applies to every element of a list or value of a map.

use kindsmith_schema::{GoKind, Selector, TypeRef, Wrap};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, Yield, something};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    types: "lists and maps",
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("each_val.md"),
    ..Tag::declarative("k8s:eachVal", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let resolved = cx.resolved(at);
    let kind = resolved.kind(cx.view);
    let (scope, element) = match (kind, cx.view.underlying(resolved.base)) {
        (GoKind::Slice | GoKind::Array, TypeRef::List(element) | TypeRef::Array(_, element)) => {
            (Scope::ListValue, element)
        }
        (GoKind::Map, TypeRef::Map(_, value)) => (Scope::MapValue, value),
        _ => {
            let types = format!("list or map types ({})", kind.name());
            return Misuse::only_on(types).into();
        }
    };
    let path = format!("{}[(vals)]", at.path);
    let mut inner = at.inside(Wrap::EachVal, scope, element, path);
    if scope == Scope::ListValue {
        inner.selector = Some(Selector(Vec::new()));
    }
    some(cx.inner(&inner, links)?)
}

/// The chained tag generates something.
pub(super) fn some(inner: Yield) -> Answer {
    match inner {
        Yield::Something => something(),
        Yield::Nothing => Misuse::new("no validation functions found").into(),
    }
}
