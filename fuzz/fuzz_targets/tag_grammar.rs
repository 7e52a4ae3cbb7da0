//! Any text as the comment of a declaration: no grammar panics or hangs on a line of it, every span is inside the line,
//! and reading all lines on a field, a type and a package gives findings that point into the text.

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_schema::{
    Builder, Field, FieldId, JsonTag, Owner, Package, Scalar, Shape, Struct, Type, TypeName, TypeRef,
};
use kindsmith_source::{SourceMap, Span};
use kindsmith_tags::grammar::codetags::{self, Mode};
use kindsmith_tags::grammar::marker as controller_gen;
use kindsmith_tags::grammar::openapi::old_marker;
use kindsmith_tags::{Block, BlockKind, Line, Options, Profile, Site};

const PACKAGE: &str = "example.org/api";

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for line in text.lines() {
        grammars(line);
    }
    let profile = match text.len() % 2 {
        0 => Profile::Upstream,
        _ => Profile::Kep,
    };
    read(text, profile);
});

fn grammars(line: &str) {
    let _ = old_marker(line);
    arguments(line);
    let Some(marker) = kindsmith_tags::grammar::marker(line) else {
        return;
    };
    assert!(line[marker.offset..].starts_with(marker.text));
    for mode in [Mode::Typed, Mode::Raw] {
        match codetags::parse(marker.text, mode) {
            Ok(chain) => {
                for link in &chain.links {
                    assert_eq!(&marker.text[link.name_span.clone()], link.name);
                    let _ = &marker.text[link.value_span.clone()];
                }
            }
            Err(error) => _ = &marker.text[error.span],
        }
    }
}

/// The arguments of a controller-gen marker, whose syntax its command line also uses.
fn arguments(line: &str) {
    use controller_gen::{Argument, ArgumentType, Arguments, parse, split};
    const NAMED: &[Argument] = &[
        Argument::optional("int", ArgumentType::Int),
        Argument::optional("texts", ArgumentType::Texts),
        Argument::optional("any", ArgumentType::Any),
        Argument::needed("b", ArgumentType::Bool),
    ];
    for takes in [
        Arguments::None,
        Arguments::One(ArgumentType::Anys),
        Arguments::OneOptional(ArgumentType::Number),
        Arguments::Named(NAMED),
        Arguments::Raw,
    ] {
        for error in parse(takes, split(line)).err().into_iter().flatten() {
            drop(error.text());
        }
    }
}

fn read(text: &str, profile: Profile) {
    let mut sources = SourceMap::default();
    let file = sources.add("types.go", text);
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let end = start + line.len();
        lines.push(Line {
            text: line,
            span: Span::new(file, start as u32, end as u32),
            slashes: lines.len() % 4 != 3,
        });
        start = end + 1;
    }
    let (mut builder, owners) = declarations();
    let sites: Vec<Site<'_>> = owners
        .into_iter()
        .map(|(owner, kind)| Site {
            owner,
            blocks: vec![Block {
                kind,
                crd: true,
                lines: lines.clone(),
            }],
        })
        .collect();
    let outcome = kindsmith_tags::read(
        &mut builder,
        &sites,
        &Options {
            profile,
            ..Options::default()
        },
    );
    for finding in &outcome.diagnostics {
        let _ = sources.text(finding.span);
    }
    let (schema, _) = builder.finish();
    let _ = schema.to_string();
}

/// A package with a struct that has a field of each shape, and a list type.
fn declarations() -> (Builder, Vec<(Owner, BlockKind)>) {
    let mut builder = Builder::default();
    let mut package = Package::new(PACKAGE, "api");
    package.input = true;
    let package = builder.add_package(package);
    let part = builder.declare(&TypeName::new(PACKAGE, "Part"));
    let parts = builder.declare(&TypeName::new(PACKAGE, "Parts"));
    let text = || TypeRef::Scalar(Scalar::String);
    let shapes = [
        ("Name", text()),
        ("Size", TypeRef::Scalar(Scalar::Int32)),
        ("List", TypeRef::Named(part).list()),
        ("Map", text().map(text())),
        ("Deep", TypeRef::Named(part).pointer()),
    ];
    let mut owners = vec![
        (Owner::Package(package), BlockKind::DocFile),
        (Owner::Type(part), BlockKind::Closest),
        (Owner::Type(parts), BlockKind::Closest),
    ];
    let mut fields = Vec::new();
    for (index, (name, ty)) in shapes.into_iter().enumerate() {
        fields.push(Field::new(name, JsonTag::parse(&name.to_lowercase()), ty));
        let id = FieldId {
            owner: part,
            index: index as u32,
        };
        owners.push((Owner::Field(id), BlockKind::Closest));
    }
    let name = |name| TypeName::new(PACKAGE, name);
    builder.define(part, Type::new(name("Part"), Shape::Struct(Struct { fields })));
    let list = TypeRef::Named(part).list();
    builder.define(parts, Type::new(name("Parts"), Shape::Def(list)));
    (builder, owners)
}
