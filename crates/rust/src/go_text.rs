//! Writes declarations as Go types with tags, and remembers which line is whose.

use std::fmt::Write;

use crate::{Body, Declaration, Field, GoType, Package, Presence, Variant};

/// The start of the tag that lists allowed values.
pub const ALLOWED: &str = "kubebuilder:validation:Enum=";

/// A Go file, and what its lines are about.
#[derive(Debug, Clone, Default)]
pub struct GoText {
    /// The file.
    pub text: String,
    /// By line, from 0: what it is about; `None` for lines of no declaration.
    pub lines: Vec<Option<Line>>,
}

/// What a line is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The type.
    pub ty: String,
    /// The field or variant, by its index.
    pub member: Option<usize>,
    /// The tag, by its index among those given.
    pub tag: Option<usize>,
}

/// Writes a package as one Go file.
#[must_use]
pub fn write(package: &Package) -> GoText {
    let mut out = Writer::default();
    out.line("// +k8s:validation-gen=TypesWithField=TypeMeta");
    out.line("// +k8s:defaulter-gen=TypeMeta");
    out.line("// +k8s:openapi-gen=true");
    out.line(&format!("// +groupName={}", package.group));
    out.line("");
    out.line(&format!("// Package {} is written in Rust.", package.version));
    out.line(&format!("package {}", package.version));
    out.line("");
    let imports = imports(package);
    for (index, path) in imports.iter().enumerate() {
        out.line(&format!("import p{index} {path:?}"));
    }
    for (name, declaration) in package.types.iter() {
        out.line("");
        out.declaration(&imports, package, name, declaration);
    }
    out.0
}

#[derive(Default)]
struct Writer(GoText);

impl Writer {
    fn line(&mut self, text: &str) {
        self.about(None, text);
    }

    fn about(&mut self, about: Option<&Line>, text: &str) {
        for part in text.split('\n') {
            self.0.text.push_str(part);
            self.0.text.push('\n');
            self.0.lines.push(about.cloned());
        }
    }

    fn docs(&mut self, indent: &str, about: &Line, docs: &str) {
        for line in docs.lines() {
            let text = format!("{indent}// {line}");
            self.about(Some(about), text.trim_end());
        }
    }

    fn tags(&mut self, indent: &str, about: &Line, tags: &[impl AsRef<str>]) {
        for (index, tag) in tags.iter().enumerate() {
            let about = Line {
                tag: Some(index),
                ..about.clone()
            };
            // A tag is one line in Go; a line break in a value has an escape where the value is text.
            let tag = tag.as_ref().replace('\n', " ");
            self.about(Some(&about), &format!("{indent}// +{tag}"));
        }
    }

    fn declaration(&mut self, imports: &[String], package: &Package, name: &str, declaration: &Declaration) {
        let about = Line {
            ty: name.to_owned(),
            member: None,
            tag: None,
        };
        self.docs("", &about, &declaration.docs);
        self.tags("", &about, &declaration.tags);
        match &declaration.body {
            Body::Struct(fields) => {
                if fields.iter().any(is_rest) {
                    self.about(Some(&about), "// +kubebuilder:pruning:PreserveUnknownFields");
                }
                self.about(Some(&about), &format!("type {name} struct {{"));
                for (index, field) in fields.iter().enumerate().filter(|(_, field)| !is_rest(field)) {
                    let about = Line {
                        member: Some(index),
                        ..about.clone()
                    };
                    self.field(imports, package, &about, field);
                }
                self.about(Some(&about), "}");
            }
            Body::Wrapper(of) => self.about(Some(&about), &format!("type {name} {}", go(of, imports))),
            Body::Enum(variants) => {
                // A list of allowed values keeps its order; the values of these tags are sorted.
                let is_listed = declaration.tags.iter().any(|tag| tag.starts_with(ALLOWED));
                for tag in ["enum", "k8s:enum"].into_iter().filter(|_| !is_listed) {
                    self.about(Some(&about), &format!("// +{tag}"));
                }
                self.about(Some(&about), &format!("type {name} string"));
                self.line("");
                self.line("const (");
                for (index, variant) in variants.iter().enumerate() {
                    let about = Line {
                        member: Some(index),
                        ..about.clone()
                    };
                    self.variant(&about, name, variant);
                }
                self.line(")");
            }
        }
    }

    fn field(&mut self, imports: &[String], package: &Package, about: &Line, field: &Field) {
        self.docs("\t", about, &field.docs);
        for tag in presence_tags(package, field) {
            self.about(Some(about), &format!("\t// +{tag}"));
        }
        self.tags("\t", about, &field.tags);
        let ty = go(without_pointer(package, &field.ty), imports);
        if field.name.is_empty() {
            self.about(Some(about), &format!("\t{ty} `json:\",inline\"`"));
            return;
        }
        let omit = match field.presence {
            Presence::Optional => ",omitempty",
            Presence::Required => "",
        };
        let text = if is_metadata(field) {
            format!("\t{ty} `json:\"{}{omit}\"`", field.name)
        } else {
            format!(
                "\t{} {ty} `json:\"{}{omit}\"`",
                exported(&field.rust_name),
                field.name
            )
        };
        self.about(Some(about), &text);
    }

    fn variant(&mut self, about: &Line, ty: &str, variant: &Variant) {
        self.docs("\t", about, &variant.docs);
        self.tags("\t", about, &variant.tags);
        let name = exported(&variant.rust_name);
        self.about(Some(about), &format!("\t{ty}{name} {ty} = {:?}", variant.value));
    }
}

/// A flattened map: all members that are not declared.
fn is_rest(field: &Field) -> bool {
    field.name.is_empty() && matches!(field.ty, GoType::Map(..))
}

/// Metadata is embedded, as in all kinds written in Go.
fn is_metadata(field: &Field) -> bool {
    matches!(&field.ty, GoType::Imported { name, .. } if matches!(&**name, "ObjectMeta" | "ListMeta"))
        && field.name == "metadata"
}

/// The tags that say whether a field may be absent, where its own tags do not.
fn presence_tags(package: &Package, field: &Field) -> Vec<&'static str> {
    if field.name.is_empty() || is_metadata(field) {
        return Vec::new();
    }
    let says = |name: &str| {
        field
            .tags
            .iter()
            .any(|tag| tag.split(['+', '=', '(']).any(|part| part == name))
    };
    let is_said = ["k8s:required", "k8s:optional", "k8s:forbidden"]
        .into_iter()
        .any(says);
    match field.presence {
        Presence::Required if says("required") || says("optional") => Vec::new(),
        Presence::Required if is_said => vec!["required"],
        // A value must be there, and may be zero: serde knows no other values for absent fields.
        Presence::Required => vec!["kubebuilder:validation:Required"],
        Presence::Optional if field.tags.iter().any(|tag| tag == "k8s:required") => vec!["required"],
        // A struct by value is never absent in Go.
        Presence::Optional if is_said || is_struct(package, &field.ty) => vec!["optional"],
        Presence::Optional => vec!["optional", "k8s:optional"],
    }
}

/// A named list or map can be absent without a pointer, too.
fn without_pointer<'t>(package: &Package, ty: &'t GoType) -> &'t GoType {
    match ty {
        GoType::Pointer(inner) if is_list(package, inner) => inner,
        other => other,
    }
}

fn is_list(package: &Package, ty: &GoType) -> bool {
    match ty {
        GoType::List(_) | GoType::Map(..) => true,
        GoType::Named(name) => match package.types.get(name).map(|declaration| &declaration.body) {
            Some(Body::Wrapper(of)) => is_list(package, of),
            _ => false,
        },
        _ => false,
    }
}

fn is_struct(package: &Package, ty: &GoType) -> bool {
    match ty {
        GoType::Named(name) => match package.types.get(name).map(|declaration| &declaration.body) {
            Some(Body::Wrapper(of)) => is_struct(package, of),
            Some(Body::Enum(_)) => false,
            Some(Body::Struct(_)) | None => true,
        },
        GoType::Imported { .. } => true,
        GoType::Scalar(_) | GoType::Pointer(_) | GoType::List(_) | GoType::Map(..) => false,
    }
}

/// The name of a field or variant in Go: `liters_per_day` is `LitersPerDay`.
#[must_use]
pub fn exported(name: &str) -> String {
    let mut out = String::new();
    for word in name.trim_start_matches("r#").split('_') {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            out.extend(first.to_uppercase());
            out.push_str(letters.as_str());
        }
    }
    // In Go, a name needs a letter.
    if !out.starts_with(char::is_alphabetic) {
        out.insert(0, 'X');
    }
    out
}

fn go(ty: &GoType, imports: &[String]) -> String {
    let mut out = String::new();
    write_type(ty, imports, &mut out);
    out
}

fn write_type(ty: &GoType, imports: &[String], out: &mut String) {
    match ty {
        GoType::Scalar(name) => out.push_str(name),
        GoType::Named(name) => out.push_str(name),
        GoType::Imported { package, name } => {
            let index = imports
                .iter()
                .position(|path| path == package)
                .unwrap_or_default();
            let _ = write!(out, "p{index}.{name}");
        }
        GoType::Pointer(inner) => {
            out.push('*');
            write_type(inner, imports, out);
        }
        GoType::List(inner) => {
            out.push_str("[]");
            write_type(inner, imports, out);
        }
        GoType::Map(key, value) => {
            out.push_str("map[");
            write_type(key, imports, out);
            out.push(']');
            write_type(value, imports, out);
        }
    }
}

/// Import paths, sorted.
fn imports(package: &Package) -> Vec<String> {
    let mut found = std::collections::BTreeSet::new();
    for (_, declaration) in package.types.iter() {
        match &declaration.body {
            Body::Struct(fields) => fields.iter().for_each(|field| collect(&field.ty, &mut found)),
            Body::Wrapper(of) => collect(of, &mut found),
            Body::Enum(_) => {}
        }
    }
    found.into_iter().collect()
}

fn collect(ty: &GoType, found: &mut std::collections::BTreeSet<String>) {
    match ty {
        GoType::Imported { package, .. } => {
            found.insert(package.clone().into_owned());
        }
        GoType::Pointer(inner) | GoType::List(inner) => collect(inner, found),
        GoType::Map(key, value) => {
            collect(key, found);
            collect(value, found);
        }
        GoType::Scalar(_) | GoType::Named(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_exported() {
        for (name, expected) in [
            ("liters_per_day", "LitersPerDay"),
            ("r#type", "Type"),
            ("x", "X"),
            ("_2", "X2"),
            ("Full", "Full"),
        ] {
            assert_eq!(exported(name), expected);
        }
    }

    #[track_caller]
    fn check(field: Field, expected: &str) {
        let mut package = Package::new("example.org", "v1");
        package
            .types
            .declare("Spec", "Spec", |_| Declaration::new(Body::Struct(vec![field])));
        let text = write(&package).text;
        let (_, found) = text.split_once("struct {\n").expect("a struct");
        assert_eq!(found.trim_end_matches("}\n"), expected);
    }

    fn field(name: &'static str, ty: GoType, presence: Presence) -> Field {
        Field {
            rust_name: name.into(),
            name: name.into(),
            docs: "".into(),
            tags: Vec::new(),
            ty,
            presence,
        }
    }

    #[test]
    fn fields_say_whether_they_may_be_absent() {
        let text = || GoType::Scalar("string");
        check(
            field("name", text(), Presence::Required),
            "\t// +kubebuilder:validation:Required\n\tName string `json:\"name\"`\n",
        );
        check(
            field("name", text().or_absent(), Presence::Optional),
            "\t// +optional\n\t// +k8s:optional\n\tName *string `json:\"name,omitempty\"`\n",
        );
        check(
            field("names", text().list().or_absent(), Presence::Optional),
            "\t// +optional\n\t// +k8s:optional\n\tNames []string `json:\"names,omitempty\"`\n",
        );
        let required = Field {
            tags: vec!["k8s:required".into()],
            ..field("name", text().or_absent(), Presence::Optional)
        };
        check(
            required,
            "\t// +required\n\t// +k8s:required\n\tName *string `json:\"name,omitempty\"`\n",
        );
        let conditional = Field {
            tags: vec!["k8s:ifEnabled(A)=+k8s:required".into()],
            ..field("name", text().or_absent(), Presence::Optional)
        };
        check(
            conditional,
            "\t// +optional\n\t// +k8s:ifEnabled(A)=+k8s:required\n\tName *string `json:\"name,omitempty\"`\n",
        );
    }
}
