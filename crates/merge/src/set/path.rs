//! The paths of a set in the order upstream lists them: members of a level first, then deeper paths.

use super::FieldSet;
use crate::element::Element;

/// A path written out, as `.spec.ports[port=80,protocol="TCP"].name`.
pub struct PathText<'p, 'a>(pub &'p [Element<'a>]);

impl std::fmt::Display for PathText<'_, '_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|element| write!(out, "{element}"))
    }
}

impl<'a> FieldSet<'a> {
    /// Calls `visit` with every path.
    pub(crate) fn for_each_path(self, mut visit: impl FnMut(&[Element<'a>])) {
        walk(self, &mut Vec::new(), &mut visit);
    }

    /// Every path as text.
    #[must_use]
    pub fn path_texts(self) -> Vec<String> {
        let mut texts = Vec::new();
        self.for_each_path(|path| texts.push(PathText(path).to_string()));
        texts
    }
}

fn walk<'a>(set: FieldSet<'a>, path: &mut Vec<Element<'a>>, visit: &mut impl FnMut(&[Element<'a>])) {
    for node in set.nodes().iter().filter(|node| node.member) {
        path.push(node.element);
        visit(path);
        path.pop();
    }
    for node in set.nodes().iter().filter(|node| !node.children.is_empty()) {
        path.push(node.element);
        walk(node.children, path, visit);
        path.pop();
    }
}
