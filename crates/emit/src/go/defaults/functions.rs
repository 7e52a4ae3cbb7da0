//! Hand-written defaulting functions, by the type they are for.

use std::collections::HashMap;

use kindsmith_checks::Types;
use kindsmith_schema::{Function, Package, Scalar, Schema, Str, TypeId, TypeName, TypeRef};

use super::super::Problem;

/// The functions available to generated code.
#[derive(Debug, Clone)]
pub(super) struct Functions<'s> {
    schema: &'s Schema,
    of_types: HashMap<&'s TypeName, Vec<Known<'s>>>,
    /// Those for builtin types, by the type as written.
    of_builtins: HashMap<&'s str, Vec<Known<'s>>>,
}

type Known<'s> = (&'s Package, &'s Function);

/// A function to call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Callee {
    pub(super) package: Str,
    pub(super) name: Str,
    /// Nothing below its type needs further defaulting.
    pub(super) covers: bool,
}

impl<'s> Functions<'s> {
    pub(super) fn new(schema: &'s Schema) -> Self {
        Self {
            schema,
            of_types: HashMap::new(),
            of_builtins: HashMap::new(),
        }
    }

    /// Adds the functions of a package: those with one pointer parameter and no result. A package may be added again.
    pub(super) fn add(&mut self, package: &'s Package) {
        for function in &package.functions {
            let [parameter] = &function.params[..] else {
                continue;
            };
            let Some(parameter) = parameter.strip_prefix('*') else {
                continue;
            };
            if !function.results.is_empty() {
                continue;
            }
            let known = match &function.fills {
                Some(ty) => self.of_types.entry(meant(self.schema, ty)).or_default(),
                None => self.of_builtins.entry(parameter).or_default(),
            };
            if !known
                .iter()
                .any(|(from, other)| from.path == package.path && other.name == function.name)
            {
                known.push((package, function));
            }
        }
    }

    /// Types for which two packages have the same function, which upstream rejects (generators/defaulter.go,
    /// `getManualDefaultingFunctions`).
    pub(super) fn duplicates(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for (ty, known) in &self.of_types {
            let mut packages = ["SetDefaults_", "SetObjectDefaults_"]
                .into_iter()
                .filter_map(|prefix| {
                    let name = format!("{prefix}{}", ty.name);
                    let mut found = known.iter().filter(|(_, function)| *function.name == *name);
                    Some((found.next()?.0, found.next()?.0, name))
                });
            if let Some((one, other, name)) = packages.next() {
                problems.push(Problem {
                    ty: (*ty).clone(),
                    message: format!(
                        "duplicate static defaulter defined: {name} is in {} and in {}",
                        one.path, other.path
                    ),
                });
            }
        }
        problems.sort_by(|one, other| one.ty.cmp(&other.ty));
        problems
    }

    /// `SetObjectDefaults_T`: defaults everything below the type.
    pub(super) fn object(&self, id: TypeId) -> Option<Callee> {
        let name = format!("SetObjectDefaults_{}", self.schema.ty(id).name.name);
        let found = self.of(id).iter().find(|(_, function)| *function.name == *name);
        found.map(|known| Callee {
            covers: true,
            ..callee(known)
        })
    }

    /// `SetDefaults_T`, then `SetDefaults_T_…` by name. Upstream calls the latter in no fixed order, and
    /// checks only the former for whether it covers everything.
    pub(super) fn base(&self, id: TypeId) -> Vec<Callee> {
        let mut found = named(&self.schema.ty(id).name.name, self.of(id));
        if found.first().is_some_and(|base| base.covers) {
            found.truncate(1);
        }
        found
    }

    /// Like `base`, for a builtin type.
    pub(super) fn builtin(&self, scalar: Scalar) -> Vec<Callee> {
        let of = self.of_builtins.get(scalar.name());
        named(scalar.name(), of.map_or(&[][..], Vec::as_slice))
    }

    fn of(&self, id: TypeId) -> &[Known<'s>] {
        let known = self.of_types.get(&self.schema.ty(id).name);
        known.map_or(&[][..], Vec::as_slice)
    }
}

/// The type that a name refers to, through an alias.
fn meant<'s>(schema: &'s Schema, name: &'s TypeName) -> &'s TypeName {
    let declared = schema.find(name).map(TypeRef::Named);
    match declared.map(|ty| Types::new(schema).unalias(&ty)) {
        Some(TypeRef::Named(id)) => &schema.ty(id).name,
        _ => name,
    }
}

fn named(ty: &str, known: &[Known<'_>]) -> Vec<Callee> {
    let base = format!("SetDefaults_{ty}");
    let more = format!("{base}_");
    let wanted = known
        .iter()
        .filter(|(_, function)| *function.name == *base || function.name.starts_with(&more));
    let mut found: Vec<Callee> = wanted.map(callee).collect();
    for callee in &mut found {
        callee.covers &= *callee.name == *base;
    }
    found.sort_by_key(|callee| (*callee.name != *base, callee.name.clone()));
    found
}

fn callee((package, function): &Known<'_>) -> Callee {
    Callee {
        package: package.path.clone(),
        name: function.name.clone(),
        covers: function.covers,
    }
}
