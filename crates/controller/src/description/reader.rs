//! Walks over a description and remembers where everything is, so that every mistake names its line. Tables live as long as
//! the process, so their texts are leaked: a description is read once, and its size is bounded.

use std::fmt;
use std::ops::Range;

use kindsmith_formats::nearest::nearest_of;
use kindsmith_json::locate::{in_yaml, line_column};
use kindsmith_json::path::Segment;
use kindsmith_json::{Arena, to_string, yaml};

use crate::Json;

/// A mistake in a description, or something that is left to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub cure: Option<String>,
    /// How bad it is.
    pub weight: Weight,
}

/// How bad a mistake is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The description cannot be used.
    Error,
    /// It can be used, but probably does not do what its author wants.
    Warning,
    /// It can be used; somebody has still to decide something.
    Todo,
}

impl Mistake {
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Mistake {
            line,
            span: 0..0,
            message: message.into(),
            cure: None,
            weight: Weight::Error,
        }
    }

    pub(super) fn cure(mut self, cure: impl Into<String>) -> Self {
        self.cure = Some(cure.into());
        self
    }

    pub(super) fn weight(mut self, weight: Weight) -> Self {
        self.weight = weight;
        self
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// A step to a value.
#[derive(Clone)]
enum Part {
    Key(String),
    Item(usize),
}

/// A value of the description.
#[derive(Clone)]
pub(super) struct Node<'t> {
    text: &'t str,
    path: Vec<Part>,
    pub(super) json: Json,
}

impl<'t> Node<'t> {
    /// Reads the text; repeated keys are mistakes.
    pub(super) fn read(text: &'t str) -> Result<(Self, Vec<Mistake>), Vec<Mistake>> {
        let arena = Arena::new();
        let options = kindsmith_json::read::Options::default();
        let read = yaml::read(&arena, arena.alloc_str(text).as_bytes(), options)
            .map_err(|error| vec![Mistake::new(1, error.to_string())])?;
        let json = serde_json::from_str(&to_string(read.value)).unwrap_or_default();
        let twice = read.duplicates.iter().map(|duplicate| {
            let message = format!("`{}` is there twice", duplicate.key);
            Mistake::new(duplicate.line, message).cure("remove one of them")
        });
        let root = Node {
            text,
            path: Vec::new(),
            json,
        };
        if root.json.is_object() {
            Ok((root, twice.collect()))
        } else {
            Err(vec![Mistake::new(1, "a description is an object")])
        }
    }

    pub(super) fn member(&self, key: &str) -> Node<'t> {
        let mut path = self.path.clone();
        path.push(Part::Key(key.to_owned()));
        Node {
            text: self.text,
            path,
            json: self.json.get(key).cloned().unwrap_or_default(),
        }
    }

    pub(super) fn entries(&self) -> Vec<(String, Node<'t>)> {
        let keys = self.json.as_object().into_iter().flat_map(|object| object.keys());
        keys.map(|key| (key.clone(), self.member(key))).collect()
    }

    /// Items of a list.
    pub(super) fn items(&self) -> Vec<Node<'t>> {
        let items = self.json.as_array().map(Vec::as_slice).unwrap_or_default();
        items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let mut path = self.path.clone();
                path.push(Part::Item(index));
                Node {
                    text: self.text,
                    path,
                    json: item.clone(),
                }
            })
            .collect()
    }

    pub(super) fn text(&self, mistakes: &mut Vec<Mistake>) -> Option<&str> {
        if self.json.as_str().is_none() {
            let what = self.path.iter().rev().find_map(|part| match part {
                Part::Key(key) => Some(&**key),
                Part::Item(_) => None,
            });
            let what = what.unwrap_or_default();
            let mistake = if self.json.is_null() {
                self.mistake(&format!("`{what}` is missing"))
            } else {
                self.mistake(&format!("`{what}` must be a text"))
                    .cure("put it in quotes")
            };
            mistakes.push(mistake);
        }
        self.json.as_str()
    }

    pub(super) fn text_or<'s>(&'s self, default: &'s str, mistakes: &mut Vec<Mistake>) -> &'s str {
        if self.json.is_null() {
            default
        } else {
            self.text(mistakes).unwrap_or(default)
        }
    }

    /// Reports members that do not exist.
    pub(super) fn only(&self, known: &[&str], mistakes: &mut Vec<Mistake>) {
        if !self.json.is_object() && !self.json.is_null() {
            mistakes.push(self.mistake("must be an object"));
        }
        for (key, node) in self.entries() {
            if known.contains(&&*key) {
                continue;
            }
            let mistake = node.mistake(&format!("no member `{key}` here"));
            mistakes.push(mistake.cure(meant(&key, known.iter().copied())));
        }
    }

    pub(super) fn mistake(&self, message: &str) -> Mistake {
        let segments = self.path.iter().map(|part| match part {
            Part::Key(key) => Segment::Field(key),
            Part::Item(index) => Segment::Index(*index),
        });
        let found = in_yaml(self.text, segments);
        let span = found.map_or(0..0, |found| found.key.unwrap_or(found.value));
        Mistake {
            span: span.clone(),
            ..Mistake::new(line_column(self.text.as_bytes(), span.start).0, message)
        }
    }

    /// Whether the description has it.
    pub(super) fn is_set(&self) -> bool {
        !self.json.is_null()
    }
}

/// `did you mean …?`, or all names that are known.
pub(super) fn meant<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    match nearest_of(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("available: {}", known.collect::<Vec<_>>().join(", ")),
    }
}

/// A text that lives as long as the process.
pub(super) fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// `a.b[*].c` as its parts; `[*]` is one of its own.
pub(super) fn path_of(text: &str) -> &'static [&'static str] {
    let mut parts: Vec<&'static str> = Vec::new();
    for part in text.split('.') {
        match part.strip_suffix("[*]") {
            Some(list) => parts.extend([leak(list), "[*]"]),
            None => parts.push(leak(part)),
        }
    }
    Box::leak(parts.into_boxed_slice())
}
