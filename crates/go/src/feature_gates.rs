//! Feature gates that packages declare: constants of the type `featuregate.Feature`, and the defaults that a table in the
//! same package gives them.

use crate::Read;
use crate::package::Package;
use crate::syntax::{Const, ExprKind, File, TypeKind};

/// The package of the type.
const FEATUREGATE: &str = "k8s.io/component-base/featuregate";

/// A gate that a package declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureGate {
    /// Its name.
    pub name: String,
    /// Whether it is on by default; off if no table says so.
    pub default: bool,
    /// `Alpha`, `Beta`, `GA` or `Deprecated`; `Alpha` if no table says so.
    pub stage: String,
    /// Whether it cannot be changed.
    pub is_locked: bool,
}

impl Read {
    /// The gates that the input packages declare, in the order of their declarations.
    #[must_use]
    pub fn feature_gates(&self) -> Vec<FeatureGate> {
        self.packages
            .iter()
            .flat_map(|package| gates_of(package))
            .collect()
    }
}

fn gates_of(package: &Package) -> Vec<FeatureGate> {
    let constants = package.consts().filter(|(file, decl)| is_gate(file, decl));
    let gates = constants.filter_map(|(file, decl)| {
        let value = file.expr(decl.value?);
        let name = matches!(value.kind, ExprKind::String).then(|| file.text(value.span))?;
        let spec = spec(package, file.text(decl.name)).unwrap_or_default();
        Some(FeatureGate {
            name: name.trim_matches(['"', '`']).to_owned(),
            default: last(spec, "Default:") == Some("true"),
            stage: last(spec, "PreRelease:")
                .and_then(|stage| stage.rsplit('.').next())
                .unwrap_or("Alpha")
                .to_owned(),
            is_locked: last(spec, "LockToDefault:") == Some("true"),
        })
    });
    gates.collect()
}

/// Whether a constant has the type `featuregate.Feature`.
fn is_gate(file: &File, decl: &Const) -> bool {
    let Some(TypeKind::Qualified { package, name }) = decl.ty.map(|ty| file.ty(ty).kind) else {
        return false;
    };
    let import = file.import_named(file.text(package));
    file.text(name) == "Feature" && import.is_some_and(|import| file.import_path(import) == FEATUREGATE)
}

/// What a table of the package says about a gate: the text between the braces after its name. Versioned tables have one
/// entry for each release, the newest last.
fn spec<'p>(package: &'p Package, name: &str) -> Option<&'p str> {
    let mut vars = package.files.iter().flat_map(|file| {
        let values = file.vars.iter().filter_map(|var| var.value);
        values.map(|span| file.text(span))
    });
    vars.find_map(|text| entry(text, name))
}

/// The value of a key in a composite literal, without its braces.
fn entry<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut at = text.match_indices(key).filter(|(start, _)| {
        let before = text[..*start].chars().next_back();
        !before.is_some_and(|letter| is_name(letter) || letter == '.' || letter == '"')
    });
    at.find_map(|(start, _)| {
        let rest = text[start + key.len()..].trim_start().strip_prefix(':')?;
        braced(rest.trim_start())
    })
}

/// The text inside the braces that a text starts with.
fn braced(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (index, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return text.get(1..index),
            '}' => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The word after the last occurrence of a key.
fn last<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let (_, rest) = text.rsplit_once(key)?;
    let end = rest.find([',', '}', '\n']).unwrap_or(rest.len());
    Some(rest[..end].trim())
}

#[cfg(test)]
mod tests {
    use crate::package::{Loader, MemoryFiles, Options};

    const SOURCE: &str = r#"package features

import "k8s.io/component-base/featuregate"

const (
	// On by default.
	WingSpan featuregate.Feature = "WingSpan"
	Hatching featuregate.Feature = "Hatching"
	Molting featuregate.Feature = "Molting"
	Unlisted featuregate.Feature = "Unlisted"
	Other = "Other"
)

var gates = map[featuregate.Feature]featuregate.FeatureSpec{
	WingSpan: {Default: true, PreRelease: featuregate.Beta},
	Hatching: {Default: true, LockToDefault: true, PreRelease: featuregate.GA}, // stays
}

var versioned = map[featuregate.Feature]featuregate.VersionedSpecs{
	Molting: {
		{Version: version.MustParse("1.0"), Default: false, PreRelease: featuregate.Alpha},
		{Version: version.MustParse("1.1"), Default: true, PreRelease: featuregate.Beta},
	},
}
"#;

    #[test]
    fn constants_are_gates_with_the_defaults_of_their_table() {
        let mut files = MemoryFiles::default();
        files.add("features/features.go", SOURCE);
        let mut loader = Loader::new(&files, Options::default());
        let packages = loader.load("features");
        let read = crate::read(loader, packages, crate::Profile::Upstream);
        let shown: Vec<String> = read
            .feature_gates()
            .iter()
            .map(|gate| format!("{} {} {} {}", gate.name, gate.default, gate.stage, gate.is_locked))
            .collect();
        assert_eq!(
            shown,
            [
                "WingSpan true Beta false",
                "Hatching true GA true",
                "Molting true Beta false",
                "Unlisted false Alpha false",
            ]
        );
    }
}
