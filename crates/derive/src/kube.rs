//! What `#[kube(…)]` says about a kind, so that nothing is said twice beside `kube::CustomResource`.

use kindsmith_json::{Arena, Value as Json, parse_str};

use crate::attribute::{Literal, Part, Value};

/// The parts of `#[kube(…)]` in the words of `#[k8s(…)]`. What has no meaning for a CRD is left out.
pub(crate) fn translate(parts: Vec<Part>) -> syn::Result<Vec<Part>> {
    let mut found: Vec<Part> = Vec::new();
    for part in parts {
        let name = match part.name.as_deref().unwrap_or_default() {
            name @ ("group" | "version" | "kind" | "plural" | "singular" | "namespaced" | "status"
            | "scale") => name,
            "shortname" => "short_names",
            "category" => "categories",
            "deprecated" => "deprecated",
            "validation" => "rule",
            "selectable" => "selectable_field",
            "served" if part.value.is_false() => "unserved",
            "storage" if part.value.is_true() => "storage_version",
            "printcolumn" => "print_column",
            "annotation" => "annotations",
            "label" => "labels",
            "doc" => "doc",
            "no_spec" => {
                return Err(syn::Error::new(
                    part.span,
                    "a kind without `spec` is a struct with `metadata` here: derive `Resource` for that, without `CustomResource`",
                ));
            }
            _ => continue,
        };
        let value = match (name, &part.value) {
            ("annotations" | "labels", Value::List(pair)) => entry(&part, pair)?,
            ("print_column" | "scale", Value::Literal(Literal::Text(text))) => object(&part, text)?,
            ("scale", Value::List(paths)) => Value::List(paths.iter().map(scale_path).collect()),
            // A path without quotes.
            ("status", Value::Literal(Literal::Json(path))) => Value::Literal(Literal::Text(path.clone())),
            ("unserved" | "storage_version", _) => Value::None,
            // An expression of Rust: only kube can evaluate it.
            ("rule", Value::Literal(Literal::Json(_))) => {
                return Err(syn::Error::new(
                    part.span,
                    "only rules in quotes can be read; write `#[k8s(root_rule(\"…\", message = \"…\"))]`",
                ));
            }
            (_, value) => value.clone(),
        };
        let name = name.to_owned();
        let lists = ["short_names", "categories"];
        if lists.contains(&name.as_str())
            && let Some(known) = found.iter_mut().find(|known| known.is(&name))
            && let Value::List(items) = &mut known.value
        {
            items.push(Part {
                name: None,
                value,
                span: part.span,
                is_of_kube: true,
            });
            continue;
        }
        let value = match value {
            Value::Literal(_) if lists.contains(&name.as_str()) => Value::List(vec![Part {
                name: None,
                value,
                span: part.span,
                is_of_kube: true,
            }]),
            other => other,
        };
        found.push(Part {
            name: Some(name),
            value,
            span: part.span,
            is_of_kube: true,
        });
    }
    Ok(found)
}

/// A key and its value as controller-gen writes them.
fn entry(part: &Part, pair: &[Part]) -> syn::Result<Value> {
    let texts: Vec<&str> = pair.iter().filter_map(Part::text).collect();
    match texts[..] {
        [key, value] => Ok(Value::Literal(Literal::Text(format!("{key}={value}")))),
        _ => Err(syn::Error::new(part.span, "expected a key and a value")),
    }
}

/// kube names the paths of `scale` as CRDs do: `spec_replicas_path`; the marker leaves out `replicas`.
fn scale_path(part: &Part) -> Part {
    let name = part.name.as_deref().unwrap_or_default();
    let name = name
        .replace("replicas_path", "path")
        .replace("label_selector_path", "selector_path");
    Part {
        name: Some(name),
        ..part.clone()
    }
}

/// An object in JSON as a list of parts.
fn object(part: &Part, text: &str) -> syn::Result<Value> {
    let arena = Arena::new();
    let wrong = || syn::Error::new(part.span, "expected an object in JSON");
    let value = parse_str(&arena, text).map_err(|_| wrong())?;
    let members = value.as_object().ok_or_else(wrong)?;
    let parts = members.iter().filter_map(|(key, value)| {
        let literal = match value {
            Json::Str(text) => Literal::Text(text.to_owned()),
            Json::Int(number) => Literal::Number(number.to_string()),
            Json::Bool(value) => Literal::Bool(value),
            _ => return None,
        };
        // kube names the paths of `scale` as CRDs do: `specReplicasPath`; the marker leaves out `Replicas`.
        let name = key
            .replace("ReplicasPath", "Path")
            .replace("labelSelectorPath", "selectorPath");
        Some(Part {
            name: Some(name),
            value: Value::Literal(literal),
            span: part.span,
            is_of_kube: true,
        })
    });
    Ok(Value::List(parts.collect()))
}

impl Value {
    fn is_true(&self) -> bool {
        matches!(self, Self::Literal(Literal::Bool(true)))
    }

    fn is_false(&self) -> bool {
        matches!(self, Self::Literal(Literal::Bool(false)))
    }
}
