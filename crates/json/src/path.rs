//! Field paths, printed as Kubernetes prints them. Knows no value and no schema.

use std::fmt;

/// A path to a field, linked up the stack to its parents and rendered only when an error needs it.
///
/// Mirrors `field.Path` of k8s.io/apimachinery: the nil path prints `<nil>`, its child starts a path.
///
/// ```
/// use kindsmith_json::Path;
/// let spec = Path::root("spec");
/// let containers = spec.child("containers");
/// assert_eq!(containers.index(0).child("name").to_string(), "spec.containers[0].name");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    segment: Segment<'p>,
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment<'p> {
    /// The root, before any step.
    Nil,
    /// A named field: `.name`.
    Field(&'p str),
    /// An element of a list: `[3]`.
    Index(usize),
    /// An entry of a map: `[key]`.
    Key(&'p str),
}

impl<'p> Path<'p> {
    /// The nil path: prints `<nil>`.
    pub const NIL: Path<'static> = Path {
        parent: None,
        segment: Segment::Nil,
    };

    /// A path of one field.
    #[must_use]
    pub const fn root(name: &'p str) -> Path<'p> {
        Path {
            parent: None,
            segment: Segment::Field(name),
        }
    }

    /// The field `name` below this path.
    #[must_use]
    pub const fn child(&'p self, name: &'p str) -> Path<'p> {
        self.then(Segment::Field(name))
    }

    /// The element at `index` below this path.
    #[must_use]
    pub const fn index(&'p self, index: usize) -> Path<'p> {
        self.then(Segment::Index(index))
    }

    /// The map entry `key` below this path.
    #[must_use]
    pub const fn key(&'p self, key: &'p str) -> Path<'p> {
        self.then(Segment::Key(key))
    }

    /// The path one `segment` further down.
    #[must_use]
    pub const fn then(&'p self, segment: Segment<'p>) -> Path<'p> {
        match self.segment {
            Segment::Nil => Path {
                parent: None,
                segment,
            },
            _ => Path {
                parent: Some(self),
                segment,
            },
        }
    }

    /// Is this the nil path?
    #[must_use]
    pub fn is_nil(&self) -> bool {
        self.segment == Segment::Nil
    }

    /// The path this one continues, if any.
    #[must_use]
    pub fn parent(&self) -> Option<&'p Path<'p>> {
        self.parent
    }

    /// The last step.
    #[must_use]
    pub fn segment(&self) -> Segment<'p> {
        self.segment
    }

    /// All steps from the root; none for the nil path.
    #[must_use]
    pub fn segments(&self) -> Vec<Segment<'p>> {
        let mut segments = Vec::new();
        let mut here = Some(self);
        while let Some(path) = here {
            if !path.is_nil() {
                segments.push(path.segment);
            }
            here = path.parent;
        }
        segments.reverse();
        segments
    }

    /// The path as an owned value.
    #[must_use]
    pub fn to_owned(&self) -> PathBuf {
        self.with_room(0)
    }

    /// The path as an owned value with room for as many more steps, and for no others.
    #[must_use]
    pub fn with_room(&self, more: usize) -> PathBuf {
        let ways = std::iter::successors(Some(self), |path| path.parent);
        let own = ways.filter(|path| !path.is_nil()).count();
        let mut steps = Vec::with_capacity(own + more);
        self.push_onto(&mut steps);
        PathBuf(steps)
    }

    fn push_onto(&self, steps: &mut Vec<Step>) {
        if let Some(parent) = self.parent {
            parent.push_onto(steps);
        }
        if !self.is_nil() {
            steps.push(self.segment.into());
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_segments(out, self.segments().into_iter())
    }
}

/// Writes steps like `field.Path.String` (k8s.io/apimachinery/pkg/util/validation/field/path.go).
fn write_segments<'p>(
    out: &mut fmt::Formatter<'_>,
    segments: impl ExactSizeIterator<Item = Segment<'p>>,
) -> fmt::Result {
    if segments.len() == 0 {
        return out.write_str("<nil>");
    }
    for (position, segment) in segments.enumerate() {
        match segment {
            Segment::Nil => {}
            // Upstream prints an empty name as an empty subscript.
            Segment::Field("") => out.write_str("[]")?,
            Segment::Field(name) => {
                out.write_str(if position > 0 { "." } else { "" })?;
                out.write_str(name)?;
            }
            Segment::Index(index) => write!(out, "[{index}]")?,
            Segment::Key(key) => write!(out, "[{key}]")?,
        }
    }
    Ok(())
}

/// A path that owns its steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathBuf(Vec<Step>);

/// One step of an owned path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A named field: `.name`.
    Field(Box<str>),
    /// An element of a list: `[3]`.
    Index(usize),
    /// An entry of a map: `[key]`.
    Key(Box<str>),
}

impl PathBuf {
    /// The steps from the root.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Adds a step.
    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Removes the last step.
    pub fn pop(&mut self) -> Option<Step> {
        self.0.pop()
    }

    /// The path as strict decoding prints it (sigs.k8s.io/json): unlike in a field path, an empty name is printed as
    /// nothing.
    #[must_use]
    pub fn dotted(&self) -> String {
        let mut printed = String::new();
        for (position, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => printed.push_str(&format!("[{index}]")),
                Step::Key(key) => printed.push_str(&format!("[{key}]")),
                Step::Field(name) => {
                    printed.push_str(if position > 0 { "." } else { "" });
                    printed.push_str(name);
                }
            }
        }
        printed
    }

    /// The steps as borrowed segments.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = Segment<'_>> {
        self.0.iter().map(Step::as_segment)
    }
}

impl From<&Path<'_>> for PathBuf {
    fn from(path: &Path<'_>) -> Self {
        path.to_owned()
    }
}

impl FromIterator<Step> for PathBuf {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        PathBuf(steps.into_iter().collect())
    }
}

impl Extend<Step> for PathBuf {
    fn extend<I: IntoIterator<Item = Step>>(&mut self, steps: I) {
        self.0.extend(steps);
    }
}

impl IntoIterator for PathBuf {
    type Item = Step;
    type IntoIter = std::vec::IntoIter<Step>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for PathBuf {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_segments(out, self.segments())
    }
}

impl Step {
    /// The step as a borrowed segment.
    #[must_use]
    pub(crate) fn as_segment(&self) -> Segment<'_> {
        match self {
            Step::Field(name) => Segment::Field(name),
            Step::Index(index) => Segment::Index(*index),
            Step::Key(key) => Segment::Key(key),
        }
    }
}

impl From<Segment<'_>> for Step {
    fn from(segment: Segment<'_>) -> Self {
        match segment {
            Segment::Nil => Step::Field("".into()),
            Segment::Field(name) => Step::Field(name.into()),
            Segment::Index(index) => Step::Index(index),
            Segment::Key(key) => Step::Key(key.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_kubernetes_does() {
        let nil = Path::NIL;
        let spec = nil.child("spec");
        let containers = spec.child("containers");
        let metadata = Path::root("metadata");
        let labels = metadata.child("labels");
        let empty = spec.child("");
        let cases = [
            (nil, "<nil>"),
            (spec, "spec"),
            (containers, "spec.containers"),
            (containers.index(0), "spec.containers[0]"),
            (labels.key("a.b/c"), "metadata.labels[a.b/c]"),
            (nil.index(2), "[2]"),
            (nil.key("x"), "[x]"),
            (empty, "spec[]"),
        ];
        for (path, printed) in cases {
            assert_eq!(path.to_string(), printed);
            assert_eq!(path.to_owned().to_string(), printed);
        }
        let first = containers.index(0);
        assert_eq!(first.child("name").to_string(), "spec.containers[0].name");
    }
}
