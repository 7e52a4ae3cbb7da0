//! The discriminator that a tag about unions or modes depends on, and the members that a discriminator names.

use kindsmith_schema::{Condition, Facet, Field, FieldId, Owner, Rule, Str, Wrap};

use super::Package;
use super::resolve::fields;
use super::tag::TagLine;

/// The fields that a tag leads to: the discriminator of its group, or the members if it is the discriminator's own.
pub(crate) fn partners(package: &Package, owner: Owner, tag: &TagLine<'_>) -> Vec<FieldId> {
    let Owner::Field(id) = owner else {
        return Vec::new();
    };
    let own = groups(package.read.schema.field(id));
    let wanted = match tag.name() {
        "k8s:unionMember" | "k8s:zeroOrOneOfMember" => Wanted::Discriminator(Topic::Union),
        "k8s:ifMode" => Wanted::Discriminator(Topic::Mode),
        "k8s:unionDiscriminator" => Wanted::Members(Topic::Union),
        "k8s:modeDiscriminator" => Wanted::Members(Topic::Mode),
        _ => return Vec::new(),
    };
    let siblings = fields(&package.read.schema, id.owner).into_iter();
    let is_partner = |sibling: &FieldId| {
        let theirs = groups(package.read.schema.field(*sibling));
        *sibling != id
            && own
                .iter()
                .any(|one| theirs.iter().any(|other| wanted.connects(one, other)))
    };
    siblings.filter(is_partner).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Topic {
    Union,
    Mode,
}

/// A group that a field is part of.
#[derive(PartialEq, Eq)]
struct Group {
    topic: Topic,
    is_discriminator: bool,
    name: Option<Str>,
}

enum Wanted {
    Discriminator(Topic),
    Members(Topic),
}

impl Wanted {
    /// Whether the other group is the same one, seen from the other side.
    fn connects(&self, own: &Group, other: &Group) -> bool {
        let (topic, is_discriminator) = match self {
            Self::Discriminator(topic) => (*topic, true),
            Self::Members(topic) => (*topic, false),
        };
        own.topic == topic
            && other.topic == topic
            && own.name == other.name
            && own.is_discriminator != is_discriminator
            && other.is_discriminator == is_discriminator
    }
}

fn groups(field: &Field) -> Vec<Group> {
    field.rules.iter().flat_map(of_rule).collect()
}

fn of_rule(rule: &Rule) -> Vec<Group> {
    let mut found = Vec::new();
    let mut add = |topic, is_discriminator, name: &Option<Str>| {
        found.push(Group {
            topic,
            is_discriminator,
            name: name.clone(),
        });
    };
    match &rule.facet {
        Facet::UnionMember { union, .. } | Facet::ZeroOrOneOfMember { union, .. } => {
            add(Topic::Union, false, union);
        }
        Facet::UnionDiscriminator { union } => add(Topic::Union, true, union),
        Facet::ModeDiscriminator { modality } => add(Topic::Mode, true, modality),
        _ => {}
    }
    for wrap in &rule.wraps {
        if let Wrap::If(Condition::Mode { modality, .. }) = wrap {
            add(Topic::Mode, false, modality);
        }
    }
    found
}
