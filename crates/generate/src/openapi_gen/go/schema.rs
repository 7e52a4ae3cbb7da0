//! A definition as the Go code that openapi-gen writes for it (kube-openapi `pkg/generators/openapi.go`).

use kindsmith_gostd::float::format_f64;
use kindsmith_gostd::quote::quote;
use kindsmith_json::write::Format;
use kindsmith_json::{Arena, Value};
use kindsmith_schema::TypeId;

use super::literal::{Element, Expr};
use super::value::literal;
use crate::gengo::Imports;
use crate::openapi_gen::node::Node;
use crate::openapi_gen::publish::cel;
use crate::openapi_gen::select::Selection;

pub(super) const SPEC: &str = "k8s.io/kube-openapi/pkg/validation/spec";
const POINTERS: &str = "k8s.io/utils/ptr";

/// What an empty struct without a name is called.
pub(super) const NAMELESS: &str = "\"struct{}\"";

const PROPERTIES: &str = "spec.SchemaProps";

/// Writes schemas, and imports what they need.
pub(super) struct Writer<'s> {
    pub(super) selection: &'s Selection<'s>,
    pub(super) imports: Imports,
}

impl Writer<'_> {
    /// A type as the file names it.
    pub(super) fn type_name(&mut self, id: TypeId) -> String {
        let name = &self.selection.schema.ty(id).name;
        self.imports.name(&name.package, &name.name)
    }

    /// The key of a definition: a call, or the Go path of its type.
    pub(super) fn key(&mut self, id: TypeId) -> String {
        if self.selection.has_model_name(id) {
            format!("{}{{}}.OpenAPIModelName()", self.type_name(id))
        } else {
            format!("\"{}\"", self.selection.schema.ty(id).name)
        }
    }

    /// The schema of a struct with members.
    pub(super) fn of_struct(&mut self, node: &Node) -> Expr {
        let mut keywords = Vec::new();
        keywords.extend(description(node));
        keywords.push(Element::new("Type", Expr::line_of("[]string{\"object\"}")));
        keywords.extend(self.limits(node));
        let members = node.order.iter().filter_map(|name| {
            let member = node.properties.get(name)?;
            Some(Element::new(format!("\"{name}\""), self.member(member)))
        });
        let members: Vec<Element> = members.collect();
        if !members.is_empty() {
            let ty = format!("map[string]{}", self.imports.name(SPEC, "Schema"));
            keywords.push(Element::new("Properties", Expr::Block(ty, members)));
        }
        if !node.required.is_empty() {
            let names: Vec<String> = node.required.iter().map(|name| format!("\"{name}\"")).collect();
            let names = format!("[]string{{{}}}", names.join(", "));
            keywords.push(Element::new("Required", Expr::Line(names)));
        }
        schema(node, keywords)
    }

    /// The schema of a struct whose methods give its type and format.
    pub(super) fn of_methods(&mut self, id: TypeId, node: &Node, one_of: bool) -> Expr {
        let mut keywords = Vec::new();
        keywords.extend(description(node));
        let name = self.type_name(id);
        keywords.push(if one_of {
            let types = format!("common.GenerateOpenAPIV3OneOfSchema({name}{{}}.OpenAPIV3OneOfTypes())");
            Element::new("OneOf", Expr::Line(types))
        } else {
            Element::new("Type", Expr::Line(format!("{name}{{}}.OpenAPISchemaType()")))
        });
        let format = format!("{name}{{}}.OpenAPISchemaFormat()");
        keywords.push(Element::new("Format", Expr::Line(format)));
        keywords.extend(self.limits(node));
        schema(node, keywords)
    }

    /// The schema of a field.
    fn member(&mut self, node: &Node) -> Expr {
        let mut keywords = Vec::new();
        keywords.extend(description(node));
        keywords.extend(self.default(node));
        keywords.extend(self.limits(node));
        keywords.extend(self.kind(node));
        let mut parts = Vec::new();
        parts.extend(extensions(node));
        parts.push(Element::new(
            "SchemaProps",
            Expr::Block(PROPERTIES.to_owned(), keywords),
        ));
        Expr::Block(String::new(), parts)
    }

    fn default(&mut self, node: &Node) -> Option<Element> {
        let text = match &node.default_symbol {
            Some((package, name)) => self.imports.name(package, name),
            None => {
                let arena = Arena::new();
                literal(node.plain.get("default")?.value(&arena))
            }
        };
        Some(Element::new("Default", Expr::Line(text)))
    }

    /// Type and format, values, elements, or a reference.
    fn kind(&mut self, node: &Node) -> Vec<Element> {
        if let Some(id) = node.reference {
            let reference = format!("ref({})", self.key(id));
            return vec![Element::new("Ref", Expr::Line(reference))];
        }
        if node.is_nameless {
            let reference = format!("ref({NAMELESS})");
            return vec![Element::new("Ref", Expr::Line(reference))];
        }
        let arena = Arena::new();
        let text = |key: &str| node.plain.get(key).and_then(|value| value.value(&arena).as_str());
        let Some(ty) = text("type") else {
            return Vec::new();
        };
        let mut keywords = vec![Element::new("Type", Expr::Line(format!("[]string{{\"{ty}\"}}")))];
        if let Some(items) = &node.items {
            let inside = Expr::around("&spec.Schema", "SchemaProps", self.element(items));
            keywords.push(Element::new(
                "Items",
                Expr::around("&spec.SchemaOrArray", "Schema", inside),
            ));
        } else if let Some(additional) = &node.additional {
            let inside = Expr::around("&spec.Schema", "SchemaProps", self.element(additional));
            keywords.push(additional_properties(inside));
        } else {
            let format = quote(text("format").unwrap_or_default());
            keywords.push(Element::new("Format", Expr::Line(format)));
            if node.is_enum {
                let values = node.plain.get("enum").map(|values| values.value(&arena));
                let values = literal(values.unwrap_or(Value::Array(&[])));
                keywords.push(Element::new("Enum", Expr::Line(values)));
            }
        }
        keywords
    }

    fn element(&mut self, node: &Node) -> Expr {
        Expr::Block(PROPERTIES.to_owned(), self.kind(node))
    }

    /// Keywords of `+k8s:validation:` markers.
    fn limits(&mut self, node: &Node) -> Vec<Element> {
        let mut made = Vec::new();
        for (key, go, ty) in LIMITS {
            let arena = Arena::new();
            let Some(value) = node.plain.get(key).map(|value| value.value(&arena)) else {
                continue;
            };
            let text = match (ty, value) {
                ("", Value::Str(text)) => Format::GO.to_string(Value::Str(text)),
                ("", _) => "true".to_owned(),
                ("float64", number) => {
                    let pointer = self.imports.name(POINTERS, "To");
                    format!(
                        "{pointer}[float64]({})",
                        format_f64(number.as_f64().unwrap_or_default())
                    )
                }
                (_, number) => {
                    let pointer = self.imports.name(POINTERS, "To");
                    format!("{pointer}[{ty}]({})", number.as_i64().unwrap_or_default())
                }
            };
            made.push(Element::new(go, Expr::Line(text)));
        }
        if !node.all_of.is_empty() {
            let each = node.all_of.iter().map(|one| Element::alone(self.nested(one)));
            let each = each.collect();
            made.push(Element::new(
                "AllOf",
                Expr::Block("[]spec.Schema".to_owned(), each),
            ));
        }
        made
    }

    /// A schema that only has limits, for values inside (kube-openapi `generateSchema`).
    fn nested(&mut self, node: &Node) -> Expr {
        let mut keywords = self.limits(node);
        if !node.properties.is_empty() {
            let members = node.properties.iter();
            let members = members.map(|(name, member)| Element::new(quote(name), self.nested(member)));
            let members = Expr::Block("map[string]spec.Schema".to_owned(), members.collect());
            keywords.push(Element::new("Properties", members));
        }
        if let Some(additional) = &node.additional {
            keywords.push(additional_properties(
                self.nested(additional).typed("&spec.Schema"),
            ));
        }
        if let Some(items) = &node.items {
            let inside = self.nested(items).typed("&spec.Schema");
            keywords.push(Element::new(
                "Items",
                Expr::around("&spec.SchemaOrArray", "Schema", inside),
            ));
        }
        let mut parts = Vec::new();
        if !keywords.is_empty() || node.has_unpublished {
            parts.push(Element::new(
                "SchemaProps",
                Expr::Block(PROPERTIES.to_owned(), keywords),
            ));
        }
        parts.extend(extensions(node));
        Expr::Block(String::new(), parts)
    }
}

/// Keyword, field of `spec.SchemaProps`, and what its pointer points to, in openapi-gen's order.
const LIMITS: [(&str, &str, &str); 13] = [
    ("minimum", "Minimum", "float64"),
    ("maximum", "Maximum", "float64"),
    ("exclusiveMinimum", "ExclusiveMinimum", ""),
    ("exclusiveMaximum", "ExclusiveMaximum", ""),
    ("minLength", "MinLength", "int64"),
    ("maxLength", "MaxLength", "int64"),
    ("minProperties", "MinProperties", "int64"),
    ("maxProperties", "MaxProperties", "int64"),
    ("pattern", "Pattern", ""),
    ("multipleOf", "MultipleOf", "float64"),
    ("minItems", "MinItems", "int64"),
    ("maxItems", "MaxItems", "int64"),
    ("uniqueItems", "UniqueItems", ""),
];

/// A whole definition's schema, its extensions last.
fn schema(node: &Node, keywords: Vec<Element>) -> Expr {
    let mut parts = vec![Element::new(
        "SchemaProps",
        Expr::Block(PROPERTIES.to_owned(), keywords),
    )];
    parts.extend(extensions(node));
    Expr::around(
        "common.OpenAPIDefinition",
        "Schema",
        Expr::Block("spec.Schema".to_owned(), parts),
    )
}

fn additional_properties(inside: Expr) -> Element {
    let allows = Element::new("Allows", Expr::line_of("true"));
    let either = vec![allows, Element::new("Schema", inside)];
    Element::new(
        "AdditionalProperties",
        Expr::Block("&spec.SchemaOrBool".to_owned(), either),
    )
}

fn description(node: &Node) -> Option<Element> {
    let arena = Arena::new();
    let text = node.plain.get("description")?.value(&arena).as_str()?;
    Some(Element::new("Description", Expr::Line(quote(text))))
}

/// Extensions in the order of openapi-gen's code: those of markers, unions, rules.
fn extensions(node: &Node) -> Option<Element> {
    let arena = Arena::new();
    let mut entries: Vec<Element> = Vec::new();
    for name in &node.extensions {
        let Some(value) = node.plain.get(name) else {
            continue;
        };
        let value = extension(value.value(&arena));
        entries.push(Element::new(format!("\"{name}\""), value));
    }
    if !node.rules.is_empty() {
        let rules: Vec<String> = node.rules.iter().map(|rule| literal(cel(&arena, rule))).collect();
        let rules = format!("[]interface{{}}{{{}}}", rules.join(", "));
        entries.push(Element::new("\"x-kubernetes-validations\"", Expr::Line(rules)));
    }
    let map = Expr::around(
        "spec.VendorExtensible",
        "Extensions",
        Expr::Block("spec.Extensions".to_owned(), entries.clone()),
    );
    (!entries.is_empty()).then(|| Element::new("VendorExtensible", map))
}

/// Lists and maps have their elements on lines of their own.
fn extension(value: Value<'_>) -> Expr {
    match value {
        // Markers' texts are not escaped.
        Value::Str(text) => Expr::Line(format!("\"{text}\"")),
        Value::Array(items) => {
            let items = items.iter().map(|item| Element::alone(extension(*item)));
            Expr::Block("[]interface{}".to_owned(), items.collect())
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            let members = members.into_iter();
            let members = members.map(|(key, value)| Element::new(format!("\"{key}\""), extension(value)));
            Expr::Block("map[string]interface{}".to_owned(), members.collect())
        }
        plain => Expr::Line(literal(plain)),
    }
}
