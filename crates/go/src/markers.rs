//! Where controller-gen looks for markers: above the package and between declarations, or above a type. Knows no
//! marker by name.

use kindsmith_source::Span;

use crate::package::Package;
use crate::syntax::{Comments, File, GroupId};

/// A marker as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker<'a> {
    /// The text after the `+`.
    pub text: &'a str,
    /// The place of the text.
    pub span: Span,
}

/// The place of a marker among those of its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Outside declarations: the package's.
    Package,
    /// In the group above a type that is not its doc comment: the package's, unless the marker may be on a type.
    AboveType,
}

/// The markers of a package, in source order (`associateFileMarkers` in controller-tools `pkg/markers/collect.go`).
#[must_use]
pub fn of_package(package: &Package) -> Vec<(Level, Marker<'_>)> {
    package.files.iter().flat_map(of_file).collect()
}

fn of_file(file: &File) -> Vec<(Level, Marker<'_>)> {
    let own = file.package_groups.iter().map(|group| (*group, Level::Package));
    let above = file.types.iter().filter_map(|decl| decl.comments.nearest);
    let mut groups: Vec<(GroupId, Level)> = own.chain(above.map(|group| (group, Level::AboveType))).collect();
    groups.sort_by_key(|(group, _)| *group);
    groups.dedup_by_key(|(group, _)| *group);
    let markers = groups
        .into_iter()
        .map(|(group, level)| (level, of_group(file, group)));
    markers
        .flat_map(|(level, found)| found.into_iter().map(move |marker| (level, marker)))
        .collect()
}

/// The markers of a type, in source order.
#[must_use]
pub fn of_type<'a>(file: &'a File, comments: &Comments) -> Vec<Marker<'a>> {
    let groups = [comments.nearest, comments.godoc];
    groups
        .into_iter()
        .flatten()
        .flat_map(|group| of_group(file, group))
        .collect()
}

/// Only `//` comments hold markers.
fn of_group(file: &File, group: GroupId) -> Vec<Marker<'_>> {
    let comments = file.comments.comments(group).iter();
    comments
        .filter_map(|comment| {
            let body = file.source()[comment.start as usize..comment.end as usize].strip_prefix("//")?;
            let marker = body.trim_start().strip_prefix('+')?;
            let start = comment.end - marker.len() as u32;
            let text = marker.trim_end();
            let span = Span::new(file.id, start, start + text.len() as u32);
            Some(Marker { text, span })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::{Loader, MemoryFiles, Options};

    #[test]
    fn markers_between_declarations_are_the_packages() {
        let source = "\
// +above

// +doc
package p

// +loose

// +nearest

// Doc.
// +typed
type T struct {
\t// +field
\tA int
}

// +free

// Doc.
// +hidden
func f() {
\t// +body
}

/* +block */
// +last
";
        let files: MemoryFiles = [("p/t.go", source)].into_iter().collect();
        let mut loader = Loader::new(&files, Options::default());
        let packages = loader.load("p");
        let found = of_package(&packages[0]);
        let texts: Vec<(Level, &str)> = found
            .iter()
            .map(|(level, marker)| (*level, marker.text))
            .collect();
        assert_eq!(
            texts,
            [
                (Level::Package, "above"),
                (Level::Package, "doc"),
                (Level::Package, "loose"),
                (Level::AboveType, "nearest"),
                (Level::Package, "free"),
                (Level::Package, "last"),
            ]
        );
        let (file, decl) = packages[0].type_decl("T").expect("a type");
        let typed: Vec<&str> = of_type(file, &decl.comments)
            .iter()
            .map(|marker| marker.text)
            .collect();
        assert_eq!(typed, ["nearest", "typed"]);
        assert_eq!(file.text(found[0].1.span), "above");
    }
}
