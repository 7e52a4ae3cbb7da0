//! Builds a schema: types are declared first and defined in any order, then checked once.

use rustc_hash::FxHashMap;

use crate::{
    FieldId, Kind, Owner, Package, Place, Schema, Shape, Type, TypeId, TypeName, TypeRef, WellKnown,
};

/// Collects types, packages and kinds and builds a [`Schema`] from them.
#[derive(Debug, Default)]
pub struct Builder {
    types: Vec<Type>,
    packages: Vec<Package>,
    kinds: Vec<Kind>,
    ungrouped: Vec<Kind>,
    distant: Vec<Kind>,
    by_name: FxHashMap<TypeName, TypeId>,
}

/// Maps the ids used while building to the final ones, which are in the order of names.
#[derive(Debug, Clone)]
pub struct Renumbering {
    types: Vec<TypeId>,
    packages: Vec<u32>,
}

impl Builder {
    /// The id of a type by its name; it is a hole until it is defined.
    pub fn declare(&mut self, name: &TypeName) -> TypeId {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        let id = TypeId::new(self.types.len());
        let mut ty = Type::new(name.clone(), Shape::Hole);
        ty.well_known = WellKnown::named(name);
        self.types.push(ty);
        self.by_name.insert(name.clone(), id);
        id
    }

    /// Gives a declared type its definition. Name and well-known form stay.
    pub fn define(&mut self, id: TypeId, ty: Type) {
        let slot = &mut self.types[id.index()];
        *slot = Type {
            name: slot.name.clone(),
            well_known: slot.well_known,
            ..ty
        };
    }

    /// The type in its current state.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The type in its current state, mutable.
    pub fn ty_mut(&mut self, id: TypeId) -> &mut Type {
        &mut self.types[id.index()]
    }

    /// The id of a declared type.
    #[must_use]
    pub fn find(&self, name: &TypeName) -> Option<TypeId> {
        self.by_name.get(name).copied()
    }

    /// Ids of all types declared so far.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = TypeId> + use<> {
        (0..self.types.len()).map(TypeId::new)
    }

    /// All types declared so far, indexed by [`TypeId::index`].
    #[must_use]
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Adds a package and returns its index for [`Owner::Package`].
    pub fn add_package(&mut self, package: Package) -> u32 {
        self.packages.push(package);
        (self.packages.len() - 1) as u32
    }

    /// The package added under this index.
    pub fn package_mut(&mut self, index: u32) -> &mut Package {
        &mut self.packages[index as usize]
    }

    /// Packages added so far.
    #[must_use]
    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// Adds a kind.
    pub fn add_kind(&mut self, kind: Kind) {
        self.kinds.push(kind);
    }

    /// Adds a root type of a package without a group.
    pub fn add_ungrouped_kind(&mut self, kind: Kind) {
        self.ungrouped.push(kind);
    }

    /// Adds a version of a kind from a package that was only imported.
    pub fn add_distant_kind(&mut self, kind: Kind) {
        self.distant.push(kind);
    }

    /// Finishes: turns circular typedef chains (`type A B; type B A`) into holes, sorts, and renumbers.
    #[must_use]
    pub fn finish(mut self) -> (Schema, Renumbering) {
        self.break_circles();
        let renumbering = Renumbering {
            types: ranks(self.types.len(), |a, b| {
                self.types[a].name.cmp(&self.types[b].name)
            })
            .map(TypeId::new)
            .collect(),
            packages: ranks(self.packages.len(), |a, b| {
                self.packages[a].path.cmp(&self.packages[b].path)
            })
            .map(|rank| rank as u32)
            .collect(),
        };
        let mut types = sorted(self.types, |index| renumbering.types[index].index());
        types.iter_mut().for_each(|ty| renumbering.shape(&mut ty.shape));
        let mut schema = Schema {
            types: types.into(),
            packages: sorted(self.packages, |index| renumbering.packages[index] as usize),
            kinds: self.kinds,
            ungrouped: self.ungrouped,
            distant: self.distant,
        };
        for kinds in [&mut schema.kinds, &mut schema.ungrouped, &mut schema.distant] {
            for kind in &mut *kinds {
                kind.ty = renumbering.ty(kind.ty);
            }
            kinds.sort_by(|a, b| (&a.group, &a.kind, &a.version).cmp(&(&b.group, &b.kind, &b.version)));
        }
        (schema, renumbering)
    }

    fn break_circles(&mut self) {
        for start in 0..self.types.len() {
            let mut at = start;
            // A chain longer than the number of types contains a type twice.
            for step in 0..=self.types.len() {
                let (Shape::Def(TypeRef::Named(next)) | Shape::Alias(TypeRef::Named(next))) =
                    &self.types[at].shape
                else {
                    break;
                };
                let next = next.index();
                if step == self.types.len() {
                    self.types[at].shape = Shape::Hole;
                    break;
                }
                at = next;
            }
        }
    }
}

impl Renumbering {
    /// The final id of a type.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> TypeId {
        self.types[id.index()]
    }

    /// The final key of a place.
    #[must_use]
    pub fn place(&self, place: Place) -> Place {
        let owner = match place.owner {
            Owner::Package(index) => Owner::Package(self.packages[index as usize]),
            Owner::Type(id) => Owner::Type(self.ty(id)),
            Owner::Field(FieldId { owner, index }) => Owner::Field(FieldId {
                owner: self.ty(owner),
                index,
            }),
            Owner::Constant(id, index) => Owner::Constant(self.ty(id), index),
        };
        Place {
            owner,
            part: place.part,
        }
    }

    fn shape(&self, shape: &mut Shape) {
        let mut renumber = |id: &mut TypeId| *id = self.ty(*id);
        match shape {
            Shape::Struct(members) => {
                members
                    .fields
                    .iter_mut()
                    .for_each(|field| field.ty.for_each_named(&mut renumber));
            }
            Shape::Def(target) | Shape::Alias(target) => target.for_each_named(&mut renumber),
            Shape::Hole => {}
        }
    }
}

/// For each index its position in the order given by `compare`.
fn ranks(len: usize, compare: impl Fn(usize, usize) -> std::cmp::Ordering) -> impl Iterator<Item = usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    let mut ranks = vec![0; len];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = rank;
    }
    ranks.into_iter()
}

fn sorted<T>(items: Vec<T>, rank: impl Fn(usize) -> usize) -> Vec<T> {
    let mut slots: Vec<Option<T>> = items.iter().map(|_| None).collect();
    for (index, item) in items.into_iter().enumerate() {
        slots[rank(index)] = Some(item);
    }
    slots
        .into_iter()
        .map(|slot| slot.expect("ranks are a permutation"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, JsonTag, Scalar, Struct};

    fn name(text: &str) -> TypeName {
        TypeName::new("example.com/api", text)
    }

    #[test]
    fn declaration_order_does_not_matter() {
        let build = |names: [&str; 2]| {
            let mut builder = Builder::default();
            let ids = names.map(|text| builder.declare(&name(text)));
            for (text, id) in names.into_iter().zip(ids) {
                let target = builder.declare(&name(if text == "A" { "B" } else { "A" }));
                let field = Field::new("F", JsonTag::parse("f"), TypeRef::Named(target).pointer());
                builder.define(
                    id,
                    Type::new(name(text), Shape::Struct(Struct { fields: vec![field] })),
                );
            }
            builder.finish().0
        };
        assert_eq!(build(["A", "B"]), build(["B", "A"]));
    }

    #[test]
    fn circular_chains_end_in_a_hole() {
        let mut builder = Builder::default();
        let (a, b) = (builder.declare(&name("A")), builder.declare(&name("B")));
        builder.define(a, Type::new(name("A"), Shape::Def(TypeRef::Named(b))));
        builder.define(b, Type::new(name("B"), Shape::Alias(TypeRef::Named(a))));
        let (schema, _) = builder.finish();
        assert_eq!(schema.types().filter(|(id, _)| schema.is_hole(*id)).count(), 1);
    }

    #[test]
    fn well_known_types_are_recognized_without_a_definition() {
        let mut builder = Builder::default();
        let time = builder.declare(&TypeName::new("k8s.io/apimachinery/pkg/apis/meta/v1", "Time"));
        assert_eq!(builder.ty(time).well_known, Some(WellKnown::Time));
        builder.define(
            time,
            Type::new(name("ignored"), Shape::Def(TypeRef::Scalar(Scalar::String))),
        );
        assert_eq!(builder.ty(time).well_known, Some(WellKnown::Time));
        assert_eq!(&*builder.ty(time).name.name, "Time");
    }
}
