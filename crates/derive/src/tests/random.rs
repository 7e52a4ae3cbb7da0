//! Random APIs, each written in Rust, in Go and as the schema of a CRD by this test: one schema of types, and one CRD.

use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::Profile;
use kindsmith_go::package::{Loader, MemoryFiles, Options as GoOptions};
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_rust::{Library, Package, read};
use kindsmith_schema::{Docs, Schema, Shape};
use proptest::prelude::*;
use syn::Item;

use crate::check::declaration;
use crate::description::Described;
use crate::{item, resource};

/// A field of a random struct.
#[derive(Debug, Clone)]
struct Field {
    kind: Kind,
    is_optional: bool,
    is_documented: bool,
}

#[derive(Debug, Clone)]
enum Kind {
    Text {
        min: Option<u8>,
        max: Option<u8>,
    },
    Int {
        min: Option<i8>,
        max: Option<i8>,
        default: Option<i8>,
    },
    Bool {
        is_immutable: bool,
    },
    Choice(Vec<u8>),
    List {
        of: Box<Kind>,
        max: Option<u8>,
        is_set: bool,
    },
    Map {
        of: Box<Kind>,
        max: Option<u8>,
    },
    Struct(Vec<Field>),
    Union(u8),
}

fn fields() -> impl Strategy<Value = Vec<Field>> {
    let leaf = prop_oneof![
        (any::<Option<u8>>(), any::<Option<u8>>()).prop_map(|(min, max)| Kind::Text { min, max }),
        (any::<Option<i8>>(), any::<Option<i8>>(), any::<Option<i8>>())
            .prop_map(|(min, max, default)| Kind::Int { min, max, default }),
        any::<bool>().prop_map(|is_immutable| Kind::Bool { is_immutable }),
        prop::collection::btree_set(0u8..20, 1..4)
            .prop_map(|names| Kind::Choice(names.into_iter().collect())),
        (2u8..4).prop_map(Kind::Union),
    ];
    let kind = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), any::<Option<u8>>(), any::<bool>()).prop_map(|(of, max, is_set)| Kind::List {
                is_set: is_set && matches!(of, Kind::Text { .. } | Kind::Choice(_)),
                of: Box::new(of),
                max
            }),
            (inner.clone(), any::<Option<u8>>()).prop_map(|(of, max)| Kind::Map {
                of: Box::new(of),
                max
            }),
            prop::collection::vec(field(inner), 0..3).prop_map(Kind::Struct),
        ]
    });
    prop::collection::vec(field(kind), 1..5)
}

fn field(kind: impl Strategy<Value = Kind>) -> impl Strategy<Value = Field> {
    (kind, any::<bool>(), any::<bool>()).prop_map(|(kind, is_optional, is_documented)| Field {
        kind,
        is_optional,
        is_documented,
    })
}

/// Both forms of an API, as they are written.
#[derive(Default)]
struct Written {
    rust: String,
    go: String,
    types: usize,
}

impl Written {
    /// Writes a struct; returns its name.
    fn structure(&mut self, fields: &[Field]) -> String {
        self.types += 1;
        let name = format!("T{}", self.types);
        let (mut rust, mut go) = (format!("struct {name} {{\n"), format!("type {name} struct {{\n"));
        for (index, field) in fields.iter().enumerate() {
            if field.is_documented {
                rust.push_str("    /// Field.\n");
                go.push_str("\t// Field.\n");
            }
            let (attributes, tags) = rules(&field.kind);
            if !attributes.is_empty() {
                rust.push_str(&format!("    #[k8s({})]\n", attributes.join(", ")));
            }
            let tags: String = tags.iter().map(|tag| format!("\t// +{tag}\n")).collect();
            let (of_rust, of_go) = self.ty(&field.kind);
            if field.is_optional {
                rust.push_str(&format!("    f{index}: Option<{of_rust}>,\n"));
                let pointer = if of_go.starts_with(['[', 'm']) && !of_go.starts_with("my") {
                    ""
                } else {
                    "*"
                };
                go.push_str(&format!(
                    "\t// +optional\n\t// +k8s:optional\n{tags}\tF{index} {pointer}{of_go} `json:\"f{index},omitempty\"`\n"
                ));
            } else {
                rust.push_str(&format!("    f{index}: {of_rust},\n"));
                let tags = tags.replace("// +default=", "// +kubebuilder:default=");
                go.push_str(&format!(
                    "\t// +kubebuilder:validation:Required\n{tags}\tF{index} {of_go} `json:\"f{index}\"`\n"
                ));
            }
        }
        self.rust.push_str(&format!("{rust}}}\n"));
        self.go.push_str(&format!("{go}}}\n\n"));
        name
    }

    /// The type of a field in Rust and in Go.
    fn ty(&mut self, kind: &Kind) -> (String, String) {
        let same = |name: String| (name.clone(), name);
        match kind {
            Kind::Text { .. } => ("String".to_owned(), "string".to_owned()),
            Kind::Int { .. } => ("i32".to_owned(), "int32".to_owned()),
            Kind::Bool { .. } => same("bool".to_owned()),
            Kind::List { of, .. } => {
                let (rust, go) = self.ty(of);
                (format!("Vec<{rust}>"), format!("[]{go}"))
            }
            Kind::Map { of, .. } => {
                let (rust, go) = self.ty(of);
                (format!("BTreeMap<String, {rust}>"), format!("map[string]{go}"))
            }
            Kind::Struct(fields) => same(self.structure(fields)),
            Kind::Choice(names) => same(self.choice(names)),
            Kind::Union(members) => same(self.union(*members)),
        }
    }

    fn choice(&mut self, names: &[u8]) -> String {
        self.types += 1;
        let ty = format!("T{}", self.types);
        let variants: String = names.iter().map(|name| format!("V{name}, ")).collect();
        self.rust.push_str(&format!("enum {ty} {{ {variants} }}\n"));
        let constants: String = names
            .iter()
            .map(|name| format!("\t{ty}V{name} {ty} = \"V{name}\"\n"))
            .collect();
        self.go.push_str(&format!(
            "// +enum\n// +k8s:enum\ntype {ty} string\n\nconst (\n{constants})\n\n"
        ));
        ty
    }

    fn union(&mut self, members: u8) -> String {
        self.types += 1;
        let ty = format!("T{}", self.types);
        let variants: String = (0..members)
            .map(|member| format!("M{member}(String), "))
            .collect();
        self.rust.push_str(&format!("enum {ty} {{ {variants} }}\n"));
        let fields: String = (0..members)
            .map(|member| {
                format!(
                    "\t// +optional\n\t// +k8s:optional\n\t// +k8s:unionMember\n\tM{member} *string `json:\"M{member},omitempty\"`\n"
                )
            })
            .collect();
        self.go.push_str(&format!("type {ty} struct {{\n{fields}}}\n\n"));
        ty
    }
}

/// The rules of a field as attributes and as tags.
fn rules(kind: &Kind) -> (Vec<String>, Vec<String>) {
    let mut found = (Vec::new(), Vec::new());
    let mut add = |attribute: String, tag: String| {
        found.0.push(attribute);
        found.1.push(tag);
    };
    match kind {
        Kind::Text { min, max } => {
            min.iter()
                .for_each(|min| add(format!("min_length = {min}"), format!("k8s:minLength={min}")));
            max.iter()
                .for_each(|max| add(format!("max_length = {max}"), format!("k8s:maxLength={max}")));
        }
        Kind::Int { min, max, default } => {
            min.iter()
                .for_each(|min| add(format!("minimum = {min}"), format!("k8s:minimum={min}")));
            max.iter()
                .for_each(|max| add(format!("maximum = {max}"), format!("k8s:maximum={max}")));
            default
                .iter()
                .for_each(|default| add(format!("default = {default}"), format!("default={default}")));
        }
        Kind::Bool { is_immutable: true } => add("immutable".to_owned(), "k8s:immutable".to_owned()),
        Kind::List { of, max, is_set } => {
            if *is_set {
                add("list_type = \"set\"".to_owned(), "k8s:listType=set".to_owned());
            }
            max.iter()
                .for_each(|max| add(format!("max_items = {max}"), format!("k8s:maxItems={max}")));
            let (attributes, tags) = rules(of);
            for (attribute, tag) in attributes.iter().zip(&tags).filter(|(_, tag)| is_for_items(tag)) {
                add(format!("each_val({attribute})"), format!("k8s:eachVal=+{tag}"));
            }
        }
        Kind::Map { max, .. } => {
            max.iter().for_each(|max| {
                add(
                    format!("max_properties = {max}"),
                    format!("k8s:maxProperties={max}"),
                );
            });
        }
        Kind::Bool { is_immutable: false } | Kind::Choice(_) | Kind::Struct(_) | Kind::Union(_) => {}
    }
    found
}

fn is_for_items(tag: &str) -> bool {
    ["k8s:minLength", "k8s:maxLength", "k8s:minimum", "k8s:maximum"]
        .iter()
        .any(|name| tag.starts_with(name))
}

/// The kind in Go; in Rust its attributes make it.
const HEAD: &str = "// +k8s:validation-gen=TypesWithField=TypeMeta\n// +k8s:defaulter-gen=TypeMeta\n\
    // +k8s:openapi-gen=true\n// +groupName=example.org\n\n// Package v1 is random.\npackage v1\n\n\
    import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
    // +kubebuilder:object:root=true\ntype Thing struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\
    \tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n";

fn of_rust(source: &str) -> Schema {
    let file = syn::parse_file(source).unwrap_or_else(|error| panic!("{error}: {source}"));
    let mut described = Vec::new();
    for item in &file.items {
        let input: syn::DeriveInput = match item {
            Item::Struct(item) => item.clone().into(),
            Item::Enum(item) => item.clone().into(),
            _ => continue,
        };
        if input.ident == "Thing" {
            described.push(resource::describe(&input).expect("a kind").root);
        } else {
            described.push(item::describe(&input).expect("right attributes"));
        }
    }
    let mut package = Package::new("example.org", "v1");
    let mut open: Vec<&Described> = described.iter().collect();
    while let Some(one) = open.pop() {
        let mut inner = Vec::new();
        let declared = declaration(one, &mut inner);
        package.types.declare(&one.name, &one.name, |_| declared);
        open.extend(inner);
    }
    read(&[package], Library::default(), Profile::Upstream).go.schema
}

fn of_go(source: &str) -> Schema {
    let mut files = MemoryFiles::default();
    files.add("rust/0/doc.go", source);
    let options = GoOptions {
        modules: vec![("example.org/v1".to_owned(), "rust/0".to_owned())],
        ..GoOptions::default()
    };
    let mut loader = Loader::new(&files, options);
    let packages = loader.load("rust/0");
    kindsmith_go::read(loader, packages, Profile::Upstream).schema
}

/// Comments without markers, whose order the writers are free to choose.
fn plain(schema: &Schema) -> Schema {
    fn plain(docs: &mut Docs) {
        let prose = docs.prose().into_owned();
        docs.text = (!prose.is_empty()).then(|| prose.into());
        docs.godoc = None;
    }
    schema.map_types(|ty| {
        plain(&mut ty.docs);
        if let Shape::Struct(members) = &mut ty.shape {
            members.fields.iter_mut().for_each(|field| plain(&mut field.docs));
        }
    })
}

fn crd(schema: &Schema) -> String {
    let options = Options {
        tags: Tags::Used,
        ..Options::default()
    };
    let mut definitions = controller_gen::definitions(schema, &options).definitions;
    definitions
        .pop()
        .map(|definition| definition.text)
        .unwrap_or_default()
}

/// The schema of a value as a CRD has it, without descriptions, and with messages in place of CEL rules. Rules of the field are left out for values
/// inside lists and maps, which have only those of `each_val`.
fn published(kind: &Kind, of: Place, reader: Reader) -> Json {
    let mut found = vec![];
    let mut limit = |name: &str, value: Option<i64>| {
        found.extend(value.map(|value| (name.to_owned(), Json::Number(value))));
    };
    let has_limits = of != Place::Deep;
    let ty = match kind {
        Kind::Text { min, max } => {
            limit("minLength", min.filter(|_| has_limits).map(i64::from));
            limit("maxLength", max.filter(|_| has_limits).map(i64::from));
            "string"
        }
        Kind::Int { min, max, default } => {
            limit("default", default.filter(|_| of == Place::Field).map(i64::from));
            limit("minimum", min.filter(|_| has_limits).map(i64::from));
            limit("maximum", max.filter(|_| has_limits).map(i64::from));
            found.push(("format".to_owned(), Json::text("int32")));
            "integer"
        }
        Kind::Bool { .. } => "boolean",
        Kind::Choice(names) => {
            let names = names.iter().map(|name| Json::text(&format!("V{name}")));
            found.push(("enum".to_owned(), Json::List(names.collect())));
            "string"
        }
        Kind::List {
            of: items,
            max,
            is_set,
        } => {
            limit("maxItems", max.filter(|_| of == Place::Field).map(i64::from));
            if *is_set && of == Place::Field {
                found.push(("x-kubernetes-list-type".to_owned(), Json::text("set")));
            }
            let place = if of == Place::Field {
                Place::Item
            } else {
                Place::Deep
            };
            found.push(("items".to_owned(), published(items, place, reader)));
            "array"
        }
        Kind::Map { of: values, max } => {
            limit("maxProperties", max.filter(|_| of == Place::Field).map(i64::from));
            found.push((
                "additionalProperties".to_owned(),
                published(values, Place::Deep, reader),
            ));
            "object"
        }
        Kind::Struct(fields) => return published_struct(fields, reader),
        Kind::Union(members) => {
            let member = |member| {
                (
                    format!("M{member}"),
                    Json::Object(vec![("type".to_owned(), Json::text("string"))]),
                )
            };
            found.push((
                "properties".to_owned(),
                Json::Object((0..*members).map(member).collect()),
            ));
            let names: Vec<String> = (0..*members).map(|member| format!("`M{member}`")).collect();
            let rules = ["must specify one of", "must specify exactly one of"];
            let rules = rules.map(|rule| Json::text(&format!("{rule}: {}", names.join(", "))));
            found.push((RULES.to_owned(), Json::List(rules.to_vec())));
            "object"
        }
    };
    found.push(("type".to_owned(), Json::text(ty)));
    Json::Object(found)
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Field,
    /// An item of a field's list.
    Item,
    /// Any other place inside lists and maps.
    Deep,
}

/// Whether a line of Go is a tag that controller-gen does not read.
fn is_own_tag(line: &str) -> bool {
    let shared = ["optional", "immutable", "enum", "listType="];
    let tag = line.trim().strip_prefix("// +k8s:");
    tag.is_some_and(|tag| !shared.iter().any(|name| tag.starts_with(name)))
}

/// Whose rules the API has. Without such a tag they are controller-gen's alone, which requires fields with a default, too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Tags,
    Markers,
}

fn published_struct(fields: &[Field], reader: Reader) -> Json {
    let mut found = vec![("type".to_owned(), Json::text("object"))];
    let properties = fields.iter().enumerate();
    let properties =
        properties.map(|(index, field)| (format!("f{index}"), published(&field.kind, Place::Field, reader)));
    if !fields.is_empty() {
        found.push(("properties".to_owned(), Json::Object(properties.collect())));
    }
    let has_default =
        |field: &Field| reader == Reader::Tags && matches!(field.kind, Kind::Int { default: Some(_), .. });
    let required = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| !field.is_optional && !has_default(field))
        .map(|(index, _)| Json::text(&format!("f{index}")));
    let required: Vec<Json> = required.collect();
    if !required.is_empty() {
        found.push(("required".to_owned(), Json::List(required)));
    }
    Json::Object(found)
}

/// JSON whose members and items are sorted, so that writers may choose their order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Json {
    Number(i64),
    Other(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn text(text: &str) -> Self {
        Self::Other(format!("{text:?}"))
    }

    fn of(value: Value<'_>) -> Self {
        match value {
            Value::Int(number) => Self::Number(number),
            Value::Array(items) => Self::List(items.iter().map(|item| Self::of(*item)).collect()),
            Value::Object(members) => {
                let own = members.iter().filter(|(key, _)| *key != "description");
                let own = own.map(|(key, value)| match (key, value) {
                    (RULES, Value::Array(rules)) => (RULES.to_owned(), Self::List(messages(rules))),
                    _ => (key.to_owned(), Self::of(value)),
                });
                let is_empty = |of: &Self| matches!(of, Self::List(rules) if rules.is_empty());
                Self::Object(own.filter(|(key, of)| key != RULES || !is_empty(of)).collect())
            }
            other => Self::Other(kindsmith_json::to_string(other)),
        }
    }

    fn sorted(self) -> Self {
        match self {
            Self::List(items) => {
                let mut items: Vec<Self> = items.into_iter().map(Self::sorted).collect();
                items.sort();
                Self::List(items)
            }
            Self::Object(members) => {
                let mut members: Vec<_> = members
                    .into_iter()
                    .map(|(key, value)| (key, value.sorted()))
                    .collect();
                members.sort();
                Self::Object(members)
            }
            other => other,
        }
    }
}

const RULES: &str = "x-kubernetes-validations";

/// What rules of unions say; whether and how changes are compared depends on the place.
fn messages(rules: &[Value<'_>]) -> Vec<Json> {
    let messages = rules.iter().filter_map(|rule| rule.get("message")?.as_str());
    messages
        .filter(|message| message.starts_with("must specify"))
        .map(Json::text)
        .collect()
}

/// The schema of `spec` in a CRD.
fn spec_of(crd: &str) -> Json {
    let arena = Arena::new();
    let crd = yaml::parse(&arena, crd.as_bytes()).expect("YAML");
    let versions = crd
        .lookup(&["spec", "versions"])
        .and_then(Value::as_array)
        .expect("versions");
    let path = ["schema", "openAPIV3Schema", "properties", "spec"];
    Json::of(versions[0].lookup(&path).expect("a schema")).sorted()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_same_api_is_the_same_schema(fields in fields()) {
        let mut written = Written::default();
        let spec = written.structure(&fields);
        let rust = format!(
            "#[k8s(group = \"example.org\", version = \"v1\")]\nstruct Thing {{ metadata: ObjectMeta, spec: {spec} }}\n{}",
            written.rust
        );
        let reader = if written.go.lines().any(is_own_tag) { Reader::Tags } else { Reader::Markers };
        let go = format!("{HEAD}\t// +kubebuilder:validation:Required\n\tSpec {spec} `json:\"spec\"`\n}}\n\n{}", written.go);
        let (rust, go) = (plain(&of_rust(&rust)), plain(&of_go(&go)));
        let types = |schema: &Schema| schema.types().map(|(_, ty)| ty.clone()).collect::<Vec<_>>();
        prop_assert_eq!(types(&rust), types(&go));
        prop_assert_eq!(rust.kinds(), go.kinds());
        let text = crd(&rust);
        prop_assert_eq!(&text, &crd(&go));
        prop_assert_eq!(spec_of(&text), published_struct(&fields, reader).sorted());
    }
}
