//! Which types of a package get methods, by the markers on them and on the package.

use kindsmith_go::markers::of_type;
use kindsmith_go::package::Package;
use kindsmith_source::Span;
use kindsmith_tags::grammar::marker::{ArgumentType, Arguments};

use super::Dialect;
use crate::package_markers::{Definition, Found, Problem, outside_types, parsed};

/// A type that may get methods.
#[derive(Debug)]
pub(super) struct Selected {
    pub(super) name: String,
    /// Interfaces that it implements by a method that copies it, in the order written.
    pub(super) interfaces: Vec<Interface>,
    /// Whether those methods have a value for receiver.
    pub(super) by_value: bool,
    /// The place of its name.
    pub(super) span: Span,
}

/// An interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interface {
    /// Import path of its package.
    pub(super) package: String,
    pub(super) name: String,
}

impl Interface {
    fn new(path: &str) -> Option<Self> {
        let (package, name) = path.rsplit_once('.')?;
        Some(Self {
            package: package.to_owned(),
            name: name.to_owned(),
        })
    }

    /// `runtime.Object`, the only one that controller-gen knows.
    fn object() -> Self {
        Self {
            package: "k8s.io/apimachinery/pkg/runtime".to_owned(),
            name: "Object".to_owned(),
        }
    }
}

const GENERATE: &str = "kubebuilder:object:generate";
const ROOT: &str = "kubebuilder:object:root";
const LEGACY_GENERATE: &str = "k8s:deepcopy-gen";
const LEGACY_INTERFACES: &str = "k8s:deepcopy-gen:interfaces";
const LEGACY_BY_VALUE: &str = "k8s:deepcopy-gen:nonpointer-interfaces";

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

/// deepcopy-gen reads only its own.
const OF_DEEPCOPY_GEN: &[Definition] = &[
    Definition {
        name: LEGACY_GENERATE,
        takes: Arguments::Raw,
    },
    Definition {
        name: LEGACY_INTERFACES,
        takes: Arguments::Raw,
    },
    Definition {
        name: LEGACY_BY_VALUE,
        takes: Arguments::Raw,
    },
];

/// Exported types for which methods are wanted, in source order. Other names of a type get none.
pub(super) fn types(package: &Package, dialect: Dialect, problems: &mut Vec<Problem>) -> Vec<Selected> {
    let (on_package, on_type) = match dialect {
        Dialect::ControllerGen => (ON_PACKAGE, ON_TYPE),
        Dialect::DeepcopyGen => (OF_DEEPCOPY_GEN, OF_DEEPCOPY_GEN),
    };
    let on_package = outside_types(package, on_package, problems);
    let all = first_bool(&on_package, GENERATE)
        .or_else(|| first_text(&on_package, LEGACY_GENERATE).map(is_package))
        .unwrap_or_default();
    let mut selected = Vec::new();
    for (file, decl) in package.types() {
        let markers = of_type(file, &decl.comments).into_iter();
        let markers: Vec<Found> = markers
            .filter_map(|marker| parsed(marker, on_type, problems))
            .collect();
        let object = dialect == Dialect::ControllerGen && is_object(&markers);
        let wanted = first_bool(&markers, GENERATE)
            .or_else(|| first_text(&markers, LEGACY_GENERATE).map(|value| value == "true"))
            .unwrap_or(all || object);
        let name = file.text(decl.name);
        if wanted && !decl.alias && name.starts_with(char::is_uppercase) {
            selected.push(Selected {
                name: name.to_owned(),
                interfaces: match dialect {
                    Dialect::ControllerGen if object => vec![Interface::object()],
                    Dialect::ControllerGen => Vec::new(),
                    Dialect::DeepcopyGen => interfaces(&markers),
                },
                by_value: first_text(&markers, LEGACY_BY_VALUE) == Some("true"),
                span: decl.name,
            });
        }
    }
    selected
}

/// The interfaces that markers name, several behind one another or with commas between them.
fn interfaces(markers: &[Found]) -> Vec<Interface> {
    let lists = named(markers, LEGACY_INTERFACES).filter_map(|found| found.values.text(""));
    lists
        .flat_map(|list| list.split(','))
        .filter_map(Interface::new)
        .collect()
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
