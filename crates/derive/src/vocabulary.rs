//! Attribute names and the tags they stand for.
//!
//! A `+k8s:` tag is written in snake case: `max_length` is `+k8s:maxLength`. These names come from the
//! catalogue of tags. Markers of controller-gen have names of many forms, so [`MARKERS`] gives each its name here; their arguments
//! come from the catalogue too.

use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;
use kindsmith_formats::nearest::nearest_of;
use kindsmith_gostd::regexp::Regexp;
use kindsmith_json::write::go_quote;
use kindsmith_tags::grammar::marker::Arguments;
use kindsmith_tags::tag::{Apply, Kind, Tag};
use kindsmith_tags::{Family, catalogue, find};

use crate::attribute::{Literal, Part, Value};

/// Names here, and markers of controller-gen and openapi-gen.
pub(crate) const MARKERS: &[(&str, &str)] = &[
    ("at_least_one_of", "kubebuilder:validation:AtLeastOneOf"),
    ("annotations", "kubebuilder:metadata"),
    ("at_most_one_of", "kubebuilder:validation:AtMostOneOf"),
    ("default", "default"),
    ("deprecated", "kubebuilder:deprecatedversion"),
    ("embedded_resource", "kubebuilder:validation:EmbeddedResource"),
    ("exactly_one_of", "kubebuilder:validation:ExactlyOneOf"),
    ("example", "kubebuilder:example"),
    ("exclusive_maximum", "kubebuilder:validation:ExclusiveMaximum"),
    ("exclusive_minimum", "kubebuilder:validation:ExclusiveMinimum"),
    ("external_docs", "kubebuilder:externalDocs"),
    ("int_or_string", "kubebuilder:validation:XIntOrString"),
    ("labels", "kubebuilder:metadata"),
    ("map_type", "mapType"),
    ("multiple_of", "kubebuilder:validation:MultipleOf"),
    ("nullable", "nullable"),
    ("patch_merge_key", "patchMergeKey"),
    ("patch_strategy", "patchStrategy"),
    ("pattern", "kubebuilder:validation:Pattern"),
    (
        "preserve_unknown_fields",
        "kubebuilder:pruning:PreserveUnknownFields",
    ),
    ("print_column", "kubebuilder:printcolumn"),
    ("root_rule", "kubebuilder:validation:XValidation"),
    ("rule", "kubebuilder:validation:XValidation"),
    ("scale", "kubebuilder:subresource:scale"),
    ("schema_type", "kubebuilder:validation:Type"),
    ("schemaless", "kubebuilder:validation:Schemaless"),
    ("selectable_field", "kubebuilder:selectablefield"),
    ("storage_version", "kubebuilder:storageversion"),
    ("struct_type", "structType"),
    ("title", "kubebuilder:title"),
    ("unique_items", "kubebuilder:validation:UniqueItems"),
    ("unserved", "kubebuilder:unservedversion"),
];

/// Attributes of a kind that are no tags.
pub(crate) const OF_KINDS: &[&str] = &[
    "categories",
    "cluster",
    "group",
    "kind",
    "namespaced",
    "package",
    "plural",
    "short_names",
    "singular",
    "spec_description",
    "status",
    "status_default",
    "version",
];

/// Tags that are about a kind.
pub(crate) const OF_ROOT: &[&str] = &[
    "annotations",
    "deprecated",
    "labels",
    "print_column",
    "root_rule",
    "scale",
    "selectable_field",
    "storage_version",
    "supports_subresource",
    "unserved",
];

/// Attributes of a type that are no tags.
pub(crate) const OF_TYPES: &[&str] = &["crate", "own_rules", "tag_description"];

/// Attributes that are no tags, but change how the type is read.
pub(crate) fn others() -> impl Iterator<Item = &'static str> {
    let all = [OF_KINDS, OF_TYPES, &["go_type", "tag"]];
    all.into_iter().flatten().copied()
}

/// The lines of tags for an attribute. `is_float` says that the value has fractions, which `+k8s:` tags do not know.
pub(crate) fn lines(part: &Part, is_float: bool) -> syn::Result<Vec<String>> {
    let Some(name) = part.name.as_deref() else {
        return Err(syn::Error::new(part.span, "expected a name such as `max_length`"));
    };
    let has_fraction =
        matches!(&part.value, Value::Literal(Literal::Number(text)) if text.contains(['.', 'e']));
    match name {
        "tag" => {
            let text = part.need_text()?;
            return Ok(vec![text.trim_start_matches('+').to_owned()]);
        }
        "annotations" | "labels" => {
            let entries = marker(name, part)?;
            return Ok(entries
                .iter()
                .map(|entries| format!("kubebuilder:metadata:{entries}"))
                .collect());
        }
        "enum" if !matches!(part.value, Value::None) => return marker("kubebuilder:validation:Enum", part),
        "format" if !part.text().is_some_and(|format| format.starts_with("k8s-")) => {
            return marker("kubebuilder:validation:Format", part);
        }
        "minimum" if is_float || has_fraction => return marker("kubebuilder:validation:Minimum", part),
        "maximum" if is_float || has_fraction => return marker("kubebuilder:validation:Maximum", part),
        _ => {}
    }
    match name {
        "rule" | "root_rule" => expressions(part)?,
        "pattern" => pattern(part)?,
        _ => {}
    }
    if let Some((_, tag)) = MARKERS.iter().find(|(known, _)| *known == name) {
        return marker(tag, part);
    }
    match declarative(name) {
        Some(tag) => declarative_lines(tag, part),
        None => Err(syn::Error::new(part.span, unknown(name))),
    }
}

/// Checks the syntax of a rule and of its message; types are known when the schema is made.
fn expressions(part: &Part) -> syn::Result<()> {
    let parts = match &part.value {
        Value::None => &[][..],
        Value::Literal(_) => std::slice::from_ref(part),
        Value::List(parts) => parts,
    };
    for part in parts {
        let is_expression = matches!(
            part.name.as_deref(),
            None | Some("rule" | "root_rule" | "message_expression")
        );
        let (true, Value::Literal(Literal::Text(text))) = (is_expression, &part.value) else {
            continue;
        };
        let source = Source::new(text);
        if let Err(errors) = parse(&source) {
            let message = format!("compilation failed: {}", errors.display(&source));
            return Err(syn::Error::new(part.span, message));
        }
    }
    Ok(())
}

/// Checks a regular expression, in the words in which the API server rejects a CRD.
fn pattern(part: &Part) -> syn::Result<()> {
    match part.text().map(Regexp::new) {
        Some(Err(error)) => {
            let message = format!("must be a valid regular expression, but isn't: {error}");
            Err(syn::Error::new(part.span, message))
        }
        _ => Ok(()),
    }
}

/// The `+k8s:` tag of an attribute.
pub(crate) fn declarative(name: &str) -> Option<&'static Tag> {
    find(&format!("k8s:{}", camel(name))).filter(|tag| is_declarative(tag) && snake(tag.name) == name)
}

fn is_declarative(tag: &Tag) -> bool {
    tag.name.starts_with("k8s:") && matches!(tag.family, Family::Declarative | Family::Kep)
        || matches!(tag.name, "k8s:supportsSubresource" | "k8s:isSubresource")
}

fn unknown(name: &str) -> String {
    let declaratives = catalogue()
        .filter(|tag| is_declarative(tag))
        .map(|tag| snake(tag.name));
    let markers = MARKERS.iter().map(|(name, _)| (*name).to_owned());
    let others = others().map(str::to_owned);
    match nearest_of(
        name,
        declaratives.chain(markers).chain(others).collect::<Vec<_>>(),
    ) {
        Some(near) => format!("unknown attribute `{name}`; did you mean `{near}`?"),
        None => format!("unknown attribute `{name}`"),
    }
}

/// `maxLength` of `max_length`.
fn camel(name: &str) -> String {
    let mut out = String::new();
    for (index, word) in name.split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if index > 0 => out.extend(first.to_uppercase()),
            Some(first) => out.push(first),
            None => {}
        }
        out.push_str(letters.as_str());
    }
    out
}

/// `max_length` of `k8s:maxLength`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.trim_start_matches("k8s:").chars() {
        if letter.is_uppercase() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

fn declarative_lines(tag: &Tag, part: &Part) -> syn::Result<Vec<String>> {
    let takes_tag = tag.payload.kind() == Some(Kind::Tag);
    let parts = match &part.value {
        Value::None if takes_tag => &[][..],
        Value::None => return Ok(vec![tag.name.to_owned()]),
        Value::Literal(literal) => {
            let raw = tag.payload.kind() == Some(Kind::Raw);
            let value = if raw { literal.json() } else { scalar(literal) };
            return Ok(vec![format!("{}={value}", tag.name)]);
        }
        Value::List(parts) => parts,
    };
    let (args, inner) = arguments(tag, parts);
    if !takes_tag {
        let values: Option<Vec<&Literal>> = args
            .iter()
            .map(|(name, literal)| name.is_none().then_some(*literal))
            .collect();
        if tag.args.is_empty()
            && tag.payload.kind().is_some()
            && let Some(values) = values
        {
            let lines = values
                .into_iter()
                .map(|value| format!("{}={}", tag.name, scalar(value)));
            return Ok(lines.collect());
        }
        if let Some(part) = inner.first() {
            let name = part.name.as_deref().unwrap_or_default();
            return Err(syn::Error::new(
                part.span,
                format!("`{}` has no argument `{name}`", snake(tag.name)),
            ));
        }
        return Ok(vec![with_arguments(tag.name, &args)]);
    }
    if inner.is_empty() {
        let name = snake(tag.name);
        let message = format!("`{name}` needs a rule to apply, such as `{name}(…, max_length = 63)`");
        return Err(syn::Error::new(part.span, message));
    }
    let outer = with_arguments(tag.name, &args);
    let mut found = Vec::new();
    for part in inner {
        found.extend(
            lines(part, false)?
                .into_iter()
                .map(|line| format!("{outer}=+{line}")),
        );
    }
    Ok(found)
}

type Argument<'p> = (Option<String>, &'p Literal);

/// Arguments of a tag, and the tags it applies.
fn arguments<'p>(tag: &Tag, parts: &'p [Part]) -> (Vec<Argument<'p>>, Vec<&'p Part>) {
    let (mut args, mut inner) = (Vec::new(), Vec::new());
    for part in parts {
        match (&part.name, &part.value) {
            (None, Value::Literal(literal)) => args.push((None, literal)),
            (Some(name), Value::List(keys)) if name == "keys" && tag.open_args => {
                for key in keys {
                    if let Value::Literal(literal) = &key.value {
                        args.push((key.name.clone(), literal));
                    }
                }
            }
            (Some(name), Value::Literal(literal)) if tag.args.iter().any(|arg| arg.name == camel(name)) => {
                args.push((Some(camel(name)), literal));
            }
            (Some(name), Value::Literal(literal)) if tag.open_args && declarative(name).is_none() => {
                args.push((Some(name.clone()), literal));
            }
            _ => inner.push(part),
        }
    }
    (args, inner)
}

fn with_arguments(name: &str, args: &[Argument<'_>]) -> String {
    if args.is_empty() {
        return name.to_owned();
    }
    let args = args.iter().map(|(name, literal)| match name {
        Some(name) => format!("{name}: {}", argument(literal)),
        None => argument(literal),
    });
    format!("{name}({})", args.collect::<Vec<_>>().join(", "))
}

/// An argument of a `+k8s:` tag.
fn argument(literal: &Literal) -> String {
    match literal {
        Literal::Text(text) => go_quote(text),
        other => other.json(),
    }
}

/// The value of a `+k8s:` tag. Words stay bare, as they are usually written.
fn scalar(literal: &Literal) -> String {
    match literal {
        Literal::Text(text)
            if text.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && text
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || letter == '-') =>
        {
            text.clone()
        }
        Literal::Text(text) => go_quote(text),
        other => other.json(),
    }
}

/// The line of a marker.
fn marker(name: &str, part: &Part) -> syn::Result<Vec<String>> {
    let arguments = match find(name).map(|tag| &tag.apply) {
        Some(Apply::Marker(marker)) => marker.arguments,
        _ => Arguments::Raw,
    };
    let line = match (&part.value, arguments) {
        (Value::None, Arguments::One(_)) => format!("{name}=true"),
        (Value::None, _) => name.to_owned(),
        (Value::Literal(literal), Arguments::Named(known)) => {
            let first = known.first().map_or("", |argument| argument.name);
            format!("{name}:{first}={}", marker_value(literal))
        }
        (Value::Literal(literal), Arguments::Raw) => format!("{name}={}", literal.json()),
        (Value::Literal(literal), _) => format!("{name}={}", marker_value(literal)),
        (Value::List(parts), Arguments::Named(known)) => {
            let mut args = Vec::new();
            for (index, part) in parts.iter().enumerate() {
                let Value::Literal(literal) = &part.value else {
                    return Err(syn::Error::new(part.span, "expected `name = value`"));
                };
                let argument = match &part.name {
                    None => known.get(index).map_or("", |argument| argument.name),
                    Some(given) => known
                        .iter()
                        .find(|argument| plain(argument.name) == plain(given))
                        .map_or(given.as_str(), |argument| argument.name),
                };
                args.push(format!("{argument}={}", marker_value(literal)));
            }
            format!("{name}:{}", args.join(","))
        }
        (Value::List(parts), _) => {
            let mut values = Vec::new();
            for part in parts {
                match &part.value {
                    Value::Literal(literal) if part.name.is_none() => values.push(match literal {
                        Literal::Text(text) => go_quote(text),
                        other => other.json(),
                    }),
                    _ => return Err(syn::Error::new(part.span, "expected a value")),
                }
            }
            format!("{name}={{{}}}", values.join(","))
        }
    };
    Ok(vec![line])
}

/// Names of arguments without their separators: `json_path` is `JSONPath`.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| *letter != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

fn marker_value(literal: &Literal) -> String {
    match literal {
        Literal::Text(text) if !text.contains(['`', '\n']) => format!("`{text}`"),
        Literal::Text(text) => go_quote(text),
        other => other.json(),
    }
}
