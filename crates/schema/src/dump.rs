//! A readable text form of a schema, for people and for tests.

use std::fmt::{self, Display, Formatter};

use crate::{
    Bound, Condition, Default, Exclusion, Facet, Family, Field, Kind, Level, Limit, Literal, Package, Rule,
    Schema, Scope, Selector, Shape, Str, Type, Wrap,
};

/// A schema as text, limited to the packages whose import path `shown` accepts.
pub(crate) struct Dump<'a, F> {
    schema: &'a Schema,
    shown: F,
}

impl Schema {
    /// The readable text form of some packages.
    pub fn dump(&self, shown: impl Fn(&str) -> bool) -> impl Display {
        Dump { schema: self, shown }
    }
}

impl Display for Schema {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.dump(|_| true))
    }
}

impl<F: Fn(&str) -> bool> Display for Dump<'_, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { schema, shown } = self;
        let mut blank = false;
        for package in schema.packages().iter().filter(|package| shown(&package.path)) {
            separate(f, &mut blank)?;
            write_package(package, f)?;
        }
        for kind in schema
            .kinds()
            .iter()
            .filter(|kind| shown(&schema.ty(kind.ty).name.package))
        {
            separate(f, &mut blank)?;
            write_kind(schema, kind, f)?;
        }
        for (_, ty) in schema.types().filter(|(_, ty)| shown(&ty.name.package)) {
            separate(f, &mut blank)?;
            write_type(schema, ty, f)?;
        }
        Ok(())
    }
}

fn write_package(package: &Package, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "package {}", package.path)?;
    if let Some(group) = &package.group {
        write!(f, " group={group:?}")?;
    }
    if let Some(version) = &package.version {
        write!(f, " version={version}")?;
    }
    writeln!(f)
}

fn separate(f: &mut Formatter<'_>, blank: &mut bool) -> fmt::Result {
    if std::mem::replace(blank, true) {
        writeln!(f)
    } else {
        Ok(())
    }
}

fn write_kind(schema: &Schema, kind: &Kind, f: &mut Formatter<'_>) -> fmt::Result {
    let group = if kind.group.is_empty() {
        "core"
    } else {
        &kind.group
    };
    write!(f, "kind {}/{} {}", group, kind.version, kind.kind)?;
    if kind.scope == Scope::Cluster {
        write!(f, " cluster")?;
    }
    for (set, word) in [
        (kind.storage, "storage"),
        (!kind.served, "unserved"),
        (kind.skipped, "skipped"),
        (kind.deprecated.is_some(), "deprecated"),
        (kind.subresources.status, "status"),
        (kind.subresources.scale.is_some(), "scale"),
    ] {
        if set {
            write!(f, " {word}")?;
        }
    }
    writeln!(f, " = {}", schema.ty(kind.ty).name)?;
    for column in &kind.columns {
        writeln!(f, "  column {:?} {} {}", column.name, column.ty, column.json_path)?;
    }
    Ok(())
}

fn write_type(schema: &Schema, ty: &Type, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "type {}", ty.name)?;
    match &ty.shape {
        Shape::Struct(_) => write!(f, " struct")?,
        Shape::Def(target) => write!(f, " {}", schema.view().text(target))?,
        Shape::Alias(target) => write!(f, " = {}", schema.view().text(target))?,
        Shape::Hole => write!(f, " (not found)")?,
    }
    if let Some(well_known) = ty.well_known {
        write!(f, " as {well_known:?}")?;
    }
    write_meaning(ty.default.as_ref(), &ty.rules, f)?;
    writeln!(f)?;
    for field in ty.fields() {
        write_field(schema, field, f)?;
    }
    for constant in &ty.constants {
        write!(f, "  const {}", constant.name)?;
        if let Some(value) = &constant.value {
            write!(f, " = {value}")?;
        }
        for exclusion in &constant.exclusions {
            match exclusion {
                Exclusion::Always => write!(f, " excluded")?,
                Exclusion::When {
                    option,
                    enabled: true,
                } => write!(f, " excluded-if({option})")?,
                Exclusion::When {
                    option,
                    enabled: false,
                } => write!(f, " excluded-if(!{option})")?,
            }
        }
        writeln!(f)?;
    }
    Ok(())
}

fn write_field(schema: &Schema, field: &Field, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "  {} ", field.name)?;
    match field.json_name() {
        Some(name) => write!(f, "{name:?}")?,
        None if field.is_inline() => write!(f, "inline")?,
        None => write!(f, "-")?,
    }
    write!(f, " {}", schema.view().text(&field.ty))?;
    for (set, word) in [
        (field.json.omitempty, "omitempty"),
        (field.json.omitzero, "omitzero"),
    ] {
        if set {
            write!(f, " {word}")?;
        }
    }
    write_meaning(field.default.as_ref(), &field.rules, f)?;
    if let Some(default) = &field.crd_default {
        write!(f, "\n    crd-default {default}")?;
    }
    writeln!(f)
}

fn write_meaning(default: Option<&Default>, rules: &[Rule], f: &mut Formatter<'_>) -> fmt::Result {
    if let Some(default) = default {
        write!(f, "\n    default {default}")?;
    }
    for rule in rules {
        write!(f, "\n    {rule}")?;
        match rule.family {
            Family::Declarative => {}
            Family::OpenApi => f.write_str(" (openapi)")?,
            Family::Kubebuilder => f.write_str(" (kubebuilder)")?,
        }
    }
    Ok(())
}

impl Display for Default {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::Ref {
                package,
                name,
                value: None,
            } => write!(f, "ref({package}.{name})"),
            Self::Ref {
                package,
                name,
                value: Some(value),
            } => write!(f, "ref({package}.{name}) = {value}"),
        }
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for wrap in &self.wraps {
            write!(f, "{wrap} > ")?;
        }
        write!(f, "{}", self.facet)
    }
}

impl Display for Wrap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level { level, since: None } => f.write_str(level.name()),
            Self::Level {
                level,
                since: Some(version),
            } => {
                write!(f, "{}({}.{})", level.name(), version.major, version.minor)
            }
            Self::If(condition) => write!(f, "{condition}"),
            Self::EachVal => f.write_str("eachVal"),
            Self::EachKey => f.write_str("eachKey"),
            Self::Subfield(name) => write!(f, "subfield({name})"),
            Self::Item(selector) => write!(f, "item{selector}"),
        }
    }
}

impl Wrap {
    /// The tag's name, without `k8s:`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Level { level, .. } => level.name(),
            Self::If(Condition::Option { enabled: true, .. }) => "ifEnabled",
            Self::If(Condition::Option { enabled: false, .. }) => "ifDisabled",
            Self::If(Condition::Mode { .. }) => "ifMode",
            Self::If(Condition::Subresource { matches: true, .. }) => "ifSubresource",
            Self::If(Condition::Subresource { matches: false, .. }) => "ifNotSubresource",
            Self::EachVal => "eachVal",
            Self::EachKey => "eachKey",
            Self::Subfield(_) => "subfield",
            Self::Item(_) => "item",
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option { name, enabled } => write!(f, "if({}{name})", if *enabled { "" } else { "!" }),
            Self::Mode { modality: None, mode } => write!(f, "mode({mode:?})"),
            Self::Mode {
                modality: Some(modality),
                mode,
            } => write!(f, "mode({modality}: {mode:?})"),
            Self::Subresource { path, matches } => {
                write!(f, "subresource({}{path})", if *matches { "" } else { "!" })
            }
        }
    }
}

/// The selector as upstream's messages show it: `{"k1": "v", "k2": 42}`.
impl Display for Selector {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (key, value)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{key:?}: {value}")?;
        }
        f.write_str("}")
    }
}

impl Level {
    /// The name of the tag; `stable` for unmarked rules.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Stable => "stable",
        }
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.exclusive {
            f.write_str("exclusive ")?;
        }
        match &self.limit {
            Limit::Number(number) => write!(f, "{number}"),
            Limit::Field(path) => write!(f, "{}", path.join(".")),
        }
    }
}

impl Display for Facet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::MinLength(n)
            | Self::MaxLength(n)
            | Self::MaxBytes(n)
            | Self::MinItems(n)
            | Self::MaxItems(n)
            | Self::MinProperties(n)
            | Self::MaxProperties(n) => write!(f, "={n}"),
            Self::Minimum(bound) | Self::Maximum(bound) => write!(f, "={bound}"),
            Self::ExclusiveMinimum(on) | Self::ExclusiveMaximum(on) | Self::UniqueItems(on) => {
                write!(f, "={on}")
            }
            Self::MultipleOf(value) | Self::Title(value) | Self::Example(value) => write!(f, "={value}"),
            Self::Neq(literal) => write!(f, "={literal}"),
            Self::Pattern(text)
            | Self::Format(text)
            | Self::Type(text)
            | Self::PatchStrategy(text)
            | Self::PatchMergeKey(text) => write!(f, "={text}"),
            Self::ListMapKey(name) | Self::DependentRequired(name) | Self::DependentForbidden(name) => {
                write!(f, "={name}")
            }
            Self::ListType(kind) => write!(f, "={}", kind.name()),
            Self::Unique(kind) => write!(f, "={}", kind.name()),
            Self::MapType(kind) | Self::StructType(kind) => write!(f, "={}", kind.name()),
            Self::EnumValues(values) => write_list(f, values.iter()),
            Self::AtMostOneOf(names) | Self::ExactlyOneOf(names) | Self::AtLeastOneOf(names) => {
                write_list(f, names.iter())
            }
            Self::Update(constraints) => {
                write_list(f, constraints.iter().map(|constraint| constraint.name()))
            }
            Self::UnionMember { union, member_name } | Self::ZeroOrOneOfMember { union, member_name } => {
                write_args(
                    f,
                    &[("union", union.as_ref()), ("memberName", member_name.as_ref())],
                )
            }
            Self::UnionDiscriminator { union } | Self::Union { union } => {
                write_args(f, &[("union", union.as_ref())])
            }
            Self::MemberOf { group } => write_args(f, &[("group", Some(group))]),
            Self::ModeDiscriminator { modality } => write_args(f, &[("modality", modality.as_ref())]),
            Self::Test(check) => match &check.message {
                Some(message) => write!(f, "={message:?}"),
                None => Ok(()),
            },
            Self::Cel(rule) => write!(f, "={:?}", rule.rule),
            Self::ExternalDocs(docs) => write!(f, "={}", docs.url),
            Self::Extension { name, value } => write!(f, "({name})={value}"),
            _ => Ok(()),
        }
    }
}

fn write_list(f: &mut Formatter<'_>, items: impl Iterator<Item = impl Display>) -> fmt::Result {
    for (index, item) in items.enumerate() {
        write!(f, "{}{item}", if index == 0 { "=" } else { "," })?;
    }
    Ok(())
}

fn write_args(f: &mut Formatter<'_>, args: &[(&str, Option<&Str>)]) -> fmt::Result {
    let given: Vec<String> = args
        .iter()
        .filter_map(|(name, value)| value.map(|value| format!("{name}: {value}")))
        .collect();
    if given.is_empty() {
        Ok(())
    } else {
        write!(f, "({})", given.join(", "))
    }
}

impl Facet {
    /// The facet's name: the `+k8s:` tag where there is one, otherwise the published keyword.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
            Self::Forbidden => "forbidden",
            Self::Nullable => "nullable",
            Self::MinLength(_) => "minLength",
            Self::MaxLength(_) => "maxLength",
            Self::MaxBytes(_) => "maxBytes",
            Self::Pattern(_) => "pattern",
            Self::Format(_) => "format",
            Self::Minimum(_) => "minimum",
            Self::Maximum(_) => "maximum",
            Self::ExclusiveMinimum(_) => "exclusiveMinimum",
            Self::ExclusiveMaximum(_) => "exclusiveMaximum",
            Self::MultipleOf(_) => "multipleOf",
            Self::Neq(_) => "neq",
            Self::MinItems(_) => "minItems",
            Self::MaxItems(_) => "maxItems",
            Self::UniqueItems(_) => "uniqueItems",
            Self::ListType(_) => "listType",
            Self::ListMapKey(_) => "listMapKey",
            Self::Unique(_) => "unique",
            Self::CustomUnique => "customUnique",
            Self::MinProperties(_) => "minProperties",
            Self::MaxProperties(_) => "maxProperties",
            Self::MapType(_) => "mapType",
            Self::StructType(_) => "structType",
            Self::Enum | Self::EnumValues(_) => "enum",
            Self::Immutable => "immutable",
            Self::Update(_) => "update",
            Self::Monotonic => "monotonic",
            Self::UnionMember { .. } => "unionMember",
            Self::UnionDiscriminator { .. } => "unionDiscriminator",
            Self::Union { .. } => "union",
            Self::MemberOf { .. } => "memberOf",
            Self::ZeroOrOneOfMember { .. } => "zeroOrOneOfMember",
            Self::ModeDiscriminator { .. } => "modeDiscriminator",
            Self::DependentRequired(_) => "dependentRequired",
            Self::DependentForbidden(_) => "dependentForbidden",
            Self::OpaqueType => "opaqueType",
            Self::CustomValidation => "customValidation",
            Self::DeclarativeValidationNative => "declarativeValidationNative",
            Self::Test(check) if check.fails => "validateFalse",
            Self::Test(_) => "validateTrue",
            Self::Cel(_) => "cel",
            Self::Type(_) => "type",
            Self::PreserveUnknownFields => "preserveUnknownFields",
            Self::EmbeddedResource => "embeddedResource",
            Self::IntOrString => "intOrString",
            Self::Schemaless => "schemaless",
            Self::AtMostOneOf(_) => "atMostOneOf",
            Self::ExactlyOneOf(_) => "exactlyOneOf",
            Self::AtLeastOneOf(_) => "atLeastOneOf",
            Self::Title(_) => "title",
            Self::Example(_) => "example",
            Self::ExternalDocs(_) => "externalDocs",
            Self::PatchStrategy(_) => "patchStrategy",
            Self::PatchMergeKey(_) => "patchMergeKey",
            Self::Extension { .. } => "extension",
        }
    }
}

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        Self::Str(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Builder, Constant, Docs, FieldId, Json, JsonTag, ListType, Owner, Part, Scalar, Struct, TypeName,
        TypeRef, UpdateConstraint, Version,
    };

    fn declarative(facet: Facet) -> Rule {
        Rule::new(Family::Declarative, facet)
    }

    fn check(rule: &Rule, text: &str) {
        assert_eq!(rule.to_string(), text);
    }

    #[test]
    fn rules_read_from_the_outside_in() {
        check(&declarative(Facet::Required), "required");
        check(
            &declarative(Facet::MaxLength(3))
                .wrapped(Wrap::EachVal)
                .wrapped(Wrap::Level {
                    level: Level::Alpha,
                    since: Some(Version { major: 1, minor: 34 }),
                }),
            "alpha(1.34) > eachVal > maxLength=3",
        );
        check(
            &declarative(Facet::UnionMember {
                union: Some("u".into()),
                member_name: None,
            })
            .wrapped(Wrap::Item(Selector(vec![
                ("type".into(), "A".into()),
                ("n".into(), Literal::Int(2)),
            ]))),
            r#"item{"type": "A", "n": 2} > unionMember(union: u)"#,
        );
        check(
            &declarative(Facet::Update(vec![
                UpdateConstraint::NoSet,
                UpdateConstraint::NoUnset,
            ]))
            .wrapped(Wrap::If(Condition::Option {
                name: "X".into(),
                enabled: false,
            })),
            "if(!X) > update=NoSet,NoUnset",
        );
    }

    #[test]
    fn a_schema_reads_as_text() {
        let mut builder = Builder::default();
        builder.add_package(Package::new("x.org/a", "a"));
        let name = |text: &str| TypeName::new("x.org/a", text);
        let (mode, object) = (builder.declare(&name("Mode")), builder.declare(&name("Object")));
        let mut ty = Type::new(name("Mode"), Shape::Def(TypeRef::Scalar(Scalar::String)));
        ty.rules.push(declarative(Facet::Enum));
        ty.constants.push(Constant {
            name: "ModeA".into(),
            package: "x.org/a".into(),
            value: Some(Json::from("A")),
            literal: true,
            docs: Docs::default(),
            exclusions: vec![Exclusion::When {
                option: "Gate".into(),
                enabled: true,
            }],
        });
        builder.define(mode, ty);
        let mut field = Field::new(
            "Modes",
            JsonTag::parse("modes,omitempty"),
            TypeRef::Named(mode).list(),
        );
        field.default = Some(Default::Value(Json::parse("[]").expect("valid")));
        field.rules.push(declarative(Facet::ListType(ListType::Set)));
        builder.define(
            object,
            Type::new(name("Object"), Shape::Struct(Struct { fields: vec![field] })),
        );
        builder.add_kind(Kind::new(object, "x.org", "v1", "Object"));
        let place = Owner::Field(FieldId {
            owner: object,
            index: 0,
        })
        .part(Part::Rule(0));
        let (schema, renumbering) = builder.finish();
        assert_eq!(renumbering.place(place), place, "declared in the order of names");
        assert_eq!(
            schema.to_string(),
            r#"package x.org/a

kind x.org/v1 Object = x.org/a.Object

type x.org/a.Mode string
    enum
  const ModeA = "A" excluded-if(Gate)

type x.org/a.Object struct
  Modes "modes" []x.org/a.Mode omitempty
    default []
    listType=set
"#
        );
    }
}
