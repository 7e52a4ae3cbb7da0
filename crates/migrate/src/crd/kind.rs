//! What belongs to a resource rather than to its schema: names, scope, subresources, columns, and its root type.

use std::fmt::Write as _;

use kindsmith_json::Arena;
use kindsmith_openapi::crd::{Definition, Version};
use kindsmith_schema::JsonSchema;

use super::GoFile;
use super::declare::{Member, Package, imports, of_struct};
use super::markers;
use super::names::{self, exported, free};
use super::text::{comment, quoted};

/// Members of the root that every object has.
const HEAD: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Declares a kind and its list.
pub(super) fn declare(package: &mut Package, definition: &Definition, version: &Version) {
    let kind = &*definition.spec.names.kind;
    let file = format!("{}_types.go", names::safe(kind));
    let nothing = JsonSchema::default();
    let schema = version.open_api_v3_schema().map_or(&nothing, |schema| schema);
    let (immutable, _) = markers::immutable(schema);
    let mut fields = Vec::new();
    let mut taken = ["TypeMeta", "ObjectMeta"].map(str::to_owned).into();
    for (json, member) in &schema.properties {
        if HEAD.contains(&&**json) || !names::is_taggable(json) {
            continue;
        }
        let name = free(&mut taken, exported(json));
        fields.push(package.field(
            &file,
            kind,
            Member {
                name: &name,
                json,
                schema: member,
                required: schema.required.contains(json),
                immutable: immutable.contains(json),
                by_value: matches!(&**json, "spec" | "status"),
            },
        ));
    }
    let end = if schema.required.iter().any(|name| &**name == "metadata") {
        ""
    } else {
        ",omitempty"
    };
    let mut out = String::new();
    comment(&mut out, "", &schema.description);
    for marker in resource(definition, version).into_iter().chain(of_struct(schema)) {
        let _ = writeln!(out, "// {marker}");
    }
    let _ = write!(
        out,
        "type {kind} struct {{\n\tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata{end}\"`\n"
    );
    for field in fields {
        let _ = write!(out, "\n{field}");
    }
    out.push_str("}\n");
    package.add(&file, &out);
    let list = format!(
        "// +kubebuilder:object:root=true\n\n// {kind}List is a list of {kind}.\ntype {kind}List struct {{\n\
         \tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata,omitempty\"`\n\
         \tItems           []{kind} `json:\"items\"`\n}}\n"
    );
    package.add(&file, &list);
}

fn resource(definition: &Definition, version: &Version) -> Vec<String> {
    let (spec, names) = (&definition.spec, &definition.spec.names);
    let mut made = vec!["+kubebuilder:object:root=true".to_owned()];
    let list = |values: Vec<String>| values.join(";");
    let mut arguments = vec![format!("path={}", names.plural)];
    if &*spec.scope != "Namespaced" {
        arguments.push(format!("scope={}", spec.scope));
    }
    if !names.singular.is_empty() && *names.singular != *names.kind.to_lowercase() {
        arguments.push(format!("singular={}", names.singular));
    }
    if !names.short_names.is_empty() {
        let short = names.short_names.iter().map(|name| quoted_word(name)).collect();
        arguments.push(format!("shortName={}", list(short)));
    }
    if !names.categories.is_empty() {
        let categories = names.categories.iter().map(|name| quoted_word(name)).collect();
        arguments.push(format!("categories={}", list(categories)));
    }
    made.push(format!("+kubebuilder:resource:{}", arguments.join(",")));
    made.extend(approval(definition));
    if version.storage && spec.versions.len() > 1 {
        made.push("+kubebuilder:storageversion".to_owned());
    }
    if !version.served {
        made.push("+kubebuilder:unservedversion".to_owned());
    }
    if version.deprecated {
        let warning = version.deprecation_warning.iter();
        let warning: String = warning.map(|text| format!(":warning={}", quoted(text))).collect();
        made.push(format!("+kubebuilder:deprecatedversion{warning}"));
    }
    if let Some(below) = &version.subresources {
        if below.status.is_some() {
            made.push("+kubebuilder:subresource:status".to_owned());
        }
        if let Some(scale) = &below.scale {
            let selector = scale.label_selector_path.iter();
            let selector: String = selector.map(|path| format!(",selectorpath={path}")).collect();
            made.push(format!(
                "+kubebuilder:subresource:scale:specpath={},statuspath={}{selector}",
                scale.spec_replicas_path, scale.status_replicas_path
            ));
        }
    }
    for column in &version.additional_printer_columns {
        let mut text = format!(
            "+kubebuilder:printcolumn:name={},type={},JSONPath={}",
            quoted(&column.name),
            quoted(&column.ty),
            quoted(&column.json_path)
        );
        for (name, value) in [("description", &column.description), ("format", &column.format)] {
            if !value.is_empty() {
                let _ = write!(text, ",{name}={}", quoted(value));
            }
        }
        if column.priority != 0 {
            let _ = write!(text, ",priority={}", column.priority);
        }
        made.push(text);
    }
    for field in &version.selectable_fields {
        made.push(format!(
            "+kubebuilder:selectablefield:JSONPath={}",
            quoted(&field.json_path)
        ));
    }
    made
}

/// The annotation without which a server rejects CRDs of Kubernetes' own groups.
fn approval(definition: &Definition) -> Option<String> {
    const APPROVED: &str = "api-approved.kubernetes.io";
    let arena = Arena::new();
    let value = definition
        .metadata
        .value(&arena)
        .get("annotations")?
        .get(APPROVED)?
        .as_str()?;
    Some(format!(
        "+kubebuilder:metadata:annotations={}",
        quoted(&format!("{APPROVED}={value}"))
    ))
}

fn quoted_word(word: &str) -> String {
    if word.chars().all(|c| c.is_ascii_alphanumeric()) {
        word.to_owned()
    } else {
        quoted(word)
    }
}

/// The file that names group and version, and registers the kinds.
pub(super) fn about(group: &str, version: &str, kinds: &[(&Definition, &Version)]) -> GoFile {
    let package = names::package(version);
    let mut body = format!(
        "\nvar (\n\t// GroupVersion is the group and version of the types in this package.\n\
         \tGroupVersion = schema.GroupVersion{{Group: {}, Version: {}}}\n\n\
         \t// SchemeBuilder collects the types of this package.\n\
         \tSchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)\n\n\
         \t// AddToScheme registers the types of this package in a scheme.\n\
         \tAddToScheme = SchemeBuilder.AddToScheme\n)\n\n\
         func addKnownTypes(scheme *runtime.Scheme) error {{\n\tscheme.AddKnownTypes(GroupVersion,\n",
        kindsmith_gostd::quote::quote(group),
        kindsmith_gostd::quote::quote(version)
    );
    for (definition, _) in kinds {
        let kind = &definition.spec.names.kind;
        let _ = write!(body, "\t\t&{kind}{{}},\n\t\t&{kind}List{{}},\n");
    }
    body.push_str("\t)\n\tmetav1.AddToGroupVersion(scheme, GroupVersion)\n\treturn nil\n}\n");
    let name = if package == version {
        String::new()
    } else {
        format!("// +versionName={version}\n")
    };
    GoFile {
        path: "register.go".to_owned(),
        text: format!(
            "// Package {package} has the types of {group}/{version}.\n// +kubebuilder:object:generate=true\n\
             // +groupName={group}\n{name}package {package}\n{}{body}",
            imports(&body)
        ),
    }
}
