//! Tags in CRDs: each case has tags and the expected rules.

use kindsmith_generate::controller_gen::{self, Options, Tags};
use kindsmith_go::Profile;
use kindsmith_schema::{Items, JsonSchema, SchemaOrBool, TypeName};
use kindsmith_testkit::GoPackages;

/// The CEL rules of the struct `T` with these members, each as `path: rule // message`, followed by what is
/// not enforced.
fn rules(members: &str, switches: &[(&str, bool)]) -> Vec<String> {
    let (schema, unenforced) = generated(members, switches);
    let mut found = Vec::new();
    collect(&schema, "self", &mut found);
    found.extend(unenforced);
    found
}

/// The schema of the struct, and what it does not enforce.
fn generated(members: &str, switches: &[(&str, bool)]) -> (JsonSchema, Vec<String>) {
    let packages = GoPackages::default().profile(Profile::Kep);
    let read = packages
        .file("p/p.go", format!("package p\n\ntype T struct {{{members}"))
        .read("p");
    let package = read.schema.types().next().expect("a type").1.name.package.clone();
    let root = read.schema.find(&TypeName::new(&*package, "T")).expect("T");
    let options = Options {
        tags: Tags::All,
        switches: switches
            .iter()
            .map(|(name, on)| ((*name).to_owned(), *on))
            .collect(),
        ..Options::default()
    };
    let (schema, generated) = controller_gen::schema_of(&read.schema, root, &options);
    assert_eq!(generated.problems, []);
    let unenforced = generated.unenforced.into_iter().map(|note| note.message);
    (schema, unenforced.collect())
}

fn collect(schema: &JsonSchema, path: &str, found: &mut Vec<String>) {
    for rule in &schema.validations {
        let text = if rule.message_expression.is_empty() {
            &rule.message
        } else {
            &rule.message_expression
        };
        found.push(format!("{path}: {} // {text}", rule.rule));
    }
    for (name, member) in &schema.properties {
        collect(member, &format!("{path}.{name}"), found);
    }
    if let Some(Items::Each(item)) = schema.items.as_deref() {
        collect(item, &format!("{path}[]"), found);
    }
    if let Some(SchemaOrBool::Schema(value)) = schema.additional_properties.as_deref() {
        collect(value, &format!("{path}{{}}"), found);
    }
}

#[track_caller]
fn check(members: &str, wanted: &[&str]) {
    assert_eq!(rules(members, &[]), wanted, "{members}");
}

#[test]
fn atomic_lists_are_unique_by_rule() {
    check(
        "
	// +k8s:listType=atomic
	// +k8s:unique=set
	A []string `json:\"a,omitempty\"`
}",
        &["self.a: self.all(item, self.exists_one(other, item == other)) // items must be unique"],
    );
    check(
        "
	// +k8s:listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=name
	A []E `json:\"a,omitempty\"`
}

type E struct {
	Name *string `json:\"name,omitempty\"`
}",
        &[
            "self.a: self.all(item, self.exists_one(other, has(item.name) == has(other.name) && \
             (!has(item.name) || item.name == other.name))) // items must be unique",
        ],
    );
    // Uniqueness is checked elsewhere.
    check(
        "
	// +k8s:listType=atomic
	// +k8s:unique=set
	// +k8s:customUnique
	A []string `json:\"a,omitempty\"`
}",
        &[],
    );
}

#[test]
fn rules_on_items_are_rules_on_their_list() {
    check(
        "
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: \"x\")=+k8s:subfield(size)=+k8s:minimum=2
	A []E `json:\"a,omitempty\"`
}

type E struct {
	// +k8s:required
	Name string `json:\"name\"`
	Size int32 `json:\"size,omitempty\"`
}",
        &[
            "self.a: self.all(item, item.name != 'x' || (has(item.size) && item.size >= 2)) \
             // must be greater than or equal to 2",
        ],
    );
}

#[test]
fn a_rule_of_the_user_is_not_taken_for_that_of_a_tag() {
    let members = |rule: &str| {
        format!(
            "
	// +k8s:immutable{rule}
	A string `json:\"a\"`
}}"
        )
    };
    let own =
        "\n\t// +kubebuilder:validation:XValidation:rule=\"self == oldSelf\",message=\"field is immutable\"";
    let of_tag = rules(&members(""), &[]);
    let both = rules(&members(own), &[]);
    let is_own = |rule: &String| *rule == "self.a: self == oldSelf // field is immutable";
    assert!(!of_tag.iter().any(is_own), "{of_tag:?}");
    assert_eq!(both.iter().filter(|rule| is_own(rule)).count(), 1, "{both:?}");
    assert_eq!(both.len(), of_tag.len() + 1);
}

#[test]
fn an_immutable_value_cannot_be_added_inside_a_new_one() {
    check(
        "
	// +k8s:optional
	A *E `json:\"a,omitempty\"`
	// +k8s:listType=atomic
	B []E `json:\"b,omitempty\"`
}

type E struct {
	// +k8s:update=NoSet
	Ref *string `json:\"ref,omitempty\"`
}",
        &[
            "self: !has(self.a) || has(oldSelf.a) || !(has(self.a.ref)) // field cannot be set once created",
            "self: !has(self.b) || (has(oldSelf.b) && self.b == oldSelf.b) || \
             !self.b.exists(item, has(item.ref)) // field cannot be set once created",
            "self.a: has(oldSelf.ref) || !has(self.ref) // field cannot be set once created",
        ],
    );
}

#[test]
fn the_narrower_of_two_bounds_wins() {
    for (tags, maximum, is_exclusive) in [
        ("maximum=2\n// +k8s:exclusiveMaximum=3", 2.0, false),
        ("maximum=3\n// +k8s:exclusiveMaximum=3", 3.0, true),
        ("exclusiveMaximum=2\n// +k8s:maximum=3", 2.0, true),
    ] {
        let (schema, _) = generated(
            &format!("\n// +k8s:{tags}\nA *int32 `json:\"a,omitempty\"`\n}}"),
            &[],
        );
        let member = schema.property("a").expect("a member");
        assert_eq!(
            (member.maximum, member.exclusive_maximum),
            (Some(maximum), is_exclusive),
            "{tags}"
        );
        assert!(member.all_of.is_empty(), "{tags}");
    }
}

#[test]
fn a_default_of_zero_stays_on_a_pointer() {
    for (declared, is_kept) in [
        (
            "// +k8s:neq=2\n// +default=0\nA *int32 `json:\"a,omitempty\"`",
            true,
        ),
        (
            "// +k8s:minimum=1\n// +default=0\nA *int32 `json:\"a,omitempty\"`",
            false,
        ),
        (
            "// +k8s:required\n// +k8s:maximum=2\n// +default=0\nA *int64 `json:\"a,omitempty\"`",
            true,
        ),
    ] {
        let (schema, _) = generated(&format!("\n{declared}\n}}"), &[]);
        let member = schema.property("a").expect("a member");
        assert_eq!(member.default.is_some(), is_kept, "{declared}");
        assert_eq!(schema.required.is_empty(), is_kept, "{declared}");
        assert_eq!(&*member.schema, "", "{declared}");
    }
}

#[test]
fn updates_of_elements() {
    let mut found = rules(
        "
	// +k8s:eachVal=+k8s:update=NoModify
	// +k8s:eachVal=+k8s:update=NoUnset
	A map[string]string `json:\"a,omitempty\"`
}",
        &[],
    );
    found.sort();
    assert_eq!(
        found,
        [
            "self.a{}: oldSelf == '' || self != '' // field cannot be cleared once set",
            "self.a{}: oldSelf == '' || self == '' || self == oldSelf // field cannot be modified once set",
        ]
    );
}

#[test]
fn modes_decide_which_rules_apply() {
    check(
        "
	// +k8s:modeDiscriminator
	Mode string `json:\"mode,omitempty\"`
	// +k8s:ifMode(\"a\")=+k8s:required
	Text *string `json:\"text,omitempty\"`
}",
        &[
            "self: ((has(self.mode) ? self.mode : '') == 'a' || !has(self.text)) || (oldSelf.hasValue() && \
             (has(self.mode) ? self.mode : '') == (has(oldSelf.value().mode) ? oldSelf.value().mode : '') && \
             has(self.text) == has(oldSelf.value().text) && (!has(self.text) || self.text == oldSelf.value().text)) \
             // text must not be set",
            "self: (!((has(self.mode) ? self.mode : '') == 'a') || (has(self.text))) || (oldSelf.hasValue() && \
             (has(self.mode) ? self.mode : '') == (has(oldSelf.value().mode) ? oldSelf.value().mode : '') && \
             has(self.text) == has(oldSelf.value().text) && (!has(self.text) || self.text == oldSelf.value().text)) \
             // text must be set",
        ],
    );
}

#[test]
fn a_bound_may_be_another_member() {
    check(
        "
	// +k8s:minimum(constraint: \"low\")
	High *int32 `json:\"high,omitempty\"`
	// +k8s:optional
	Low *int32 `json:\"low,omitempty\"`
}",
        &[
            "self: (!(has(self.low)) || !has(self.high) || self.high >= self.low) || (oldSelf.hasValue() && \
             has(oldSelf.value().low) && has(self.high) == has(oldSelf.value().high) && \
             (!has(self.high) || self.high == oldSelf.value().high) && self.low == oldSelf.value().low) \
             // 'must be greater than or equal to %s'.format([self.low])",
        ],
    );
}

#[test]
fn options_are_decided_or_reported() {
    let members = "
	// +k8s:ifEnabled(New)=+k8s:neq=3
	A *int32 `json:\"a,omitempty\"`
}";
    let rule = "self.a: self != 3 // must not be equal to 3".to_owned();
    assert_eq!(rules(members, &[("New", true)]), [rule]);
    assert!(rules(members, &[("New", false)]).is_empty());
    let note = "the server will not enforce the rule under option New: a definition cannot say it";
    assert_eq!(rules(members, &[]), [note]);
}

#[test]
fn values_that_cel_cannot_compare_are_compared_by_parts() {
    check(
        "
	// +k8s:update=NoModify
	A *E `json:\"a,omitempty\"`
}

type E struct {
	// +k8s:listType=set
	Set []F `json:\"set,omitempty\"`
}

type F struct {
	Name string `json:\"name\"`
}",
        &[
            "self: !has(oldSelf.a) || !has(self.a) || ((has(self.a.set) && has(oldSelf.a.set) ? \
             (size(self.a.set) == size(oldSelf.a.set) && self.a.set.all(at1, each1, each1 == oldSelf.a.set[at1])) : \
             !(has(self.a.set) && size(self.a.set) > 0) && !(has(oldSelf.a.set) && size(oldSelf.a.set) > 0))) \
             // field cannot be modified once set",
        ],
    );
}

#[test]
fn recursive_types_end() {
    let found = rules(
        "
	A *N `json:\"a,omitempty\"`
	B []N `json:\"b,omitempty\"`
}

type N struct {
	// +k8s:update=NoSet
	Ref *string `json:\"ref,omitempty\"`
	C *N `json:\"c,omitempty\"`
	D []M `json:\"d,omitempty\"`
	E map[string]M `json:\"e,omitempty\"`
	F *M `json:\"f,omitempty\"`
}

type M struct {
	G *N `json:\"g,omitempty\"`
	H []N `json:\"h,omitempty\"`
	I []M `json:\"i,omitempty\"`
}",
        &[],
    );
    assert!(
        found.iter().any(|rule| rule.contains("has(self.a.ref)")),
        "{found:?}"
    );
}
