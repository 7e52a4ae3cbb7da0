//! The file of one apply configuration: its struct, the functions that make one, its methods.

use kindsmith_schema::WellKnown;

use super::Output;
use super::comment;
use super::go_type::GoType;
use super::graph::{Graph, Own};
use super::imports::Imports;
use super::members;
use super::methods::Methods;
use super::parser;
use super::select::{Client, Selected};

/// The file of a type.
pub(super) fn file(graph: &Graph<'_>, of: &Own<'_>, selected: &Selected, output: &Output<'_>) -> String {
    let mut imports = Imports::new(&output.types());
    let client = selected.clients.get(of.name);
    let mut code = structure(graph, of, selected, &mut imports);
    let has_type_meta = graph.embeds(of.id, WellKnown::TypeMeta);
    code += &constructor(of, client, has_type_meta, &output.api_version());
    if let Some(client) = client
        && selected.clients.values().any(|client| client.published)
    {
        code += &extract(graph, of, client, output, &mut imports);
    }
    if client.is_some() || has_type_meta {
        code += &format!(
            "\nfunc (b {}ApplyConfiguration) IsApplyConfiguration() {{}}\n",
            of.name
        );
    }
    code += &Methods::new(graph, of, &mut imports).of(of.id);
    output.file(&output.version.to_lowercase(), &imports, &code)
}

fn structure(graph: &Graph<'_>, of: &Own<'_>, selected: &Selected, imports: &mut Imports) -> String {
    let name = of.name;
    let mut code = format!(
        "\n// {name}ApplyConfiguration represents a declarative configuration of the {name} type for use\n// with apply.\n"
    );
    let comments = selected.comments.get(name).map_or(&[][..], Vec::as_slice);
    let comments = comment::lines(comments.iter().map(String::as_str));
    if !comments.is_empty() {
        code += &format!("//\n{}\n", comments.join("\n"));
    }
    let body = members::body(graph, graph.fields(of.id), imports);
    code + &format!("type {name}ApplyConfiguration struct {{\n{body}}}\n")
}

fn constructor(of: &Own<'_>, client: Option<&Client>, has_type_meta: bool, api_version: &str) -> String {
    let name = of.name;
    let kind = format!("\tb.WithKind(\"{name}\")\n\tb.WithAPIVersion(\"{api_version}\")\n");
    let (about, parameters, settings) = match client {
        Some(client) if client.cluster => (
            name.to_owned(),
            "name string",
            format!("\tb.WithName(name)\n{kind}"),
        ),
        Some(_) => (
            name.to_owned(),
            "name, namespace string",
            format!("\tb.WithName(name)\n\tb.WithNamespace(namespace)\n{kind}"),
        ),
        None if has_type_meta => (format!("{name}ApplyConfiguration"), "", kind),
        None => (format!("{name}ApplyConfiguration"), "", String::new()),
    };
    let body = if settings.is_empty() {
        format!("\treturn &{name}ApplyConfiguration{{}}\n")
    } else {
        format!("\tb := &{name}ApplyConfiguration{{}}\n{settings}\treturn b\n")
    };
    format!(
        "
// {about} constructs a declarative configuration of the {name} type for use with
// apply.
func {name}({parameters}) *{name}ApplyConfiguration {{
{body}}}
"
    )
}

/// The functions that find what a manager applied in an object.
fn extract(
    graph: &Graph<'_>,
    of: &Own<'_>,
    client: &Client,
    output: &Output<'_>,
    imports: &mut Imports,
) -> String {
    let name = of.name;
    let object = lower_first(name);
    let ty = GoType::named(graph.package, name).text(imports);
    let into = imports.qualified("k8s.io/apimachinery/pkg/util/managedfields", "ExtractInto");
    let parser = imports.qualified(&format!("{}/internal", output.base), "Parser");
    let model = parser::model_name(graph.package, name);
    let api_version = output.api_version();
    let namespace = if client.cluster {
        String::new()
    } else {
        format!("\tb.WithNamespace({object}.Namespace)\n")
    };
    let mut code = format!(
        "
// Extract{name}From extracts the applied configuration owned by fieldManager from
// {object} for the specified subresource. Pass an empty string for subresource to extract
// the main resource. Common subresources include \"status\", \"scale\", etc.
// {object} must be a unmodified {name} API object that was retrieved from the Kubernetes API.
// Extract{name}From provides a way to perform a extract/modify-in-place/apply workflow.
// Note that an extracted apply configuration will contain fewer fields than what the fieldManager previously
// applied if another fieldManager has updated or force applied any of the previously applied fields.
func Extract{name}From({object} *{ty}, fieldManager string, subresource string) (*{name}ApplyConfiguration, error) {{
\tb := &{name}ApplyConfiguration{{}}
\terr := {into}({object}, {parser}().Type(\"{model}\"), fieldManager, b, subresource)
\tif err != nil {{
\t\treturn nil, err
\t}}
\tb.WithName({object}.Name)
{namespace}
\tb.WithKind(\"{name}\")
\tb.WithAPIVersion(\"{api_version}\")
\treturn b, nil
}}

// Extract{name} extracts the applied configuration owned by fieldManager from
// {object}. If no managedFields are found in {object} for fieldManager, a
// {name}ApplyConfiguration is returned with only the Name, Namespace (if applicable),
// APIVersion and Kind populated. It is possible that no managed fields were found for because other
// field managers have taken ownership of all the fields previously owned by fieldManager, or because
// the fieldManager never owned fields any fields.
// {object} must be a unmodified {name} API object that was retrieved from the Kubernetes API.
// Extract{name} provides a way to perform a extract/modify-in-place/apply workflow.
// Note that an extracted apply configuration will contain fewer fields than what the fieldManager previously
// applied if another fieldManager has updated or force applied any of the previously applied fields.
func Extract{name}({object} *{ty}, fieldManager string) (*{name}ApplyConfiguration, error) {{
\treturn Extract{name}From({object}, fieldManager, \"\")
}}
"
    );
    let has_status = graph.fields(of.id).iter().any(|field| &*field.name == "Status");
    if has_status && !client.no_status {
        code += &format!(
            "
// Extract{name}Status extracts the applied configuration owned by fieldManager from
// {object} for the status subresource.
func Extract{name}Status({object} *{ty}, fieldManager string) (*{name}ApplyConfiguration, error) {{
\treturn Extract{name}From({object}, fieldManager, \"status\")
}}
"
        );
    }
    code
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}
