//! `+k8s:item(<key>: <value>, …)=<tag>`: the check applies to the list item with these keys.

use kindsmith_schema::{GoKind, Literal, Selector, TypeRef, Wrap};

use super::number;
use crate::go_type;
use crate::grammar::codetags::{Arg, Link, Scalar};
use crate::read::{Answer, At, Cx, Later, Misuse, Yield};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    types: "lists of structs",
    open_args: true,
    payload: Payload::Required(Kind::Tag),
    docs: include_str!("item.md"),
    ..Tag::declarative("k8s:item", apply)
};

pub(crate) fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let TypeRef::List(element) = cx.resolved(at).base else {
        return Misuse::only_on("list types").into();
    };
    let element = go_type::resolved(cx.view, element).base;
    if !matches!(cx.view.kind(element), GoKind::Struct | GoKind::Unknown) {
        return Misuse::only_on("lists of structs").into();
    }
    let selector = selector(&links[0])?;
    let path = format!("{}[{}]", at.path, selector_text(&selector));
    let wrap = Wrap::Item(selector.clone());
    let mut inner = at.inside(wrap, Scope::ListValue, element, path);
    inner.selector = Some(selector.clone());
    let answer = cx.inner(&inner, links)?;
    if answer == Yield::Something {
        cx.later.push(Later::Item(at.clone(), selector));
    }
    Ok(answer)
}

fn selector(link: &Link) -> Result<Selector, Misuse> {
    let mut pairs: Vec<(kindsmith_schema::Str, Literal)> = Vec::new();
    for arg in &link.args {
        if arg.name.is_empty() {
            return Err(Misuse::new("all arguments must be named").in_arg(arg));
        }
        if pairs.iter().any(|(name, _)| **name == *arg.name) {
            return Err(Misuse::new(format!("duplicate argument: {:?}", arg.name)).in_arg(arg));
        }
        pairs.push((arg.name.as_str().into(), literal(arg)?));
    }
    if pairs.is_empty() {
        let help = "name all keys of the list: +k8s:item(name: \"x\")=+k8s:…";
        return Err(Misuse::new("no selection criteria was specified").help(help));
    }
    Ok(Selector(pairs))
}

fn literal(arg: &Arg) -> Result<Literal, Misuse> {
    Ok(match &arg.value {
        Scalar::Str(text) => Literal::Str(text.as_str().into()),
        Scalar::Bool(value) => Literal::Bool(*value),
        Scalar::Int(text) => {
            let value = number::int(text).map_err(|reason| {
                let text = format!(
                    "invalid value for argument {:?}: invalid integer: {reason}",
                    arg.name
                );
                Misuse::new(text).in_arg(arg)
            })?;
            Literal::Int(value)
        }
    })
}

/// The selector as paths in messages show it.
fn selector_text(Selector(pairs): &Selector) -> String {
    use kindsmith_gostd::quote::quote;
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(key, value)| match value {
            Literal::Str(text) => format!("{}: {}", quote(key), quote(text)),
            other => format!("{}: {other}", quote(key)),
        })
        .collect();
    format!("{{{}}}", pairs.join(", "))
}
