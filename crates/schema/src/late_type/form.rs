//! How the parts of a schema are written: one list for both directions.
//!
//! Structs are the members in parentheses, then the names and values of others that are not their default, then `;`. What is in
//! brackets is known before. Enums are the name of the variant and what it holds.

use std::default::Default as Absent;

use crate::{
    Bound, CelRule, CelRuleReason, Column, Condition, Constant, Default, Docs, Exclusion, ExternalDocs,
    Facet, Family, Field, Function, Json, JsonTag, Kind, Level, Limit, ListType, Literal, MapType, Method,
    Package, PackageOptions, PatchTag, ResourceNames, RootSelector, Rule, Scalar, Scale, Scope, Selector,
    Shape, Str, Struct, Subresources, TestCheck, Type, TypeId, TypeName, TypeOptions, TypeRef, UniqueKind,
    UpdateConstraint, Version, WellKnown, Wrap,
};

use super::reader::Reader;
use super::writer::Writer;

/// What can be written, and read again.
pub(crate) trait Form: Sized {
    fn write(&self, out: &mut Writer<'_>);
    fn read(text: &mut Reader<'_>) -> Option<Self>;
}

fn is_absent<T: Absent + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

macro_rules! structs {
    ($($name:ident $([$known:ident])? ($($first:ident),*) { $($member:ident),* })*) => {$(
        impl Form for $name {
            fn write(&self, out: &mut Writer<'_>) {
                $(self.$first.write(out);)*
                $(if !is_absent(&self.$member) {
                    out.word(stringify!($member));
                    self.$member.write(out);
                })*
                out.word(";");
            }

            fn read(text: &mut Reader<'_>) -> Option<Self> {
                $(let $known = text.$known();)?
                $(let $first = Form::read(text)?;)*
                $(let mut $member = Absent::default();)*
                loop {
                    match text.word()? {
                        $(stringify!($member) => $member = Form::read(text)?,)*
                        ";" => return Some(Self { $($known,)? $($first,)* $($member,)* }),
                        _ => return None,
                    }
                }
            }
        }
    )*};
}

macro_rules! enums {
    ($($name:ident {
        $($variant:ident $(($($item:ident),+))? $({ $($member:ident),+ })?),+
    })*) => {$(
        impl Form for $name {
            fn write(&self, out: &mut Writer<'_>) {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($member),+ })? => {
                        out.word(stringify!($variant));
                        $($($item.write(out);)+)?
                        $($($member.write(out);)+)?
                    })+
                }
            }

            fn read(text: &mut Reader<'_>) -> Option<Self> {
                Some(match text.word()? {
                    $(stringify!($variant) => {
                        $($(let $item = Form::read(text)?;)+)?
                        Self::$variant $(($($item),+))? $({ $($member: Form::read(text)?),+ })?
                    })+
                    _ => return None,
                })
            }
        }
    )*};
}

structs! {
    Type [name] (shape) { well_known, anonymous, docs, default, rules, published, constants, methods, options }
    Field(name, ty) {
        embedded, json, type_parameter, docs, default, crd_default, published_default, rules, published, patch, protobuf,
        markers
    }
    Constant(name, package) { value, literal, docs, exclusions }
    Method(name) { pointer, returns, value }
    TypeOptions() {
        validation, no_lint, is_subresource, supports_subresources, defaulter, openapi, model_package, markers
    }
    Docs() { text, godoc }
    JsonTag(name) {
        present, skip, omitempty, omitzero, inline, string, string_first, misspelled_omitempty
    }
    PatchTag() { strategy, merge_key }
    Rule(family, facet) { wraps }
    Version(major, minor) {}
    Bound(limit) { exclusive }
    TestCheck() { fails, message, short_circuit, non_error, cohort }
    CelRule(rule) { message, message_expression, reason, field_path, optional_old_self }
    ExternalDocs(url) { description }
    Package(path, name) {
        input, docs, group, group_constant, version, options, functions, private_names
    }
    PackageOptions() {
        validation, validation_input, scheme_registry, test_fixture, test_targets, no_lint, defaulter,
        defaulter_input, openapi, model_package, optional_by_default, skip, markers
    }
    Function(name) { params, fills, results, covers }
    Kind(ty, group, version, kind, scope) {
        names, unknown_scope, served, storage, skipped, deprecated, subresources, columns, selectable_fields,
        annotations, labels
    }
    ResourceNames() { plural, singular, short, categories }
    Subresources() { status, scale }
    Scale(spec_path, status_path) { selector_path }
    Column(name, ty, json_path, priority) { description, format }
    TypeName(package, name) {}
}

enums! {
    Shape { Struct(of), Def(of), Alias(of), Hole }
    WellKnown {
        Time, MicroTime, Duration, Quantity, IntOrString, RawExtension, FieldsV1, ObjectMeta, ListMeta, TypeMeta,
        Json, Unstructured, GoTime, GoDuration, RawMessage
    }
    Exclusion { Always, When { option, enabled } }
    Default { Value(of), Ref { package, name, value } }
    Family { Declarative, OpenApi, Kubebuilder }
    Wrap { Level { level, since }, If(of), EachVal, EachKey, Subfield(of), Item(of) }
    Condition { Option { name, enabled }, Mode { modality, mode }, Subresource { path, matches } }
    Level { Alpha, Beta, Stable }
    Literal { Str(of), Int(of), Bool(of) }
    Limit { Number(of), Field(of) }
    ListType { Atomic, Set, Map }
    UniqueKind { Set, Map }
    MapType { Atomic, Granular }
    UpdateConstraint { NoSet, NoUnset, NoModify, NoAddItem, NoRemoveItem }
    CelRuleReason { Required, Invalid, Forbidden, Duplicate }
    RootSelector { All, WithField(of), WithSuffix(of) }
    Scope { Namespaced, Cluster }
    Facet {
        Required, Optional, Forbidden, Nullable, MinLength(of), MaxLength(of), MaxBytes(of), Pattern(of), Format(of),
        Minimum(of), Maximum(of), ExclusiveMinimum(of), ExclusiveMaximum(of), MultipleOf(of), Neq(of), MinItems(of),
        MaxItems(of), UniqueItems(of), ListType(of), ListMapKey(of), Unique(of), CustomUnique, MinProperties(of),
        MaxProperties(of), MapType(of), StructType(of), Enum, EnumValues(of), Immutable, Update(of), Monotonic,
        UnionMember { union, member_name }, UnionDiscriminator { union }, Union { union }, MemberOf { group },
        ZeroOrOneOfMember { union, member_name }, ModeDiscriminator { modality }, DependentRequired(of),
        DependentForbidden(of), OpaqueType, CustomValidation, DeclarativeValidationNative, Test(of), Cel(of), Type(of),
        PreserveUnknownFields, EmbeddedResource, IntOrString, Schemaless, AtMostOneOf(of), ExactlyOneOf(of),
        AtLeastOneOf(of), Title(of), Example(of), ExternalDocs(of), PatchStrategy(of), PatchMergeKey(of),
        Extension { name, value }
    }
}

/// Every field has a line of its own, so that changes are easy to see.
impl Form for Struct {
    fn write(&self, out: &mut Writer<'_>) {
        for field in &self.fields {
            out.line();
            field.write(out);
        }
        out.word("]");
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        let fields = list(text)?;
        Some(Self { fields })
    }
}

impl<T: Form> Form for Vec<T> {
    fn write(&self, out: &mut Writer<'_>) {
        self.iter().for_each(|item| item.write(out));
        out.word("]");
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        list(text)
    }
}

fn list<T: Form>(text: &mut Reader<'_>) -> Option<Vec<T>> {
    let mut items = Vec::new();
    while !text.is_next("]") {
        items.push(T::read(text)?);
    }
    items.shrink_to_fit();
    Some(items)
}

impl<T: Form> Form for Option<T> {
    fn write(&self, out: &mut Writer<'_>) {
        match self {
            Some(value) => {
                out.word("+");
                value.write(out);
            }
            None => out.word("-"),
        }
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        match text.word()? {
            "+" => T::read(text).map(Some),
            "-" => Some(None),
            _ => None,
        }
    }
}

impl<A: Form, B: Form> Form for (A, B) {
    fn write(&self, out: &mut Writer<'_>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        Some((A::read(text)?, B::read(text)?))
    }
}

impl<T: Form> Form for Box<T> {
    fn write(&self, out: &mut Writer<'_>) {
        (**self).write(out);
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        T::read(text).map(Box::new)
    }
}

impl Form for Selector {
    fn write(&self, out: &mut Writer<'_>) {
        self.0.write(out);
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        list(text).map(Self)
    }
}

impl Form for Str {
    fn write(&self, out: &mut Writer<'_>) {
        out.quoted(self);
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        text.quoted().map(Str::from)
    }
}

/// The text of the value, which is canonical already.
impl Form for Json {
    fn write(&self, out: &mut Writer<'_>) {
        out.quoted(self.as_str());
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        text.quoted().map(|text| Json::canonical(&text))
    }
}

macro_rules! numbers {
    ($($name:ident)*) => {$(
        impl Form for $name {
            fn write(&self, out: &mut Writer<'_>) {
                out.word(&self.to_string());
            }

            fn read(text: &mut Reader<'_>) -> Option<Self> {
                text.word()?.parse().ok()
            }
        }
    )*};
}

numbers! { bool u32 i64 u64 }

/// The name of the type; without its package, if that is the one that is read.
impl Form for TypeId {
    fn write(&self, out: &mut Writer<'_>) {
        let name = out.type_name(*self);
        if *name.package != *out.package {
            out.quoted(&name.package);
        }
        out.word("/");
        out.quoted(&name.name);
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        if text.is_next("/") {
            let name = text.quoted()?;
            return text.type_id(text.package, &name);
        }
        let package = text.quoted()?;
        text.is_next("/").then_some(())?;
        let name = text.quoted()?;
        text.type_id(&package, &name)
    }
}

impl Form for TypeRef {
    fn write(&self, out: &mut Writer<'_>) {
        match self {
            Self::Named(id) => {
                out.word("Named");
                id.write(out);
            }
            Self::Scalar(scalar) => out.word(scalar.name()),
            Self::Pointer(of) => {
                out.word("*");
                of.write(out);
            }
            Self::List(of) => {
                out.word("[]");
                of.write(out);
            }
            Self::Array(length, of) => {
                out.word("Array");
                length.write(out);
                of.write(out);
            }
            Self::Map(key, value) => {
                out.word("map");
                key.write(out);
                value.write(out);
            }
            Self::Any { spelled_out: false } => out.word("any"),
            Self::Any { spelled_out: true } => out.word("interface{}"),
            Self::Interface => out.word("Interface"),
            Self::Unsupported { kind, text } => {
                out.word(kind);
                text.write(out);
            }
        }
    }

    fn read(text: &mut Reader<'_>) -> Option<Self> {
        Some(match text.word()? {
            "Named" => Self::Named(Form::read(text)?),
            "*" => Self::Pointer(Form::read(text)?),
            "[]" => Self::List(Form::read(text)?),
            "Array" => Self::Array(Form::read(text)?, Form::read(text)?),
            "map" => Self::Map(Form::read(text)?, Form::read(text)?),
            "any" => Self::Any { spelled_out: false },
            "interface{}" => Self::Any { spelled_out: true },
            "Interface" => Self::Interface,
            word => {
                let unsupported = ["Chan", "Func", "Unsupported"]
                    .into_iter()
                    .find(|kind| *kind == word);
                match unsupported {
                    Some(kind) => Self::Unsupported {
                        kind,
                        text: Form::read(text)?,
                    },
                    None => Self::Scalar(Scalar::named(word)?),
                }
            }
        })
    }
}
