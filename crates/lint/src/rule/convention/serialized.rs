//! How a field must be written so that "unset" and "zero" are told apart: with a pointer, `omitempty`, `omitzero`.

use kindsmith_schema::TypeRef;
use kindsmith_source::Fix;

use crate::Report;
use crate::declared::{Declared, Form, Marker, Member, Zero, add_option, remove_option, set_pointer, zero};
use crate::rule::Setting;

/// Whether fixes add and remove pointers.
pub(super) const POINTERS: Setting = Setting::choice(
    "pointers",
    &["SuggestFix", "Warn"],
    "whether fixes add and remove pointers",
);
/// Whether `omitempty` is demanded.
pub(super) const OMIT_EMPTY: Setting = Setting::choice(
    "omitempty",
    &["SuggestFix", "Warn", "Ignore"],
    "whether `omitempty` is demanded",
);
/// Whether structs need `omitzero`.
pub(super) const OMIT_ZERO: Setting = Setting::choice(
    "omitzero",
    &["SuggestFix", "Warn", "Forbid"],
    "whether structs need `omitzero`; `Forbid` for Go before 1.24",
);

/// Policies from the settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policy<'a> {
    /// Whether every field is a pointer, or only those that need it.
    pub(super) always: bool,
    /// `SuggestFix` or `Warn`.
    pub(super) pointers: &'a str,
    /// `SuggestFix`, `Warn` or `Ignore`.
    pub(super) omitempty: &'a str,
    /// `SuggestFix`, `Warn` or `Forbid`.
    pub(super) omitzero: &'a str,
}

/// One thing to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Advice {
    AddPointer(&'static str),
    RemovePointer(&'static str),
    AddOmitEmpty { needed: bool },
    AddOmitZero,
    RemoveOmitZero,
}

/// What is known about a field.
struct Facts {
    /// Whether the value, without the pointer to it, can be nil.
    nilable: bool,
    is_struct: bool,
    zero: Zero,
    pointer: bool,
    omitempty: bool,
    omitzero: bool,
    /// The markers say that the empty list or map is a value of its own.
    empty_is_value: bool,
}

pub(super) fn check(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    member: &Member<'_>,
    policy: Policy<'_>,
) {
    let facts = facts(declared, member, policy);
    for advice in advise(&facts, policy) {
        tell(declared, report, member, policy, advice);
    }
}

fn facts(declared: &Declared<'_>, member: &Member<'_>, policy: Policy<'_>) -> Facts {
    let markers: Vec<&Marker<'_>> = declared.all_markers(member).collect();
    let form = Form::of(declared.schema, member.package, member.pointee());
    let published = markers
        .iter()
        .find(|marker| marker.name == "kubebuilder:validation:Type")
        .map_or("object", |marker| marker.plain_value());
    let minimum = match form {
        Form::List | Form::Bytes => "kubebuilder:validation:MinItems",
        _ => "kubebuilder:validation:MinProperties",
    };
    Facts {
        nilable: form.is_nilable() || matches!(member.pointee(), TypeRef::Pointer(_)),
        is_struct: form == Form::Struct && published == "object",
        zero: zero(declared, member, policy.omitzero != "Forbid"),
        pointer: member.is_pointer(),
        omitempty: member.field.json.omitempty,
        omitzero: member.field.json.omitzero,
        empty_is_value: form.is_nilable()
            && markers
                .iter()
                .any(|marker| marker.name == minimum && marker.value == "0"),
    }
}

fn advise(facts: &Facts, policy: Policy<'_>) -> Vec<Advice> {
    let mut advice = Vec::new();
    if policy.always {
        be_pointer(facts, policy, "is not a pointer", &mut advice);
        add_omitempty(facts.omitempty, &mut advice);
        return advice;
    }
    let drops_zero = facts.is_struct && !facts.zero.valid && policy.omitzero != "Forbid";
    if drops_zero {
        if !facts.omitzero {
            advice.push(Advice::AddOmitZero);
        }
        not_pointer(facts, "its zero value is never valid", &mut advice);
    }
    if policy.omitzero == "Forbid" && facts.is_struct && facts.omitzero {
        advice.push(Advice::RemoveOmitZero);
    }
    if policy.omitempty != "Ignore" || facts.omitempty {
        omitted(facts, policy, facts.omitempty, &mut advice);
    } else if facts.zero.valid {
        not_pointer(facts, "without `omitempty` its zero value is sent", &mut advice);
    } else {
        if policy.omitzero == "Forbid" || !facts.is_struct {
            advice.push(Advice::AddOmitEmpty { needed: true });
        }
        omitted(facts, policy, true, &mut advice);
    }
    advice
}

/// For a field that is left out if it is empty.
fn omitted(facts: &Facts, policy: Policy<'_>, has_omitempty: bool, advice: &mut Vec<Advice>) {
    let Zero { valid, complete } = facts.zero;
    if facts.is_struct && !valid && policy.omitzero != "Forbid" {
        return;
    }
    match () {
        () if valid && !complete => {
            let why = "is not a pointer, and no marker says that its zero value is invalid";
            be_pointer(facts, policy, why, advice);
        }
        () if valid || facts.is_struct => {
            be_pointer(
                facts,
                policy,
                "is not a pointer, and its zero value is valid",
                advice,
            );
        }
        () if complete => not_pointer(facts, "its zero value is never valid", advice),
        () => {}
    }
    add_omitempty(has_omitempty, advice);
}

fn add_omitempty(has_omitempty: bool, advice: &mut Vec<Advice>) {
    if !has_omitempty {
        advice.push(Advice::AddOmitEmpty { needed: false });
    }
}

fn be_pointer(facts: &Facts, policy: Policy<'_>, why: &'static str, advice: &mut Vec<Advice>) {
    if !facts.nilable {
        if !facts.pointer {
            advice.push(Advice::AddPointer(why));
        }
    } else if facts.pointer {
        not_pointer(facts, "lists and maps can be nil by themselves", advice);
    } else if policy.always && facts.empty_is_value {
        advice.push(Advice::AddPointer(
            "is not a pointer, so that empty and unset are the same",
        ));
    }
}

fn not_pointer(facts: &Facts, why: &'static str, advice: &mut Vec<Advice>) {
    if facts.pointer && !facts.empty_is_value {
        advice.push(Advice::RemovePointer(why));
    }
}

fn tell(
    declared: &Declared<'_>,
    report: &mut Report<'_>,
    member: &Member<'_>,
    policy: Policy<'_>,
    advice: Advice,
) {
    let path = &member.path;
    let (text, policy, fix) = match advice {
        Advice::AddPointer(why) => (
            format!("field `{path}` {why}"),
            policy.pointers,
            set_pointer(Fix::risky("add the pointer"), member, true),
        ),
        Advice::RemovePointer(why) => (
            format!("field `{path}` is a pointer without need: {why}"),
            policy.pointers,
            set_pointer(Fix::risky("remove the pointer"), member, false),
        ),
        Advice::AddOmitEmpty { needed } => (
            if needed {
                format!("field `{path}` has no `omitempty`, and its zero value is not valid")
            } else {
                format!("field `{path}` has no `omitempty`")
            },
            if needed { "SuggestFix" } else { policy.omitempty },
            add_option(declared, Fix::risky("add `omitempty`"), member, "omitempty"),
        ),
        Advice::AddOmitZero => (
            format!("field `{path}` has no `omitzero`, and its zero value is not valid"),
            policy.omitzero,
            add_option(declared, Fix::risky("add `omitzero`"), member, "omitzero"),
        ),
        Advice::RemoveOmitZero => (
            format!("field `{path}` has `omitzero`, which the settings forbid"),
            "SuggestFix",
            remove_option(declared, Fix::risky("remove `omitzero`"), member, "omitzero", ""),
        ),
    };
    if policy == "Ignore" {
        return;
    }
    report.warn(member.name, text, |finding| {
        match fix.filter(|_| policy == "SuggestFix") {
            Some(fix) => finding.fix_with(fix),
            None => finding,
        }
    });
}
