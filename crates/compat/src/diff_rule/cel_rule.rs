//! `diff-cel-rule`: rules of `x-kubernetes-validations` appear, disappear or change.

mod implied;
mod new_fields;

use kindsmith_cel::validation_rule::OLD_SELF;
use kindsmith_cel::syntax::ast::{Expr, ExprId};
use kindsmith_cel::syntax::parse;
use kindsmith_cel::syntax::source::Source;
use kindsmith_schema::ValidationRule;
use kindsmith_source::{Finding, Tool};

use crate::change::Class;
use crate::node::Node;
use crate::report::Report;

/// The kind of change.
pub(crate) static FINDING: Finding =
    Finding::new("diff-cel-rule", Tool::Kindsmith, include_str!("cel_rule.md"));

pub(crate) fn check(node: &Node<'_>, report: &mut Report<'_>) {
    let is_same = |one: &ValidationRule, other: &ValidationRule| {
        one.rule == other.rule && one.optional_old_self == other.optional_old_self
    };
    let missing = |rules: &'_ [ValidationRule], others: &'_ [ValidationRule]| -> Vec<ValidationRule> {
        let rules = rules.iter();
        rules
            .filter(|rule| !others.iter().any(|other| is_same(rule, other)))
            .cloned()
            .collect()
    };
    let (old, new) = (&node.old.validations[..], &node.new.validations[..]);
    let mut gone = missing(old, new);
    for rule in missing(new, old) {
        let before = gone.iter().position(|before| is_revision(before, &rule));
        let before = before.map(|index| gone.remove(index));
        added(node, &rule, before.as_ref(), report);
    }
    for rule in gone {
        report.add(Class::Compatible, &node.path, format!("the rule `{}` is gone", rule.rule));
    }
    for rule in new {
        let before = old.iter().find(|before| is_same(before, rule));
        if before.is_some_and(|before| before != rule) {
            let message = format!("the rule `{}` has another message, reason or field path", rule.rule);
            report.add(Class::Compatible, &node.path, message);
        }
    }
}

/// Whether a rule replaces another: authors keep the message when they correct the expression, or the expression
/// when they make `oldSelf` optional.
fn is_revision(before: &ValidationRule, rule: &ValidationRule) -> bool {
    let has_same_message = !before.message.is_empty() && before.message == rule.message;
    has_same_message || before.rule == rule.rule
}

fn added(node: &Node<'_>, rule: &ValidationRule, before: Option<&ValidationRule>, report: &mut Report<'_>) {
    let text = &rule.rule;
    let message = match before {
        Some(before) if before.rule == rule.rule => format!("the rule `{text}` has another `optionalOldSelf`"),
        Some(before) => format!("the rule `{text}` replaces `{}`", before.rule),
        None => format!("the rule `{text}` is new"),
    };
    if new_fields::concerns_only(text, node.old) {
        report
            .add(Class::Compatible, &node.path, message)
            .help("it holds for every object without the fields and enum values that are new");
        return;
    }
    let is_transition = uses_old_self(text);
    let is_weaker = |stronger: &&ValidationRule| {
        uses_old_self(&stronger.rule) == is_transition
            && stronger.optional_old_self == rule.optional_old_self
            && implied::is_implied(text, &stronger.rule)
    };
    if let Some(stronger) = node.old.validations.iter().find(is_weaker) {
        report
            .add(Class::Compatible, &node.path, message)
            .help(format!("it accepts everything that `{}` accepted", stronger.rule));
        return;
    }
    if !is_transition {
        report
            .add(node.tightened(), &node.path, message)
            .stored(node.stored());
    } else if rule.optional_old_self == Some(true) {
        report
            .add(Class::BreaksStored, &node.path, message)
            .stored("it is evaluated on every write, and never ratchets");
    } else {
        report
            .add(Class::BreaksClients, &node.path, format!("{message}: it restricts updates"))
            .stored("it is evaluated on every update, and never ratchets");
    }
}

/// Whether an expression compares with the old value. One that does not parse counts as `false`: the server rejects the CRD.
fn uses_old_self(text: &str) -> bool {
    let Ok(ast) = parse(&Source::new(text)) else {
        return false;
    };
    let is_old = |id: u32| matches!(ast.get(ExprId(id)), Expr::Ident(name) if **name == *OLD_SELF);
    (0..ast.len() as u32).any(is_old)
}

#[cfg(test)]
mod tests {
    use super::FINDING;
    use crate::check::{check, check_stored};

    /// A field `f` with a rule, beside a field of the same object.
    fn field(rule: &str) -> String {
        format!("properties: {{f: {{type: integer, x-kubernetes-validations: [{rule}]}}}}")
    }

    fn object(rule: &str) -> String {
        format!("properties: {{f: {{type: integer}}}}\nx-kubernetes-validations: [{rule}]")
    }

    #[test]
    fn rules_of_one_value_ratchet() {
        let rule = "{rule: 'self > 1', message: too small}";
        check(&FINDING, &field(""), &field(rule), &["ratchets spec.f: the rule `self > 1` is new"]);
        check(&FINDING, &field(rule), &field(""), &["compatible spec.f: the rule `self > 1` is gone"]);
        check(&FINDING, &field(rule), &field(rule), &[]);
        check(
            &FINDING,
            &field(rule),
            &field("{rule: 'self > 2', message: too small}"),
            &["ratchets spec.f: the rule `self > 2` replaces `self > 1`"],
        );
        check(
            &FINDING,
            &field(rule),
            &field("{rule: 'self > 1', message: tiny}"),
            &["compatible spec.f: the rule `self > 1` has another message, reason or field path"],
        );
    }

    #[test]
    fn rules_of_objects_are_checked_with_every_field() {
        let rule = "{rule: 'self.f > 1'}";
        check(
            &FINDING,
            &object(""),
            &object(rule),
            &["breaks-stored spec: the rule `self.f > 1` is new"],
        );
        check_stored(
            &FINDING,
            &object(""),
            &object(rule),
            &["a stored value that breaks it is refused whenever anything in `spec` changes"],
        );
    }

    #[test]
    fn transition_rules_never_ratchet() {
        let rule = "{rule: self == oldSelf}";
        check(
            &FINDING,
            &field(""),
            &field(rule),
            &["breaks-clients spec.f: the rule `self == oldSelf` is new: it restricts updates"],
        );
        let optional = "{rule: '!oldSelf.hasValue() || self == oldSelf.value()', optionalOldSelf: true}";
        check(
            &FINDING,
            &field(""),
            &field(optional),
            &["breaks-stored spec.f: the rule `!oldSelf.hasValue() || self == oldSelf.value()` is new"],
        );
        check(
            &FINDING,
            &field(rule),
            &field("{rule: self == oldSelf, optionalOldSelf: true}"),
            &["breaks-stored spec.f: the rule `self == oldSelf` has another `optionalOldSelf`"],
        );
    }

    #[test]
    fn rules_that_accept_more_are_compatible() {
        let (old, new) = ("{rule: self > 2}", "{rule: self > 1}");
        check(&FINDING, &field(old), &field(new), &[
            "compatible spec.f: the rule `self > 1` is new",
            "compatible spec.f: the rule `self > 2` is gone",
        ]);
        let looser = "{rule: 'self == oldSelf || self > 9'}";
        check(&FINDING, &field("{rule: self == oldSelf}"), &field(looser), &[
            "compatible spec.f: the rule `self == oldSelf || self > 9` is new",
            "compatible spec.f: the rule `self == oldSelf` is gone",
        ]);
    }

    #[test]
    fn rules_of_new_fields_and_of_list_items() {
        let rule = "x-kubernetes-validations: [{rule: self > 1}]";
        let with_field = format!("properties: {{f: {{type: integer}}, g: {{type: integer, {rule}}}}}");
        check(&FINDING, "properties: {f: {type: integer}}", &with_field, &[]);
        let list = |of_list: &str, rule: &str| {
            format!("properties: {{l: {{type: array, {of_list} items: {{type: object, properties: {{k: {{type: string}}, v: {{type: integer, {rule}}}}}}}}}}}")
        };
        let keys = "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k],";
        check(&FINDING, &list("", ""), &list("", rule), &["breaks-stored spec.l[*].v: the rule `self > 1` is new"]);
        check(&FINDING, &list(keys, ""), &list(keys, rule), &["ratchets spec.l[*].v: the rule `self > 1` is new"]);
    }

    #[test]
    fn rules_about_new_enum_values_are_compatible() {
        let list = |values: &str, rule: &str| {
            format!("properties: {{l: {{type: array, items: {{type: object, required: [t], properties: {{t: {{type: string, enum: [{values}]}}}}}}, x-kubernetes-validations: [{rule}]}}}}")
        };
        for (rule, class) in [
            ("self.filter(f, f.t == 'B').size() <= 1", "compatible"),
            ("self.all(f, !(f.t == 'B'))", "compatible"),
            ("self.filter(f, f.t == 'A').size() <= 1", "breaks-stored"),
            ("self.all(f, f.t != 'A')", "breaks-stored"),
        ] {
            let expected = format!("{class} spec.l: the rule `{rule}` is new");
            let new = list("A, B", &format!("{{rule: \"{rule}\"}}"));
            check(&FINDING, &list("A", ""), &new, &[&expected]);
        }
    }

    #[test]
    fn rules_about_new_fields_are_compatible() {
        let old = "properties: {f: {type: integer}}";
        let new = |rule: &str| {
            format!("properties: {{f: {{type: integer}}, g: {{type: integer}}}}\nx-kubernetes-validations: [{{rule: '{rule}'}}]")
        };
        for (rule, class) in [
            ("!has(self.g) || self.g > 1", "compatible"),
            ("has(self.g) ? self.g > self.f : true", "compatible"),
            ("!(has(self.f) && has(self.g))", "compatible"),
            ("!has(self.f) || self.f > 1", "breaks-stored"),
            ("has(self.g) || self.f > 1", "breaks-stored"),
        ] {
            let expected = format!("{class} spec: the rule `{rule}` is new");
            check(&FINDING, old, &new(rule), &[&expected]);
        }
    }
}
