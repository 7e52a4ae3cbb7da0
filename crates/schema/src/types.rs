//! Named types.

use crate::{Default, Docs, Field, Json, Rule, Str, TypeName, TypeRef};

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
