//! `+k8s:supportsSubresource="/x"`: the type is also the body of a subresource.

use kindsmith_schema::Owner;

use super::is_subresource::path;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, nothing};
use crate::site::BlockKind;
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Type],
    blocks: &[BlockKind::Closest, BlockKind::Second],
    payload: Payload::Required(Kind::String),
    docs: include_str!("supports_subresource.md"),
    ..Tag::control("k8s:supportsSubresource", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Answer {
    let path = path(link)?;
    if let Owner::Type(id) = at.owner {
        cx.edit(move |builder| builder.ty_mut(id).options.supports_subresources.push(path));
    }
    nothing()
}
