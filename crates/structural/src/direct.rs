//! Errors of values that other code has checked, in the words and in the order of this crate.
//!
//! Code that knows its types can compare fields itself; what is wrong with them is said here, so that the words are in one place. Knows
//! no schema: keywords are given.

use std::sync::OnceLock;

use kindsmith_json::path::Step;
use kindsmith_json::{Path, Value};
use kindsmith_object::{BadValue, FieldError, Keyword};

use crate::list_type::{check_map, check_set};
use crate::rules::{broken_rule, kind_of};
use crate::validate::{blocks_rules, not_checked};
use crate::value::{
    Faults, GoNumber, Name, Number, NumberRange, Site, TextFault, has_repetition, longer_than, shorter_than,
};

/// The errors of one value.
#[derive(Debug, Default)]
pub struct Report {
    /// Those of values, then those of rules.
    faults: Faults,
    /// How many are those of rules.
    rules: usize,
    lists: Vec<FieldError>,
    is_incomplete: bool,
}

/// A number as JSON has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JsonNumber {
    /// Without a fraction.
    Int(i64),
    /// Any other.
    Float(f64),
}

/// Keywords of numbers, compiled on first use.
#[derive(Debug)]
pub struct NumberKeywords {
    ty: &'static str,
    format: &'static str,
    multiple_of: Option<f64>,
    minimum: Option<(f64, bool)>,
    maximum: Option<(f64, bool)>,
    check: OnceLock<Number>,
}

impl NumberKeywords {
    /// `type`, `format`, which may be empty, `multipleOf`, `minimum` and `maximum`, each of these with whether it is exclusive.
    #[must_use]
    pub const fn new(
        ty: &'static str,
        format: &'static str,
        multiple_of: Option<f64>,
        minimum: Option<(f64, bool)>,
        maximum: Option<(f64, bool)>,
    ) -> Self {
        Self {
            ty,
            format,
            multiple_of,
            minimum,
            maximum,
            check: OnceLock::new(),
        }
    }

    fn check(&self) -> &Number {
        self.check.get_or_init(|| {
            let range = NumberRange::named(Some(self.ty), self.format);
            Number::new(range, self.multiple_of, self.minimum, self.maximum)
        })
    }
}

/// A CEL rule: what its error says.
#[derive(Debug, Clone, Copy)]
pub struct RuleWords {
    /// Its number among the rules of its value.
    pub index: u32,
    /// `reason`.
    pub reason: Option<&'static str>,
    /// The message.
    pub message: &'static str,
    /// The field below the value that the error is about.
    pub field_path: Option<&'static str>,
}

impl Report {
    /// Notes that something may be wrong that cannot be said here.
    #[cold]
    pub fn give_up(&mut self) {
        self.is_incomplete = true;
    }

    /// Whether there is more to say than this report can.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// `maxLength` and `minLength`; whether the text is as long as it may be.
    pub fn length(&mut self, name: &Name<'_>, text: &str, min: Option<i64>, max: Option<i64>) -> bool {
        let fault = match (min, max) {
            (_, Some(max)) if longer_than(text, max) => TextFault::TooLong(max),
            (Some(min), _) if shorter_than(text, min) => TextFault::TooShort(min),
            _ => return true,
        };
        self.faults.add(site(name).text(fault, text));
        false
    }

    /// A text that does not match a valid `pattern`.
    pub fn no_match(&mut self, name: &Name<'_>, text: &str, pattern: &str) {
        self.faults.add(site(name).no_match(pattern, text.into()));
    }

    /// A text that has not its `format`.
    pub fn wrong_format(&mut self, name: &Name<'_>, text: &str, format: &str) {
        self.faults.add(site(name).wrong_format(format, text));
    }

    /// Checks a number.
    pub fn number(&mut self, name: &Name<'_>, number: JsonNumber, keywords: &NumberKeywords) {
        let number = match number {
            JsonNumber::Int(number) => GoNumber::Int(number),
            JsonNumber::Float(number) => GoNumber::Float(number),
        };
        let check = keywords.check();
        check.faults(number, |fault| self.faults.add(site(name).number(fault)));
    }

    /// A text that is none of those in an `enum`.
    pub fn unlisted(&mut self, name: &Name<'_>, text: &str, allowed: &[&str]) {
        let shown = allowed.iter().map(|&text| text.into()).collect();
        let fault = site(name).unlisted(&allowed.join(" "), shown, text.into());
        self.faults.add(fault);
    }

    /// `minItems` and `maxItems`.
    pub fn items(&mut self, name: &Name<'_>, count: usize, min: Option<i64>, max: Option<i64>) {
        self.count(name, (Keyword::MinItems, "items"), count, min, max);
    }

    /// `minProperties` and `maxProperties`.
    pub fn properties(&mut self, name: &Name<'_>, count: usize, min: Option<i64>, max: Option<i64>) {
        self.count(name, (Keyword::MinProperties, "properties"), count, min, max);
    }

    fn count(
        &mut self,
        name: &Name<'_>,
        (keyword, what): (Keyword, &str),
        count: usize,
        min: Option<i64>,
        max: Option<i64>,
    ) {
        if let Some(min) = min.filter(|&min| (count as i64) < min) {
            self.faults.add(site(name).too_few(keyword, count, min));
        }
        if let Some(max) = max.filter(|&max| count as i64 > max) {
            self.faults.add(site(name).too_many(what, count, max));
        }
    }

    /// `uniqueItems`.
    pub fn unique(&mut self, name: &Name<'_>, items: &[Value<'_>]) {
        if has_repetition(items) {
            self.faults.add(site(name).repeated());
        }
    }

    /// A member that is missing.
    pub fn required(&mut self, name: &Name<'_>, member: &str) {
        self.faults.add(site(&name.dotted(member)).required());
    }

    /// A list of type `set`.
    pub fn set(&mut self, path: &Path<'_>, items: &[Value<'_>]) {
        check_set(items, path, &mut self.lists);
    }

    /// A list of type `map`; of the items, only the keys are looked at.
    pub fn map(&mut self, path: &Path<'_>, keys: &[&str], items: &[Value<'_>]) {
        check_map(keys, items, path, &mut self.lists);
    }

    /// A CEL rule that is not fulfilled, after all keywords; a value that is an object or a list is left out.
    pub fn rule(&mut self, path: &Path<'_>, rule: &RuleWords, bad: Option<Value<'_>>) {
        let bad = bad.map_or(BadValue::Omitted, kindsmith_object::go_value::bad_value);
        let mut error = broken_rule(path, rule.index, kind_of(rule.reason), rule.message, bad);
        if let Some(below) = rule.field_path {
            error.path.push(Step::Field(below.into()));
        }
        self.faults.push(error);
        self.rules += 1;
    }

    /// All errors in order. Rules are not run on a value of the wrong form, which is an error if the type has any.
    #[inline]
    #[must_use]
    pub fn into_errors(self, has_rules: impl FnOnce() -> bool) -> Vec<FieldError> {
        let errors = self.faults.into_errors();
        let values = errors.len() - self.rules;
        let is_blocked = errors[..values].iter().any(blocks_rules);
        if !is_blocked && self.lists.is_empty() {
            return errors;
        }
        let unchecked = (is_blocked && has_rules()).then(not_checked);
        ordered(errors, values, self.lists, is_blocked, unchecked)
    }
}

/// The errors of values, of lists, of rules if they run, and of rules that do not.
#[cold]
fn ordered(
    mut errors: Vec<FieldError>,
    values: usize,
    lists: Vec<FieldError>,
    is_blocked: bool,
    unchecked: Option<FieldError>,
) -> Vec<FieldError> {
    let rules = errors.split_off(values);
    errors.extend(lists);
    if !is_blocked {
        errors.extend(rules);
    }
    errors.extend(unchecked);
    errors
}

fn site<'s>(name: &'s Name<'s>) -> Site<'s> {
    Site {
        base: &Path::NIL,
        name,
    }
}
