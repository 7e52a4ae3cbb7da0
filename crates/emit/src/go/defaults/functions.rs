//! Hand-written defaulting functions, by the type they are for.

use kindsmith_schema::{Function, Package, Scalar, Schema, Str, TypeId};

/// The functions that may be called.
#[derive(Debug)]
pub(super) struct Functions<'s> {
    schema: &'s Schema,
    known: Vec<Known<'s>>,
}

#[derive(Debug)]
struct Known<'s> {
    package: &'s Package,
    function: &'s Function,
    /// The parameter's type: what stands before its dot, and its name.
    qualifier: Option<&'s str>,
    name: &'s str,
}

/// A function to call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Callee {
    pub(super) package: Str,
    pub(super) name: Str,
    /// Nothing below its type needs defaulting any more.
    pub(super) covers: bool,
}

impl<'s> Functions<'s> {
    pub(super) fn new(schema: &'s Schema) -> Self {
        Self {
            schema,
            known: Vec::new(),
        }
    }

    /// Adds the functions of a package: those with one pointer parameter and no result.
    pub(super) fn add(&mut self, package: &'s Package) {
        for function in &package.functions {
            let [parameter] = &function.params[..] else {
                continue;
            };
            let Some(parameter) = parameter
                .strip_prefix('*')
                .filter(|_| function.results.is_empty())
            else {
                continue;
            };
            let (qualifier, name) = match parameter.rsplit_once('.') {
                Some((qualifier, name)) => (Some(qualifier), name),
                None => (None, parameter),
            };
            self.known.push(Known {
                package,
                function,
                qualifier,
                name,
            });
        }
    }

    /// `SetObjectDefaults_T`: fills everything below the type.
    pub(super) fn object(&self, id: TypeId) -> Option<Callee> {
        let name = format!("SetObjectDefaults_{}", self.schema.ty(id).name.name);
        self.of(id).find(|callee| *callee.name == *name)
    }

    /// `SetDefaults_T`, then `SetDefaults_T_…` by name. Upstream takes the latter in no fixed order.
    pub(super) fn base(&self, id: TypeId) -> Vec<Callee> {
        self.named(&self.schema.ty(id).name.name, self.of(id))
    }

    /// The same for a type of the language, which goes by its own name.
    pub(super) fn builtin(&self, scalar: Scalar) -> Vec<Callee> {
        let of = self
            .known
            .iter()
            .filter(|known| known.qualifier.is_none() && known.name == scalar.name());
        self.named(scalar.name(), of.map(callee))
    }

    fn named(&self, ty: &str, callees: impl Iterator<Item = Callee>) -> Vec<Callee> {
        let base = format!("SetDefaults_{ty}");
        let more = format!("{base}_");
        let mut found: Vec<Callee> = callees
            .filter(|callee| *callee.name == *base || callee.name.starts_with(&more))
            .collect();
        found.sort_by_key(|callee| (*callee.name != *base, callee.name.clone()));
        found
    }

    fn of(&self, id: TypeId) -> impl Iterator<Item = Callee> {
        let matching = self.known.iter().filter(move |known| self.is_for(known, id));
        matching.map(callee)
    }

    /// Whether the parameter's type is the type. What a qualifier stands for is not known, but a package that fills
    /// another one's types means those.
    fn is_for(&self, known: &Known<'_>, id: TypeId) -> bool {
        let ty = &self.schema.ty(id).name;
        if *ty.name != *known.name {
            return false;
        }
        let Some(qualifier) = known.qualifier else {
            return ty.package == known.package.path;
        };
        if ty.package == known.package.path {
            return false;
        }
        if let Some(input) = &known.package.options.defaulter_input {
            let meant = kindsmith_schema::TypeName::new(input.clone(), ty.name.clone());
            if self.schema.find(&meant).is_some() {
                return ty.package == *input;
            }
        }
        let last = ty.package.rsplit('/').next().unwrap_or_default();
        let declared = self.schema.package(&ty.package).map(|package| &*package.name);
        qualifier.ends_with(last) || Some(qualifier) == declared
    }
}

fn callee(known: &Known<'_>) -> Callee {
    Callee {
        package: known.package.path.clone(),
        name: known.function.name.clone(),
        covers: known.function.covers,
    }
}
