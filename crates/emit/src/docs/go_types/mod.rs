//! Pages from Go types: one per package with kinds, or with types to document.

mod names;
mod section;

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_schema::{GoKind, Kind, Package, Schema, Shape, Type, TypeId, TypeRef, View};

use self::section::Chapter;
use super::prose::blocks;
use super::{Page, Section, page_name, page_title, version};
use crate::describe::{is_enumeration, members};

/// The pages of the input packages.
#[must_use]
pub fn pages(schema: &Schema) -> Vec<Page> {
    let mut book = Book {
        schema,
        view: schema.view(),
        names: BTreeMap::new(),
        kinds: BTreeMap::new(),
    };
    for kind in schema.kinds() {
        let package = &*schema.ty(kind.ty).name.package;
        book.kinds.entry(package).or_default().push(kind);
    }
    let is_asked = |package: &&Package| package.input;
    let packages: Vec<&Package> = schema.packages().iter().filter(is_asked).collect();
    for package in &packages {
        if !book.roots(package).is_empty() {
            let name = book.head(package).0;
            // Two packages may claim the same group and version.
            let is_taken = book.names.values().any(|taken| *taken == name);
            let own = page_name(&package.path, &package.name);
            book.names
                .insert(&package.path, if is_taken { own } else { name });
        }
    }
    let documented = packages
        .iter()
        .filter(|package| book.names.contains_key(&*package.path));
    let mut made: Vec<Page> = documented.map(|package| book.page(package)).collect();
    made.sort_by(|one, other| one.name.cmp(&other.name));
    made
}

struct Book<'s> {
    schema: &'s Schema,
    view: View<'s>,
    /// Pages by package.
    names: BTreeMap<&'s str, String>,
    kinds: BTreeMap<&'s str, Vec<&'s Kind>>,
}

impl<'s> Book<'s> {
    fn kinds_of(&self, package: &Package) -> &[&'s Kind] {
        self.kinds.get(&*package.path).map_or(&[], Vec::as_slice)
    }

    /// The starting points of a page: the kinds of its package, otherwise all its exported structs.
    fn roots(&self, package: &Package) -> Vec<TypeId> {
        let kinds = self.kinds_of(package);
        if !kinds.is_empty() {
            return kinds.iter().map(|kind| kind.ty).collect();
        }
        let of_package = self
            .schema
            .types()
            .filter(|(_, ty)| ty.name.package == package.path);
        let is_root = |(id, ty): &(TypeId, &Type)| ty.name.is_exported() && self.is_struct(*id);
        of_package.filter(is_root).map(|(id, _)| id).collect()
    }

    /// Name and title of a page.
    fn head(&self, package: &Package) -> (String, String) {
        match self.kinds_of(package).first() {
            Some(kind) => (
                page_name(&kind.group, &kind.version),
                page_title(&kind.group, &kind.version),
            ),
            None => (page_name(&package.path, &package.name), package.path.to_string()),
        }
    }

    fn page(&self, package: &'s Package) -> Page {
        let (name, title) = self.head(package);
        let name = self.names.get(&*package.path).cloned().unwrap_or(name);
        let reached = self.reached(package);
        let chapter = Chapter {
            book: self,
            package,
            users: self.users(&reached),
            versions: self.versions(package),
            members: reached,
        };
        let kinds = self.kinds_of(package);
        let roots: BTreeSet<TypeId> = kinds.iter().map(|kind| kind.ty).collect();
        let others = chapter.members.iter().filter(|id| !roots.contains(id));
        let mut sections: Vec<Section> = others.map(|id| chapter.section(*id)).collect();
        sections.sort_by(|one, other| (&one.title, &one.anchor).cmp(&(&other.title, &other.anchor)));
        let (foreign, types) = sections.into_iter().partition(|one| one.package.is_some());
        Page {
            name,
            title,
            description: blocks(&package.docs.prose()),
            kinds: kinds.iter().map(|kind| chapter.kind(kind)).collect(),
            types,
            foreign,
        }
    }

    /// Types of a page: everything reachable from its roots that no other page covers.
    fn reached(&self, package: &Package) -> BTreeSet<TypeId> {
        let mut open = self.roots(package);
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            let ty = self.schema.ty(id);
            let is_elsewhere = ty.name.package != package.path && self.names.contains_key(&*ty.name.package);
            if is_elsewhere || !self.has_section(id) || !reached.insert(id) {
                continue;
            }
            for field in members(self.schema, &TypeRef::Named(id)) {
                open.extend(self.named(&field.ty));
            }
        }
        reached
    }

    /// Named types in a use of a type, with aliases resolved.
    fn named(&self, of: &TypeRef) -> Vec<TypeId> {
        match self.view.unalias(of) {
            TypeRef::Named(id) if self.has_section(*id) => vec![*id],
            TypeRef::Named(id) => match &self.schema.ty(*id).shape {
                Shape::Def(target) => self.named(target),
                _ => Vec::new(),
            },
            TypeRef::Pointer(inner) | TypeRef::List(inner) | TypeRef::Array(_, inner) => self.named(inner),
            TypeRef::Map(key, value) => [self.named(key), self.named(value)].concat(),
            _ => Vec::new(),
        }
    }

    fn is_struct(&self, id: TypeId) -> bool {
        let ty = self.schema.ty(id);
        let own = TypeRef::Named(id);
        let is_plain = matches!(ty.shape, Shape::Struct(_) | Shape::Def(_)) && ty.well_known.is_none();
        is_plain && self.view.kind(&own) == GoKind::Struct
    }

    /// Whether a type has a section of its own: structs, and enumerations.
    fn has_section(&self, id: TypeId) -> bool {
        self.is_struct(id) || is_enumeration(self.schema.ty(id))
    }

    /// The versions of the group of a package with their packages, oldest first.
    fn versions(&self, package: &Package) -> Vec<(&'s str, &'s str)> {
        let Some(own) = self.kinds_of(package).first() else {
            return Vec::new();
        };
        let of_group = self.schema.kinds().iter().filter(|kind| kind.group == own.group);
        let mut versions: Vec<(&str, &str)> = of_group
            .map(|kind| (&*kind.version, &*self.schema.ty(kind.ty).name.package))
            .collect();
        versions.sort_by_key(|(version, _)| version::order(version));
        versions.dedup();
        versions
    }

    /// The types that have fields of a type.
    fn users(&self, members_of: &BTreeSet<TypeId>) -> BTreeMap<TypeId, BTreeSet<TypeId>> {
        let mut users: BTreeMap<TypeId, BTreeSet<TypeId>> = BTreeMap::new();
        for user in members_of {
            for field in members(self.schema, &TypeRef::Named(*user)) {
                for used in self.named(&field.ty) {
                    users.entry(used).or_default().insert(*user);
                }
            }
        }
        users
    }
}
