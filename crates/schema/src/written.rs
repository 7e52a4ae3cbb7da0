//! The written form of a schema: text that a program carries instead of the source, and reads type by type, each when it is first
//! asked for.
//!
//! Every package, kind and type is a block: a line that names it, and lines that begin with a tab. Blocks are sorted by that first
//! line. What another release has otherwise is a text of the same form, with a `-` before the name of what it lacks.

use std::collections::BTreeMap;

use crate::late_type::{Form, LateType, Reader, Writer, find};
use crate::{Kind, Package, Schema};

impl Schema {
    /// The written form.
    #[must_use]
    pub fn written(&self) -> String {
        let mut blocks: Vec<(String, String)> = Vec::new();
        for package in self.packages() {
            let text = self.form(package, "");
            blocks.push((format!("package {:?}", package.path), text));
        }
        let kinds = [
            ("kind", self.kinds()),
            ("ungrouped", self.ungrouped_kinds()),
            ("distant", self.distant_kinds()),
        ];
        for (word, kinds) in kinds {
            for kind in kinds {
                let head = format!("{word} {:?} {:?} {:?}", kind.group, kind.kind, kind.version);
                blocks.push((head, self.form(kind, "")));
            }
        }
        for (_, ty) in self.types() {
            let head = format!("type {:?} {:?}", ty.name.package, ty.name.name);
            blocks.push((head, self.form(ty, &ty.name.package)));
        }
        blocks.sort();
        blocks
            .iter()
            .map(|(head, text)| format!("{head}\n{text}\n"))
            .collect()
    }

    fn form(&self, value: &impl Form, package: &str) -> String {
        let name_of = |id| &self.ty(id).name;
        let mut writer = Writer::new(&name_of, package);
        writer.line();
        value.write(&mut writer);
        writer.finish()
    }

    /// What a written schema has otherwise than another: [`Schema::from_written`] makes the second of the first and this.
    #[must_use]
    pub fn written_changes(from: &str, to: &str) -> String {
        let (from, to): (BTreeMap<_, _>, BTreeMap<_, _>) = (blocks(from).collect(), blocks(to).collect());
        let gone = from.keys().filter(|head| !to.contains_key(*head));
        let gone: String = gone.map(|head| format!("-{head}\n")).collect();
        let other = to.iter().filter(|(head, text)| from.get(*head) != Some(text));
        gone + &other
            .map(|(head, text)| format!("{head}\n{text}\n"))
            .collect::<String>()
    }

    /// The schema that was written, with changes. Its types are read when they are first asked for; `None` if a package or
    /// a kind cannot be read.
    ///
    /// # Panics
    /// Asking for a type panics if its text is not one that [`Schema::written`] wrote.
    #[must_use]
    pub fn from_written(text: &'static str, changes: &'static str) -> Option<Schema> {
        let mut all: Vec<(&str, &str)> = blocks(text).collect();
        if !changes.is_empty() {
            let mut changed: BTreeMap<&str, &str> = all.into_iter().collect();
            for (head, text) in blocks(changes) {
                match head.strip_prefix('-') {
                    Some(gone) => changed.remove(gone),
                    None => changed.insert(head, text),
                };
            }
            all = changed.into_iter().collect();
        }
        let late = all.iter().filter_map(|(head, text)| late_type(head, text));
        let late: Vec<LateType> = late.collect();
        let find = |package: &str, name: &str| find(&late, package, name);
        let mut schema = Schema::default();
        for (head, text) in all {
            let reader = &mut Reader::new(text, ("", ""), &find);
            match head.split(' ').next()? {
                "package" => schema.packages.push(Package::read(reader)?),
                "kind" => schema.kinds.push(Kind::read(reader)?),
                "ungrouped" => schema.ungrouped.push(Kind::read(reader)?),
                "distant" => schema.distant.push(Kind::read(reader)?),
                _ => {}
            }
        }
        schema.types = late.into();
        Some(schema)
    }
}

fn late_type(head: &'static str, text: &'static str) -> Option<LateType> {
    let names = head.strip_prefix("type \"")?.strip_suffix('"')?;
    let (package, name) = names.split_once("\" \"")?;
    Some(LateType::new((package, name), text))
}

/// The first lines of blocks, and the lines below each.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (head, below) = rest.split_once('\n')?;
        let mut end = 0;
        while below[end..].starts_with('\t') {
            end += below[end..].find('\n').map_or(below.len() - end, |line| line + 1);
        }
        rest = &below[end..];
        Some((head, below[..end].strip_suffix('\n').unwrap_or(&below[..end])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bound, Builder, CelRule, Constant, Default, Docs, Exclusion, Facet, Family, Field, Function, Json,
        JsonTag, Level, Limit, Literal, Method, Rule, Scalar, Selector, Shape, Struct, Type, TypeId,
        TypeName, TypeRef, Version, Wrap,
    };

    #[expect(clippy::too_many_lines, reason = "one value of every kind")]
    fn sample(texts: &[&str]) -> Schema {
        let mut builder = Builder::default();
        let name = |text: &str| TypeName::new("x.org/a", text);
        let mode = builder.declare(&name("Mode"));
        let mut ty = Type::new(name("Mode"), Shape::Def(TypeRef::Scalar(Scalar::String)));
        ty.rules.push(Rule::new(Family::Declarative, Facet::Enum));
        ty.docs.text = Some("Says \"\\n\".\n\n+k8s:enum\n\ttab".into());
        ty.constants.push(Constant {
            name: "ModeA".into(),
            package: "x.org/a".into(),
            value: Some(Json::from("A")),
            literal: true,
            docs: Docs::default(),
            exclusions: vec![
                Exclusion::Always,
                Exclusion::When {
                    option: "Gate".into(),
                    enabled: true,
                },
            ],
        });
        ty.methods.push(Method {
            name: "String".into(),
            pointer: true,
            returns: Some(vec!["a".into()]),
            value: None,
        });
        builder.define(mode, ty);
        let elsewhere = builder.declare(&TypeName::new("x.org/b", "Hole"));
        let mut fields = Vec::new();
        for text in texts {
            let of = TypeRef::Named(mode)
                .map(TypeRef::Named(elsewhere).pointer())
                .list();
            let mut field = Field::new(*text, JsonTag::parse("modes,omitempty"), of);
            field.default = Some(Default::Ref {
                package: "p".into(),
                name: "n".into(),
                value: None,
            });
            field.markers.push(("a".into(), "".into()));
            let selector = Selector(vec![("k".into(), Literal::Int(-2)), ("t".into(), "v".into())]);
            let limit = Limit::Number(Json::int(3));
            for facet in [
                Facet::Minimum(Bound {
                    limit,
                    exclusive: true,
                }),
                Facet::UnionMember {
                    union: None,
                    member_name: Some("M".into()),
                },
                Facet::Cel(CelRule {
                    rule: "self > 1".into(),
                    optional_old_self: Some(false),
                    ..CelRule::default()
                }),
            ] {
                let level = Wrap::Level {
                    level: Level::Beta,
                    since: Some(Version { major: 1, minor: 35 }),
                };
                let rule = Rule::new(Family::OpenApi, facet).wrapped(Wrap::Item(selector.clone()));
                field.rules.push(rule.wrapped(level));
            }
            fields.push(field);
        }
        let object = builder.declare(&name("Object"));
        builder.define(
            object,
            Type::new(name("Object"), Shape::Struct(Struct { fields })),
        );
        let mut package = Package::new("x.org/a", "a");
        package.functions.push(Function {
            name: "SetDefaults_Object".into(),
            params: vec!["*Object".into()],
            fills: Some(name("Object")),
            results: Vec::new(),
            covers: false,
        });
        builder.add_package(package);
        let mut kind = Kind::new(object, "x.org", "v1", "Object");
        kind.deprecated = Some(None);
        builder.add_kind(kind);
        builder.finish().0
    }

    fn leak(text: String) -> &'static str {
        Box::leak(text.into_boxed_str())
    }

    #[test]
    fn what_is_written_is_read() {
        let schema = sample(&["A", "B"]);
        let read = Schema::from_written(leak(schema.written()), "").expect("it was written");
        assert_eq!(read, schema);
        assert_eq!(
            read.find(&TypeName::new("x.org/a", "Object")),
            Some(TypeId::new(1))
        );
        assert_eq!(read.find(&TypeName::new("x.org/a", "N")), None);
    }

    #[test]
    fn changes_make_one_schema_of_another() {
        let (one, other) = (
            sample(&["A", "B"]),
            sample(&["A"]).map_types(|ty| ty.docs = Docs::default()),
        );
        let changes = Schema::written_changes(&one.written(), &other.written());
        assert!(changes.len() < other.written().len());
        let read = Schema::from_written(leak(one.written()), leak(changes));
        assert_eq!(read, Some(other));
        let none = Schema::written_changes(&one.written(), "");
        assert_eq!(
            Schema::from_written(leak(one.written()), leak(none)),
            Some(Schema::default())
        );
    }

    #[test]
    fn what_was_not_written_is_not_read() {
        for text in [
            "package \"a\"\n\t\"a\" \"b",
            "kind \"\" \"K\" \"v1\"\n\tNamed \"a\" \"K\" ;",
        ] {
            assert_eq!(Schema::from_written(text, ""), None, "{text}");
        }
    }
}
