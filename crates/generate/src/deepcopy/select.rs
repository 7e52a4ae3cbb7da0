//! Which types of a package get methods, by the markers on them and on the package.

use kindsmith_go::markers::of_type;
use kindsmith_go::package::Package;
use kindsmith_source::Span;
use kindsmith_tags::grammar::marker::{ArgumentType, Arguments};

use crate::package_markers::{Definition, Found, Problem, outside_types, parsed};

/// A type that may get methods.
#[derive(Debug)]
pub(super) struct Selected {
    pub(super) name: String,
    /// Whether it implements `runtime.Object`.
    pub(super) object: bool,
    /// The place of its name.
    pub(super) span: Span,
}

const GENERATE: &str = "kubebuilder:object:generate";
const ROOT: &str = "kubebuilder:object:root";
const LEGACY_GENERATE: &str = "k8s:deepcopy-gen";
const LEGACY_INTERFACES: &str = "k8s:deepcopy-gen:interfaces";

const ON_PACKAGE: &[Definition] = &[
    Definition {
        name: GENERATE,
        takes: Arguments::One(ArgumentType::Bool),
    },
    Definition {
        name: LEGACY_GENERATE,
        takes: Arguments::Raw,
    },
];

const ON_TYPE: &[Definition] = &[
    Definition {
        name: GENERATE,
        takes: Arguments::One(ArgumentType::Bool),
    },
    Definition {
        name: ROOT,
        takes: Arguments::One(ArgumentType::Bool),
    },
    Definition {
        name: LEGACY_GENERATE,
        takes: Arguments::Raw,
    },
    Definition {
        name: LEGACY_INTERFACES,
        takes: Arguments::One(ArgumentType::Text),
    },
];

/// Exported types for which methods are wanted, in source order. Other names of a type get none.
pub(super) fn types(package: &Package, problems: &mut Vec<Problem>) -> Vec<Selected> {
    let on_package = outside_types(package, ON_PACKAGE, problems);
    let all = first_bool(&on_package, GENERATE)
        .or_else(|| first_text(&on_package, LEGACY_GENERATE).map(is_package))
        .unwrap_or_default();
    let mut selected = Vec::new();
    for (file, decl) in package.types() {
        let markers = of_type(file, &decl.comments).into_iter();
        let markers: Vec<Found> = markers
            .filter_map(|marker| parsed(marker, ON_TYPE, problems))
            .collect();
        let object = is_object(&markers);
        let wanted = first_bool(&markers, GENERATE)
            .or_else(|| first_text(&markers, LEGACY_GENERATE).map(|value| value == "true"))
            .unwrap_or(all || object);
        let name = file.text(decl.name);
        if wanted && !decl.alias && name.starts_with(char::is_uppercase) {
            selected.push(Selected {
                name: name.to_owned(),
                object,
                span: decl.name,
            });
        }
    }
    selected
}

fn is_package(value: &str) -> bool {
    value.split(',').next() == Some("package")
}

fn is_object(markers: &[Found]) -> bool {
    first_bool(markers, ROOT).unwrap_or_else(|| {
        let mut interfaces = named(markers, LEGACY_INTERFACES);
        interfaces.any(|found| found.values.text("") == Some("k8s.io/apimachinery/pkg/runtime.Object"))
    })
}

fn named<'a>(markers: &'a [Found], name: &'a str) -> impl Iterator<Item = &'a Found> {
    markers.iter().filter(move |found| found.name == name)
}

fn first_bool(markers: &[Found], name: &str) -> Option<bool> {
    named(markers, name).next()?.values.bool("")
}

fn first_text<'a>(markers: &'a [Found], name: &'a str) -> Option<&'a str> {
    named(markers, name).next()?.values.text("")
}
