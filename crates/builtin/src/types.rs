//! The types of the server's own kinds: Go files with tags under `api/`, compiled in, and what a reader of Go makes of them. Knows
//! no requests.

mod files;
mod history;
mod paths;
mod words;
mod written;

use std::sync::{Arc, LazyLock, OnceLock};

use kindsmith_engine::Plan;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_go::{Profile, Read};
use kindsmith_json::Value;
use kindsmith_object::{PerRelease, Release};
use kindsmith_schema::{Schema, TypeId, TypeName};

use crate::protobuf::Codec;

pub use history::History;

pub(crate) use paths::{EACH, Steps, paths};
pub(crate) use words::{declared, words};

/// Import paths of the modules under `api/`. Longer directories come first, because the first match wins.
const MODULES: &[(&str, &str)] = &[
    (
        "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions",
        "api/apiextensions",
    ),
    ("k8s.io/apimachinery/pkg/apis/meta", "api/meta"),
    (
        "k8s.io/kube-aggregator/pkg/apis/apiregistration",
        "api/apiregistration",
    ),
    ("k8s.io/api", "api"),
];

/// The schema of the server's own kinds, as the newest release has them.
#[must_use]
pub fn own_schema() -> &'static Arc<Schema> {
    schema_of(Release::NEWEST)
}

/// The schema of the server's own kinds as a release has them. Each type is read when it is first asked for.
#[must_use]
pub fn schema_of(release: Release) -> &'static Arc<Schema> {
    static SCHEMAS: PerRelease<Arc<Schema>> = PerRelease::new();
    SCHEMAS.get(release, || match history::newest_alike(release) {
        newest if newest == release => {
            // The first one stays the first.
            let _ = FIRST_READ.set(release);
            Arc::new(written::schema(release))
        }
        newest => Arc::clone(schema_of(newest)),
    })
}

static FIRST_READ: OnceLock<Release> = OnceLock::new();

/// The release whose types were read first, if any were: what all releases have in common is taken from there, so that a server of
/// an older release need not read the newest types too.
pub(crate) fn first_read() -> Option<Release> {
    FIRST_READ.get().copied()
}

/// The protobuf codec of the server's own kinds, built on the first call.
#[must_use]
pub fn own_codec() -> &'static Codec {
    codec_of(Release::NEWEST)
}

/// The protobuf codec of the server's own kinds as a release has them.
pub(crate) fn codec_of(release: Release) -> &'static Arc<Codec> {
    static CODECS: PerRelease<Arc<Codec>> = PerRelease::new();
    CODECS.get(release, || match history::newest_alike(release) {
        newest if newest == release => Arc::new(Codec::new(schema_of(release))),
        newest => Arc::clone(codec_of(newest)),
    })
}

/// A type by group and version of its package and its name, such as `core/v1.Protocol`.
pub(crate) fn own_type(name: &str) -> Option<TypeId> {
    let (package, name) = name.rsplit_once('.')?;
    let module = match package {
        "meta/v1" => "k8s.io/apimachinery/pkg/apis",
        "apiextensions/v1" => "k8s.io/apiextensions-apiserver/pkg/apis",
        "apiregistration/v1" => "k8s.io/kube-aggregator/pkg/apis",
        _ => "k8s.io/api",
    };
    own_schema().find(&TypeName::new(format!("{module}/{package}"), name))
}

/// A type of `meta/v1` that all groups share, such as `Status` or `DeleteOptions`.
#[must_use]
pub fn meta_type(name: &str) -> Option<TypeId> {
    own_schema().find(&TypeName::new("k8s.io/apimachinery/pkg/apis/meta/v1", name))
}

/// Why the converter of unstructured objects refuses an object as a CRD.
#[must_use]
pub fn unrestorable_crd(object: Value<'_>) -> Option<String> {
    static PLAN: LazyLock<Option<Plan>> = LazyLock::new(|| {
        let package = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";
        let ty = own_schema().find(&TypeName::new(package, "CustomResourceDefinition"))?;
        Some(Plan::compile(own_schema(), ty))
    });
    PLAN.as_ref()?.restore_error(object)
}

/// The Go files of the server's own kinds: paths below `api/` and texts.
#[must_use]
pub fn own_files() -> &'static [(&'static str, &'static str)] {
    files::FILES
}

/// Reads the server's own kinds again, with source positions and findings.
#[must_use]
pub fn read_own() -> Read {
    read_with(&[])
}

/// Reads the server's own kinds as a release has them.
#[must_use]
pub fn read_release(release: Release) -> Read {
    if history::newest_alike(release) == Release::NEWEST {
        return read_with(&[]);
    }
    read(&history::files_of(release, files::FILES).into_iter().collect())
}

/// Reads the server's own kinds together with more files.
pub(crate) fn read_with(more: &[(&str, &str)]) -> Read {
    read(&files::FILES.iter().chain(more).copied().collect())
}

fn read(files: &MemoryFiles) -> Read {
    let modules = MODULES
        .iter()
        .map(|(module, directory)| ((*module).to_owned(), (*directory).to_owned()));
    let options = Options {
        modules: modules.collect(),
        ..Options::default()
    };
    let mut loader = Loader::new(files, options);
    let packages = MODULES
        .iter()
        .flat_map(|(_, directory)| loader.load(&format!("{directory}/...")))
        .collect();
    kindsmith_go::read(loader, packages, Profile::Upstream)
}
