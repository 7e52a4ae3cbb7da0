//! What expressions mean while a function is walked.

use std::rc::Rc;

use super::syntax::Stmt;

/// A step from a value to a part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A field, by its name in Go.
    Field(String),
    /// An item of a list, or a value of a map.
    Item,
    /// A key of a map.
    Key,
}

/// A part of the object that a function validates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The type of the parameter.
    pub root: String,
    /// From the parameter to the part.
    pub steps: Vec<Step>,
}

impl Place {
    pub(super) fn then(&self, step: Step) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self {
            root: self.root.clone(),
            steps,
        }
    }

    /// The same part of an object that is itself a part.
    pub(super) fn moved(&self, to: &Place) -> Self {
        Self {
            root: to.root.clone(),
            steps: to.steps.iter().chain(&self.steps).cloned().collect(),
        }
    }

    /// Whether the other is this or a part of it.
    pub(super) fn holds(&self, other: &Place) -> bool {
        self.root == other.root && other.steps.starts_with(&self.steps)
    }
}

/// A step of a `field.Path`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// A member, by its name in JSON.
    Child(String),
    /// An item of a list.
    Index,
    /// A key of a map.
    Key,
}

/// The value of an expression.
#[derive(Debug, Clone)]
pub(super) enum Val {
    New(Place),
    Old(Place),
    Path(Vec<PathStep>),
    Int(i128),
    Text(String),
    Nil,
    /// A set or list of known texts.
    Texts(Vec<String>),
    /// A set that is filled while a list is walked; the list, if every item is put into it.
    Seen(Option<Place>),
    /// The size of a set with every item of a list.
    Filled(Place),
    Length(Place),
    OldLength(Place),
    /// How many errors there are.
    ErrorCount,
    /// Values that a function with any number of parameters is given.
    List(Vec<Val>),
    /// Whether something holds.
    Holds(Cond),
    Characters(Place),
    /// How many of these are set.
    Count(Vec<Place>),
    /// What a check of a format complains about.
    Messages(Place, &'static str),
    /// A function, by its package and name.
    Func(usize, String),
    /// A function of another package, by its path and name.
    Library(String, String),
    Closure(Rc<Closure>),
    Errors(Vec<Rc<Emit>>),
    /// A struct of options, and one of them.
    Options,
    Switch(String),
    Unknown,
}

/// A function literal.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) params: Vec<String>,
    pub(super) body: Vec<Stmt>,
    /// The package and file in which it is written.
    pub(super) source: (usize, usize),
}

/// A file of the packages that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    /// The package, by its place in the reading.
    pub package: usize,
    /// The file of the package.
    pub file: usize,
}

/// An expression in a file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// When an error is reported.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// Absent, empty or zero.
    Zero(Place),
    /// Present.
    Set(Place),
    /// A comparison of a number.
    Number(Place, &'static str, i128),
    /// A comparison of a length in bytes, or a number of items.
    Length(Place, &'static str, i128),
    /// A comparison of a number of characters.
    Characters(Place, &'static str, i128),
    /// One of these texts.
    In(Place, Vec<String>),
    /// None of these texts.
    NotIn(Place, Vec<String>),
    /// Occurred before in the list.
    Seen(Place),
    /// Not in a format.
    NotFormat(Place, &'static str),
    /// Other than in the old object.
    Changed(Place),
    /// The same as in the old object.
    Unchanged(Place),
    /// How many of these are set.
    Count(Vec<Place>, &'static str, i128),
    /// Present in the old object.
    OldSet(Place),
    /// Absent, empty or zero in the old object, or there is none.
    OldZero(Place),
    /// New, or other than in the old object.
    Fresh(Place),
    /// A feature gate.
    Gate(String, bool),
    /// Other errors were reported before.
    Reported,
    /// One of these holds.
    Any(Vec<Cond>),
    /// All of these hold.
    All(Vec<Cond>),
    /// Not read.
    Unknown,
}

impl Cond {
    /// Never holds.
    pub(super) const NEVER: Cond = Cond::Any(Vec::new());

    /// The one place that it is about.
    pub(crate) fn place(&self) -> Option<&Place> {
        match self {
            Self::Zero(place)
            | Self::Set(place)
            | Self::Number(place, ..)
            | Self::Length(place, ..)
            | Self::Characters(place, ..)
            | Self::In(place, _)
            | Self::NotIn(place, _)
            | Self::Seen(place)
            | Self::NotFormat(place, _)
            | Self::Changed(place)
            | Self::Unchanged(place) => Some(place),
            Self::Count(..)
            | Self::OldSet(_)
            | Self::OldZero(_)
            | Self::Fresh(_)
            | Self::Gate(..)
            | Self::Reported
            | Self::Any(_)
            | Self::All(_)
            | Self::Unknown => None,
        }
    }

    /// The same about the parts of another object.
    pub(super) fn moved(&self, to: &Place) -> Cond {
        let at = |place: &Place| place.moved(to);
        match self {
            Self::Zero(place) => Self::Zero(at(place)),
            Self::Set(place) => Self::Set(at(place)),
            Self::Number(place, operator, value) => Self::Number(at(place), operator, *value),
            Self::Length(place, operator, value) => Self::Length(at(place), operator, *value),
            Self::Characters(place, operator, value) => Self::Characters(at(place), operator, *value),
            Self::In(place, texts) => Self::In(at(place), texts.clone()),
            Self::NotIn(place, texts) => Self::NotIn(at(place), texts.clone()),
            Self::Seen(place) => Self::Seen(at(place)),
            Self::NotFormat(place, format) => Self::NotFormat(at(place), format),
            Self::Changed(place) => Self::Changed(at(place)),
            Self::Unchanged(place) => Self::Unchanged(at(place)),
            Self::Count(places, operator, value) => {
                Self::Count(places.iter().map(at).collect(), operator, *value)
            }
            Self::Any(all) => Self::Any(all.iter().map(|one| one.moved(to)).collect()),
            Self::All(all) => Self::All(all.iter().map(|one| one.moved(to)).collect()),
            Self::OldSet(place) => Self::OldSet(at(place)),
            Self::OldZero(place) => Self::OldZero(at(place)),
            Self::Fresh(place) => Self::Fresh(at(place)),
            Self::Gate(..) | Self::Reported | Self::Unknown => self.clone(),
        }
    }

    /// The opposite.
    pub(super) fn not(&self) -> Cond {
        let flipped = |operator: &'static str| match operator {
            "<" => ">=",
            "<=" => ">",
            ">" => "<=",
            ">=" => "<",
            "==" => "!=",
            _ => "==",
        };
        match self {
            Self::Zero(place) => Self::Set(place.clone()),
            Self::Set(place) => Self::Zero(place.clone()),
            Self::Number(place, operator, value) => Self::Number(place.clone(), flipped(operator), *value),
            Self::Length(place, operator, value) => Self::Length(place.clone(), flipped(operator), *value),
            Self::Characters(place, operator, value) => {
                Self::Characters(place.clone(), flipped(operator), *value)
            }
            Self::In(place, texts) => Self::NotIn(place.clone(), texts.clone()),
            Self::NotIn(place, texts) => Self::In(place.clone(), texts.clone()),
            Self::Changed(place) => Self::Unchanged(place.clone()),
            Self::Unchanged(place) => Self::Changed(place.clone()),
            Self::Count(places, operator, value) => Self::Count(places.clone(), flipped(operator), *value),
            Self::OldSet(place) => Self::OldZero(place.clone()),
            Self::OldZero(place) => Self::OldSet(place.clone()),
            Self::Gate(name, on) => Self::Gate(name.clone(), !on),
            Self::Any(all) => Self::All(all.iter().map(Self::not).collect()),
            Self::All(all) => {
                let mut parts: Vec<Cond> = all
                    .iter()
                    .map(Self::not)
                    .filter(|part| *part != Self::NEVER)
                    .collect();
                match (parts.len(), parts.pop()) {
                    (1, Some(only)) => only,
                    (_, None) => Self::NEVER,
                    (_, Some(last)) => {
                        parts.push(last);
                        Self::Any(parts)
                    }
                }
            }
            Self::Seen(_) | Self::NotFormat(..) | Self::Fresh(_) | Self::Reported | Self::Unknown => {
                Self::Unknown
            }
        }
    }

    /// What one of several conditions says together: there is no old object, or a part is other than in it.
    pub(super) fn fresh(any: &[Cond]) -> Option<Cond> {
        match any {
            [Self::OldZero(old), Self::Changed(part)] | [Self::Changed(part), Self::OldZero(old)]
                if old.holds(part) =>
            {
                Some(Self::Fresh(part.clone()))
            }
            _ => None,
        }
    }
}

/// The type of an error of `field`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorType {
    /// `field.Required`
    Required,
    /// `field.Invalid`
    Invalid,
    /// `field.NotSupported`
    NotSupported,
    /// `field.TooLong`
    TooLong,
    /// `field.TooMany`
    TooMany,
    /// `field.Duplicate`
    Duplicate,
    /// `field.Forbidden`
    Forbidden,
    /// `field.TooShort`
    TooShort,
    /// `field.TooFew`
    TooFew,
}

/// An error that a function reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Emit {
    /// Its type.
    pub error: ErrorType,
    /// Its field, below that of the function.
    pub path: Vec<PathStep>,
    /// The value it names, if it is part of the object.
    pub value: Option<Place>,
    /// Its words, if they are constant.
    pub detail: Option<String>,
    /// Its origin.
    pub origin: Option<String>,
    /// The limit that it names.
    pub limit: Option<i128>,
    /// The values that it names as supported.
    pub supported: Vec<String>,
    /// Whether it is already marked as covered by tags.
    pub covered: bool,
    /// Whether it is marked alpha or beta.
    pub level: Option<&'static str>,
    /// When it is reported; all hold.
    pub conditions: Vec<Cond>,
    /// The function that reports it.
    pub function: String,
    /// The function with the object, which calls it.
    pub entry: String,
    /// The type of that object.
    pub root: String,
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// Where the call that makes it begins in the file.
    pub start: usize,
    /// Where that call ends.
    pub end: usize,
    /// The calls that hand it on, the innermost first.
    pub through: Vec<Span>,
}

impl Emit {
    /// The call that makes it.
    #[must_use]
    pub fn site(&self) -> Span {
        Span {
            file: self.file,
            start: self.start,
            end: self.end,
        }
    }
}

/// An error with nothing but its type and field.
pub(super) fn blank(error: ErrorType, path: Vec<PathStep>) -> Emit {
    Emit {
        error,
        path,
        value: None,
        detail: None,
        origin: None,
        limit: None,
        supported: Vec::new(),
        covered: false,
        level: None,
        conditions: Vec::new(),
        function: String::new(),
        entry: String::new(),
        root: String::new(),
        file: FileId { package: 0, file: 0 },
        line: 0,
        start: 0,
        end: 0,
        through: Vec::new(),
    }
}
