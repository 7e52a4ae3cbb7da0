//! Named types and the expressions that use them.

use std::borrow::Cow;

use crate::{Default, Field, Json, Rule, Str, TypeId, TypeName};

/// A named type. Anonymous structs get a name too, so that every field has an owner with an id.
#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    /// Package and name.
    pub name: TypeName,
    /// The structure of the type.
    pub shape: Shape,
    /// The well-known Kubernetes type that this is, if it has a wire form of its own.
    pub well_known: Option<WellKnown>,
    /// Set for an anonymous struct; `name` is then derived from its surroundings.
    pub anonymous: bool,
    /// The declaration's comment.
    pub docs: Docs,
    /// The default set on the type itself. Every link of a typedef chain may have its own.
    pub default: Option<Default>,
    /// Rules of the type itself, in the order in which Kubernetes' generators process them: by the name of
    /// the outermost tag, and in source order for equal names.
    pub rules: Vec<Rule>,
    /// Rules that controller-gen reads from other tools' tags. It decides on its own which comments count and
    /// which values are valid, so these may differ from the `rules` of the same families.
    pub published: Vec<Rule>,
    /// Constants declared with exactly this type.
    pub constants: Vec<Constant>,
    /// Methods that change how the type is encoded or described.
    pub methods: Vec<Method>,
    /// Options for generators.
    pub options: TypeOptions,
}

/// The structure of a named type.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// `type T struct { … }`.
    Struct(Struct),
    /// `type T X`: a link of a typedef chain. A typedef of a struct keeps the link; the members stay in the
    /// target.
    Def(TypeRef),
    /// `type T = X`: another name for `X`.
    Alias(TypeRef),
    /// The declaration was not found or could not be read.
    Hole,
}

/// The members of a struct, in declaration order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Struct {
    /// Exported and unexported fields.
    pub fields: Vec<Field>,
}

/// The use of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// A named type.
    Named(TypeId),
    /// A builtin scalar.
    Scalar(Scalar),
    /// `*T`.
    Pointer(Box<TypeRef>),
    /// `[]T`.
    List(Box<TypeRef>),
    /// `[N]T`.
    Array(u64, Box<TypeRef>),
    /// `map[K]V`.
    Map(Box<TypeRef>, Box<TypeRef>),
    /// `any` or `interface{}`: any JSON value.
    Any {
        /// Whether it was spelled `interface{}`; published schemas differ.
        spelled_out: bool,
    },
    /// An interface with methods.
    Interface,
    /// A type that an API cannot use, by its Go kind and its text: channels, functions, complex numbers.
    Unsupported {
        /// The reference tool's word for the kind: `Chan`, `Func`, `Unsupported`.
        kind: &'static str,
        /// The type as written.
        text: Str,
    },
}

/// A builtin scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are Go's own names")]
pub enum Scalar {
    Bool,
    String,
    Int,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Byte,
    Rune,
    Uintptr,
    Float32,
    Float64,
}

/// Kubernetes and library types whose wire form is not that of their Go members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WellKnown {
    /// `metav1.Time`: RFC 3339 text, seconds.
    Time,
    /// `metav1.MicroTime`: RFC 3339 text, microseconds.
    MicroTime,
    /// `metav1.Duration`: Go duration text.
    Duration,
    /// `resource.Quantity`: number or text with a suffix.
    Quantity,
    /// `intstr.IntOrString`: number or text.
    IntOrString,
    /// `runtime.RawExtension`: any object.
    RawExtension,
    /// `metav1.FieldsV1`: a field set.
    FieldsV1,
    /// `metav1.ObjectMeta`.
    ObjectMeta,
    /// `metav1.ListMeta`.
    ListMeta,
    /// `metav1.TypeMeta`.
    TypeMeta,
    /// `apiextensionsv1.JSON`: any value.
    Json,
    /// `unstructured.Unstructured`: any object.
    Unstructured,
    /// `time.Time` of the standard library.
    GoTime,
    /// `time.Duration` of the standard library: nanoseconds.
    GoDuration,
    /// `json.RawMessage` of the standard library: any value.
    RawMessage,
}

/// A constant declared with a named type.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// Go name.
    pub name: Str,
    /// Import path of the package that declares it, which may differ from that of its type.
    pub package: Str,
    /// Its value, if it could be computed.
    pub value: Option<Json>,
    /// Whether the value is a plain literal, as some generators require.
    pub literal: bool,
    /// The declaration's comment.
    pub docs: Docs,
    /// When the constant is not an allowed value of its enum: if any of these applies.
    pub exclusions: Vec<Exclusion>,
}

/// When an enum constant is not allowed (`+k8s:enumExclude`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exclusion {
    /// Never allowed.
    Always,
    /// Not allowed while the option is in the given state.
    When {
        /// Name of the option.
        option: Str,
        /// The state that excludes the value.
        enabled: bool,
    },
}

/// A method that changes how a type is encoded or described, such as `MarshalJSON`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Go name.
    pub name: Str,
    /// Whether the receiver is a pointer.
    pub pointer: bool,
    /// The strings that it returns, if the body is a single return of literals.
    pub returns: Option<Vec<Str>>,
    /// The value that it returns, if it is a literal: structs by the names of their fields.
    pub value: Option<Json>,
}

/// The comment of a declaration, including markers; back ends pick their lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Docs {
    /// Lines of the comment that ends on the line above the declaration, joined by line breaks.
    pub text: Option<Str>,
    /// The doc comment by Go's own rules, without the markers in its `//` lines and without the indentation
    /// of `/* */` comments. `None` if it equals `text` without the lines that begin with a `+`.
    pub godoc: Option<Str>,
}

/// Options of one type for generators.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TypeOptions {
    /// `+k8s:validation-gen=true|false`.
    pub validation: Option<bool>,
    /// `+k8s:validation-gen-nolint`.
    pub no_lint: bool,
    /// `+k8s:isSubresource`.
    pub is_subresource: Option<Str>,
    /// `+k8s:supportsSubresource`, in source order.
    pub supports_subresources: Vec<Str>,
    /// `+k8s:defaulter-gen=true|false`.
    pub defaulter: Option<bool>,
    /// `+k8s:openapi-gen=true|false`.
    pub openapi: Option<bool>,
    /// `+k8s:openapi-model-package`.
    pub model_package: Option<Str>,
    /// Recognized markers without a meaning in the schema (`+genclient`, `+k8s:deepcopy-gen` …): name and value text.
    pub markers: Vec<(Str, Str)>,
}

impl Docs {
    /// The doc comment by Go's own rules, without markers.
    #[must_use]
    pub fn prose(&self) -> Cow<'_, str> {
        if let Some(godoc) = &self.godoc {
            return Cow::Borrowed(godoc);
        }
        let Some(text) = &self.text else {
            return Cow::Borrowed("");
        };
        let is_marker = |line: &str| line.trim_start().starts_with('+');
        // No marker comes before the first `+`, and most comments have theirs in the last lines, if any.
        let line_of = |sign: usize| text[..sign].rfind('\n').map_or(0, |end| end + 1);
        let suspects = text.find('+').map_or("", |sign| &text[line_of(sign)..]);
        if !suspects.lines().any(is_marker) {
            return Cow::Borrowed(text);
        }
        let lines = text.split('\n').filter(|line| !is_marker(line));
        Cow::Owned(collapse(lines, text.len()))
    }
}

/// Lines with runs of blank lines collapsed and no blank lines at the ends; `limit` is the maximum size in
/// bytes.
fn collapse<'a>(lines: impl Iterator<Item = &'a str>, limit: usize) -> String {
    let mut text = String::with_capacity(limit);
    let mut blank = false;
    for line in lines {
        if line.is_empty() {
            blank = true;
            continue;
        }
        if !text.is_empty() {
            text.push_str(if blank { "\n\n" } else { "\n" });
        }
        blank = false;
        text.push_str(line);
    }
    text
}

impl Type {
    /// A type without docs, rules or options.
    #[must_use]
    pub fn new(name: TypeName, shape: Shape) -> Self {
        Self {
            name,
            shape,
            well_known: None,
            anonymous: false,
            docs: Docs::default(),
            default: None,
            rules: Vec::new(),
            published: Vec::new(),
            constants: Vec::new(),
            methods: Vec::new(),
            options: TypeOptions::default(),
        }
    }

    /// The fields, if the type is a struct.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        match &self.shape {
            Shape::Struct(members) => &members.fields,
            _ => &[],
        }
    }

    /// Whether methods define what openapi-gen publishes for the type, so that it ignores the members
    /// (kube-openapi `generateCall`).
    #[must_use]
    pub fn describes_itself(&self) -> bool {
        self.has_method("OpenAPIDefinition")
            || self.has_method("OpenAPIV3Definition")
            || (self.has_method("OpenAPISchemaType") && self.has_method("OpenAPISchemaFormat"))
    }

    /// Whether the type has a method of this name, on the value or the pointer.
    #[must_use]
    pub fn has_method(&self, name: &str) -> bool {
        self.methods.iter().any(|method| &*method.name == name)
    }
}

impl TypeRef {
    /// A pointer to this type.
    #[must_use]
    pub fn pointer(self) -> Self {
        Self::Pointer(Box::new(self))
    }

    /// A list of this type.
    #[must_use]
    pub fn list(self) -> Self {
        Self::List(Box::new(self))
    }

    /// A map with values of this type.
    #[must_use]
    pub fn map(self, key: Self) -> Self {
        Self::Map(Box::new(key), Box::new(self))
    }

    /// The named type of the values, items or pointers: `Color` of `[]*Color`.
    #[must_use]
    pub fn innermost(&self) -> Option<TypeId> {
        match self {
            Self::Named(id) => Some(*id),
            Self::Pointer(inner) | Self::List(inner) | Self::Array(_, inner) | Self::Map(_, inner) => {
                inner.innermost()
            }
            Self::Scalar(_) | Self::Any { .. } | Self::Interface | Self::Unsupported { .. } => None,
        }
    }

    /// Calls `visit` on every named type inside.
    pub fn for_each_named(&mut self, visit: &mut impl FnMut(&mut TypeId)) {
        match self {
            Self::Named(id) => visit(id),
            Self::Pointer(inner) | Self::List(inner) | Self::Array(_, inner) => inner.for_each_named(visit),
            Self::Map(key, value) => {
                key.for_each_named(visit);
                value.for_each_named(visit);
            }
            Self::Scalar(_) | Self::Any { .. } | Self::Interface | Self::Unsupported { .. } => {}
        }
    }
}

impl Scalar {
    /// All scalars.
    pub const ALL: [Self; 17] = [
        Self::Bool,
        Self::String,
        Self::Int,
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::Uint,
        Self::Uint8,
        Self::Uint16,
        Self::Uint32,
        Self::Uint64,
        Self::Byte,
        Self::Rune,
        Self::Uintptr,
        Self::Float32,
        Self::Float64,
    ];

    /// The scalar with this Go name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// The Go name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::String => "string",
            Self::Int => "int",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint => "uint",
            Self::Uint8 => "uint8",
            Self::Uint16 => "uint16",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Byte => "byte",
            Self::Rune => "rune",
            Self::Uintptr => "uintptr",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
        }
    }

    /// The range of an integer type; `int` and `uint` are 64 bits wide. `None` for other scalars.
    #[must_use]
    pub fn range(self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Int | Self::Int64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
            Self::Int8 => (i128::from(i8::MIN), i128::from(i8::MAX)),
            Self::Int16 => (i128::from(i16::MIN), i128::from(i16::MAX)),
            Self::Int32 | Self::Rune => (i128::from(i32::MIN), i128::from(i32::MAX)),
            Self::Uint | Self::Uint64 | Self::Uintptr => (0, i128::from(u64::MAX)),
            Self::Uint8 | Self::Byte => (0, i128::from(u8::MAX)),
            Self::Uint16 => (0, i128::from(u16::MAX)),
            Self::Uint32 => (0, i128::from(u32::MAX)),
            Self::Bool | Self::String | Self::Float32 | Self::Float64 => return None,
        })
    }

    /// Whether the type holds integers.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.range().is_some()
    }
}

impl WellKnown {
    /// The well-known type with this full name.
    #[must_use]
    pub fn named(name: &TypeName) -> Option<Self> {
        Some(match (&*name.package, &*name.name) {
            ("k8s.io/apimachinery/pkg/apis/meta/v1", name) => match name {
                "Time" => Self::Time,
                "MicroTime" => Self::MicroTime,
                "Duration" => Self::Duration,
                "FieldsV1" => Self::FieldsV1,
                "ObjectMeta" => Self::ObjectMeta,
                "ListMeta" => Self::ListMeta,
                "TypeMeta" => Self::TypeMeta,
                _ => return None,
            },
            ("k8s.io/apimachinery/pkg/api/resource", "Quantity") => Self::Quantity,
            ("k8s.io/apimachinery/pkg/util/intstr", "IntOrString") => Self::IntOrString,
            ("k8s.io/apimachinery/pkg/runtime", "RawExtension") => Self::RawExtension,
            ("k8s.io/apimachinery/pkg/apis/meta/v1/unstructured", "Unstructured") => Self::Unstructured,
            ("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON") => Self::Json,
            ("time", "Time") => Self::GoTime,
            ("time", "Duration") => Self::GoDuration,
            ("encoding/json", "RawMessage") => Self::RawMessage,
            _ => return None,
        })
    }

    /// Whether the wire form differs from the Go members, so that the members must be ignored.
    #[must_use]
    pub fn is_opaque(self) -> bool {
        !matches!(self, Self::ObjectMeta | Self::ListMeta | Self::TypeMeta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, prose: &str) {
        let docs = Docs {
            text: Some(text.into()),
            godoc: None,
        };
        assert_eq!(docs.prose(), prose, "{text}");
    }

    #[test]
    fn prose_has_no_markers() {
        check("A thing.\n+optional\nReally.", "A thing.\nReally.");
        check("A thing.\n\n+optional\n\nReally.", "A thing.\n\nReally.");
        check("+optional\n\nA thing.\n\n +required", "A thing.");
        check("+optional", "");
        check("1 + 1", "1 + 1");
    }
}
