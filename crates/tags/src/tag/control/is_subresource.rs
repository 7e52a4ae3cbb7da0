//! `+k8s:isSubresource="/x"`: the type is the body of a subresource.

use kindsmith_schema::{Owner, Str};

use crate::grammar::codetags::{self, Link, Mode};
use crate::read::{Answer, At, Cx, Misuse, nothing};
use crate::site::BlockKind;
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    blocks: &[BlockKind::Closest, BlockKind::Second],
    payload: Payload::Required(Kind::String),
    docs: include_str!("is_subresource.md"),
    ..Tag::control(NAME, apply)
};

const NAME: &str = "k8s:isSubresource";

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let path = path(link)?;
    if !cx.is_first(at, NAME) {
        let text = format!("Type {:?} contains more than one usage of {NAME:?}", at.path);
        return Misuse::whole("panic: ", text).into();
    }
    if let Owner::Type(id) = at.owner {
        cx.edit(move |builder| builder.ty_mut(id).options.is_subresource = Some(path));
    }
    nothing()
}

/// The path of a subresource; the value of these two tags has the grammar of `+k8s:` tags.
pub(super) fn path(link: &Link) -> Result<Str, Misuse> {
    let chain = codetags::parse(&format!("{}={}", link.name, link.text()), Mode::Typed)
        .map_err(|error| Misuse::ours(error.message).in_value(link))?;
    let path: Str = chain.first().text().into();
    if !path.starts_with('/') {
        return Err(Misuse::ours("the path of a subresource starts with a slash").in_value(link));
    }
    Ok(path)
}
