//! New schemas in existing CRDs, as controller-gen's `schemapatch` writes them: order, comments and everything but schemas
//! stay; the layout becomes that of the encoder. Touches no files.

mod document;

use std::collections::BTreeMap;

use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, Value, yaml};
use kindsmith_openapi::crd;
use kindsmith_schema::Schema;

use crate::controller_gen::{self, About, Generated};
use crate::manifest::Manifest;
use document::Node;

/// The one version of CRDs that can be patched.
const V1: &str = "apiextensions.k8s.io/v1";

/// The result: all CRDs of the directory.
#[derive(Debug, Default)]
pub struct Patched {
    /// In the order of the files given.
    pub files: Vec<Manifest>,
    /// What the types say.
    pub generated: Generated,
    /// Files that cannot be patched, with the reason.
    pub refused: Vec<(String, String)>,
}

/// A CRD as written.
struct Existing<'f> {
    name: &'f str,
    document: Node,
    kind: (String, String),
    versions: Vec<String>,
}

/// Puts the schemas of Go types into CRDs. `files` are the YAML files of a directory, by name.
#[must_use]
pub fn patch(schema: &Schema, files: &[(String, String)], options: &controller_gen::Options) -> Patched {
    let mut patched = Patched::default();
    let mut existing = Vec::new();
    for (name, text) in files {
        match read(name, text) {
            Ok(found) => existing.extend(found),
            Err(reason) => patched.refused.push((name.clone(), reason)),
        }
    }
    patched.generated = controller_gen::definitions(schema, options);
    // Which version is stored is the business of the CRD, not of its types.
    patched
        .generated
        .problems
        .retain(|problem| problem.about != About::Versions);
    for mut crd in existing {
        let model = patched
            .generated
            .definitions
            .iter()
            .map(|definition| &definition.model)
            .find(|model| (&*model.spec.group, &*model.spec.names.kind) == (&*crd.kind.0, &*crd.kind.1));
        if let Some(model) = model {
            crd.set(&schemas(model));
        }
        patched.files.push(Manifest {
            file_name: crd.name.to_owned(),
            text: crd.document.text(),
        });
    }
    patched
}

/// The CRD of a file; `None` if it is something else.
fn read<'f>(name: &'f str, text: &str) -> Result<Option<Existing<'f>>, String> {
    let arena = Arena::new();
    let first = yaml::documents(text).next().map_or("", |document| document.text);
    let Ok(value) = yaml::parse(&arena, first.as_bytes()) else {
        return Ok(None);
    };
    let get = |path: &[&str]| value.lookup(path).and_then(Value::as_str).unwrap_or_default();
    let api_version = get(&["apiVersion"]);
    if api_version.is_empty() || get(&["kind"]) != "CustomResourceDefinition" {
        return Ok(None);
    }
    if api_version != V1 {
        return Err(format!("apiVersion {api_version:?} not supported"));
    }
    let versions = value.lookup(&["spec", "versions"]).and_then(Value::as_array);
    let version = |version: &Value<'_>| version.get("name").and_then(Value::as_str).map(str::to_owned);
    Ok(Some(Existing {
        name,
        document: Node::read(first),
        kind: (
            get(&["spec", "group"]).to_owned(),
            get(&["spec", "names", "kind"]).to_owned(),
        ),
        versions: versions.unwrap_or_default().iter().filter_map(version).collect(),
    }))
}

/// The schema of each version, in the order of its Go type's fields.
fn schemas(model: &crd::Definition) -> BTreeMap<String, String> {
    let arena = Arena::new();
    let value = model.to_value(&arena);
    let versions = value.lookup(&["spec", "versions"]).and_then(Value::as_array);
    let schema = |version: &Value<'_>| {
        let name = version.get("name")?.as_str()?.to_owned();
        let schema = version.lookup(&["schema", "openAPIV3Schema"])?;
        Some((name, to_yaml(schema, Order::Kept)))
    };
    versions.unwrap_or_default().iter().filter_map(schema).collect()
}

impl Existing<'_> {
    /// Sets the schemas of versions, and removes those of versions without a Go type.
    fn set(&mut self, schemas: &BTreeMap<String, String>) {
        if !self.versions.iter().any(|version| schemas.contains_key(version)) {
            return;
        }
        let Some(spec) = self.document.member("spec") else {
            return;
        };
        spec.remove("validation");
        let items = spec.member("versions").map(Node::items).unwrap_or_default();
        for (item, name) in items.into_iter().zip(&self.versions) {
            match schemas.get(name) {
                Some(schema) => {
                    let place = item.member_or_new("schema").member_or_new("openAPIV3Schema");
                    *place = Node::encoded(schema);
                }
                None => item.remove("schema"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRD: &str = "---\n# a comment\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: g\n  \
                       names:\n    kind: K # why\n  versions:\n  - name: v1\n    schema:\n      old: true\n    served: true\n  - name: v2\n    \
                       schema: {}\n";

    #[test]
    fn schemas_are_replaced_and_the_rest_stays() {
        let mut crd = read("k.yaml", CRD).expect("reads").expect("is a CRD");
        let schema = "type: object\nrequired:\n- a\n".to_owned();
        crd.set(&BTreeMap::from([("v1".to_owned(), schema)]));
        let expected = "# a comment\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: g\n  names:\n    \
                        kind: K # why\n  versions:\n    - name: v1\n      schema:\n        old: true\n        \
                        \"openAPIV3Schema\":\n          type: object\n          required:\n            - a\n      served: true\n    \
                        - name: v2\n";
        assert_eq!(crd.document.text(), expected);
    }

    #[test]
    fn other_files_are_left_out() {
        assert!(
            read("a.yaml", "kind: ConfigMap\napiVersion: v1\n")
                .expect("reads")
                .is_none()
        );
        assert!(read("a.yaml", "a: [\n").expect("reads").is_none());
        let old = CRD.replace("k8s.io/v1\n", "k8s.io/v1beta1\n");
        let refusal = read("a.yaml", &old).err();
        assert_eq!(
            refusal.as_deref(),
            Some("apiVersion \"apiextensions.k8s.io/v1beta1\" not supported")
        );
    }
}
