//! A description as the declaration that Go text is written from. Callers choose types and tags: names tell types only so far.

use kindsmith_rust::{Body, Declaration, Field, GoType, Presence, Text, Variant};

use crate::description::{Choice, Described, Member, Shape, TagLine, Use};

/// What a caller chooses for the members of a description. The content of a wrapper is member 0.
pub(crate) trait Chooser<'d> {
    /// The type of a member.
    fn ty(&mut self, owner: &'d Described, index: usize, of: &'d Use, tags: &[TagLine]) -> GoType;

    /// The tags of a member.
    fn tags(&self, _owner: &Described, _index: usize, member: &Member) -> Vec<Text> {
        texts(&member.tags)
    }

    /// The tags of the type.
    fn own_tags(&self, described: &Described) -> Vec<Text> {
        texts(&described.tags)
    }
}

/// The declaration of a type.
pub(crate) fn declaration<'d>(described: &'d Described, chooser: &mut impl Chooser<'d>) -> Declaration {
    let body = match &described.shape {
        Shape::Struct(members) => {
            let members = members.iter().enumerate();
            Body::Struct(
                members
                    .map(|(index, member)| field(described, index, member, chooser))
                    .collect(),
            )
        }
        Shape::Wrapper(of) => Body::Wrapper(chooser.ty(described, 0, of, &described.tags)),
        Shape::Enum(choices) => Body::Enum(choices.iter().map(variant).collect()),
    };
    Declaration {
        docs: described.docs.clone().into(),
        tags: chooser.own_tags(described),
        body,
    }
}

fn field<'d>(
    owner: &'d Described,
    index: usize,
    member: &'d Member,
    chooser: &mut impl Chooser<'d>,
) -> Field {
    Field {
        rust_name: member.rust_name.clone().into(),
        name: member.name.clone().into(),
        docs: member.docs.clone().into(),
        tags: chooser.tags(owner, index, member),
        ty: chooser.ty(owner, index, &member.ty, &member.tags),
        presence: if member.is_optional {
            Presence::Optional
        } else {
            Presence::Required
        },
    }
}

fn variant(choice: &Choice) -> Variant {
    Variant {
        rust_name: choice.rust_name.clone().into(),
        value: choice.value.clone().into(),
        docs: choice.docs.clone().into(),
        tags: texts(&choice.tags),
    }
}

/// Tags as they are written.
pub(crate) fn texts(tags: &[TagLine]) -> Vec<Text> {
    tags.iter().map(|tag| tag.text.clone().into()).collect()
}
