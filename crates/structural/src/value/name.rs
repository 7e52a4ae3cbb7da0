//! Names of values as messages print them, linked up the stack and written only when there is an error.
//!
//! Knows how kube-openapi builds names and how the API server turns them into field paths, not what went
//! wrong.

use kindsmith_json::Path;
use kindsmith_json::path::{PathBuf, Step};

/// The name of a value in messages: its way from the root of the validation.
#[derive(Debug, Clone, Copy)]
pub struct Name<'p> {
    parent: Option<&'p Name<'p>>,
    step: Part<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Part<'p> {
    /// The root of the validation.
    Root,
    Property(&'p str),
    /// A member without a schema of its own; always printed with a dot, even at the root.
    Dotted(&'p str),
    Index(usize),
}

impl<'p> Name<'p> {
    /// The root of the validation.
    pub const ROOT: Name<'static> = Name {
        parent: None,
        step: Part::Root,
    };

    /// A member with a schema of its own.
    #[must_use]
    pub fn property(&'p self, key: &'p str) -> Name<'p> {
        self.then(Part::Property(key))
    }

    /// A member of a map.
    #[must_use]
    pub fn dotted(&'p self, key: &'p str) -> Name<'p> {
        self.then(Part::Dotted(key))
    }

    /// An item of a list.
    #[must_use]
    pub fn index(&'p self, index: usize) -> Name<'p> {
        self.then(Part::Index(index))
    }

    fn then(&'p self, step: Part<'p>) -> Name<'p> {
        let parent = Some(self);
        Name { parent, step }
    }

    /// Whether the name is empty: true at the root, and below empty keys.
    pub(super) fn is_empty(&self) -> bool {
        match self.step {
            Part::Root => true,
            Part::Property("") => self.parent.is_none_or(Name::is_empty),
            _ => false,
        }
    }

    /// The parts up to the root, which is none.
    fn upward(&self) -> impl Iterator<Item = Part<'_>> {
        let names = std::iter::successors(Some(self), |name| name.parent);
        names
            .map(|name| name.step)
            .filter(|step| !matches!(step, Part::Root))
    }

    /// How many steps there are, if they print the same as the whole name.
    fn plain_steps(&self) -> Option<usize> {
        let (mut first, mut count) = (None, 0);
        for part in self.upward() {
            if part.key() == Some("") {
                return None;
            }
            first = Some(part);
            count += 1;
        }
        let is_plain = first.is_none_or(|part| part.key().is_some_and(|key| !key.starts_with('.')));
        is_plain.then_some(count)
    }

    fn push_onto(&self, path: &mut PathBuf) {
        if let Some(parent) = self.parent {
            parent.push_onto(path);
        }
        match self.step {
            Part::Root => {}
            Part::Index(index) => path.push(Step::Index(index)),
            Part::Property(key) | Part::Dotted(key) => path.push(Step::Field(key.into())),
        }
    }

    /// Writes the name; says whether it has any text.
    pub(super) fn write(&self, out: &mut impl std::fmt::Write) -> Result<bool, std::fmt::Error> {
        let has_text = match self.parent {
            Some(parent) => parent.write(out)?,
            None => false,
        };
        match self.step {
            Part::Root => return Ok(has_text),
            Part::Index(index) => {
                out.write_char('[')?;
                out.write_str(itoa::Buffer::new().format(index))?;
                out.write_char(']')?;
            }
            Part::Property(key) if !has_text => {
                out.write_str(key)?;
                return Ok(!key.is_empty());
            }
            Part::Property(key) | Part::Dotted(key) => {
                out.write_char('.')?;
                out.write_str(key)?;
            }
        }
        Ok(true)
    }

    /// The field path below `base`.
    pub(super) fn path(&self, base: &Path<'_>) -> PathBuf {
        if let Some(steps) = self.plain_steps() {
            let mut path = base.with_room(steps);
            self.push_onto(&mut path);
            return path;
        }
        // Upstream treats the whole name as one step, which shows with unusual keys and with an array at the
        // root.
        let mut path = base.to_owned();
        let text = self.to_string();
        if !text.is_empty() && text != "." {
            path.push(Step::Field(text.strip_prefix('.').unwrap_or(&text).into()));
        }
        path
    }
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.write(out).map(drop)
    }
}

impl<'p> Part<'p> {
    fn key(self) -> Option<&'p str> {
        match self {
            Self::Property(key) | Self::Dotted(key) => Some(key),
            Self::Root | Self::Index(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: Name<'_>, base: Path<'_>, text: &str, path: &str) {
        assert_eq!(name.to_string(), text);
        assert_eq!(name.path(&base).to_string(), path);
        assert_eq!(name.is_empty(), text.is_empty());
    }

    #[test]
    fn names_are_those_of_kube_openapi() {
        let root = Name::ROOT;
        let spec = root.property("spec");
        let list = spec.property("l");
        let odd = root.property("");
        check(root, Path::NIL, "", "<nil>");
        check(root, Path::root("status"), "", "status");
        check(list.index(3), Path::NIL, "spec.l[3]", "spec.l[3]");
        check(
            list.index(3).property("a"),
            Path::root("status"),
            "spec.l[3].a",
            "status.spec.l[3].a",
        );
        check(root.dotted("k"), Path::NIL, ".k", "k");
        check(spec.dotted("k/x.y"), Path::NIL, "spec.k/x.y", "spec.k/x.y");
        check(spec.dotted(""), Path::NIL, "spec.", "spec.");
        check(root.dotted(""), Path::NIL, ".", "<nil>");
        check(odd.property("a"), Path::NIL, "a", "a");
        check(root.dotted(".k"), Path::NIL, "..k", ".k");
        check(root.index(0), Path::NIL, "[0]", "[0]");
        check(
            root.index(0).property("a"),
            Path::root("status"),
            "[0].a",
            "status.[0].a",
        );
    }
}
