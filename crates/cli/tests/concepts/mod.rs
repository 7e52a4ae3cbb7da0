//! The pictures of `docs/concepts.md` are drawn from the engine's answers. `UPDATE=1` draws them again.

mod draw;
mod owners;
mod writes;

use kindsmith::Kinds;
use serde_json::{Value, json};

use crate::binary::root;

/// A CRD whose spec has these properties, as one line of YAML.
fn crd(spec: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: beds.garden.example.org}}\n\
         spec:\n  group: garden.example.org\n  scope: Namespaced\n  names: {{kind: Bed, plural: beds}}\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
         properties:\n          spec:\n            type: object\n            properties: {spec}\n"
    )
}

fn kinds(spec: &str) -> Kinds {
    Kinds::from_crds(&crd(spec)).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

fn bed(spec: &Value) -> Value {
    json!({"apiVersion": "garden.example.org/v1", "kind": "Bed", "metadata": {"name": "a"}, "spec": spec})
}

/// Compares a picture with the file.
fn check(name: &str, picture: &str) {
    let path = root().join("docs/images/concepts").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, picture).expect("the picture can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == picture,
        "docs/images/concepts/{name} is stale: run `UPDATE=1 cargo test -p kindsmith-cli --test it concepts`"
    );
}
