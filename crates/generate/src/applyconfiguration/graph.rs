//! Which types have an apply configuration, here or in another module.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_go::package::Package;
use kindsmith_schema::{Field, GoKind, Schema, Shape, TypeId, TypeRef, View, WellKnown};

use super::go_type::GoType;
use super::select::Selected;

const META: &str = "k8s.io/apimachinery/pkg/apis/meta/v1";
const META_CONFIGURATIONS: &str = "k8s.io/client-go/applyconfigurations/meta/v1";
const META_TYPES: [&str; 8] = [
    "Condition",
    "DeleteOptions",
    "LabelSelector",
    "LabelSelectorRequirement",
    "ManagedFieldsEntry",
    "ObjectMeta",
    "OwnerReference",
    "TypeMeta",
];

/// A type and the package of its apply configuration.
type Known = BTreeMap<(String, String), String>;

/// The types of a package and their apply configurations.
pub(super) struct Graph<'a> {
    pub(super) schema: &'a Schema,
    pub(super) view: View<'a>,
    /// The package with the types.
    pub(super) package: &'a str,
    known: Known,
    own: Vec<Own<'a>>,
}

/// A type that gets an apply configuration.
#[derive(Clone, Copy)]
pub(super) struct Own<'a> {
    pub(super) id: TypeId,
    pub(super) name: &'a str,
}

impl<'a> Graph<'a> {
    pub(super) fn new(
        schema: &'a Schema,
        package: &'a Package,
        selected: &Selected,
        target: &str,
        external: &[(String, String)],
    ) -> Self {
        let meta = META_TYPES.iter().map(|name| {
            let ty = (META.to_owned(), (*name).to_owned());
            (ty, META_CONFIGURATIONS.to_owned())
        });
        let external = external.iter().filter_map(|(ty, package)| {
            let (path, name) = ty.rsplit_once('.')?;
            Some(((path.to_owned(), name.to_owned()), package.clone()))
        });
        let mut graph = Self {
            schema,
            view: schema.view(),
            package: &package.path,
            known: meta.chain(external).collect(),
            own: Vec::new(),
        };
        let reachable = graph.reachable(selected);
        for (id, ty) in schema.types() {
            let is_own = *ty.name.package == *package.path && !ty.anonymous && reachable.contains(&id);
            if is_own && graph.needs_configuration(id) {
                let key = (ty.name.package.to_string(), ty.name.name.to_string());
                graph.known.insert(key, target.to_owned());
                let name = &*ty.name.name;
                if !selected.clients.contains_key(name) || graph.embeds(id, WellKnown::ObjectMeta) {
                    graph.own.push(Own { id, name });
                }
            }
        }
        graph.own.sort_by_key(|own| own.name.to_lowercase());
        graph
    }

    /// The types to generate, by name.
    pub(super) fn generated(&self) -> Vec<Own<'a>> {
        self.own.clone()
    }

    /// Whether a struct embeds a type of metadata.
    pub(super) fn embeds(&self, id: TypeId, known: WellKnown) -> bool {
        let is_it = |field: &Field| match self.view.unalias(&field.ty) {
            TypeRef::Named(of) => field.embedded && self.view.ty(*of).well_known == Some(known),
            _ => false,
        };
        self.fields(id).iter().any(is_it)
    }

    /// The members of a declared struct.
    pub(super) fn fields(&self, id: TypeId) -> &'a [Field] {
        match &self.view.ty(id).shape {
            Shape::Struct(members) => &members.fields,
            Shape::Def(target) | Shape::Alias(target) => {
                self.view.members(target).map_or(&[], |(_, fields)| fields)
            }
            Shape::Hole => &[],
        }
    }

    /// The package with the apply configuration of a type, if it has one.
    pub(super) fn configuration(&self, of: &TypeRef) -> Option<(&str, &str)> {
        let TypeRef::Named(id) = self.view.unalias(of) else {
            return None;
        };
        let name = &self.view.ty(*id).name;
        let key = (name.package.to_string(), name.name.to_string());
        let (key, package) = self.known.get_key_value(&key)?;
        Some((package, &key.1))
    }

    /// Whether a struct, or a pointer to one, has an apply configuration.
    pub(super) fn is_configured(&self, of: &TypeRef) -> bool {
        match self.view.unalias(of) {
            TypeRef::Pointer(inner) => self.is_configured(inner),
            other => self.view.kind(other) == GoKind::Struct && self.configuration(other).is_some(),
        }
    }

    /// The type of a member in the apply configuration.
    pub(super) fn member_type(&self, of: &TypeRef) -> GoType {
        let of = self.view.unalias(of);
        let replaced = |of: &TypeRef| {
            self.configuration(of)
                .map(|(package, name)| GoType::named(package, format!("{name}ApplyConfiguration")))
        };
        let own = || GoType::of(self.view, of);
        match of {
            TypeRef::Named(_) if self.view.kind(of) == GoKind::Struct => replaced(of).unwrap_or_else(own),
            TypeRef::Map(key, value) if self.configuration(value).is_some() => {
                let (key, value) = (self.member_type(key), self.member_type(value));
                GoType::Map(Box::new(key), Box::new(value))
            }
            TypeRef::List(item) if self.configuration(item).is_some() => {
                GoType::Slice(Box::new(self.member_type(item)))
            }
            TypeRef::Pointer(inner) => self.member_type(inner),
            _ => own(),
        }
    }

    /// All types that clients apply, and those behind their members.
    fn reachable(&self, selected: &Selected) -> BTreeSet<TypeId> {
        let is_root = |name: &str| selected.clients.contains_key(name);
        let mut open: Vec<TypeId> = self
            .schema
            .types()
            .filter(|(_, ty)| *ty.name.package == *self.package && is_root(&ty.name.name))
            .map(|(id, _)| id)
            .collect();
        let mut seen: BTreeSet<TypeId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            let mut visit = |of: &TypeRef| {
                self.view.unalias(of).clone().for_each_named(&mut |id| {
                    if let TypeRef::Named(id) = self.view.unalias(&TypeRef::Named(*id)).clone()
                        && seen.insert(id)
                    {
                        open.push(id);
                    }
                });
            };
            for field in self.fields(id) {
                visit(&field.ty);
            }
            if let Shape::Def(target) = &self.view.ty(id).shape
                && self.view.kind(&TypeRef::Named(id)) == GoKind::Alias
            {
                visit(target);
            }
        }
        seen
    }

    /// Whether a type is a struct with members in JSON.
    fn needs_configuration(&self, id: TypeId) -> bool {
        let ty = self.view.ty(id);
        let is_struct = self.view.kind(&TypeRef::Named(id)) == GoKind::Struct;
        let is_alias = matches!(ty.shape, Shape::Alias(_));
        is_struct && !is_alias && self.fields(id).iter().any(is_tagged)
    }
}

/// Whether a member is in JSON.
pub(super) fn is_tagged(field: &Field) -> bool {
    field.json.present && !field.json.skip
}
