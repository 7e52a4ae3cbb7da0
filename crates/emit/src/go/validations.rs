//! Files with validation functions, from the engine's lowered calls.
//!
//! Every function is a list of calls to `k8s.io/apimachinery/pkg/api/validate`, in validation-gen's order.
//! Must not know what a tag means: that is decided when rules are lowered.

mod bound;
mod call;
mod compare;
mod each;
mod field;
mod function;
mod leaf;
mod member;
mod mode;
mod program;
mod register;
mod root;
mod union;
mod update;

use std::collections::{HashMap, HashSet};

use kindsmith_checks::{Lowered, Profile, Types};
use kindsmith_schema::{Package, Schema, Str, TypeId, TypeRef};

pub(super) use root::targets;

use super::file::file;
use super::type_name::TypeNames;
use super::{File, Generated, Options, Problem};

const CONTEXT: &str = "context";
const ERRORS: &str = "k8s.io/apimachinery/pkg/util/validation/field";
const FORMATS: &str = "k8s.io/apimachinery/pkg/util/validation";
const OPERATION: &str = "k8s.io/apimachinery/pkg/api/operation";
const SAFE: &str = "k8s.io/apimachinery/pkg/api/safe";
const SETS: &str = "k8s.io/apimachinery/pkg/util/sets";
const VALIDATE: &str = "k8s.io/apimachinery/pkg/api/validate";

/// Validation functions for the packages with `+k8s:validation-gen`.
#[must_use]
pub fn validations(schema: &Schema, options: &Options) -> Generated {
    let targets = targets(schema, options);
    let roots: Vec<TypeId> = targets.iter().flat_map(|target| target.roots.clone()).collect();
    let lowered = kindsmith_checks::lower_roots(schema, &roots, options.profile);
    let referenced = root::referenced(Types::new(schema), &lowered);
    let homes = root::homes(&targets);
    let mut generated = Generated::default();
    for target in &targets {
        let mut writer = Writer::new(schema, &lowered, target, &homes);
        writer.profile = options.profile;
        let declarations = writer.declarations(&referenced);
        for id in std::mem::take(&mut writer.names.nameless) {
            generated.problems.push(Problem {
                ty: schema.ty(id).name.clone(),
                message: "a struct without a name has rules; Go code cannot name it".to_owned(),
            });
        }
        generated.problems.append(&mut writer.problems);
        generated.problems.extend(hidden(schema, &lowered, target));
        generated.files.push(File {
            package: target.package.path.clone(),
            name: options.validations.clone(),
            text: file(
                schema,
                target.package,
                &writer.names.imports,
                options,
                &declarations,
            ),
        });
    }
    generated
}

/// Local names of every function, which would hide a type of the package.
const HIDING: &[&str] = &["ctx", "errs", "fldPath", "fresh", "obj", "oldObj", "op"];

fn hidden(schema: &Schema, lowered: &Lowered, target: &Target<'_>) -> Vec<Problem> {
    let names = lowered.keys().map(|id| &schema.ty(*id).name);
    let mut problems: Vec<Problem> = names
        .filter(|name| name.package == target.package.path && HIDING.contains(&&*name.name))
        .map(|name| Problem {
            ty: name.clone(),
            message: "generated functions have a parameter or variable of this name; call the type otherwise"
                .to_owned(),
        })
        .collect();
    problems.sort_by(|one, other| one.ty.cmp(&other.ty));
    problems
}

/// A package to write validation functions into.
#[derive(Debug)]
pub(super) struct Target<'s> {
    pub(super) package: &'s Package,
    /// The package whose types are validated.
    pub(super) input: Str,
    pub(super) roots: Vec<TypeId>,
}

/// Writes one file.
struct Writer<'s> {
    /// Which rules apply where the KEPs and Kubernetes differ.
    profile: Profile,
    names: TypeNames<'s>,
    lowered: &'s Lowered,
    target: &'s Target<'s>,
    /// The package in which the functions for a package's types are.
    homes: &'s HashMap<Str, Str>,
    /// Names declared in the file.
    taken: HashSet<String>,
    /// Declarations that belong to the current function.
    beside: Vec<String>,
    /// The subject of the current function, as part of names.
    subject: String,
    /// Missing hand-written functions that the current function calls.
    missing: Vec<String>,
    problems: Vec<Problem>,
}

/// The value that a call checks.
#[derive(Debug, Clone)]
struct At {
    /// Its declared type.
    ty: TypeRef,
    /// Expressions for it and for its old value, in the form of checks.
    new: String,
    old: String,
}

impl At {
    /// The parameters of the enclosing function.
    fn parameters(ty: &TypeRef) -> Self {
        Self {
            ty: ty.clone(),
            new: "obj".to_owned(),
            old: "oldObj".to_owned(),
        }
    }
}

impl<'s> Writer<'s> {
    fn new(
        schema: &'s Schema,
        lowered: &'s Lowered,
        target: &'s Target<'s>,
        homes: &'s HashMap<Str, Str>,
    ) -> Self {
        Self {
            profile: Profile::default(),
            names: TypeNames::new(schema, target.package),
            lowered,
            target,
            homes,
            taken: HashSet::new(),
            beside: Vec::new(),
            subject: String::new(),
            missing: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn types(&self) -> Types<'s> {
        self.names.types
    }

    fn schema(&self) -> &'s Schema {
        self.names.types.schema
    }

    /// All declarations of the file, in order.
    fn declarations(&mut self, referenced: &HashSet<TypeId>) -> Vec<String> {
        let mut declarations = self.registration();
        let mut types: Vec<TypeId> = self
            .lowered
            .keys()
            .copied()
            .filter(|id| self.schema().ty(*id).name.package == self.target.input)
            .filter(|id| self.target.roots.contains(id) || referenced.contains(id))
            .filter(|id| self.has_validations(*id))
            .collect();
        types.sort_by_key(|id| &self.schema().ty(*id).name);
        for id in types {
            let function = self.function(id);
            declarations.append(&mut self.beside);
            declarations.extend(function);
            let missing = std::mem::take(&mut self.missing);
            let path = &self.target.package.path;
            self.problems.extend(missing.into_iter().map(|function| Problem {
                ty: self.names.types.schema.ty(id).name.clone(),
                message: format!("expected hand-written function {path}.{function} was not found"),
            }));
        }
        declarations
    }

    fn has_validations(&self, id: TypeId) -> bool {
        kindsmith_checks::has_validations(self.types(), self.lowered, id)
    }

    /// The function that validates a named type, as named in this file.
    fn function_name(&mut self, id: TypeId) -> String {
        let name = &self.schema().ty(id).name;
        let function = format!("Validate_{}", super::text::identifier(&name.name));
        if name.package == self.target.input {
            return function;
        }
        let home = self.homes.get(&name.package).unwrap_or(&name.package);
        if *home == self.target.package.path {
            return function;
        }
        self.names.imports.of(home, &function)
    }

    /// A unique name for a declaration of the file.
    fn unique(&mut self, name: &str) -> String {
        let name = super::text::identifier(name);
        let mut candidate = name.clone();
        let mut count = 1;
        while !self.taken.insert(candidate.clone()) {
            count += 1;
            candidate = format!("{name}_{count}");
        }
        candidate
    }

    fn validate(&mut self, function: &str) -> String {
        self.names.imports.of(VALIDATE, function)
    }

    fn safe(&mut self, function: &str) -> String {
        self.names.imports.of(SAFE, function)
    }

    fn error_list(&mut self) -> String {
        self.names.imports.of(ERRORS, "ErrorList")
    }

    /// The head of a function that validates values of a type, given in the form of checks.
    fn head(&mut self, name: &str, parameter: &str, result: &str) -> String {
        let context = self.names.imports.of(CONTEXT, "Context");
        let operation = self.names.imports.of(OPERATION, "Operation");
        let path = self.names.imports.of(ERRORS, "Path");
        format!(
            "func{name}(ctx {context}, op {operation}, fldPath *{path}, obj, oldObj {parameter}) {result}"
        )
    }

    /// The arguments that every check takes.
    fn standard(at: &At) -> String {
        format!("ctx, op, fldPath, {}, {}", at.new, at.old)
    }

    /// The function that compares two values of a type.
    fn equality(&mut self, ty: &TypeRef) -> String {
        if super::comparable::is_comparable(self.types(), ty) {
            self.validate("DirectEqual")
        } else {
            self.validate("SemanticDeepEqual")
        }
    }
}
