//! Turns Go types into schemas with references, each named type separately (controller-tools
//! `pkg/crd/schema.go`).
//!
//! controller-gen follows the spelling of types: a name is a reference, whatever it refers to.

mod structs;

use kindsmith_schema::{
    Items, JsonSchema, Owner, Part, Place, Profile, Scalar, Schema, SchemaOrBool, Shape, Shared, Str, Type,
    TypeId, TypeName, TypeRef, View, WellKnown,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::describe::description;
use super::known::{self, typed};
use super::markers::{self, Declarative};
use super::method_set::{MAX_CHAIN, implements};
use super::release::Change;
use super::{About, Options, Problem, Tags};
use crate::k8s_tags::{self, Reading, Switches};

/// Named types as schemas, built on first use.
pub(crate) struct Lower<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) view: View<'a>,
    pub(crate) options: &'a Options,
    pub(crate) problems: Vec<Problem>,
    /// How `+k8s:` tags are read.
    pub(crate) tags: Reading<'a>,
    ids: Vec<TypeId>,
    done: FxHashMap<Link, JsonSchema>,
    carried: FxHashMap<Str, bool>,
    /// Whether the input packages use tags, once known.
    asked: Option<bool>,
    /// Nesting depth of declarations being built.
    within: usize,
    /// Packages from which something was used.
    pub(crate) met: FxHashSet<Str>,
    /// Whether metadata has all its members.
    whole_metadata: bool,
}

/// A type, and whether its tags count at the place of use.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) id: TypeId,
    pub(crate) opaque: bool,
}

/// Which of a declaration's own markers count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    All,
    /// controller-gen's markers, and the tags that it reads.
    Markers,
    /// controller-gen's markers only.
    Nothing,
}

/// Where a type is used: the place for problems, and the package in which names are resolved.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) package: &'a str,
    pub(crate) place: Place,
    /// Whether the tags of the used type do not count here.
    pub(crate) opaque: bool,
}

/// The type that a link points to.
pub(crate) fn target(lower: &Lower<'_>, text: &str) -> Option<Link> {
    let (number, opaque) = match text.strip_suffix(OPAQUE) {
        Some(number) => (number, true),
        None => (text, false),
    };
    let id = lower.ids.get(number.parse::<usize>().ok()?).copied()?;
    Some(Link { id, opaque })
}

const OPAQUE: &str = " opaque";

/// A link to a type. Links exist only until they are flattened, so any text will do.
fn link(at: At<'_>, id: TypeId) -> JsonSchema {
    let opaque = if at.opaque { OPAQUE } else { "" };
    JsonSchema {
        reference: Some(format!("{}{opaque}", id.index()).into()),
        ..JsonSchema::default()
    }
}

impl<'a> Lower<'a> {
    pub(crate) fn new(schema: &'a Schema, options: &'a Options) -> Self {
        Self {
            schema,
            view: schema.view(),
            options,
            problems: Vec::new(),
            tags: Reading::new(schema, options.profile, Switches(&options.switches)),
            carried: FxHashMap::default(),
            asked: None,
            within: 0,
            met: FxHashSet::default(),
            whole_metadata: false,
            ids: schema.types().map(|(id, _)| id).collect(),
            done: FxHashMap::default(),
        }
    }

    /// Publishes all members of metadata, as in apply configurations.
    pub(crate) fn with_whole_metadata(self) -> Self {
        Self {
            whole_metadata: true,
            ..self
        }
    }

    /// The schema of a declaration, with links.
    pub(crate) fn declared(&mut self, link: Link) -> &JsonSchema {
        if !self.done.contains_key(&link) {
            let package = &self.schema.ty(link.id).name.package;
            if !self.met.contains(package) {
                self.met.insert(package.clone());
            }
            let made = self.declaration(link, Own::All, 0);
            self.done.insert(link, made);
        }
        &self.done[&link]
    }

    /// The same for a caller that asks for each declaration once, and changes it. Only `+k8s:` tags look at declarations
    /// again, so without them the members of a declaration are not copied to be changed.
    pub(crate) fn declared_once(&mut self, link: Link) -> JsonSchema {
        self.declared(link);
        match self.options.tags {
            Tags::Ignore => self.done.remove(&link).unwrap_or_default(),
            _ => self.done[&link].clone(),
        }
    }

    /// Like `declared`, while another declaration is being built; `None` if they are nested deeper than any
    /// Go compiler allows.
    pub(crate) fn declared_within(&mut self, link: Link) -> Option<&JsonSchema> {
        if self.within >= MAX_CHAIN {
            return None;
        }
        self.within += 1;
        self.declared(link);
        self.within -= 1;
        Some(&self.done[&link])
    }

    /// The schema of a list, map or scalar type without its tags.
    pub(crate) fn bare(&mut self, id: TypeId, opaque: bool) -> JsonSchema {
        self.declaration(Link { id, opaque }, Own::Markers, 0)
    }

    /// Whether the tags of a package are added to CRDs.
    pub(crate) fn carries(&mut self, package: &str) -> bool {
        match self.options.tags {
            Tags::Ignore => false,
            Tags::All => true,
            // KEP-1929 gives the defaults of every package to CRDs.
            Tags::Used if self.options.profile == Profile::Kep => true,
            Tags::Used => {
                if let Some(known) = self.carried.get(package) {
                    return *known;
                }
                // Tags of libraries count only if the input packages use tags: otherwise the output is
                // controller-gen's.
                let used = self.asked_use_tags() && k8s_tags::is_used(self.schema, package);
                self.carried.insert(package.into(), used);
                used
            }
        }
    }

    /// Whether absent members of a package's types have the defaults of KEP-1929. In the types of libraries they are as
    /// controller-gen says: CRDs embed those of Kubernetes in one form, whatever tags the types around them have.
    pub(crate) fn implies_defaults(&self, package: &str) -> bool {
        self.options.tags == Tags::All
            || self.options.profile == Profile::Kep
            || self.schema.package(package).is_some_and(|package| package.input)
    }

    /// Whether an input package uses tags that controller-gen does not read.
    fn asked_use_tags(&mut self) -> bool {
        let schema = self.schema;
        *self.asked.get_or_insert_with(|| {
            let mut asked = schema.packages().iter().filter(|package| package.input);
            asked.any(|package| k8s_tags::is_used(schema, &package.path))
        })
    }

    /// A type defined by another: it has the other's members and elements, but not the other's own tags.
    fn derived(&mut self, at: At<'_>, of: TypeId, depth: usize) -> JsonSchema {
        let ty = self.schema.ty(of);
        if depth > MAX_CHAIN || ty.well_known.is_some() || ty.shape == Shape::Hole {
            return self.named(at, of, depth);
        }
        let link = Link {
            id: of,
            opaque: at.opaque,
        };
        self.declaration(link, Own::Nothing, depth)
    }

    /// What the server will not enforce, as problems.
    pub(crate) fn unenforced(&self) -> Vec<Problem> {
        let problem = |one: &k8s_tags::Unenforced| Problem {
            place: one.place,
            about: if one.under_option {
                About::Option
            } else {
                About::Rule
            },
            message: format!(
                "the server will not enforce {}: a definition cannot say it",
                one.what
            ),
        };
        self.tags.unenforced.iter().map(problem).collect()
    }

    pub(crate) fn problem(&mut self, place: Place, message: impl Into<String>) {
        self.problem_about(About::Declaration, place, message);
    }

    pub(crate) fn problem_about(&mut self, about: About, place: Place, message: impl Into<String>) {
        let problem = Problem {
            place,
            about,
            message: message.into(),
        };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn declaration(&mut self, link: Link, own: Own, depth: usize) -> JsonSchema {
        let Link { id, opaque } = link;
        let ty = self.schema.ty(id);
        let is_whole = self.whole_metadata && ty.well_known == Some(WellKnown::ObjectMeta);
        let options = self.options;
        let known = known::schema(ty, options.embedded_object_meta, options.release);
        if let Some(known) = known.filter(|_| !is_whole) {
            return known;
        }
        let place = Owner::Type(id).part(Part::Type);
        let carried = self.carries(&ty.name.package);
        // Where tags do not count, neither do those that controller-gen reads.
        let declarative = if carried && (opaque || own == Own::Nothing) {
            Declarative::Skip
        } else {
            Declarative::Read
        };
        if implements(self.view, id, "MarshalJSON") {
            let mut made = JsonSchema::default();
            markers::on_type(ty, declarative, options, &mut made);
            if !made.ty.is_empty() {
                return made;
            }
        } else if self.options.release.has(Change::TextMarshalers) && implements(self.view, id, "MarshalText")
        {
            let mut made = typed("string");
            markers::on_type(ty, declarative, options, &mut made);
            if &*made.ty != "string" {
                let message = format!(
                    "\"{}\" implements encoding.TextMarshaler but schema type is not string: \"{}\"",
                    ty.name.name, made.ty
                );
                self.problem(place, message);
            }
            return made;
        }
        let at = At {
            package: &ty.name.package,
            place,
            opaque,
        };
        let mut made = match &ty.shape {
            Shape::Struct(_) if carried && k8s_tags::is_opaque_type(ty) => {
                structs::members(self, Link { id, opaque: true })
            }
            Shape::Struct(_) => structs::members(self, link),
            Shape::Def(TypeRef::Named(of)) if carried => self.derived(at, *of, depth + 1),
            Shape::Def(of) | Shape::Alias(of) => self.using(at, of, depth + 1),
            // Reported where the name is used.
            Shape::Hole => JsonSchema::default(),
        };
        let text = description(&ty.docs);
        if !text.is_empty() || made.reference.is_some() || !carried {
            made.description = text;
        }
        markers::on_type(ty, declarative, options, &mut made);
        if own == Own::All && !opaque && carried {
            k8s_tags::on_type(&mut self.tags, id, &mut made);
        }
        made
    }

    /// The schema of a use of a type.
    pub(crate) fn using(&mut self, at: At<'_>, of: &TypeRef, depth: usize) -> JsonSchema {
        if depth > MAX_CHAIN {
            return JsonSchema::default();
        }
        match of {
            TypeRef::Scalar(scalar) => self.scalar(at, *scalar),
            TypeRef::Named(id) => self.named(at, *id, depth),
            TypeRef::Pointer(inner) => self.using(at, inner, depth + 1),
            // Only `byte` counts, not its alias `uint8`.
            TypeRef::List(inner) if **inner == TypeRef::Scalar(Scalar::Byte) => JsonSchema {
                format: "byte".into(),
                ..typed("string")
            },
            TypeRef::List(inner) | TypeRef::Array(_, inner) => JsonSchema {
                items: Some(Shared::new(Items::Each(self.using(at, inner, depth + 1)))),
                ..typed("array")
            },
            TypeRef::Map(key, value) => self.map(at, key, value, depth),
            TypeRef::Any { .. } | TypeRef::Interface if self.options.go_json => JsonSchema {
                preserve_unknown_fields: Some(true),
                ..JsonSchema::default()
            },
            TypeRef::Any { spelled_out: false } => {
                self.problem(
                    at.place,
                    format!("cannot generate schema for any; {INTERFACE}, {INSTEAD}"),
                );
                JsonSchema::default()
            }
            TypeRef::Any { .. } | TypeRef::Interface => {
                self.problem(at.place, format!("{INTERFACE}; {INSTEAD}"));
                JsonSchema::default()
            }
            TypeRef::Unsupported { kind, text } => {
                let message = match *kind {
                    "Chan" => "unsupported AST kind *ast.ChanType".to_owned(),
                    "Func" => "unsupported AST kind *ast.FuncType".to_owned(),
                    _ => format!("unsupported type \"{text}\""),
                };
                self.problem(at.place, message);
                JsonSchema::default()
            }
        }
    }

    fn scalar(&mut self, at: At<'_>, scalar: Scalar) -> JsonSchema {
        let ty = match scalar {
            Scalar::Bool => "boolean",
            Scalar::String => "string",
            Scalar::Float32 | Scalar::Float64 if self.options.allow_dangerous_types => "number",
            Scalar::Float32 | Scalar::Float64 => {
                self.problem(at.place, FLOAT);
                ""
            }
            _ => "integer",
        };
        let format = match scalar {
            // controller-gen's format cannot hold the upper half of the range.
            Scalar::Uint32 if self.carries(at.package) => "int64",
            Scalar::Int32 | Scalar::Uint32 | Scalar::Rune => "int32",
            Scalar::Int64 | Scalar::Uint64 => "int64",
            _ => "",
        };
        JsonSchema {
            format: format.into(),
            ..typed(ty)
        }
    }

    fn named(&mut self, at: At<'_>, id: TypeId, depth: usize) -> JsonSchema {
        let ty = self.schema.ty(id);
        if ty.anonymous {
            self.problem(
                at.place,
                "inline struct types are not supported, use a named type instead",
            );
            return typed("object");
        }
        if ty.name.name.contains('[') {
            self.problem(at.place, "unsupported AST kind *ast.IndexExpr");
            return JsonSchema::default();
        }
        if known::is_unread(ty)
            || ty.shape == Shape::Hole && known::schema(ty, false, self.options.release).is_none()
        {
            self.problem(at.place, unknown(ty, at.package));
            return JsonSchema::default();
        }
        // Names of other packages are not resolved.
        if &*ty.name.package != at.package {
            return JsonSchema {
                ty: self.container(id).into(),
                ..link(at, id)
            };
        }
        match &ty.shape {
            Shape::Alias(TypeRef::Scalar(scalar)) => JsonSchema {
                reference: link(at, id).reference,
                ..self.scalar(at, *scalar)
            },
            // Only one step: an alias of an alias is a reference to the second.
            Shape::Alias(TypeRef::Named(target)) => {
                if !self.options.go_json && self.is_far_scalar(at, *target) {
                    return self.mistaken(at, ty, *target, depth);
                }
                self.local(at, *target, depth)
            }
            Shape::Alias(other) if self.options.go_json => self.using(at, other, depth + 1),
            Shape::Alias(other) => {
                let kind = go_kind(other);
                let message = format!("unsupported type *types.{kind} for identifier {}", ty.name.name);
                self.problem(at.place, message);
                JsonSchema::default()
            }
            _ => self.local(at, id, depth),
        }
    }

    /// Whether a named scalar is declared in another package.
    fn is_far_scalar(&self, at: At<'_>, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let is_number = matches!(ty.well_known, Some(WellKnown::GoDuration));
        let is_alias = matches!(ty.shape, Shape::Alias(_));
        let is_scalar = is_number || self.view.scalar(&TypeRef::Named(id)).is_some();
        &*ty.name.package != at.package && !is_alias && is_scalar
    }

    /// A reference to a scalar of another package through a local alias. controller-gen looks for its
    /// declaration in the wrong package (`localNamedToSchema` there), where another type may have the name,
    /// and crashes if there is none.
    fn mistaken(&mut self, at: At<'_>, alias: &Type, id: TypeId, depth: usize) -> JsonSchema {
        let name = TypeName::new(at.package, &*self.schema.ty(id).name.name);
        let mut made = link(at, id);
        match self.schema.find(&name) {
            Some(id) => {
                let other = self.declaration(Link { id, opaque: true }, Own::Markers, depth + 1);
                made.ty = other.ty;
                made.format = other.format;
            }
            None => self.problem(at.place, crash(alias)),
        }
        made
    }

    /// A reference with the type and format of the underlying scalar, which some markers need.
    fn local(&mut self, at: At<'_>, id: TypeId, depth: usize) -> JsonSchema {
        let ty = self.schema.ty(id);
        let mut made = JsonSchema {
            ty: self.container(id).into(),
            ..link(at, id)
        };
        let is_alias = matches!(ty.shape, Shape::Alias(_));
        let is_own = &*ty.name.package == at.package
            && (!is_alias || self.options.release.has(Change::TypedContainers));
        if is_own && depth < MAX_CHAIN && self.view.scalar(&TypeRef::Named(id)).is_some() {
            let behind = self.declaration(Link { id, opaque: true }, Own::Markers, depth + 1);
            made.ty = behind.ty;
            made.format = behind.format;
        }
        made
    }

    /// The JSON type of a named list or map, which markers on its fields need; empty for other types.
    fn container(&self, id: TypeId) -> &'static str {
        if !self.options.release.has(Change::TypedContainers) {
            return "";
        }
        let ty = self.schema.ty(id);
        match self.view.underlying(&TypeRef::Named(id)) {
            _ if known::is_list(ty) => "array",
            TypeRef::List(_) => "array",
            TypeRef::Map(..) => "object",
            _ => "",
        }
    }

    fn map(&mut self, at: At<'_>, key: &TypeRef, value: &TypeRef, depth: usize) -> JsonSchema {
        if !self.is_key(key) {
            let message = format!(
                "map keys must be strings or implement encoding.TextMarshaler, not {}",
                self.key_text(key)
            );
            self.problem(at.place, message);
            return JsonSchema::default();
        }
        match value {
            TypeRef::Any { spelled_out: true } | TypeRef::Interface if !self.options.go_json => {
                let message =
                    format!("interface type is not supported as map value in CRD schemas; {INSTEAD}");
                self.problem(at.place, message);
                return JsonSchema::default();
            }
            TypeRef::Named(id) if self.schema.ty(*id).anonymous => {
                self.problem(at.place, "not a supported map value type: *ast.StructType");
                return JsonSchema::default();
            }
            TypeRef::Unsupported { kind, .. } if *kind != "Unsupported" => {
                self.problem(
                    at.place,
                    format!("not a supported map value type: *ast.{kind}Type"),
                );
                return JsonSchema::default();
            }
            _ => {}
        }
        let value = self.using(at, value, depth + 1);
        JsonSchema {
            additional_properties: Some(Shared::new(SchemaOrBool::Schema(value))),
            ..typed("object")
        }
    }

    fn is_key(&self, key: &TypeRef) -> bool {
        let is_text = self.view.scalar(key) == Some(Scalar::String);
        let marshals = match self.view.unalias(key) {
            TypeRef::Named(id) => implements(self.view, *id, "MarshalText"),
            _ => false,
        };
        is_text || marshals
    }

    /// The Go name of the type of a map key.
    fn key_text(&self, key: &TypeRef) -> String {
        let of = self.view.underlying(key);
        self.view.text(of)
    }
}

const INTERFACE: &str = "interface type is not supported in CRD schemas";
const INSTEAD: &str = "consider using an explicit type or apiextensionsv1.JSON instead";
const FLOAT: &str = "found float, the usage of which is highly discouraged, as support for them varies across languages. \
    Please consider serializing your float as string instead. If you are really sure you want to use them, re-run with \
    crd:allowDangerousTypes=true";

/// controller-gen's message about an unknown type, used in a package.
fn unknown(ty: &Type, package: &str) -> String {
    let (of, name) = (&*ty.name.package, &*ty.name.name);
    let is_standard = || !of.split('/').next().unwrap_or_default().contains('.');
    if ty.well_known == Some(WellKnown::GoTime) {
        "encountered struct field \"wall\" without JSON tag in type \"Time\"".to_owned()
    } else if of == package {
        format!("unknown type {name}")
    } else if known::is_unread(ty) || is_standard() {
        format!("unknown type \"{of}\".{name}")
    } else {
        let local = of.rsplit('/').next().unwrap_or(of);
        format!("unknown type {local}.{name}")
    }
}

fn crash(alias: &Type) -> String {
    let name = &alias.name.name;
    format!(
        "{name} is an alias of a scalar type of another package, where controller-gen panics: runtime error: invalid \
         memory address or nil pointer dereference"
    )
}

/// Go's name for the kind of an unnamed type.
fn go_kind(of: &TypeRef) -> &'static str {
    match of {
        TypeRef::Pointer(_) => "Pointer",
        TypeRef::List(_) => "Slice",
        TypeRef::Array(..) => "Array",
        TypeRef::Map(..) => "Map",
        TypeRef::Unsupported { kind: "Chan", .. } => "Chan",
        TypeRef::Unsupported { kind: "Func", .. } => "Signature",
        _ => "Interface",
    }
}
