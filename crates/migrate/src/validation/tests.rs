//! Functions, and the tags that are proposed for them.

use kindsmith_go::Profile;
use kindsmith_go::package::{Loader, MemoryFiles, Options};
use kindsmith_schema::{Owner, Schema};

use super::{Reading, read};

const TYPES: &str = r#"
package v1

type Shift string

const (
	Day   Shift = "Day"
	Night Shift = "Night"
)

type Lamp struct {
	Spec LampSpec `json:"spec"`
}

type LampSpec struct {
	Name     string            `json:"name"`
	Watts    int32             `json:"watts"`
	Shift    Shift             `json:"shift"`
	Pole     *string           `json:"pole,omitempty"`
	Wall     *string           `json:"wall,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
	Bulbs    []Bulb            `json:"bulbs,omitempty"`
	Bulb     Bulb              `json:"bulb"`
	Labels   map[string]string `json:"labels,omitempty"`
	// +default=3
	Replicas *int32            `json:"replicas,omitempty"`
}

type Bulb struct {
	ID string `json:"id"`
}
"#;

const HEAD: &str = r#"
package validation

import (
	"slices"
	"unicode/utf8"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"example.org/api/features"
	"k8s.io/apimachinery/pkg/api/validate"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"example.org/api/v1"
)

var shifts = sets.New(v1.Day, v1.Night)

const maxTags = 4
"#;

/// Tags and reasons for a body of `func(spec, old *v1.LampSpec, fldPath *field.Path) field.ErrorList`, line by line.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let function = format!(
        "{HEAD}\nfunc validateSpec(spec, old *v1.LampSpec, fldPath *field.Path) field.ErrorList {{\n\tallErrs := field.ErrorList{{}}\n{body}\n\treturn allErrs\n}}\n"
    );
    assert_eq!(proposed(&function), expected, "{body}");
}

/// The types, and what is read of a file.
fn reading(function: &str) -> (Schema, Reading) {
    let mut files = MemoryFiles::default();
    files.add("go.mod", "module example.org/api\n");
    files.add("v1/types.go", TYPES);
    files.add("validation/validation.go", function);
    let mut loader = Loader::new(&files, Options::default());
    let packages = loader.load("v1");
    let schema = kindsmith_go::read(loader, packages, Profile::Upstream).schema;
    let mut loader = Loader::new(&files, Options::default());
    let package = loader.load("validation").pop().expect("a package");
    let reading = read(&mut loader, &package, &schema);
    (schema, reading)
}

fn proposed(function: &str) -> Vec<String> {
    let (schema, reading) = reading(function);
    let mut made = Vec::new();
    for rule in reading.rules {
        match rule.tags {
            // What is only in doubt is not proposed without a proof.
            Ok(_) if rule.doubt.is_some() => made.push(format!("stays: {}", rule.doubt.unwrap_or_default())),
            Err(why) => made.push(format!("stays: {why}")),
            Ok(tags) => {
                for tag in tags {
                    let on = match tag.owner {
                        Owner::Field(id) => schema.field(id).name.to_string(),
                        Owner::Type(id) => schema.ty(id).name.name.to_string(),
                        _ => String::new(),
                    };
                    made.push(format!("{on} {}", tag.text));
                }
            }
        }
    }
    made
}

#[test]
fn conditions_on_one_value_become_tags() {
    for (body, expected) in [
        (
            r#"if spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }"#,
            "Name +k8s:required",
        ),
        (
            r#"if len(spec.Name) > 20 { allErrs = append(allErrs, field.TooLong(fldPath.Child("name"), spec.Name, 20)) }"#,
            "Name +k8s:maxBytes=20",
        ),
        (
            r#"if spec.Watts < 1 { allErrs = append(allErrs, field.Invalid(fldPath.Child("watts"), spec.Watts, "must be greater than or equal to 1")) }"#,
            "Watts +k8s:minimum=1",
        ),
        (
            r#"allErrs = append(allErrs, apivalidation.ValidateNonnegativeField(int64(spec.Watts), fldPath.Child("watts"))...)"#,
            "Watts +k8s:minimum=0",
        ),
        (
            r#"if !shifts.Has(spec.Shift) { allErrs = append(allErrs, field.NotSupported(fldPath.Child("shift"), spec.Shift, sets.List(shifts))) }"#,
            "Shift +k8s:enum",
        ),
        (
            r#"if len(spec.Tags) > maxTags { allErrs = append(allErrs, field.TooMany(fldPath.Child("tags"), len(spec.Tags), maxTags)) }"#,
            "Tags +k8s:maxItems=4",
        ),
        (
            r#"for _, msg := range validation.IsDNS1123Label(spec.Name) { allErrs = append(allErrs, field.Invalid(fldPath.Child("name"), spec.Name, msg)) }"#,
            "Name +k8s:format=k8s-short-name",
        ),
        (
            r#"allErrs = append(allErrs, apivalidation.ValidateImmutableField(spec.Pole, old.Pole, fldPath.Child("pole"))...)"#,
            "Pole +k8s:immutable",
        ),
        (
            r#"if spec.Replicas == nil { allErrs = append(allErrs, field.Required(fldPath.Child("replicas"), "")) }"#,
            "Replicas +k8s:optional",
        ),
    ] {
        check(body, &[expected]);
    }
}

#[test]
fn items_and_keys_are_wrapped() {
    check(
        r#"for i, tag := range spec.Tags {
	for _, msg := range validation.IsDNS1123Label(tag) { allErrs = append(allErrs, field.Invalid(fldPath.Child("tags").Index(i), tag, msg)) }
}
for k := range spec.Labels {
	allErrs = append(allErrs, validate.LabelKey(nil, nil, fldPath.Child("labels"), &k, nil)...)
}"#,
        &[
            "Tags +k8s:eachVal=+k8s:format=k8s-short-name",
            "Labels +k8s:eachKey=+k8s:format=k8s-label-key",
        ],
    );
}

#[test]
fn items_are_unique_by_value_or_key() {
    check(
        r#"seen := sets.New[string]()
for i, tag := range spec.Tags {
	if seen.Has(tag) { allErrs = append(allErrs, field.Duplicate(fldPath.Child("tags").Index(i), tag)) }
	seen.Insert(tag)
}
ids := sets.New[string]()
for i, bulb := range spec.Bulbs {
	if ids.Has(bulb.ID) { allErrs = append(allErrs, field.Duplicate(fldPath.Child("bulbs").Index(i).Child("id"), bulb.ID)) }
}"#,
        &[
            "Tags +k8s:listType=set",
            "Bulbs +k8s:listType=map",
            "Bulbs +k8s:listMapKey=id",
        ],
    );
}

#[test]
fn siblings_are_unions_or_depend_on_each_other() {
    check(
        r#"if spec.Pole != nil && spec.Wall != nil {
	allErrs = append(allErrs, field.Invalid(fldPath, "", "exactly one").WithOrigin("union"))
}
if spec.Pole != nil && spec.Wall == nil {
	allErrs = append(allErrs, field.Required(fldPath.Child("wall"), "").WithOrigin("dependentRequired"))
}"#,
        &[
            "Pole +k8s:unionMember",
            "Wall +k8s:unionMember",
            "Pole +k8s:dependentRequired(\"wall\")",
        ],
    );
}

#[test]
fn helpers_are_walked_with_what_they_are_given() {
    let function = format!(
        "{HEAD}
func validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {{
	return validateList(spec.Tags, maxTags, validateTag, fldPath.Child(\"tags\"))
}}

func validateTag(tag string, fldPath *field.Path) field.ErrorList {{
	if tag == \"\" {{
		return field.ErrorList{{field.Required(fldPath, \"\")}}
	}}
	return nil
}}

func validateList[T any](list []T, max int, item func(T, *field.Path) field.ErrorList, fldPath *field.Path) field.ErrorList {{
	if max >= 0 && len(list) > max {{
		return field.ErrorList{{field.TooMany(fldPath, len(list), max)}}
	}}
	var allErrs field.ErrorList
	for i, one := range list {{
		allErrs = append(allErrs, item(one, fldPath.Index(i))...)
	}}
	return allErrs
}}
"
    );
    let mut made = proposed(&function);
    made.sort();
    assert_eq!(made, ["Tags +k8s:eachVal=+k8s:required", "Tags +k8s:maxItems=4"]);
}

#[test]
fn nothing_is_guessed() {
    for (body, why) in [
        (
            r#"if isBad(spec.Name) { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }"#,
            "a condition is not understood",
        ),
        (
            r#"if spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("title"), "")) }"#,
            "the error names another field than LampSpec.Name",
        ),
        (
            r#"if spec.Watts < 1 { allErrs = append(allErrs, field.Invalid(fldPath.Child("watts"), spec.Watts, "too dark")) }"#,
            "the words are not `must be greater than or equal to 1`, and the origin is not `minimum`",
        ),
        (
            r#"if len(spec.Name) > 20 { allErrs = append(allErrs, field.TooLong(fldPath.Child("name"), spec.Name, 30)) }"#,
            "no tag reports this error under this condition",
        ),
        (
            r#"if spec.Shift != "Day" { allErrs = append(allErrs, field.NotSupported(fldPath.Child("shift"), spec.Shift, []string{"Day"})) }"#,
            "the constants of Shift are other values",
        ),
        (
            r#"if spec.Watts < 0 { allErrs = append(allErrs, field.Invalid(fldPath.Child("watts"), spec.Watts, "must be greater than or equal to 1").WithOrigin("minimum")) }"#,
            "the words name another bound than the condition",
        ),
        (
            r#"if spec.Watts > 9 && spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }"#,
            "it depends on more than one condition",
        ),
    ] {
        check(body, &[&format!("stays: {why}")]);
    }
}

/// A body that becomes a tag, and one that nearly does.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn every_family_has_a_case_that_stays() {
    for (fires, tag, stays, why) in [
        (
            r#"if spec.Pole != nil { allErrs = append(allErrs, field.Forbidden(fldPath.Child("pole"), "")) }"#,
            "Pole +k8s:forbidden",
            r#"if spec.Pole != nil { allErrs = append(allErrs, field.Forbidden(fldPath.Child("wall"), "")) }"#,
            "the error names another field than LampSpec.Pole",
        ),
        (
            r#"if utf8.RuneCountInString(spec.Name) > 9 { allErrs = append(allErrs, field.TooLong(fldPath.Child("name"), spec.Name, 9)) }"#,
            "Name +k8s:maxLength=9",
            r#"if utf8.RuneCountInString(spec.Name) >= 9 { allErrs = append(allErrs, field.TooLong(fldPath.Child("name"), spec.Name, 9)) }"#,
            "no tag reports this error under this condition",
        ),
        (
            r#"if len(spec.Tags) < 2 { allErrs = append(allErrs, field.TooFew(fldPath.Child("tags"), len(spec.Tags), 2)) }"#,
            "Tags +k8s:minItems=2",
            r#"if len(spec.Tags) < 2 { allErrs = append(allErrs, field.TooFew(fldPath.Child("tags"), len(spec.Tags), 3)) }"#,
            "no tag reports this error under this condition",
        ),
        (
            r#"if len(spec.Labels) > 5 { allErrs = append(allErrs, field.TooMany(fldPath.Child("labels"), len(spec.Labels), 5)) }"#,
            "Labels +k8s:maxProperties=5",
            r#"if len(spec.Labels) > 5 { allErrs = append(allErrs, field.TooMany(fldPath.Child("labels"), len(spec.Labels), 6)) }"#,
            "no tag reports this error under this condition",
        ),
        (
            r#"if spec.Watts > 9 { allErrs = append(allErrs, field.Invalid(fldPath.Child("watts"), spec.Watts, "must be less than or equal to 9")) }"#,
            "Watts +k8s:maximum=9",
            r#"if spec.Watts > 9 { allErrs = append(allErrs, field.Invalid(fldPath.Child("watts"), spec.Name, "must be less than or equal to 9")) }"#,
            "the words are not `must be less than or equal to 9`, and the origin is not `maximum`",
        ),
        (
            r#"switch spec.Shift { case v1.Day, v1.Night: default: allErrs = append(allErrs, field.NotSupported(fldPath.Child("shift"), spec.Shift, []v1.Shift{v1.Day, v1.Night})) }"#,
            "Shift +k8s:enum",
            r#"switch spec.Shift { case v1.Day: default: allErrs = append(allErrs, field.NotSupported(fldPath.Child("shift"), spec.Shift, []v1.Shift{v1.Day})) }"#,
            "the constants of Shift are other values",
        ),
        (
            r#"if !slices.Contains([]v1.Shift{v1.Day, v1.Night}, spec.Shift) { allErrs = append(allErrs, field.NotSupported(fldPath.Child("shift"), spec.Shift, []v1.Shift{v1.Day, v1.Night})) }"#,
            "Shift +k8s:enum",
            r#"if !slices.Contains([]v1.Shift{v1.Day, v1.Night}, spec.Shift) { allErrs = append(allErrs, field.NotSupported(fldPath.Child("shift"), spec.Shift, []v1.Shift{v1.Day})) }"#,
            "the error lists other values than it allows",
        ),
        (
            r#"allErrs = append(allErrs, validate.Enum(nil, nil, fldPath.Child("shift"), &spec.Shift, nil, shifts, nil)...)"#,
            "Shift +k8s:enum",
            r#"allErrs = append(allErrs, validate.Enum(nil, nil, fldPath.Child("shift"), &spec.Shift, nil, sets.New(v1.Day), nil)...)"#,
            "the constants of Shift are other values",
        ),
        (
            r#"if spec.Name != old.Name { allErrs = append(allErrs, field.Invalid(fldPath.Child("name"), spec.Name, "field is immutable")) }"#,
            "Name +k8s:immutable",
            r#"if spec.Name != old.Name { allErrs = append(allErrs, field.Invalid(fldPath.Child("name"), spec.Name, "is bolted on")) }"#,
            "the words are not `field is immutable`, and the origin is not `immutable`",
        ),
        (
            r#"if spec.Pole != nil && spec.Wall != nil { allErrs = append(allErrs, field.Forbidden(fldPath.Child("wall"), "").WithOrigin("dependentForbidden")) }"#,
            "Pole +k8s:dependentForbidden(\"wall\")",
            r#"if spec.Pole != nil && spec.Wall != nil { allErrs = append(allErrs, field.Forbidden(fldPath.Child("wall"), "not both")) }"#,
            "the origin is not `dependentForbidden`, and the words differ",
        ),
        (
            r#"if utilfeature.DefaultFeatureGate.Enabled(features.Poles) && spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }"#,
            "Name +k8s:ifEnabled(Poles)=+k8s:required",
            r#"if poles() && spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }"#,
            "a condition is not understood",
        ),
        (
            r#"for _, value := range spec.Labels { if len(value) > 3 { allErrs = append(allErrs, field.TooLong(fldPath.Child("labels").Key("k"), value, 3)) } }"#,
            "Labels +k8s:eachVal=+k8s:maxBytes=3",
            r#"for _, value := range spec.Labels { if len(value) > 3 { allErrs = append(allErrs, field.TooLong(fldPath.Child("labels"), value, 3)) } }"#,
            "the error names another field than LampSpec.Labels[*]",
        ),
        (
            r#"for i, tag := range spec.Tags { if slices.Contains(spec.Tags[:i], "a") || tag == "" { allErrs = append(allErrs, field.Required(fldPath.Child("tags").Index(i), "")) } }"#,
            "stays: a condition is not understood",
            r#"for i, tag := range spec.Tags { if tag == other() { allErrs = append(allErrs, field.Duplicate(fldPath.Child("tags").Index(i), tag)) } }"#,
            "a condition is not understood",
        ),
    ] {
        check(fires, &[tag]);
        check(stays, &[&format!("stays: {why}")]);
    }
}

#[test]
fn counted_members_are_unions() {
    check(
        r#"count := 0
if spec.Pole != nil { count++ }
if spec.Wall != nil { count++ }
if count > 1 { allErrs = append(allErrs, field.Invalid(fldPath, "", "at most one").WithOrigin("zeroOrOneOf")) }"#,
        &["Pole +k8s:zeroOrOneOfMember", "Wall +k8s:zeroOrOneOfMember"],
    );
    check(
        r#"count := 0
if spec.Pole != nil { count++ }
if other() { count++ }
if count > 1 { allErrs = append(allErrs, field.Invalid(fldPath, "", "at most one").WithOrigin("zeroOrOneOf")) }"#,
        &["stays: a condition is not understood"],
    );
}

#[test]
fn options_are_switches() {
    let function = |condition: &str| {
        format!(
            "{HEAD}
type LampOptions struct {{ Strict bool }}

func validateSpec(spec *v1.LampSpec, opts LampOptions, fldPath *field.Path) field.ErrorList {{
	if {condition} && spec.Name == \"\" {{
		return field.ErrorList{{field.Required(fldPath.Child(\"name\"), \"\")}}
	}}
	return nil
}}
"
        )
    };
    assert_eq!(
        proposed(&function("!opts.Strict")),
        ["Name +k8s:ifDisabled(Strict)=+k8s:required"]
    );
    assert_eq!(
        proposed(&function("opts.Strict == maybe()")),
        ["stays: a condition is not understood"]
    );
}

#[test]
fn fields_beside_the_object_are_found_where_it_is_called() {
    let function = format!(
        "{HEAD}
func validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {{
	return validateBulb(&spec.Bulb, fldPath)
}}

func validateBulb(bulb *v1.Bulb, fldPath *field.Path) field.ErrorList {{
	if bulb.ID == \"\" {{
		return field.ErrorList{{field.Required(fldPath.Child(\"bulb\").Child(\"id\"), \"\")}}
	}}
	return nil
}}
"
    );
    assert_eq!(proposed(&function), ["ID +k8s:required"]);
}

#[test]
fn what_did_not_change_need_not_be_checked() {
    // Tags leave alone what is as in the old object, so the condition says nothing more.
    check(
        r#"if old == nil || old.Name != spec.Name {
	if spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }
}"#,
        &["Name +k8s:required"],
    );
    check(
        r#"if old == nil || old.Watts != spec.Watts {
	if spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }
}"#,
        &["stays: it depends on more than one condition"],
    );
    // Errors that are thrown away if the part is as before.
    check(
        r#"errs := field.ErrorList{}
if spec.Name == "" { errs = append(errs, field.Required(fldPath.Child("name"), "")) }
if len(errs) != 0 {
	if old != nil && old.Name == spec.Name { errs = nil }
}
allErrs = append(allErrs, errs...)"#,
        &["Name +k8s:required"],
    );
    check(
        r#"errs := field.ErrorList{}
if spec.Name == "" { errs = append(errs, field.Required(fldPath.Child("name"), "")) }
if old != nil && other() { errs = nil }
allErrs = append(allErrs, errs...)"#,
        &["stays: a condition is not understood"],
    );
}

#[test]
fn updates_are_told_apart_by_what_was_set() {
    check(
        r#"if len(old.Name) > 0 && len(spec.Name) > 0 && old.Name != spec.Name {
	allErrs = append(allErrs, field.Invalid(fldPath.Child("name"), nil, "stays").WithOrigin("update"))
}
if len(old.Name) > 0 && len(spec.Name) == 0 {
	allErrs = append(allErrs, field.Invalid(fldPath.Child("name"), nil, "stays").WithOrigin("update"))
}
if old.Pole == nil && spec.Pole != nil {
	allErrs = append(allErrs, field.Invalid(fldPath.Child("pole"), nil, "too late").WithOrigin("update"))
}"#,
        &[
            "Name +k8s:update=NoModify",
            "Name +k8s:update=NoUnset",
            "Pole +k8s:update=NoSet",
        ],
    );
    check(
        r#"if old.Pole != nil && spec.Name == "" { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }"#,
        &["stays: it depends on more than one condition"],
    );
}

#[test]
fn a_set_of_all_items_is_empty_if_the_list_is() {
    check(
        r#"seen := sets.New[string]()
for _, tag := range spec.Tags { seen.Insert(tag) }
if len(seen) == 0 { allErrs = append(allErrs, field.Required(fldPath.Child("tags"), "")) }"#,
        &["Tags +k8s:required"],
    );
    check(
        r#"seen := sets.New[string]()
for _, tag := range spec.Tags { if other() { seen.Insert(tag) } }
if len(seen) == 0 { allErrs = append(allErrs, field.Required(fldPath.Child("tags"), "")) }"#,
        &["stays: a condition is not understood"],
    );
}

#[test]
fn conditions_may_have_a_name() {
    check(
        r#"isNamed := spec.Name != ""
if !isNamed { allErrs = append(allErrs, field.Required(fldPath.Child("name"), "")) }"#,
        &["Name +k8s:required"],
    );
}

#[test]
fn options_of_a_call_are_known_there() {
    let function = |given: &str| {
        format!(
            "{HEAD}
type option int

const (
	lengths option = iota
	names
)

func validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {{
	return validateName(spec.Name, fldPath.Child(\"name\"){given})
}}

func validateName(name string, fldPath *field.Path, opts ...option) field.ErrorList {{
	var allErrs field.ErrorList
	if slices.Contains(opts, names) && name == \"\" {{
		allErrs = append(allErrs, field.Required(fldPath, \"\"))
	}}
	return allErrs
}}
"
        )
    };
    assert_eq!(proposed(&function(", lengths, names")), ["Name +k8s:required"]);
    assert_eq!(proposed(&function(", lengths")), [] as [&str; 0]);
    assert_eq!(proposed(&function("")), [] as [&str; 0]);
}

#[test]
fn what_is_nested_too_deeply_is_named() {
    let error = "field.Required(fldPath.Child(\"name\"), \"\")";
    for (body, line) in [
        (
            format!(
                "{}return field.ErrorList{{{error}}}{}\nreturn nil",
                "if spec.Watts > 1 {\n".repeat(200),
                "}".repeat(200)
            ),
            99,
        ),
        (
            format!(
                "return field.ErrorList{{{}{error}{}}}",
                "(".repeat(200),
                ")".repeat(200)
            ),
            0,
        ),
        (format!("x := 1{}\nreturn nil", " + 1".repeat(500)), 0),
    ] {
        let (_, reading) = reading(&format!(
            "{HEAD}\nfunc validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {{\n{body}\n}}\n"
        ));
        let first = u32::try_from(HEAD.matches('\n').count()).expect("few lines") + 3;
        let unread: Vec<(u32, &str)> = reading.unread.iter().map(|one| (one.line, &*one.why)).collect();
        assert_eq!(unread, [(first + line, "it is nested too deeply to be read")]);
    }
}

#[test]
fn hostile_bodies_end() {
    for body in [
        "{".repeat(5_000),
        format!("x = {}1{}", "(".repeat(5_000), ")".repeat(5_000)),
        "if a { ".repeat(3_000),
        "if a {} else ".repeat(3_000),
        "x = !".repeat(3_000),
        "func(".repeat(3_000),
        "switch { case ".repeat(2_000),
        "\"unclosed".to_owned(),
        "/* unclosed".to_owned(),
        "x[".repeat(4_000),
        format!("x = 1{}", " && 1".repeat(50_000)),
        format!("x = a{}", ".b".repeat(50_000)),
        format!("x = a{}", "(1)[2]".repeat(50_000)),
        format!("x = T{}{}", "{".repeat(5_000), "}".repeat(5_000)),
        format!("x = T{}1{}", "{a: ".repeat(5_000), "}".repeat(5_000)),
        format!("x = {}1{}", "func() { y = 1 + ".repeat(90), " }".repeat(90)),
    ] {
        // Whatever is read, reading ends.
        let _ = proposed(&format!(
            "{HEAD}\nfunc validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {{\n{body}\n}}\n"
        ));
    }
    // Every error would have every condition before it.
    let many = format!(
        "allErrs := field.ErrorList{{}}\n{}{}\nreturn allErrs",
        "if spec.Name == \"a\" { return nil }\n".repeat(8_000),
        "allErrs = append(allErrs, field.Required(fldPath.Child(\"name\"), \"\"))\n".repeat(8_000)
    );
    let made = proposed(&format!(
        "{HEAD}\nfunc validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {{\n{many}\n}}\n"
    ));
    assert!(made.len() < 1_000, "{}", made.len());
    let calls = (0..200).map(|n| {
        format!("func f{n}(s string, p *field.Path) field.ErrorList {{ a := f{m}(s, p); a = append(a, f{m}(s, p)...); a = append(a, f{m}(s, p)...); return a }}\n", m = n + 1)
    });
    let calls: String = calls.collect();
    let _ = proposed(&format!(
        "{HEAD}\n{calls}\nfunc validateSpec(spec *v1.LampSpec, fldPath *field.Path) field.ErrorList {{ return f0(spec.Name, fldPath) }}\n"
    ));
}
