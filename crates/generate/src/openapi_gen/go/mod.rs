//! openapi-gen's Go file: a function that returns all definitions of the input packages, and one for each of them.
//!
//! `schema` turns definitions into literals, `literal` lays them out as gofmt does, `value` writes plain values.

mod literal;
mod schema;
mod value;

use kindsmith_schema::{Schema, Type, TypeId};

use super::lower;
use super::node::Node;
use super::select::{Scope, Selection};
use super::{Elements, Problem};
use crate::gengo::{self, Imports};
use literal::{Element, Expr};
use schema::{NAMELESS, Writer};

const COMMON: &str = "k8s.io/kube-openapi/pkg/common";

/// The generated file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Its text.
    pub text: String,
    /// Declarations that cannot be published.
    pub problems: Vec<Problem>,
}

/// Generates the file.
///
/// `package` is the import path of the package that it belongs to, `header` the text above.
#[must_use]
pub fn file(schema: &Schema, package: &str, header: &str) -> File {
    let selection = Selection::new(schema, Scope::Inputs);
    let mut writer = Writer {
        selection: &selection,
        imports: Imports::new(package),
    };
    let types = selection.sorted();
    let mut body = all(&mut writer, &types);
    let mut problems = Vec::new();
    for id in types {
        if let Some(function) = function(&mut writer, id, &mut problems) {
            body.push('\n');
            body += &function;
        }
    }
    let name = package.rsplit('/').next().unwrap_or(package);
    let head = gengo::head(gengo::CONSTRAINT, header, "openapi-gen");
    let imports = writer.imports.declaration();
    File {
        text: format!("{head}package {name}\n{imports}\n{body}"),
        problems,
    }
}

/// `GetOpenAPIDefinitions`, which lists the exported types.
fn all(writer: &mut Writer<'_>, types: &[TypeId]) -> String {
    let reference = writer.imports.name(COMMON, "ReferenceCallback");
    let definition = writer.imports.name(COMMON, "OpenAPIDefinition");
    let mut entries = Vec::new();
    for &id in types {
        let ty = writer.selection.schema.ty(id);
        if ty.name.is_exported() {
            let key = writer.key(id);
            entries.push(Element::new(key, Expr::Line(call(writer, id, ty))));
        }
    }
    let mut text =
        format!("func GetOpenAPIDefinitions(ref {reference}) map[string]{definition} {{\n\treturn ");
    Expr::Block(format!("map[string]{definition}"), entries).write(1, &mut text);
    text + "\n}\n"
}

/// How the definition of a type is found: by its function, or by methods of the type.
fn call(writer: &mut Writer<'_>, id: TypeId, ty: &Type) -> String {
    let methods = Methods::of(ty);
    if methods.type_and_format || !(methods.v2 || methods.v3) {
        return format!("schema_{}(ref)", long_name(ty));
    }
    let name = writer.type_name(id);
    match (methods.v2, methods.v3) {
        (true, true) => format!(
            "common.EmbedOpenAPIDefinitionIntoV2Extension({name}{{}}.OpenAPIV3Definition(), {name}{{}}.OpenAPIDefinition())"
        ),
        (true, false) => format!("{name}{{}}.OpenAPIDefinition()"),
        _ => format!("{name}{{}}.OpenAPIV3Definition()"),
    }
}

/// The function of one type; `None` if its methods return the whole definition.
fn function(writer: &mut Writer<'_>, id: TypeId, problems: &mut Vec<Problem>) -> Option<String> {
    let ty = writer.selection.schema.ty(id);
    let methods = Methods::of(ty);
    if methods.v2 || (methods.v3 && !methods.type_and_format) {
        return None;
    }
    let made = lower::definition(writer.selection, id, false, Elements::Plain);
    problems.extend(made.problems);
    let node = made.node.v2.as_deref().unwrap_or(&made.node);
    let expression = if methods.type_and_format {
        let old = |writer: &mut Writer<'_>| writer.of_methods(id, node, false);
        let embed = |new, old| {
            Expr::Call(
                "common.EmbedOpenAPIDefinitionIntoV2Extension".to_owned(),
                vec![new, old],
            )
        };
        if methods.v3 {
            let new = format!("{}{{}}.OpenAPIV3Definition()", writer.type_name(id));
            embed(Expr::Line(new), old(writer))
        } else if methods.one_of {
            let new = writer.of_methods(id, node, true);
            embed(new, old(writer))
        } else {
            old(writer)
        }
    } else {
        let definition = writer.of_struct(node);
        definition.with(dependencies(writer, &made.references, node))
    };
    let mut text = format!(
        "func schema_{}(ref common.ReferenceCallback) common.OpenAPIDefinition {{\n\treturn ",
        long_name(ty)
    );
    expression.write(1, &mut text);
    Some(text + "\n}\n")
}

/// The keys of the definitions that one refers to, sorted by Go path.
fn dependencies(writer: &mut Writer<'_>, references: &[TypeId], node: &Node) -> Option<Element> {
    let schema = writer.selection.schema;
    let mut references: Vec<TypeId> = references.to_vec();
    references.sort_by_key(|id| schema.ty(*id).name.to_string());
    let last =
        references.partition_point(|id| *schema.ty(*id).name.to_string() < *NAMELESS.trim_matches('"'));
    let mut keys: Vec<String> = references.into_iter().map(|id| writer.key(id)).collect();
    if node.has_nameless() {
        keys.insert(last, NAMELESS.to_owned());
    }
    (!keys.is_empty()).then(|| Element::new("Dependencies", Expr::Packed("[]string".to_owned(), keys)))
}

/// Which methods describe a type.
struct Methods {
    v2: bool,
    v3: bool,
    type_and_format: bool,
    one_of: bool,
}

impl Methods {
    fn of(ty: &Type) -> Self {
        let has = |name| ty.has_method(name);
        Self {
            v2: has("OpenAPIDefinition"),
            v3: has("OpenAPIV3Definition"),
            type_and_format: has("OpenAPISchemaType") && has("OpenAPISchemaFormat"),
            one_of: has("OpenAPIV3OneOfTypes"),
        }
    }
}

/// The end of a type's path as an identifier: at most four elements and its name.
fn long_name(ty: &Type) -> String {
    let parts = ty.name.package.split('/');
    let mut parts: Vec<String> = parts
        .map(|part| part.replace('-', "_").replace('.', ""))
        .collect();
    parts.push(ty.name.name.to_string());
    parts[parts.len().saturating_sub(5)..].join("_")
}
