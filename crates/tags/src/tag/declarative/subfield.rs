//! `+k8s:subfield(<JSON name>)=<tag>`: the check applies to a member of the struct.

use kindsmith_schema::{GoKind, Wrap};

use crate::go_type;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Inherit, Later, Misuse, something};
use crate::tag::{Arg, Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    types: "structs",
    args: &[Arg::required("", Kind::String, "JSON name of the member")],
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("subfield.md"),
    ..Tag::declarative(NAME, apply)
};

const NAME: &str = "k8s:subfield";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    // Only the outermost one reports: upstream never reaches those inside.
    let nested = links[1..].iter().find(|link| link.name == NAME);
    if let Some(nested) = nested
        && at.chain.iter().filter(|name| **name == NAME).count() == 1
    {
        let text = "nested +k8s:subfield tags are unsupported; apply validations directly to the nested type instead";
        cx.kep_only(at, Misuse::new(text).at(nested.name_span.clone()));
    }
    let resolved = cx.resolved(at);
    let kind = cx.view.kind(resolved.base);
    if kind != GoKind::Struct {
        return Misuse::only_on(format_args!("struct types: {}", kind.name())).into();
    }
    let Some(arg) = links[0].positional() else {
        return Misuse::new("missing required positional argument of type string").into();
    };
    let name = arg.value.text();
    let path = format!("{}.{name}", at.path);
    let wrap = Wrap::Subfield(name.into());
    let Some(fields) = resolved.fields(cx.view) else {
        // A library type whose members were not read: nested values cannot be checked.
        let mut inner = at.inside(wrap, Scope::Field, resolved.base, path);
        inner.ty = None;
        return cx.inner(&inner, links);
    };
    let Some(field) = go_type::member(fields, name) else {
        return Misuse::new(format!("no field for json name {name:?}"))
            .in_arg(arg)
            .into();
    };
    let mut inner = at.inside(wrap, Scope::Field, &field.ty, path);
    inner.member = Some(field);
    if let Some(field) = cx.field_id(resolved.base, field) {
        cx.later.push(Later::Inherit(Box::new(Inherit {
            outer: at.clone(),
            inner: inner.clone(),
            field,
        })));
    }
    cx.inner(&inner, links)?;
    something()
}
