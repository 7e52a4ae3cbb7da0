//! `+kubebuilder:resource:path=<plural>,shortName=<a>;<b>,scope=Cluster,…`: names and scope of the resource.

use crate::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};
use crate::tag::Tag;
use kindsmith_schema::Kind;

pub(super) const TAG: Tag = Tag {
    types: "resources",
    docs: include_str!("resource.md"),
    ..Tag::resource("kubebuilder:resource", ARGUMENTS, apply)
};

const ARGUMENTS: Arguments = Arguments::Named(&[
    Argument::optional("path", ArgumentType::Text),
    Argument::optional("shortName", ArgumentType::Texts),
    Argument::optional("categories", ArgumentType::Texts),
    Argument::optional("singular", ArgumentType::Text),
    Argument::optional("scope", ArgumentType::Text),
]);

fn apply(kind: &mut Kind, values: &MarkerValues) -> Result<(), String> {
    let text = |name| values.text(name).filter(|text| !text.is_empty()).map(Into::into);
    let texts = |name| values.texts(name).into_iter().map(Into::into).collect();
    kind.names.plural = text("path").or(kind.names.plural.take());
    kind.names.singular = text("singular").or(kind.names.singular.take());
    kind.names.short = texts("shortName");
    kind.names.categories = texts("categories");
    let scope = values.text("scope").unwrap_or_default();
    kind.scope = match scope {
        "Cluster" => kindsmith_schema::Scope::Cluster,
        _ => kindsmith_schema::Scope::Namespaced,
    };
    // controller-gen does not reject other scopes; the API server does.
    let is_known = matches!(scope, "" | "Cluster" | "Namespaced");
    kind.unknown_scope = (!is_known).then(|| scope.into());
    Ok(())
}
