//! `+k8s:update=<constraint>`: what an update may not change.

use kindsmith_schema::{Facet, GoKind, UpdateConstraint};

use crate::grammar::codetags::Link;
use crate::read::{Answer, At, Cx, Later, Misuse, Semantic};
use crate::tag::{Kind, Payload, Scope, Tag};

pub(super) const TAG: Tag = Tag {
    scopes: &[Scope::Field, Scope::ListValue, Scope::MapValue],
    payload: Payload::Optional(Kind::String),
    docs: include_str!("update.md"),
    since: 35,
    ..Tag::declarative("k8s:update", apply)
};

fn apply<'a>(cx: &mut Cx<'a>, at: &At<'a>, links: &[Link]) -> Answer {
    let constraint = constraint(cx, at, &links[0])?;
    if at.scope == Scope::Field {
        check_field(cx, at, constraint)?;
        if matches!(
            constraint,
            UpdateConstraint::NoAddItem | UpdateConstraint::NoRemoveItem
        ) {
            let first = cx.groups.item_updates.entry(at.path.clone());
            first.or_insert_with(|| at.clone());
        }
        cx.later.push(Later::Update(at.clone()));
    } else {
        check_element(cx, at, constraint)?;
    }
    cx.add(at, Facet::Update(vec![constraint]))
}

fn constraint<'a>(cx: &mut Cx<'a>, at: &At<'a>, link: &Link) -> Result<UpdateConstraint, Misuse> {
    let text = link.text();
    if let Some(known) = UpdateConstraint::ALL.into_iter().find(|one| one.name() == text) {
        return Ok(known);
    }
    let misuse = Misuse::new(format!("unknown +k8s:update constraint: {text}")).in_value(link);
    if text == "NoClear" {
        cx.kep_only(at, misuse.help("validation-gen calls it NoUnset"));
        return Ok(UpdateConstraint::NoUnset);
    }
    Err(misuse.help("use NoSet, NoUnset, NoModify, NoAddItem or NoRemoveItem"))
}

fn check_field<'a>(cx: &Cx<'a>, at: &At<'a>, constraint: UpdateConstraint) -> Result<(), Misuse> {
    use UpdateConstraint::{NoAddItem, NoModify, NoRemoveItem, NoSet, NoUnset};
    let resolved = cx.resolved(at);
    let base = cx.view.kind(resolved.base);
    let compound = matches!(base, GoKind::Slice | GoKind::Map);
    let name = constraint.name();
    if compound && matches!(constraint, NoSet | NoUnset) && !cx.is_upstream() {
        let name = if constraint == NoUnset { "NoClear" } else { name };
        let text = format!("KEP-5073 does not allow {name} on lists and maps");
        return Err(Misuse::ours(text).help("use NoAddItem and NoRemoveItem"));
    }
    let text = match constraint {
        NoAddItem | NoRemoveItem if !compound => {
            format!("+k8s:update={name} can only be used on list or map fields")
        }
        NoModify if compound => "+k8s:update=NoModify is not supported on list or map fields, use \
                                 +k8s:eachVal=+k8s:update=NoModify for per-item immutability"
            .to_owned(),
        NoSet | NoUnset if base == GoKind::Struct && resolved.pointers == 0 => {
            format!("+k8s:update={name} cannot be used on non-pointer struct fields (they cannot be unset)")
        }
        _ => return Ok(()),
    };
    Err(Misuse::new(text))
}

fn check_element<'a>(cx: &mut Cx<'a>, at: &At<'a>, constraint: UpdateConstraint) -> Result<(), Misuse> {
    if constraint != UpdateConstraint::NoModify {
        let text = format!(
            "+k8s:update={} does not apply to {}, attach it to the enclosing field",
            constraint.name(),
            at.scope.words()
        );
        // The KEP protects single list items this way.
        cx.kep_only(at, Misuse::new(text));
        return Ok(());
    }
    if matches!(cx.view.kind(cx.resolved(at).base), GoKind::Slice | GoKind::Map) {
        let text =
            "+k8s:update=NoModify cannot be applied to list/map elements that are themselves lists or maps";
        return Err(Misuse::new(text));
    }
    // Upstream knows only the tags processed before this one.
    let semantic = cx.lists.get(&at.parent_path).map(|meta| meta.semantic);
    match semantic {
        Some(semantic) if at.scope == Scope::ListValue && semantic != Some(Semantic::Map) => {
            let text = format!(
                "+k8s:eachVal=+k8s:update=NoModify requires the enclosing list to use listType=map or unique=map (got {})",
                semantic.map_or("", Semantic::word)
            );
            Err(Misuse::new(text))
        }
        _ => Ok(()),
    }
}
