//! Types of Go packages, compiled when first used.

use std::fmt;
use std::sync::{Arc, OnceLock};

use kindsmith_checks::Profile;
use kindsmith_engine::{Change, CompileOptions, Defaulting, Plan};
use kindsmith_generate::controller_gen::Generated;
use kindsmith_go::Read;
use kindsmith_json::path::PathBuf;
use kindsmith_json::write::go_quote;
use kindsmith_json::{Arena, Value};
use kindsmith_object::Event;
use kindsmith_object::meta;
use kindsmith_schema::{Kind, Schema, TypeId, TypeName};
use kindsmith_structural::StructuralSchema;

use crate::controller_gen_kinds;
use crate::custom_resource;
use crate::misfit;
use crate::object_metadata;
use crate::review::{ArenaReview, Warning, WarningReason};
use crate::write::{Steps, Write};

/// Types of Go packages, compiled when first used.
#[derive(Debug)]
pub struct GoTypes {
    read: Arc<Read>,
    /// The profile that the packages were read with.
    profile: Profile,
    /// By type, one for each profile.
    compiled: [Box<[OnceLock<Box<Plan>>]>; 2],
    /// The CRDs of kinds that are written for controller-gen.
    crds: OnceLock<Generated>,
    /// By type: the schema of one that is written for controller-gen.
    crd_schemas: Box<[OnceLock<Option<Box<StructuralSchema>>>]>,
}

impl GoTypes {
    /// The types of packages that were read with the tags of a profile.
    #[must_use]
    pub fn new(read: Arc<Read>, profile: Profile) -> Self {
        let none = || read.schema.types().map(|_| OnceLock::new()).collect();
        Self {
            compiled: [none(), none()],
            crds: OnceLock::new(),
            crd_schemas: read.schema.types().map(|_| OnceLock::new()).collect(),
            read,
            profile,
        }
    }

    /// The packages: their schema, sources and the places of tags.
    #[must_use]
    pub fn read(&self) -> &Read {
        &self.read
    }

    /// The CRDs of the kinds that are written for controller-gen: they decide about objects of these kinds.
    #[must_use]
    pub fn crds(&self) -> &Generated {
        let schema = &self.read.schema;
        self.crds
            .get_or_init(|| controller_gen_kinds::definitions(schema, self.profile))
    }

    /// The schema of a type that is written for controller-gen: its markers decide about values of the type, as those of
    /// kinds do.
    #[must_use]
    pub fn crd_schema(&self, ty: TypeId) -> Option<&StructuralSchema> {
        let schema = self.crd_schemas[ty.index()].get_or_init(|| {
            let schema = controller_gen_kinds::schema_of(&self.read.schema, ty, self.profile)?;
            StructuralSchema::compile_part(&schema).ok().map(Box::new)
        });
        schema.as_deref()
    }

    /// The type with this name; see [`find`].
    ///
    /// # Errors
    ///
    /// What is wrong with the name.
    pub fn find(&self, package: Option<&str>, name: &str) -> Result<TypeId, NoSuchType> {
        find(&self.read.schema, package, name)
    }

    /// The compiled form of a type.
    #[must_use]
    pub fn plan(&self, ty: TypeId, profile: Profile) -> &Plan {
        let compiled = &self.compiled[usize::from(profile == Profile::Kep)];
        compiled[ty.index()].get_or_init(|| {
            let options = CompileOptions {
                profile,
                ..CompileOptions::default()
            };
            Box::new(Plan::compile_with(&self.read.schema, ty, &options))
        })
    }
}

/// Why a name does not mean one type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoSuchType {
    /// No package has it.
    Unknown(String),
    /// The package does not have it.
    NotInPackage {
        /// The package.
        package: String,
        /// The type.
        name: String,
    },
    /// Several packages have it.
    Ambiguous {
        /// The name.
        name: String,
        /// The first two types.
        types: [TypeName; 2],
    },
}

impl std::error::Error for NoSuchType {}

impl fmt::Display for NoSuchType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(out, "no type `{name}`"),
            Self::NotInPackage { package, name } => {
                write!(out, "the package `{package}` has no type `{name}`")
            }
            Self::Ambiguous {
                name,
                types: [first, second],
            } => {
                write!(out, "the name `{name}` is both {first} and {second}")
            }
        }
    }
}

/// Finds a type by its name alone, or by import path and name. A name alone must be in one of the requested packages.
///
/// # Errors
///
/// What is wrong with the name.
pub fn find(schema: &Schema, package: Option<&str>, name: &str) -> Result<TypeId, NoSuchType> {
    let (package, name) = match (package, name.rsplit_once('.')) {
        (None, Some((package, name))) => (Some(package), name),
        (package, Some((_, name))) => (package, name),
        (package, None) => (package, name),
    };
    if let Some(package) = package
        && let Some(id) = schema.find(&TypeName::new(package, name))
    {
        return Ok(id);
    }
    let asked_for = |path: &str| schema.package(path).is_some_and(|package| package.input);
    let mut found = schema.types().filter(|(_, ty)| {
        &*ty.name.name == name
            && asked_for(&ty.name.package)
            && package.is_none_or(|package| is_tail(&ty.name.package, package))
    });
    match (found.next(), found.next()) {
        (Some((id, _)), None) => Ok(id),
        (Some((_, first)), Some((_, second))) => Err(NoSuchType::Ambiguous {
            name: name.to_owned(),
            types: [first.name.clone(), second.name.clone()],
        }),
        (None, _) => Err(match package {
            Some(package) => NoSuchType::NotInPackage {
                package: package.to_owned(),
                name: name.to_owned(),
            },
            None => NoSuchType::Unknown(name.to_owned()),
        }),
    }
}

/// Reviews a write of an object of a Go type.
///
/// The object stays as the steps left it; [`Plan::encode`] gives what a Go server would answer.
#[must_use]
pub fn review<'a>(plan: &'a Plan, arena: &'a Arena, write: &Write<'a>) -> ArenaReview<'a> {
    let mut review = ArenaReview::default();
    for decoded in [Some(write.object), write.old].into_iter().flatten() {
        if let Err(error) = plan.decode(decoded) {
            review.pruned = plan.unknown_fields(write.object);
            review.warnings = unknown_fields(&review.pruned);
            let (misfits, rest) = misfit::apart(plan, arena, decoded);
            review.reject_misfits(&misfits, error.to_string());
            if let Some(object) = rest.filter(|_| decoded == write.object && !misfits.is_empty()) {
                let rest = self::review(plan, arena, &Write { object, ..*write });
                review.later.extend(misfit::besides(&misfits, rest.errors));
            }
            return review;
        }
    }
    let mut object = write.object;
    let mut note = |event: Event<'_>| review.note(&event, write.is_traced);
    if write.steps.contains(Steps::PRUNE) {
        object = plan.prune_traced(arena, object, &mut note);
    }
    // A server reads the old object from its store, and fills in what became a default since.
    let mut old = write.updated();
    if write.steps.contains(Steps::DEFAULT) {
        object = plan.default_traced(arena, object, &Defaulting::default(), &mut note);
        old = old.map(|old| plan.default(arena, plan.prune(arena, old)));
    }
    if write.steps.contains(Steps::VALIDATE) {
        let subresources: Vec<&str> = write
            .subresource
            .split('/')
            .filter(|name| !name.is_empty())
            .collect();
        let change = Change {
            operation: write.operation,
            new: object,
            old,
            options: write.options,
            subresources: &subresources,
            custom: None,
        };
        let errors = if write.is_traced {
            plan.validate_traced(&change, &mut note)
        } else {
            plan.validate(&change)
        };
        review.reject_fields(errors);
    }
    review.warnings = unknown_fields(&review.pruned);
    review.object = Some(object);
    review
}

/// Reviews a write of a value of a type that is written for controller-gen, by the schema that it makes of the type.
#[must_use]
pub fn review_by_schema<'a>(
    schema: &'a StructuralSchema,
    arena: &'a Arena,
    write: &Write<'a>,
) -> ArenaReview<'a> {
    let mut review = ArenaReview::default();
    custom_resource::review_schema(schema, None, arena, write, &mut review);
    review.warnings = unknown_fields(&review.pruned);
    review
}

/// The kind that an object names, among those of Go packages.
#[must_use]
pub fn kind_of<'s>(schema: &'s Schema, api_version: &str, kind: &str) -> Option<&'s Kind> {
    schema
        .kinds()
        .iter()
        .find(|known| identity(known) == (api_version.to_owned(), kind))
}

/// The `apiVersion` and `kind` of a kind's objects.
#[must_use]
pub fn identity(kind: &Kind) -> (String, &str) {
    let version = match &*kind.group {
        "" => kind.version.to_string(),
        group => format!("{group}/{}", kind.version),
    };
    (version, &kind.kind)
}

/// Adds what the server says about the metadata of an object of a kind. A manifest without a namespace is for `default`.
pub fn review_metadata<'a>(kind: &Kind, arena: &'a Arena, object: Value<'a>, review: &mut ArenaReview<'_>) {
    let scope = match kind.scope {
        kindsmith_schema::Scope::Namespaced => meta::Scope::Namespaced,
        kindsmith_schema::Scope::Cluster => meta::Scope::Cluster,
    };
    review.reject_fields(object_metadata::errors(arena, scope, object, None));
}

pub(crate) fn unknown_fields(paths: &[PathBuf]) -> Vec<Warning> {
    let warning = |path: &PathBuf| Warning {
        path: path.clone(),
        message: format!("unknown field {}", go_quote(&path.to_string())),
        reason: WarningReason::UnknownField,
    };
    paths.iter().map(warning).collect()
}

/// Whether `tail` is the end of the path, starting after a slash. Packages without a module are known by their
/// directory only.
fn is_tail(path: &str, tail: &str) -> bool {
    path.strip_suffix(tail)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        || tail
            .strip_suffix(path)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_known_by_the_end_of_their_path() {
        for (path, tail, expected) in [
            ("example.org/api/v1", "example.org/api/v1", true),
            ("example.org/api/v1", "v1", true),
            ("v1", "example.org/api/v1", true),
            ("example.org/api/v1", "1", false),
            ("example.org/api/v1", "v2", false),
        ] {
            assert_eq!(is_tail(path, tail), expected, "{path} {tail}");
        }
    }
}
