//! `+k8s:unionMember`: a member of a union in which exactly one must be set.

use kindsmith_schema::{Facet, GoKind, Selector, Str};

use crate::go_type;
use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Later, Misuse, UnionKind, something};
use crate::tag::{Arg, Kind, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Field, Scope::ListValue],
    types: MEMBERS,
    args: &[UNION, MEMBER_NAME],
    docs: include_str!("union_member.md"),
    ..Tag::declarative("k8s:unionMember", apply)
};

pub(super) const MEMBERS: &str = "pointers, lists, maps and builtin scalars; list items under `+k8s:item`";

pub(super) const UNION: Arg = Arg::optional(
    "union",
    Kind::String,
    "name of the union, when the struct has several",
);

pub(super) const MEMBER_NAME: Arg = Arg::optional(
    "memberName",
    Kind::String,
    "the discriminator's value for this member; the Go field name by default",
);

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let (union, member_name) = join(cx, at, &links[0], UnionKind::Union)?;
    cx.add_of(
        at,
        kindsmith_schema::Family::Declarative,
        Facet::UnionMember { union, member_name },
    );
    something()
}

/// Adds the place as a member; returns the names of union and member.
pub(super) fn join<'a>(
    cx: &mut Cx<'a>,
    at: &At<'a>,
    link: &Link,
    kind: UnionKind,
) -> Result<(Option<Str>, Option<Str>), Misuse> {
    let text = |name: &str| link.named(name).map(|arg| arg.value.text());
    let union = text(UNION.name).unwrap_or_default().to_owned();
    match &at.selector {
        None => {
            check_field(cx, at)?;
            cx.groups.union(kind, &at.parent_path, &union).fields += 1;
        }
        Some(selector) => join_item(cx, at, selector, kind, &union)?,
    }
    cx.later.push(Later::Union(at.clone(), kind));
    Ok((
        text(UNION.name).map(Str::from),
        text(MEMBER_NAME.name).map(Str::from),
    ))
}

fn check_field<'a>(cx: &mut Cx<'a>, at: &At<'a>) -> Result<(), Misuse> {
    let kind = cx.resolved(at).kind(cx.view);
    if !matches!(
        kind,
        GoKind::Pointer | GoKind::Map | GoKind::Slice | GoKind::Builtin
    ) {
        let types = format!("nilable and primitive types ({})", kind.name());
        return Err(Misuse::only_on(types).help("make the field a pointer"));
    }
    let Some((field, ty)) = at.member.zip(at.ty) else {
        return Err(Misuse::new(
            "struct-field union member has no member info in context",
        ));
    };
    if field.json_name().unwrap_or_default().is_empty() {
        let text = format!(
            "field \"{} {}\" is a union member but has no JSON name",
            field.name,
            go_type::text(cx.view, ty)
        );
        return Err(Misuse::new(text));
    }
    cx.check_plain_scalar(at, ty);
    Ok(())
}

fn join_item<'a>(
    cx: &mut Cx<'a>,
    at: &At<'a>,
    selector: &Selector,
    kind: UnionKind,
    union: &str,
) -> Result<(), Misuse> {
    if selector.0.is_empty() {
        return Err(Misuse::unformatted("a union cannot have all items of a list as one member")
            .help("name the items with +k8s:item; validation-gen writes Go code for this that cannot be formatted"));
    }
    // Upstream uses the part after the last dot of the path, even one inside a key's value.
    let name = at.path.rsplit('.').next().unwrap_or_default().to_owned();
    let items = &mut cx.groups.union(kind, &at.parent_path, union).items;
    if items.iter().any(|(other, ..)| *other == name) {
        return Err(Misuse::new(format!(
            "list-item union member {name:?} already exists"
        )));
    }
    items.push((name, selector.clone(), at.clone()));
    Ok(())
}
