//! `+kubebuilder:metadata:annotations="<key>=<value>",labels="<key>=<value>"`: annotations and labels of the
//! CRD itself.

use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("metadata.md"),
    ..Tag::resource("kubebuilder:metadata", ARGUMENTS, apply)
};

const ARGUMENTS: Arguments = Arguments::Named(&[
    Argument::optional("annotations", ArgumentType::Texts),
    Argument::optional("labels", ArgumentType::Texts),
]);

fn apply(kind: &mut Kind, values: &MarkerValues) -> Result<(), String> {
    for entry in values.texts("annotations") {
        let Some((key, value)) = entry.split_once('=') else {
            return Err(format!("annotation {entry} is not in 'xxx=xxx' format"));
        };
        kind.annotations.push((key.into(), value.into()));
    }
    for entry in values.texts("labels") {
        // controller-gen crashes here.
        let Some((key, value)) = entry.split_once('=') else {
            return Err(format!("label {entry} is not in 'xxx=xxx' format"));
        };
        kind.labels.push((key.into(), value.into()));
    }
    Ok(())
}
