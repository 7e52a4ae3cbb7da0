//! The types a command was given, compiled when first asked for.

use std::collections::HashMap;

use kindsmith_checks::Profile;
use kindsmith_engine::{CompileOptions, Plan};
use kindsmith_schema::{Schema, TypeId, TypeName};

use crate::error::Error;
use crate::input::{self, Input};
use crate::terminal::Terminal;

/// Which types objects are held against.
#[derive(Debug, clap::Args)]
pub struct TypesArgs {
    /// Directories of the Go packages with the types, `DIR/...` for all below DIR; may be given more than once
    #[arg(long = "types", value_name = "DIR", num_args = 1..)]
    types: Vec<String>,
    /// Read the packages of a module from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// Whose rules apply where the KEPs and what Kubernetes built differ
    #[arg(long, value_name = "PROFILE", default_value = "upstream")]
    pub profile: input::Profile,
}

impl TypesArgs {
    /// Whether none were named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Reads the packages.
    ///
    /// # Errors
    ///
    /// If a directory is not there or leads to no Go files.
    pub fn read(&self, terminal: &Terminal) -> Result<kindsmith_go::Read, Error> {
        Input::new(self.types.clone(), self.modules.clone(), self.profile).read(terminal)
    }
}

impl From<input::Profile> for Profile {
    fn from(profile: input::Profile) -> Self {
        match profile {
            input::Profile::Upstream => Self::Upstream,
            input::Profile::Kep => Self::Kep,
        }
    }
}

/// Plans by type and profile.
#[derive(Debug)]
pub struct Plans<'s> {
    schema: &'s Schema,
    compiled: HashMap<(TypeId, bool), Plan>,
}

impl<'s> Plans<'s> {
    /// No plans yet.
    #[must_use]
    pub fn new(schema: &'s Schema) -> Self {
        Self {
            schema,
            compiled: HashMap::new(),
        }
    }

    /// The type with this name: bare, or behind its package's import path. A bare name must be of one of the packages
    /// asked for.
    ///
    /// # Errors
    ///
    /// A text that says what is wrong with the name.
    pub fn find(&self, package: Option<&str>, name: &str) -> Result<TypeId, String> {
        let (package, name) = match (package, name.rsplit_once('.')) {
            (None, Some((package, name))) => (Some(package), name),
            (package, Some((_, name))) => (package, name),
            (package, None) => (package, name),
        };
        if let Some(package) = package
            && let Some(id) = self.schema.find(&TypeName::new(package, name))
        {
            return Ok(id);
        }
        let asked_for = |path: &str| self.schema.package(path).is_some_and(|package| package.input);
        let mut found = self.schema.types().filter(|(_, ty)| {
            &*ty.name.name == name
                && asked_for(&ty.name.package)
                && package.is_none_or(|package| is_tail(&ty.name.package, package))
        });
        match (found.next(), found.next()) {
            (Some((id, _)), None) => Ok(id),
            (Some((_, first)), Some((_, second))) => Err(format!(
                "the name `{name}` is both {} and {}",
                first.name, second.name
            )),
            (None, _) => Err(match package {
                Some(package) => format!("the package `{package}` has no type `{name}`"),
                None => format!("there is no type `{name}`"),
            }),
        }
    }

    /// The plan of a type.
    pub fn plan(&mut self, ty: TypeId, profile: Profile) -> &Plan {
        let schema = self.schema;
        let key = (ty, profile == Profile::Kep);
        self.compiled.entry(key).or_insert_with(|| {
            let options = CompileOptions {
                profile,
                ..CompileOptions::default()
            };
            Plan::compile_with(schema, ty, &options)
        })
    }
}

/// Is it the end of the path, from a slash on? Packages without a module are known by their directory only.
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
