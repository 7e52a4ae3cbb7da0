//! A package of random kinds without errors.

use std::collections::HashSet;

use kindsmith_checks::Profile;
use kindsmith_go::Read;
use kindsmith_schema::{TypeId, TypeName};
use kindsmith_source::Severity;
use kindsmith_testkit::Draw;
use kindsmith_testkit::GoPackages;
use kindsmith_testkit::random_types::{OTHER_TYPES, RandomType};

const DOC: &str = "// +groupName=demo.example.org\n// +k8s:validation-gen=TypesWithField=TypeMeta\n\
                   // +k8s:validation-gen-nolint\n// +k8s:defaulter-gen=TypeMeta\npackage v1\n";

pub(crate) struct Kinds {
    pub(crate) profile: Profile,
    /// The types of their specs.
    pub(crate) types: Vec<RandomType>,
    pub(crate) read: Read,
    /// The number of the first.
    first: usize,
}

impl Kinds {
    /// Kinds with numbers from `first` on. Types that are refused are drawn again.
    pub(crate) fn new(draw: &mut Draw, first: usize, wanted: usize, profile: Profile) -> Self {
        let mut types: Vec<RandomType> = Vec::new();
        loop {
            while types.len() < wanted {
                let made = RandomType::new(draw, "SPEC", profile);
                if !panics(&made) {
                    types.push(made);
                }
            }
            let read = read(first, &types, profile);
            let refused = refused(&read);
            if refused.is_empty() {
                return Self {
                    profile,
                    types,
                    read,
                    first,
                };
            }
            let is_kept = |index: usize| !refused.contains(&file(first + index));
            let mut index = 0..;
            types.retain(|_| is_kept(index.next().expect("endless")));
        }
    }

    /// Kinds with these specs, which have no errors.
    pub(crate) fn of(types: Vec<RandomType>, profile: Profile) -> Self {
        let read = read(0, &types, profile);
        let refused = refused(&read);
        assert!(refused.is_empty(), "{refused:?}: {:?}", read.diagnostics);
        Self {
            profile,
            types,
            read,
            first: 0,
        }
    }

    /// The name of a kind.
    pub(crate) fn name(&self, index: usize) -> String {
        format!("K{}", self.first + index)
    }

    /// Where its objects are.
    pub(crate) fn path(&self, index: usize) -> String {
        format!(
            "/apis/demo.example.org/v1/namespaces/default/k{}s",
            self.first + index
        )
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = TypeId> {
        (0..self.types.len()).map(|index| {
            let name = TypeName::new("v1", self.name(index));
            self.read.schema.find(&name).expect("every kind is a type")
        })
    }

    /// Name and text of every file.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let mut files = files(self.first, &self.types);
        files.push(("others.go".to_owned(), others()));
        files
    }
}

/// An object of a kind.
pub(crate) fn object(kind: &str, name: &str, spec: &str) -> String {
    format!(
        "{{\"apiVersion\": \"demo.example.org/v1\", \"kind\": \"{kind}\", \"metadata\": {{\"name\": \"{name}\", \"namespace\": \"default\"}}, \"spec\": {spec}}}"
    )
}

/// As upstream's, generated code panics where a rule looks into a nil pointer that it does not expect.
fn panics(made: &RandomType) -> bool {
    made.declaration
        .split("`json")
        .any(|field| field.contains("*Inner") && !field.contains("+k8s:optional"))
}

fn file(number: usize) -> String {
    format!("k{number}.go")
}

fn files(first: usize, types: &[RandomType]) -> Vec<(String, String)> {
    let one = |(index, made): (usize, &RandomType)| {
        let number = first + index;
        let spec = made.declaration.replace("SPEC", &format!("K{number}Spec"));
        let text = format!(
            "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n// +kubebuilder:object:root=true\ntype K{number} struct {{\n\
             \tmetav1.TypeMeta   `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\
             \tSpec K{number}Spec `json:\"spec\"`\n}}\n{spec}"
        );
        (file(number), text)
    };
    types.iter().enumerate().map(one).collect()
}

fn others() -> String {
    format!("package v1\n{OTHER_TYPES}")
}

fn read(first: usize, types: &[RandomType], profile: Profile) -> Read {
    let mut packages = GoPackages::default()
        .profile(profile)
        .file("v1/doc.go", DOC)
        .file("v1/others.go", others());
    for (name, text) in files(first, types) {
        packages = packages.file(&format!("v1/{name}"), text);
    }
    packages.read("v1")
}

/// The files with errors.
fn refused(read: &Read) -> HashSet<String> {
    let errors = read
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error);
    let name = |found: &kindsmith_source::Diagnostic| {
        let file = read.sources.file(found.span.file).name();
        let name = file.rsplit('/').next().unwrap_or_default().to_owned();
        assert!(
            name.starts_with('k'),
            "the shared types have an error: {}",
            found.message
        );
        name
    };
    errors.map(name).collect()
}
