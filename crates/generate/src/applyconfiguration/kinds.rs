//! `utils.go`: the apply configuration of a kind.

use super::Output;
use super::graph::{Graph, Own};
use super::imports::Imports;

/// The file.
pub(super) fn file(graph: &Graph<'_>, generated: &[Own<'_>], output: &Output<'_>) -> String {
    let mut imports = Imports::new(&output.base);
    let kind = imports.qualified("k8s.io/apimachinery/pkg/runtime/schema", "GroupVersionKind");
    let mut cases = String::new();
    if !generated.is_empty() {
        let group = match output.group {
            "" => "core",
            group => group,
        };
        cases = format!("\t// Group={group}, Version={}\n", output.version);
    }
    for own in generated {
        let version = imports.qualified(graph.package, "SchemeGroupVersion");
        let ty = imports.qualified(&output.types(), &format!("{}ApplyConfiguration", own.name));
        cases += &format!(
            "\tcase {version}.WithKind(\"{}\"):\n\t\treturn &{ty}{{}}\n",
            own.name
        );
    }
    if !generated.is_empty() {
        cases.push('\n');
    }
    let scheme = imports.qualified("k8s.io/apimachinery/pkg/runtime", "Scheme");
    let managed = "k8s.io/apimachinery/pkg/util/managedfields";
    let converter = imports.qualified(managed, "TypeConverter");
    let new_converter = imports.qualified(managed, "NewSchemeTypeConverter");
    let parser = imports.qualified(&format!("{}/internal", output.base), "Parser");
    let code = format!(
        "
// ForKind returns an apply configuration type for the given GroupVersionKind, or nil if no
// apply configuration type exists for the given GroupVersionKind.
func ForKind(kind {kind}) interface{{}} {{
\tswitch kind {{
{cases}\t}}
\treturn nil
}}

func NewTypeConverter(scheme *{scheme}) {converter} {{
\treturn {new_converter}(scheme, {parser}())
}}
"
    );
    let name = output.base.rsplit('/').next().unwrap_or_default();
    output.file(name, &imports, &code)
}
