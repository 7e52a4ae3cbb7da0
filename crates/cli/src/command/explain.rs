//! `kindsmith explain`: what a field is and what the server does with it.

mod custom;
mod go_type;
mod page;
mod text;
mod wrap;

use kindsmith_checks::{kep_defaults, kep_immutability};
use kindsmith_object::Release;
use kindsmith_schema::{Kind, Schema};

use crate::Outcome;
use crate::error::Error;
use crate::input::Profile;
use crate::output::{TextOrJson, pretty};
use crate::release::ReleaseArgs;
use crate::schemas::CrdsArgs;
use crate::schemas::TypesArgs;
use crate::terminal::Terminal;
use kindsmith::crds::Crds;
use kindsmith::go_types;
use page::Page;

/// Explain a kind or one of its fields
///
/// Shows what `kubectl explain` shows, and also what the API server does with the field: its default, bounds and
/// rules, what an update may not change, and when an unchanged value is validated again.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith explain deployments.spec.strategy
  kindsmith explain Bed --types ./api/v1
  kindsmith explain Bed.spec.water --types ./api/v1
  kindsmith explain certificates.spec.privateKey --crds ./crds
  kindsmith explain Certificate --crds ./crds --recursive
  kindsmith explain Certificate.spec --crds ./crds -o json")]
pub struct Args {
    /// A kind, its plural or short name, followed by field names, separated by dots
    #[arg(value_name = "KIND[.FIELD…]")]
    target: String,
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    release: ReleaseArgs,
    /// Group and version, if a kind has several
    #[arg(long, value_name = "GROUP/VERSION")]
    api_version: Option<String>,
    /// Show all nested fields, one line each
    #[arg(long)]
    recursive: bool,
    /// How to print it
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut names = self.target.split('.').map(str::to_owned);
        let name = names.next().unwrap_or_default();
        let path: Vec<String> = names.collect();
        let page = self.page(terminal, &name, &path)?;
        let text = match self.format {
            TextOrJson::Text => text::text(&page, self.recursive),
            TextOrJson::Json => pretty(&page.json()),
        };
        terminal.print(&text)?;
        Ok(Outcome::Clean)
    }

    fn page(&self, terminal: &Terminal, name: &str, path: &[String]) -> Result<Page, Error> {
        if !self.crds.is_empty() {
            let crds = self.crds.read(terminal)?;
            match self.custom(&crds, name, path) {
                Ok(Some(page)) => return Ok(page),
                Ok(None) if self.types.is_empty() => {
                    let builtin = self.builtin(name, path)?;
                    return builtin.ok_or_else(|| unknown(name, &crds.kinds()));
                }
                Ok(None) => {}
                Err(error) => return Err(error),
            }
        }
        if self.types.is_empty() {
            let builtin = self.builtin(name, path)?;
            return builtin.ok_or_else(|| not_builtin(name));
        }
        let read = self.types.read(terminal)?;
        let found = match self.types.profile {
            Profile::Upstream => self.go_type(&read.schema, name, path),
            Profile::Kep => self.go_type(&kep_immutability(&kep_defaults(&read.schema)), name, path),
        };
        match found {
            Err(error) => self.builtin(name, path)?.ok_or(error),
            found => found,
        }
    }

    /// The page of a built-in kind.
    fn builtin(&self, name: &str, path: &[String]) -> Result<Option<Page>, Error> {
        let is_version = |kind: &kindsmith_builtin::Kind| {
            let version = format!("{}/{}", kind.names.group, kind.names.version);
            let asked = self.api_version.as_ref();
            asked.is_none_or(|asked| *asked == version.trim_start_matches('/'))
        };
        let is_called = |kind: &kindsmith_builtin::Kind| {
            let names = &kind.names;
            let given = [&names.kind, &names.plural, &names.singular];
            given
                .into_iter()
                .chain(&names.short_names)
                .any(|given| given.eq_ignore_ascii_case(name))
        };
        let mut known = kindsmith_builtin::own_kinds(self.release.release()?).iter();
        let Some(kind) = known.find(|kind| is_version(kind) && is_called(kind)) else {
            return Ok(None);
        };
        let entry =
            go_type::entry(&kind.schema, kind.ty, path, self.recursive).map_err(|field| no_field(&field))?;
        Ok(Some(Page {
            group: kind.names.group.to_string(),
            version: kind.names.version.to_string(),
            kind: kind.names.kind.to_string(),
            path: path.to_vec(),
            entry,
        }))
    }

    fn custom(&self, crds: &Crds, name: &str, path: &[String]) -> Result<Option<Page>, Error> {
        let Some(found) = crds.by_name(name, self.api_version.as_deref())? else {
            return Ok(None);
        };
        let schema = found.schema()?;
        let entry = custom::entry(&schema, path, self.recursive).map_err(|field| no_field(&field))?;
        Ok(Some(Page {
            group: found.group().to_owned(),
            version: found.version().to_owned(),
            kind: found.kind().to_owned(),
            path: path.to_vec(),
            entry,
        }))
    }

    fn go_type(&self, schema: &Schema, name: &str, path: &[String]) -> Result<Page, Error> {
        let wanted = |kind: &&Kind| {
            let version = format!("{}/{}", kind.group, kind.version);
            self.api_version
                .as_ref()
                .is_none_or(|asked| *asked == version.trim_start_matches('/'))
        };
        let kind = schema
            .kinds()
            .iter()
            .filter(wanted)
            .find(|kind| kind.kind.eq_ignore_ascii_case(name) || is_name(kind, name));
        let ty = match kind {
            Some(kind) => kind.ty,
            None => go_types::find(schema, None, name).map_err(|error| Error::input(error.to_string()))?,
        };
        let entry = go_type::entry(schema, ty, path, self.recursive).map_err(|field| no_field(&field))?;
        Ok(Page {
            group: kind.map(|kind| kind.group.to_string()).unwrap_or_default(),
            version: kind.map(|kind| kind.version.to_string()).unwrap_or_default(),
            kind: schema.ty(ty).name.name.to_string(),
            path: path.to_vec(),
            entry,
        })
    }
}

fn is_name(kind: &Kind, name: &str) -> bool {
    let names = &kind.names;
    let given = names.plural.iter().chain(&names.singular).chain(&names.short);
    given.into_iter().any(|given| given.eq_ignore_ascii_case(name))
}

fn no_field(name: &str) -> Error {
    Error::input(format!("field \"{name}\" does not exist"))
}

fn not_builtin(name: &str) -> Error {
    let kinds: Vec<&str> = kindsmith_builtin::own_kinds(Release::NEWEST)
        .iter()
        .map(|kind| &*kind.names.kind)
        .collect();
    let error = Error::input(format!("there is no kind `{name}`"));
    error.hint(match kindsmith_formats::nearest::nearest_of(name, kinds) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name Go packages with `--types` or CRDs with `--crds`".to_owned(),
    })
}

fn unknown(name: &str, kinds: &[String]) -> Error {
    Error::input(format!("no kind `{name}`")).hint(format!("available: {}", kinds.join(", ")))
}
