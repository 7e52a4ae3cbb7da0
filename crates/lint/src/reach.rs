//! The types that declarative validation reaches, in the order of upstream's generator (code-generator
//! `cmd/validation-gen/validation.go`, `discoverType` and `discoverStruct`).

use std::collections::HashSet;

use kindsmith_schema::{
    FieldId, Owner, Package, RootSelector, Schema, Shape, Type, TypeId, TypeRef, View, WellKnown,
};

use crate::Included;

/// Everything that validation reaches from its root types.
#[derive(Debug)]
pub(crate) struct Reach<'a> {
    pub(crate) schema: &'a Schema,
    /// Root types, each with whether upstream's linter checks it.
    pub(crate) roots: Vec<(TypeId, bool)>,
    /// Named types of included packages, in the order found.
    pub(crate) types: Vec<TypeId>,
    /// Every use of a type inside them, in the order found.
    pub(crate) uses: Vec<Use<'a>>,
    included: HashSet<&'a str>,
}

/// The use of a type: by a declaration, or inside the type expression of one.
#[derive(Debug)]
pub(crate) struct Use<'a> {
    /// The declaration.
    pub(crate) owner: Owner,
    /// Steps into its type expression: `[vals]`, `[keys]`.
    pub(crate) steps: String,
    /// The type used.
    pub(crate) ty: &'a TypeRef,
}

impl<'a> Reach<'a> {
    pub(crate) fn new(schema: &'a Schema, included: Included) -> Self {
        let roots: Vec<_> = schema
            .types()
            .filter_map(|(id, ty)| Some((id, root(schema, ty)?)))
            .collect();
        let asked_for = schema.packages().iter().filter(|package| package.input);
        let included = match included {
            Included::Asked => asked_for
                .flat_map(|package| [&*package.path, types_from(package)])
                .collect(),
            Included::Generated => asked_for
                .filter(|package| !package.options.validation.is_empty())
                .map(types_from)
                .collect(),
        };
        let mut reach = Self {
            schema,
            roots,
            types: Vec::new(),
            uses: Vec::new(),
            included,
        };
        let mut seen = HashSet::new();
        for index in 0..reach.roots.len() {
            reach.visit_named(reach.roots[index].0, &mut seen);
        }
        reach
    }

    /// A view of the schema as the generators see it.
    pub(crate) fn view(&self) -> View<'a> {
        self.schema.view()
    }

    /// Fields of reached structs, exported ones only.
    pub(crate) fn fields(&self) -> impl Iterator<Item = FieldId> {
        let owned = self.types.iter().flat_map(|id| self.schema.fields(*id));
        owned.filter(|(_, field)| field.is_exported()).map(|(id, _)| id)
    }

    /// Whether rules of the type's package count.
    pub(crate) fn is_included(&self, id: TypeId) -> bool {
        self.included.contains(&*self.schema.ty(id).name.package)
    }

    /// The path in upstream's messages.
    pub(crate) fn path(&self, used: &Use<'_>) -> String {
        format!("{}{}", owner_path(self.schema, used.owner), used.steps)
    }

    fn visit_named(&mut self, id: TypeId, seen: &mut HashSet<TypeId>) {
        if !self.is_included(id) || !seen.insert(id) {
            return;
        }
        let schema = self.schema;
        self.types.push(id);
        match &schema.ty(id).shape {
            Shape::Struct(_) => {
                for (field_id, field) in schema.fields(id).filter(|(_, field)| field.is_exported()) {
                    self.visit(Owner::Field(field_id), String::new(), &field.ty, seen);
                }
            }
            Shape::Def(target) | Shape::Alias(target) => {
                self.visit(Owner::Type(id), String::new(), target, seen);
            }
            Shape::Hole => {}
        }
    }

    fn visit(&mut self, owner: Owner, steps: String, ty: &'a TypeRef, seen: &mut HashSet<TypeId>) {
        let inner = |step: &str| format!("{steps}{step}");
        let (inside, named) = match ty {
            TypeRef::Named(id) => (Vec::new(), Some(*id)),
            TypeRef::Pointer(target) => (vec![(steps.clone(), &**target)], None),
            TypeRef::List(element) | TypeRef::Array(_, element) => {
                (vec![(inner("[vals]"), &**element)], None)
            }
            TypeRef::Map(key, value) => (vec![(inner("[keys]"), &**key), (inner("[vals]"), &**value)], None),
            _ => (Vec::new(), None),
        };
        self.uses.push(Use { owner, steps, ty });
        for (steps, ty) in inside {
            self.visit(owner, steps, ty, seen);
        }
        if let Some(id) = named {
            self.visit_named(id, seen);
        }
    }
}

/// `package.Type` or `package.Type.member`.
pub(crate) fn owner_path(schema: &Schema, owner: Owner) -> String {
    match owner {
        Owner::Type(id) | Owner::Constant(id, _) => schema.ty(id).name.to_string(),
        Owner::Field(id) => format!("{}.{}", schema.ty(id.owner).name, schema.field(id).display_name()),
        Owner::Package(index) => schema.packages()[index as usize].path.to_string(),
    }
}

/// Whether the type is a root, and if so whether upstream's linter checks it.
///
/// A type marked as a root counts as one even if its package does not enable validation-gen: upstream would
/// ignore the package, but its author clearly wants the type validated. The linter's own rules do not apply
/// then.
fn root(schema: &Schema, ty: &Type) -> Option<bool> {
    if ty.options.validation == Some(false) || ty.anonymous {
        return None;
    }
    let is_marked = ty.options.validation == Some(true);
    let mut wanted = schema
        .packages()
        .iter()
        .filter(|package| is_active(package) && *types_from(package) == *ty.name.package)
        .filter(|package| is_marked || is_selected(schema, package, ty))
        .peekable();
    if wanted.peek().is_some() {
        return Some(!ty.options.no_lint && wanted.any(|package| !package.options.no_lint));
    }
    let own = schema.package(&ty.name.package)?;
    (own.input && is_marked).then_some(false)
}

fn is_active(package: &Package) -> bool {
    package.input && !package.options.validation.is_empty()
}

/// The package whose types are validated by functions in a package.
fn types_from(package: &Package) -> &str {
    package.options.validation_input.as_ref().unwrap_or(&package.path)
}

fn is_selected(schema: &Schema, package: &Package, ty: &Type) -> bool {
    ty.name.is_exported()
        && !embeds_list_meta(schema, ty)
        && package.options.validation.iter().any(|selector| match selector {
            RootSelector::All => true,
            RootSelector::WithField(name) => ty.fields().iter().any(|field| field.name == *name),
            RootSelector::WithSuffix(suffix) => ty.name.name.ends_with(&**suffix),
        })
}

fn embeds_list_meta(schema: &Schema, ty: &Type) -> bool {
    ty.fields()
        .iter()
        .any(|field| match schema.view().unalias(&field.ty) {
            TypeRef::Named(id) => field.embedded && schema.ty(*id).well_known == Some(WellKnown::ListMeta),
            _ => false,
        })
}
