//! `+kubebuilder:externalDocs:url=<url>,description=<text>`: a link to documentation.

use super::url;
use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::marker::{Node, Unfit};
use crate::tag::{Scope, Tag};
use kindsmith_schema::{ExternalDocs, Facet};

pub(super) const TAG: Tag = Tag {
    docs: include_str!("external_docs.md"),
    ..Tag::schema(
        "kubebuilder:externalDocs",
        &[Scope::Field, Scope::Type],
        ARGUMENTS,
        apply,
    )
};

const ARGUMENTS: Arguments = Arguments::Named(&[
    Argument::needed("url", ArgumentType::Text),
    Argument::optional("description", ArgumentType::Text),
]);

fn apply(_: &mut Node, values: &MarkerValues) -> Result<Option<Facet>, Unfit> {
    let address = values.text("url").unwrap_or_default();
    url::check(address).map_err(|why| {
        let address = kindsmith_gostd::quote::quote(address);
        Unfit::Value(format!(
            "invalid url {address} in kubebuilder:externalDocs marker: {why}"
        ))
    })?;
    Ok(Some(Facet::ExternalDocs(ExternalDocs {
        url: address.into(),
        description: values
            .text("description")
            .filter(|text| !text.is_empty())
            .map(Into::into),
    })))
}
