//! `+kubebuilder:subresource:scale:specpath=<path>,statuspath=<path>,selectorpath=<path>`: the resource has a scale subresource.

use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("subresource_scale.md"),
    ..Tag::resource("kubebuilder:subresource:scale", ARGUMENTS, apply)
};

const ARGUMENTS: Arguments = Arguments::Named(&[
    Argument::needed("specpath", ArgumentType::Text),
    Argument::needed("statuspath", ArgumentType::Text),
    Argument::optional("selectorpath", ArgumentType::Text),
]);

fn apply(kind: &mut Kind, values: &MarkerValues) -> Result<(), String> {
    kind.subresources.scale = Some(kindsmith_schema::Scale {
        spec_path: values.text("specpath").unwrap_or_default().into(),
        status_path: values.text("statuspath").unwrap_or_default().into(),
        selector_path: values.text("selectorpath").map(Into::into),
    });
    Ok(())
}
