//! Topologies of Go types: what openapi-gen would publish of them, read as a merge schema (kube-openapi
//! `pkg/generators/openapi.go`, `pkg/schemaconv/openapi.go`).

use std::collections::HashMap;

use kindsmith_schema::{
    Docs, Facet, Family, Field as GoField, GoKind, ListType, MapType, Rule, Scalar as GoScalar, Schema,
    Shape, Str, TypeId, TypeRef, View, WellKnown,
};

use super::zero;
use super::{Atom, AtomId, Compiler, Field, KeyDefault, ListKind, Map, Scalar, Topology, sorted};

/// Unnamed types nested deeper than this count as untyped.
const MAX_DEPTH: usize = 64;

impl Topology {
    /// Compiles the topology of a kind's root type.
    #[must_use]
    pub fn of_type(schema: &Schema, root: TypeId) -> Self {
        let mut reader = Reader {
            schema,
            view: schema.view(),
            compiler: Compiler::default(),
            known: HashMap::new(),
            overrides: Vec::new(),
        };
        let root_atom = reader.definition(root);
        for (to, from, atomic) in std::mem::take(&mut reader.overrides) {
            let mut atom = reader.compiler.atoms[from.0 as usize].clone();
            match (&mut atom.map, &mut atom.list) {
                (Some(map), _) => map.atomic = atomic,
                (None, Some(list)) => list.associative = list.associative && !atomic,
                (None, None) => {}
            }
            reader.compiler.fill(to, atom);
        }
        let empty = zero::object(schema.view(), root);
        reader.compiler.finish(root_atom, empty.into())
    }
}

struct Reader<'s> {
    schema: &'s Schema,
    view: View<'s>,
    compiler: Compiler,
    known: HashMap<TypeId, AtomId>,
    /// Uses of a type that merge differently from the type itself: the use, the type, whether it is atomic.
    overrides: Vec<(AtomId, AtomId, bool)>,
}

impl<'s> Reader<'s> {
    /// The type of a struct, compiled once.
    fn definition(&mut self, id: TypeId) -> AtomId {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let ty = self.schema.ty(id);
        let atom = match ty.well_known {
            Some(WellKnown::ObjectMeta) => self.compiler.object_meta(false),
            Some(WellKnown::RawExtension) => Topology::UNTYPED,
            Some(WellKnown::Quantity | WellKnown::Time | WellKnown::MicroTime | WellKnown::GoTime) => {
                self.compiler.scalar(Scalar::Untyped)
            }
            Some(WellKnown::Duration) => self.compiler.scalar(Scalar::String),
            Some(WellKnown::GoDuration) => self.compiler.scalar(Scalar::Numeric),
            Some(WellKnown::FieldsV1 | WellKnown::Unstructured) => self.compiler.map_of(Topology::DEDUCED),
            // Published without a type: any value is allowed, and maps merge by key.
            Some(WellKnown::IntOrString | WellKnown::Json | WellKnown::RawMessage) => Topology::DEDUCED,
            Some(WellKnown::TypeMeta | WellKnown::ListMeta) | None => return self.structure(id),
        };
        self.known.insert(id, atom);
        atom
    }

    fn structure(&mut self, id: TypeId) -> AtomId {
        let ty = self.schema.ty(id);
        if let Some(types) = ty
            .methods
            .iter()
            .find(|method| &*method.name == "OpenAPISchemaType")
        {
            let atom = self.described(types.returns.as_deref().unwrap_or_default(), ty);
            self.known.insert(id, atom);
            return atom;
        }
        if matches!(ty.shape, Shape::Hole) {
            return Topology::DEDUCED;
        }
        let place = self.compiler.reserve();
        self.known.insert(id, place);
        let mut fields = Vec::new();
        self.members(id, &mut fields, &mut Vec::new());
        let map = Map {
            // A struct without members is published as an object with any members.
            element: fields.is_empty().then_some(Topology::DEDUCED),
            fields: sorted(fields),
            atomic: relationship(&ty.docs, &ty.rules) == Some(true),
        };
        self.compiler.fill(
            place,
            Atom {
                map: Some(map),
                ..Atom::default()
            },
        );
        place
    }

    /// A type whose methods define its published type.
    fn described(&mut self, types: &[Str], ty: &kindsmith_schema::Type) -> AtomId {
        let method = ty
            .methods
            .iter()
            .find(|method| &*method.name == "OpenAPISchemaFormat");
        let format = method.and_then(|method| method.returns.as_deref()?.first());
        if ty.has_method("OpenAPIV3OneOfTypes") {
            return Topology::DEDUCED;
        }
        match (types.first().map(|ty| &**ty), format.map_or("", |format| format)) {
            (None | Some(""), _) => Topology::DEDUCED,
            (Some("object"), _) => self.compiler.map_of(Topology::DEDUCED),
            (Some("array"), _) => self.compiler.list_of(Topology::UNTYPED, ListKind::Atomic),
            (Some("integer" | "number"), _) => self.compiler.scalar(Scalar::Numeric),
            (Some("boolean"), _) => self.compiler.scalar(Scalar::Boolean),
            (Some("string"), "" | "byte") => self.compiler.scalar(Scalar::String),
            _ => self.compiler.scalar(Scalar::Untyped),
        }
    }

    /// Adds the members of an inlined struct.
    fn inlined(&mut self, of: &'s TypeRef, fields: &mut Vec<Field>, inside: &mut Vec<TypeId>) {
        let mut of = self.view.underlying(of);
        for _ in 0..MAX_DEPTH {
            match of {
                TypeRef::Pointer(inner) => of = self.view.underlying(inner),
                _ => break,
            }
        }
        if let TypeRef::Named(id) = of {
            self.members(*id, fields, inside);
        }
    }

    /// Adds the members of a struct, those of inlined structs in their place.
    fn members(&mut self, id: TypeId, fields: &mut Vec<Field>, inside: &mut Vec<TypeId>) {
        let ty = self.view.ty(id);
        if ty.well_known == Some(WellKnown::TypeMeta) {
            let text = self.compiler.scalar(Scalar::String);
            let named = |name: &str| Field {
                name: name.into(),
                ty: text,
                default: None,
            };
            fields.extend(["apiVersion", "kind"].map(named));
            return;
        }
        if inside.contains(&id) || inside.len() > MAX_DEPTH {
            return;
        }
        inside.push(id);
        for member in ty.fields().iter().filter(|member| !is_hidden(member)) {
            if member.embedded && member.json.present && member.json.name.is_empty() {
                self.inlined(&member.ty, fields, inside);
            } else if let Some(name) = member_name(member) {
                let ty = self.member(member);
                fields.push(Field {
                    name: name.into(),
                    ty,
                    default: self.default(member),
                });
            }
        }
        inside.pop();
    }

    fn member(&mut self, member: &'s GoField) -> AtomId {
        if member.json.string_first {
            return self.compiler.scalar(Scalar::String);
        }
        let rules = self.rules_of(member);
        let of = self.resolve(&member.ty);
        match self.view.underlying(of) {
            TypeRef::List(item) | TypeRef::Array(_, item) if !is_bytes(of) => {
                let element = self.using(item, 0);
                self.compiler.list_of(element, list_kind(&member.docs, &rules))
            }
            TypeRef::Map(_, value) => {
                let element = self.using(value, 0);
                let atomic = relationship(&member.docs, &rules) == Some(true);
                let map = Map {
                    element: Some(element),
                    atomic,
                    ..Map::default()
                };
                self.compiler.add(Atom {
                    map: Some(map),
                    ..Atom::default()
                })
            }
            _ => {
                let base = self.using(of, 0);
                match relationship(&member.docs, &rules) {
                    Some(atomic) => {
                        let place = self.compiler.reserve();
                        self.overrides.push((place, base, atomic));
                        place
                    }
                    None => base,
                }
            }
        }
    }

    /// A use of a type without merge markers of its own.
    fn using(&mut self, of: &'s TypeRef, depth: usize) -> AtomId {
        if depth > MAX_DEPTH {
            return Topology::UNTYPED;
        }
        let of = self.resolve(of);
        match of {
            TypeRef::Scalar(scalar) => self.compiler.scalar(scalar_of(*scalar)),
            _ if is_bytes(of) => self.compiler.scalar(Scalar::String),
            TypeRef::Any { spelled_out: true } => self.compiler.map_of(Topology::DEDUCED),
            _ => match self.view.underlying(of) {
                TypeRef::List(item) | TypeRef::Array(_, item) => {
                    let element = self.using(item, depth + 1);
                    self.compiler.list_of(element, ListKind::Atomic)
                }
                TypeRef::Map(_, value) => {
                    let element = self.using(value, depth + 1);
                    self.compiler.map_of(element)
                }
                TypeRef::Named(id) => self.definition(*id),
                _ => Topology::DEDUCED,
            },
        }
    }

    /// A type without pointers and typedefs; named structs stay.
    fn resolve(&self, of: &'s TypeRef) -> &'s TypeRef {
        let view = self.view;
        let mut of = view.unalias(of);
        for _ in 0..MAX_DEPTH {
            of = match (view.kind(of), view.underlying(of)) {
                (GoKind::Pointer, TypeRef::Pointer(inner)) => view.unalias(inner),
                (GoKind::Alias, behind) => behind,
                _ => return of,
            };
        }
        of
    }

    /// The rules of the field and of the named types behind it, for authors who write only `+k8s:` tags.
    fn rules_of(&self, member: &'s GoField) -> Vec<Rule> {
        let mut rules = member.rules.clone();
        let mut of = self.view.unalias(&member.ty);
        for _ in 0..MAX_DEPTH {
            of = match of {
                TypeRef::Pointer(inner) => self.view.unalias(inner),
                TypeRef::Named(id) => match &self.view.ty(*id).shape {
                    Shape::Def(target) => {
                        rules.extend(self.view.ty(*id).rules.iter().cloned());
                        self.view.unalias(target)
                    }
                    _ => break,
                },
                _ => break,
            };
        }
        rules
    }

    /// The default of a missing key: as written on the field or its type, or the zero value without `omitempty`.
    fn default(&self, member: &'s GoField) -> Option<KeyDefault> {
        let mut written = member.default.as_ref();
        let mut of = self.view.unalias(&member.ty);
        for _ in 0..MAX_DEPTH {
            if written.is_some() {
                break;
            }
            of = match of {
                TypeRef::Pointer(inner) => self.view.unalias(inner),
                TypeRef::Named(id) => {
                    written = self.view.ty(*id).default.as_ref();
                    match &self.view.ty(*id).shape {
                        Shape::Def(target) => self.view.unalias(target),
                        _ => break,
                    }
                }
                _ => break,
            };
        }
        let written = written
            .and_then(kindsmith_schema::Default::value)
            .and_then(KeyDefault::of);
        written.or_else(|| {
            let scalar = self.view.scalar(&member.ty).filter(|_| !member.json.omitempty)?;
            Some(match scalar {
                GoScalar::Bool => KeyDefault::Bool(false),
                GoScalar::String => KeyDefault::Str("".into()),
                GoScalar::Rune | GoScalar::Uintptr => return None,
                _ => KeyDefault::Int(0),
            })
        })
    }
}

fn is_bytes(of: &TypeRef) -> bool {
    matches!(of, TypeRef::List(item) if **item == TypeRef::Scalar(GoScalar::Byte))
}

fn scalar_of(scalar: GoScalar) -> Scalar {
    match scalar {
        GoScalar::Bool => Scalar::Boolean,
        GoScalar::String => Scalar::String,
        GoScalar::Rune | GoScalar::Uintptr => Scalar::Untyped,
        _ => Scalar::Numeric,
    }
}

fn is_hidden(field: &GoField) -> bool {
    markers(&field.docs, "k8s:openapi-gen").any(|value| value == "false")
}

/// The published name of a field (kube-openapi `getReferableName`, `parseTags`).
fn member_name(field: &GoField) -> Option<&str> {
    let tag = &field.json;
    let has_options = tag.omitempty || tag.omitzero || tag.inline || tag.string;
    match &*tag.name {
        "-" => None,
        "" if tag.present && has_options => None,
        "" => Some(&field.name),
        name => Some(name),
    }
}

/// Values of a marker in a comment.
fn markers<'d>(docs: &'d Docs, name: &str) -> impl Iterator<Item = &'d str> {
    let lines = docs.text.as_deref().into_iter().flat_map(|text| text.split('\n'));
    lines.filter_map(move |line| {
        let marker = line.trim_matches(' ').strip_prefix('+')?;
        let (key, value) = marker.split_once('=').unwrap_or((marker, ""));
        (key == name).then_some(value)
    })
}

/// The value of an extension that a comment sets, by its own marker or by the generic one.
fn extension<'d>(docs: &'d Docs, marker: &str, extension: &str) -> Option<&'d str> {
    markers(docs, marker).next().or_else(|| {
        markers(docs, "k8s:openapi-gen").find_map(|value| value.strip_prefix(extension)?.strip_prefix(':'))
    })
}

fn native(rules: &[Rule]) -> impl Iterator<Item = &Facet> {
    let plain = rules
        .iter()
        .filter(|rule| rule.family == Family::Declarative && rule.is_plain());
    plain.map(|rule| &rule.facet)
}

/// Follows kube-openapi's `schemaconv.getListElementRelationship`; `+k8s:` tags count if there are no markers.
fn list_kind(docs: &Docs, rules: &[Rule]) -> ListKind {
    if let Some(kind) = extension(docs, "listType", "x-kubernetes-list-type") {
        return match kind {
            "set" => ListKind::Set,
            "map" => ListKind::Map(markers(docs, "listMapKey").map(Str::from).collect()),
            _ => ListKind::Atomic,
        };
    }
    if let Some(strategy) = extension(docs, "patchStrategy", "x-kubernetes-patch-strategy") {
        return match (
            strategy,
            extension(docs, "patchMergeKey", "x-kubernetes-patch-merge-key"),
        ) {
            ("merge" | "merge,retainKeys", Some(key)) => ListKind::Map(vec![key.into()]),
            ("merge" | "merge,retainKeys", None) => ListKind::Set,
            _ => ListKind::Atomic,
        };
    }
    let keys = native(rules).filter_map(|facet| match facet {
        Facet::ListMapKey(key) => Some(key.clone()),
        _ => None,
    });
    match native(rules).find_map(|facet| match facet {
        Facet::ListType(kind) => Some(kind),
        _ => None,
    }) {
        Some(ListType::Set) => ListKind::Set,
        Some(ListType::Map) => ListKind::Map(keys.collect()),
        _ => ListKind::Atomic,
    }
}

/// Whether a map or struct merges as a whole; `None` if nothing says so.
fn relationship(docs: &Docs, rules: &[Rule]) -> Option<bool> {
    let said = extension(docs, "structType", "x-kubernetes-map-type");
    let said = said.or_else(|| extension(docs, "mapType", "x-kubernetes-map-type"));
    if let Some(said) = said {
        return Some(said == "atomic");
    }
    native(rules).find_map(|facet| match facet {
        Facet::MapType(kind) | Facet::StructType(kind) => Some(*kind == MapType::Atomic),
        _ => None,
    })
}
