//! Declarations for tests: a small subset of Go, one declaration or field per line, independent of the real
//! reader.

use kindsmith_schema::{
    Builder, Constant, Docs, Field, FieldId, Json, JsonTag, Owner, Package, Scalar, Shape, Struct, Type,
    TypeId, TypeName, TypeRef,
};
use kindsmith_source::{Diagnostic, FileId, SourceMap, Span};
use kindsmith_tags::{Block, BlockKind, Line, Options, Outcome, Profile, Site};

/// The package of all declarations.
pub(crate) const PACKAGE: &str = "example.com/api";

/// The result of reading.
pub(crate) struct Declared {
    /// The schema.
    pub(crate) schema: kindsmith_schema::Schema,
    /// The schema as text.
    pub(crate) dump: String,
    /// Origins of rules, as the marked text.
    pub(crate) origins: Vec<String>,
    /// The findings.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The source.
    pub(crate) sources: SourceMap,
}

/// Reads declarations under a profile.
pub(crate) fn declared(text: &str, package: &str, profile: Profile) -> Declared {
    let mut sources = SourceMap::default();
    // The package must use validation-gen, otherwise errors in its tags are only warnings.
    let text = &format!("{text}\n// +k8s:validation-gen=true\ntype ZAsked struct {{\n}}\n");
    let file = sources.add("types.go", text.as_str());
    let mut reader = Reader::new(text, file, package);
    reader.run();
    let Reader {
        mut builder, sites, ..
    } = reader;
    let options = Options {
        profile,
        ..Options::default()
    };
    let Outcome { diagnostics, origins } = kindsmith_tags::read(&mut builder, &sites, &options);
    let origins = origins
        .iter()
        .map(|(_, span)| sources.text(*span).to_owned())
        .collect();
    let (schema, _) = builder.finish();
    Declared {
        dump: schema.to_string(),
        schema,
        origins,
        diagnostics,
        sources,
    }
}

/// Types for all cases.
const TYPES: &str = r#"
type Part struct {
    Name string `json:"name"`
    Size int32 `json:"size"`
    On *bool `json:"on"`
    Tags []string `json:"tags"`
}

type Name string

type Names []string

type Parts []Part

type PartsByName []Part

type Level int32
"#;

impl Declared {
    /// The findings: severity, code, message.
    pub(crate) fn findings(&self) -> Vec<String> {
        self.diagnostics
            .iter()
            .map(|found| format!("{}[{}] {}", found.severity.as_str(), found.code(), found.message))
            .collect()
    }

    /// The lines of the schema below the line with this start.
    pub(crate) fn below(&self, start: &str) -> Vec<String> {
        let lines = self
            .dump
            .lines()
            .skip_while(|line| !line.trim().starts_with(start));
        let depth = |line: &str| line.len() - line.trim_start().len();
        let mut lines = lines.peekable();
        let top = lines.next().map_or(0, depth);
        lines
            .take_while(|line| depth(line) > top + 2 || depth(line) > top && top > 0)
            .map(|line| line.trim().to_owned())
            .collect()
    }
}

/// Reads a field `Value` of this type with these tags, one per line, after the shared types.
pub(crate) fn field(ty: &str, tags: &str, profile: Profile) -> Declared {
    let comments: String = tags
        .lines()
        .map(|line| format!("    // {}\n", line.trim()))
        .collect();
    let text = format!(
        "type Thing struct {{\n{comments}    Value {ty} `json:\"value\"`\n    Other *string `json:\"other\"`\n    Part Part `json:\"part\"`\n    Count int32 `json:\"count\"`\n}}\n{TYPES}"
    );
    declared(&text, PACKAGE, profile)
}

/// Reads a type with these tags, one per line, after the shared types.
pub(crate) fn typedef(definition: &str, tags: &str, profile: Profile) -> Declared {
    let comments: String = tags.lines().map(|line| format!("// {}\n", line.trim())).collect();
    declared(
        &format!("{comments}type Thing {definition}\n{TYPES}"),
        PACKAGE,
        profile,
    )
}

/// Compares upstream's messages about the tags of a field, without their envelope.
pub(crate) fn check(ty: &str, tags: &str, expected: &[&str]) {
    let found = field(ty, tags, Profile::Upstream);
    compare(&found, expected, &format!("{ty}: {tags}"));
}

/// Like `check`, for a type.
pub(crate) fn check_type(definition: &str, tags: &str, expected: &[&str]) {
    let found = typedef(definition, tags, Profile::Upstream);
    compare(&found, expected, &format!("type Thing {definition}: {tags}"));
}

/// Compares the messages of the findings, in any order.
pub(crate) fn compare(found: &Declared, expected: &[&str], case: &str) {
    let mut messages: Vec<&str> = found
        .diagnostics
        .iter()
        .map(|found| found.message.as_str())
        .collect();
    messages.sort_unstable();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(messages, expected, "{case}");
}

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    package: String,
    builder: Builder,
    sites: Vec<Site<'a>>,
    /// Comment groups above the current line, closest last.
    groups: Vec<Vec<Line<'a>>>,
    /// Whether the line above was blank.
    detached: bool,
    open: Option<(TypeId, Vec<Field>)>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, file: FileId, package: &str) -> Self {
        Self {
            text,
            file,
            package: package.to_owned(),
            builder: Builder::default(),
            sites: Vec::new(),
            groups: Vec::new(),
            detached: true,
            open: None,
        }
    }

    fn run(&mut self) {
        let mut package = Package::new(self.package.as_str(), "api");
        package.input = true;
        let package = self.builder.add_package(package);
        let mut consts = false;
        for raw in self.text.lines() {
            let line = raw.trim();
            if line.is_empty() {
                self.detached = true;
            } else if let Some(comment) = line.strip_prefix("//") {
                self.comment(comment);
            } else {
                self.declaration(line, package, &mut consts);
                self.groups.clear();
                self.detached = true;
            }
        }
    }

    fn comment(&mut self, text: &'a str) {
        let start = text.as_ptr() as usize - self.text.as_ptr() as usize;
        let span = Span::new(self.file, start as u32, (start + text.len()) as u32);
        if std::mem::replace(&mut self.detached, false) {
            self.groups.push(Vec::new());
        }
        if let Some(group) = self.groups.last_mut() {
            group.push(Line {
                text,
                span,
                slashes: true,
            });
        }
    }

    fn declaration(&mut self, line: &'a str, package: u32, consts: &mut bool) {
        if line.starts_with("package ") {
            self.site(Owner::Package(package), &[BlockKind::DocFile]);
        } else if line == "const (" {
            *consts = true;
        } else if line == ")" {
            *consts = false;
        } else if line == "}" {
            let (id, fields) = self.open.take().expect("a struct is open");
            let name = self.builder.ty(id).name.clone();
            self.builder
                .define(id, Type::new(name, Shape::Struct(Struct { fields })));
        } else if *consts || line.starts_with("const ") {
            self.constant(line.trim_start_matches("const "));
        } else if let Some(rest) = line.strip_prefix("type ") {
            self.type_line(rest);
        } else if self.open.is_some() {
            self.field(line);
        }
    }

    fn type_line(&mut self, line: &'a str) {
        let (name, rest) = line.split_once(' ').expect("a name and a type");
        let id = self.declare(name);
        self.site(Owner::Type(id), &[BlockKind::Closest, BlockKind::Second]);
        if let Some(body) = rest.strip_prefix("struct {") {
            self.open = Some((id, Vec::new()));
            if body == "}" {
                self.declaration("}", 0, &mut false);
            }
            return;
        }
        let shape = match rest.strip_prefix("= ") {
            Some(target) => Shape::Alias(self.type_of(target)),
            None => Shape::Def(self.type_of(rest)),
        };
        let name = self.builder.ty(id).name.clone();
        self.builder.define(id, Type::new(name, shape));
    }

    fn field(&mut self, line: &'a str) {
        let (left, tag) = match line.split_once('`') {
            Some((left, tag)) => (left.trim(), tag),
            None => (line, ""),
        };
        let tagged = |key: &str| {
            let rest = tag.split(&format!("{key}:\"")).nth(1)?;
            rest.split('"').next()
        };
        let json = tagged("json").map_or_else(JsonTag::default, JsonTag::parse);
        let (name, ty, embedded) = match left.split_once(' ') {
            Some((name, ty)) => (name, ty.trim(), false),
            None => (left.rsplit(['.', '*']).next().unwrap_or(left), left, true),
        };
        let mut field = Field::new(name, json, self.type_of(ty));
        field.embedded = embedded;
        field.patch.strategy = tagged("patchStrategy").map(Into::into);
        field.patch.merge_key = tagged("patchMergeKey").map(Into::into);
        let (owner, fields) = self.open.as_mut().expect("a struct is open");
        let index = fields.len() as u32;
        let owner = *owner;
        fields.push(field);
        self.site(Owner::Field(FieldId { owner, index }), &[BlockKind::Closest]);
    }

    fn constant(&mut self, line: &'a str) {
        let parts: Vec<&str> = line.split_whitespace().collect();
        let [name, ty, "=", value] = parts.as_slice() else {
            panic!("not a constant: {line}")
        };
        let id = self.declare(ty);
        let index = self.builder.ty(id).constants.len() as u32;
        let constant = Constant {
            name: (*name).into(),
            package: self.builder.ty(id).name.package.clone(),
            value: Json::parse(value).ok(),
            literal: true,
            docs: Docs::default(),
            exclusions: Vec::new(),
        };
        self.builder.ty_mut(id).constants.push(constant);
        self.site(Owner::Constant(id, index), &[BlockKind::Closest]);
    }

    fn declare(&mut self, name: &str) -> TypeId {
        self.builder.declare(&TypeName::new(self.package.as_str(), name))
    }

    fn site(&mut self, owner: Owner, kinds: &[BlockKind]) {
        let mut groups = std::mem::take(&mut self.groups);
        let mut blocks = Vec::new();
        if let [BlockKind::DocFile] = kinds {
            let all = groups.drain(..).map(|lines| Block {
                kind: BlockKind::DocFile,
                crd: true,
                lines,
            });
            blocks.extend(all);
        } else if !self.detached
            && let Some(lines) = groups.pop()
        {
            blocks.push(Block {
                kind: BlockKind::Closest,
                crd: true,
                lines,
            });
        }
        if kinds.contains(&BlockKind::Second)
            && let Some(lines) = groups.pop()
        {
            blocks.insert(
                0,
                Block {
                    kind: BlockKind::Second,
                    crd: true,
                    lines,
                },
            );
        }
        self.sites.push(Site { owner, blocks });
    }

    fn type_of(&mut self, text: &str) -> TypeRef {
        if let Some(inner) = text.strip_prefix('*') {
            return self.type_of(inner).pointer();
        }
        if let Some(inner) = text.strip_prefix("[]") {
            return self.type_of(inner).list();
        }
        if let Some((key, value)) = text.strip_prefix("map[").and_then(|rest| rest.split_once(']')) {
            let key = self.type_of(key);
            return self.type_of(value).map(key);
        }
        match text {
            "any" => TypeRef::Any { spelled_out: false },
            "interface{}" => TypeRef::Any { spelled_out: true },
            "chan string" | "func()" | "complex128" => TypeRef::Unsupported {
                kind: "Unsupported",
                text: text.into(),
            },
            _ => match (Scalar::named(text), text.split_once('.')) {
                (Some(scalar), _) => TypeRef::Scalar(scalar),
                (None, Some((_, name))) => TypeRef::Named(
                    self.builder
                        .declare(&TypeName::new("k8s.io/apimachinery/pkg/apis/meta/v1", name)),
                ),
                (None, None) => TypeRef::Named(self.declare(text)),
            },
        }
    }
}
