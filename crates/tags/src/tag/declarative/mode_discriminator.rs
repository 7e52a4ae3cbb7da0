//! `+k8s:modeDiscriminator`: the field that decides which rules of its siblings apply.

use kindsmith_schema::{Facet, Family, Scalar};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Misuse, group_key, nothing};
use crate::tag::{Arg, Kind, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Field],
    types: "strings and booleans that are not pointers",
    args: &[MODALITY],
    docs: include_str!("mode_discriminator.md"),
    since: 37,
    ..Tag::declarative("k8s:modeDiscriminator", apply)
};

pub(super) const MODALITY: Arg = Arg::optional(
    "modality",
    Kind::String,
    "name of the group, when the struct has several discriminators",
);

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let name = links[0].named(MODALITY.name).map_or("", |arg| arg.value.text());
    let answer = discriminate(cx, at, name);
    if answer.is_err() {
        cx.groups.modes(&at.modes_path(), name).broken = true;
    }
    answer
}

fn discriminate<'a>(cx: &mut Cx<'a>, at: &At<'a>, name: &str) -> Answer {
    let resolved = cx.resolved(at);
    if resolved.pointers > 0 {
        return Misuse::only_on("non-pointer types").into();
    }
    if !matches!(resolved.scalar(), Some(Scalar::String | Scalar::Bool)) {
        let types = format!("string or bool types ({})", cx.root_text(at));
        return Misuse::only_on(types).into();
    }
    if !name.is_empty() && !is_group_name(name) {
        let text = format!("discriminator group name must match ^[a-zA-Z][a-zA-Z0-9_]*$, got {name:?}");
        return Misuse::new(text).into();
    }
    reserved(name)?;
    // Upstream treats a member reached through `subfield` as different from the one in the struct.
    if cx.left_over_discriminator(at, group_key(name)).is_some() {
        return Misuse::new(format!("duplicate discriminator: {name:?}"))
            .again()
            .into();
    }
    let group = cx.groups.modes(&at.modes_path(), name);
    let other = group.discriminator.or(at.member);
    if !other
        .zip(at.member)
        .is_some_and(|(other, this)| std::ptr::eq(other, this))
    {
        return Misuse::new(format!("duplicate discriminator: {name:?}")).into();
    }
    group.discriminator = at.member;
    let modality = Some(name).filter(|name| !name.is_empty()).map(Into::into);
    cx.add_of(at, Family::Declarative, Facet::ModeDiscriminator { modality });
    nothing()
}

/// The unnamed group has this name.
pub(super) fn reserved(name: &str) -> Result<(), Misuse> {
    if name == "default" {
        return Err(Misuse::new(format!(
            "discriminator group name {name:?} is reserved"
        )));
    }
    Ok(())
}

fn is_group_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
