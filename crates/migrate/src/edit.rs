//! Tags written into the source of types, marks into that of functions.

use std::collections::{BTreeMap, BTreeSet};

use kindsmith_go::Read;
use kindsmith_schema::{Owner, Part};

use crate::validation::{FileId, Reading, Rule, Span};

/// A tag to write above a declaration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Insert {
    /// The file, as the reader named it.
    pub file: String,
    /// The line of the declaration, from 0.
    pub line: usize,
    /// The tag.
    pub text: String,
}

/// A file with tags written into it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edited {
    /// Its text.
    pub text: String,
    /// By line, from 0: the tag that is new.
    pub added: BTreeMap<usize, Insert>,
}

/// Where a declaration is: its file and line, from 0.
#[must_use]
pub fn place(types: &Read, owner: Owner) -> Option<(String, usize)> {
    let span = types.origins.span(&owner.part(Part::Name))?;
    let file = types.sources.file(span.file);
    let line = file.text()[..span.start as usize].matches('\n').count();
    Some((file.name().to_owned(), line))
}

/// The tags of some rules, and `+k8s:optional` where fields need it.
#[must_use]
pub fn inserts(types: &Read, reading: &Reading, is_chosen: &dyn Fn(usize) -> bool) -> BTreeSet<Insert> {
    let chosen = || {
        reading
            .rules
            .iter()
            .enumerate()
            .filter(|(index, _)| is_chosen(*index))
            .map(|(_, rule)| rule)
    };
    let mut made = BTreeSet::new();
    let mut decided: BTreeSet<(Owner, &str)> = BTreeSet::new();
    for rule in chosen() {
        for tag in of(rule) {
            decided.extend(says_presence(&tag.text).map(|of| (tag.owner, of)));
            if let (false, Some((file, line))) = (tag.present, place(types, tag.owner)) {
                let text = tag.text.clone();
                made.insert(Insert { file, line, text });
            }
        }
    }
    for companion in chosen().flat_map(|rule| &rule.companions) {
        let owner = Owner::Field(companion.field);
        let docs = types.schema.field(companion.field).docs.text.as_deref();
        let of = says_presence(&companion.text);
        let is_said = docs
            .unwrap_or_default()
            .lines()
            .any(|line| says_presence(line.trim()) == of);
        if is_said || of.is_some_and(|of| decided.contains(&(owner, of))) {
            continue;
        }
        if let Some((file, line)) = place(types, owner) {
            let text = companion.text.clone();
            made.insert(Insert { file, line, text });
        }
    }
    made
}

fn of(rule: &Rule) -> &[crate::validation::Tag] {
    rule.tags.as_ref().map_or(&[], |tags| tags)
}

/// What a tag declares required, optional or forbidden, at any level of stability: the field itself if this is empty, or what the tag
/// is wrapped in, as `+k8s:subfield(name)=`.
fn says_presence(tag: &str) -> Option<&str> {
    let levels = ["+k8s:alpha", "+k8s:beta"];
    let plain = match levels.iter().find_map(|level| tag.strip_prefix(level)) {
        Some(rest) => rest.split_once('=').map_or("", |(_, plain)| plain),
        None => tag,
    };
    let words = ["+k8s:required", "+k8s:optional", "+k8s:forbidden"];
    words.iter().find_map(|word| plain.strip_suffix(word))
}

/// The files with tags written into them.
#[must_use]
pub fn edited(
    types: &Read,
    inserts: &BTreeSet<Insert>,
    level: &dyn Fn(&str) -> String,
) -> BTreeMap<String, Edited> {
    let mut made: BTreeMap<String, Edited> = BTreeMap::new();
    let names: BTreeSet<&str> = inserts.iter().map(|insert| &*insert.file).collect();
    for (_, file) in types.sources.files() {
        if !names.contains(file.name()) {
            continue;
        }
        let mut out = Edited::default();
        let mut count = 0;
        for (number, line) in file.text().split_inclusive('\n').enumerate() {
            let indent = &line[..line.len() - line.trim_start().len()];
            for insert in inserts
                .iter()
                .filter(|one| one.file == file.name() && one.line == number)
            {
                out.text
                    .push_str(&format!("{indent}// {}\n", level(&insert.text)));
                out.added.insert(count, insert.clone());
                count += 1;
            }
            out.text.push_str(line);
            count += 1;
        }
        made.insert(file.name().to_owned(), out);
    }
    made
}

/// A mark in the source of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The call after which it is written.
    pub at: Span,
    /// What is written.
    pub text: String,
}

/// Marks for the errors of some rules, and the rules that cannot be marked because their call reports other errors, too.
#[must_use]
pub fn marks(reading: &Reading, is_chosen: &dyn Fn(usize) -> bool, level: &str) -> (Vec<Mark>, Vec<usize>) {
    let mut made: Vec<Mark> = Vec::new();
    let mut unmarked = Vec::new();
    for (index, rule) in reading.rules.iter().enumerate() {
        if !is_chosen(index) || rule.emit.covered {
            continue;
        }
        let site = rule.emit.site();
        let ways = std::iter::once(site).chain(rule.emit.through.iter().copied());
        let is_pure = |way: &Span| {
            let mut all = reading.rules.iter().enumerate();
            all.all(|(other, rule)| {
                let goes = rule.emit.site() == *way || rule.emit.through.contains(way);
                !goes || is_chosen(other) || rule.emit.covered
            })
        };
        let Some(way) = ways.into_iter().find(is_pure) else {
            unmarked.push(index);
            continue;
        };
        let origin = rule.origin.as_deref().filter(|_| rule.emit.origin.is_none());
        let origin = origin.map_or_else(String::new, |origin| format!(".WithOrigin({origin:?})"));
        let text = format!("{origin}{level}.MarkCoveredByDeclarative()");
        if !made.iter().any(|mark| mark.at == way) {
            made.push(Mark { at: way, text });
        }
    }
    (made, unmarked)
}

/// The source of a file with marks written into it.
#[must_use]
pub fn marked(source: &str, file: FileId, marks: &[Mark]) -> String {
    let mut own: Vec<&Mark> = marks.iter().filter(|mark| mark.at.file == file).collect();
    own.sort_by_key(|mark| std::cmp::Reverse(mark.at.end));
    let mut text = source.to_owned();
    for mark in own {
        if mark.at.end <= text.len() && text.is_char_boundary(mark.at.end) {
            text.insert_str(mark.at.end, &mark.text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::says_presence;

    #[test]
    fn a_tag_says_of_what_it_requires_presence() {
        for (tag, of) in [
            ("+k8s:optional", Some("")),
            ("+k8s:alpha(since: \"1.38\")=+k8s:required", Some("")),
            ("+k8s:subfield(name)=+k8s:optional", Some("+k8s:subfield(name)=")),
            (
                "+k8s:beta=+k8s:subfield(name)=+k8s:optional",
                Some("+k8s:subfield(name)="),
            ),
            ("+k8s:subfield(name)=+k8s:format=k8s-long-name", None),
        ] {
            assert_eq!(says_presence(tag), of, "{tag}");
        }
    }
}
