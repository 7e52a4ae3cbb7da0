//! Every check and every wrapper has a description.

use kindsmith_schema::{
    Bound, CelRule, ExternalDocs, Family, Field, Json, JsonTag, Limit, Literal, MapType, Scalar, Str,
    TestCheck, TypeRef, UpdateConstraint, Version,
};

use super::*;

/// The number of variants of [`Facet`].
const FACETS: usize = 58;

/// A rule and its description; `None` for rules without effect on values.
fn check(written: &Rule, expected: &str) {
    let said = rule(written, Siblings::default()).map(|fact| format!("{}: {}", fact.label, fact.text));
    assert_eq!(said.as_deref().unwrap_or_default(), expected, "{written:?}");
}

fn bare(facet: Facet) -> Rule {
    Rule::new(Family::Declarative, facet)
}

fn number(value: i128, exclusive: bool) -> Bound {
    Bound {
        limit: Limit::Number(Json::int(value)),
        exclusive,
    }
}

fn names(names: &[&str]) -> Vec<Str> {
    names.iter().map(|name| Str::from(*name)).collect()
}

#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn cases() -> Vec<(Facet, &'static str)> {
    let union = || Some(Str::from("u"));
    vec![
        (Facet::Required, "presence: required"),
        (Facet::Optional, "presence: may be left out"),
        (Facet::Forbidden, "presence: may not be set"),
        (Facet::Nullable, "null: a value of its own"),
        (Facet::MinLength(1), "length: at least 1 character"),
        (Facet::MaxLength(3), "length: at most 3 characters"),
        (Facet::MaxBytes(3), "length: at most 3 bytes"),
        (Facet::Pattern("^a".into()), "pattern: `^a`"),
        (
            Facet::Format("k8s-uuid".into()),
            "format: `k8s-uuid`, a UUID in lower case",
        ),
        (Facet::Minimum(number(0, true)), "bounds: greater than 0"),
        (Facet::Maximum(number(9, false)), "bounds: at most 9"),
        (
            Facet::Maximum(Bound {
                limit: Limit::Field(names(&["a", "b"])),
                exclusive: false,
            }),
            "bounds: at most `a.b`",
        ),
        (
            Facet::ExclusiveMinimum(true),
            "bounds: the minimum itself is refused",
        ),
        (
            Facet::ExclusiveMaximum(true),
            "bounds: the maximum itself is refused",
        ),
        (Facet::ExclusiveMaximum(false), ""),
        (Facet::MultipleOf(Json::int(2)), "bounds: a multiple of 2"),
        (Facet::Neq(Literal::Str("a".into())), "bounds: not \"a\""),
        (Facet::MinItems(1), "size: at least 1 item"),
        (Facet::MaxItems(2), "size: at most 2 items"),
        (Facet::UniqueItems(true), "list: a set: no item twice"),
        (Facet::ListType(ListType::Atomic), "list: replaced as a whole"),
        (Facet::ListMapKey("a".into()), "list: items are known by `a`"),
        (
            Facet::Unique(UniqueKind::Map),
            "list: items are known by their keys, which no two share",
        ),
        (
            Facet::CustomUnique,
            "list: a hand-written function looks for items that are there twice",
        ),
        (Facet::MinProperties(1), "size: at least 1 entry"),
        (Facet::MaxProperties(2), "size: at most 2 entries"),
        (Facet::MapType(MapType::Atomic), "object: replaced as a whole"),
        (
            Facet::StructType(MapType::Granular),
            "object: merged member by member",
        ),
        (Facet::Enum, "enum: one of the constants of its type"),
        (
            Facet::EnumValues(vec![Json::int(1), Json::int(2)]),
            "enum: 1 or 2",
        ),
        (Facet::Immutable, "on update: may not change"),
        (
            Facet::Update(UpdateConstraint::ALL.to_vec()),
            "on update: may not be set later, may not be unset, may not change once set, no item may be added, no item \
             may be removed",
        ),
        (Facet::Monotonic, "on update: may not decrease"),
        (
            Facet::UnionMember {
                union: union(),
                member_name: None,
            },
            "members: exactly one member of the union `u` is set",
        ),
        (
            Facet::UnionDiscriminator { union: None },
            "members: names the member of the union that is set",
        ),
        (
            Facet::Union { union: None },
            "members: exactly one member of the union is set",
        ),
        (Facet::MemberOf { group: "g".into() }, "members: a member of `g`"),
        (
            Facet::ZeroOrOneOfMember {
                union: None,
                member_name: None,
            },
            "members: at most one member of the group is set",
        ),
        (
            Facet::ModeDiscriminator { modality: None },
            "members: chooses the mode of its siblings",
        ),
        (
            Facet::DependentRequired("a".into()),
            "members: when it is set, `a` must be set",
        ),
        (
            Facet::DependentForbidden("a".into()),
            "members: when it is set, `a` may not be set",
        ),
        (Facet::OpaqueType, "rule: the rules of its type do not apply here"),
        (
            Facet::CustomValidation,
            "rule: checked by a hand-written function",
        ),
        (Facet::DeclarativeValidationNative, ""),
        (
            Facet::Test(TestCheck {
                fails: true,
                message: Some("m".into()),
                short_circuit: false,
                non_error: false,
                cohort: None,
            }),
            "rule: a check for tests that always fails (m)",
        ),
        (
            Facet::Cel(CelRule {
                rule: "self > 1".into(),
                message: Some("more than one".into()),
                ..CelRule::default()
            }),
            "rule: more than one: `self > 1`",
        ),
        (Facet::Type("string".into()), "type: published as string"),
        (Facet::PreserveUnknownFields, "unknown fields: kept"),
        (Facet::EmbeddedResource, "object: a whole Kubernetes object"),
        (Facet::IntOrString, "type: an integer or a string"),
        (Facet::Schemaless, "type: published without a schema of its own"),
        (
            Facet::AtMostOneOf(names(&["a", "b"])),
            "members: at most one of `a` and `b` is set",
        ),
        (
            Facet::ExactlyOneOf(names(&["a", "b", "c"])),
            "members: exactly one of `a`, `b` and `c` is set",
        ),
        (
            Facet::AtLeastOneOf(names(&["a"])),
            "members: at least one of `a` is set",
        ),
        (Facet::Title(Json::from("a")), "title: a"),
        (Facet::Example(Json::from("a")), "example: `\"a\"`"),
        (
            Facet::ExternalDocs(ExternalDocs {
                url: "https://a.b".into(),
                description: None,
            }),
            "see: https://a.b",
        ),
        (Facet::PatchStrategy("merge".into()), "patch: strategy `merge`"),
        (Facet::PatchMergeKey("a".into()), "patch: items are known by `a`"),
        (
            Facet::Extension {
                name: "x-a".into(),
                value: "b".into(),
            },
            "extension: `x-a: b`",
        ),
    ]
}

#[test]
fn every_check_has_a_description() {
    for (facet, expected) in cases() {
        check(&bare(facet), expected);
    }
    // The match over facets has no catch-all arm, so a new facet does not compile without a description; here
    // it gets its case.
    let known: HashSet<_> = cases()
        .iter()
        .map(|(facet, _)| std::mem::discriminant(facet))
        .collect();
    assert_eq!(known.len(), FACETS);
}

#[test]
fn every_wrapper_has_a_description() {
    let level = |level, since| Wrap::Level { level, since };
    let version = |minor| Some(Version { major: 1, minor });
    let option = |enabled| {
        Wrap::If(Condition::Option {
            name: "O".into(),
            enabled,
        })
    };
    let path = |matches| {
        Wrap::If(Condition::Subresource {
            path: "/status".into(),
            matches,
        })
    };
    let mode = Wrap::If(Condition::Mode {
        modality: None,
        mode: "M".into(),
    });
    let item = Wrap::Item(Selector(vec![
        ("type".into(), Literal::Str("a".into())),
        ("port".into(), Literal::Int(1)),
    ]));
    for (wrap, expected) in [
        (
            level(Level::Alpha, None),
            "required (alpha: checked but not enforced)",
        ),
        (
            level(Level::Alpha, version(35)),
            "required (alpha since 1.35: checked but not enforced)",
        ),
        (
            level(Level::Beta, version(36)),
            "required (beta since 1.36: enforced unless switched off)",
        ),
        (level(Level::Stable, version(36)), "required"),
        (option(true), "required, if the option `O` is on"),
        (option(false), "required, if the option `O` is off"),
        (mode, "required, if the mode is \"M\""),
        (path(true), "required, if `/status` is written"),
        (path(false), "required, if `/status` is not written"),
        (Wrap::EachVal, "each value: required"),
        (Wrap::EachKey, "each key: required"),
        (Wrap::Subfield("name".into()), "`name`: required"),
        (item, "the item with type \"a\" and port 1: required"),
    ] {
        check(
            &bare(Facet::Required).wrapped(wrap),
            &format!("presence: {expected}"),
        );
    }
}

#[test]
fn wrappers_are_described_from_the_outside_in() {
    let written = bare(Facet::MaxLength(3))
        .wrapped(Wrap::EachVal)
        .wrapped(Wrap::Subfield("names".into()))
        .wrapped(Wrap::Level {
            level: Level::Beta,
            since: None,
        })
        .wrapped(Wrap::Level {
            level: Level::Alpha,
            since: None,
        });
    check(
        &written,
        "length: `names`: each value: at most 3 characters (alpha: checked but not enforced)",
    );
}

#[test]
fn keys_are_named_with_their_list() {
    let each = |facet| bare(facet).wrapped(Wrap::EachVal);
    let written = [
        bare(Facet::ListMapKey("name".into())),
        bare(Facet::ListType(ListType::Map)),
        Rule::new(Family::OpenApi, Facet::ListMapKey("name".into())),
        each(Facet::ListMapKey("port".into())),
        each(Facet::ListType(ListType::Map)),
    ];
    assert_eq!(
        rules(&written, Siblings::default()),
        [
            Fact::new("list", "items are known by `name`, which no two share"),
            Fact::new(
                "list",
                "each value: items are known by `port`, which no two share"
            ),
        ]
    );
}

#[test]
fn limits_are_combined_unless_one_is_conditional() {
    let trial = bare(Facet::MaxLength(9)).wrapped(Wrap::Level {
        level: Level::Alpha,
        since: None,
    });
    let written = [bare(Facet::MaxLength(63)), trial, bare(Facet::MinLength(1))];
    assert_eq!(
        rules(&written, Siblings::default()),
        [
            Fact::new("length", "at least 1 character, at most 63 characters"),
            Fact::new("length", "at most 9 characters (alpha: checked but not enforced)"),
        ]
    );
}

#[test]
fn members_are_named() {
    let field = |name: &str, rules: Vec<Rule>| {
        let tag = JsonTag::parse(&name.to_lowercase());
        let mut field = Field::new(name, tag, TypeRef::Scalar(Scalar::String));
        field.rules = rules;
        field
    };
    let member = |union: &str| {
        bare(Facet::UnionMember {
            union: Some(union.into()),
            member_name: None,
        })
    };
    let mode = Wrap::If(Condition::Mode {
        modality: None,
        mode: "On".into(),
    });
    let fields = [
        field("Rain", vec![member("plain")]),
        field("Hose", vec![member("plain")]),
        field(
            "Type",
            vec![bare(Facet::UnionDiscriminator {
                union: Some("told".into()),
            })],
        ),
        field("Left", vec![member("told")]),
        field("Mode", vec![bare(Facet::ModeDiscriminator { modality: None })]),
        field("Speed", vec![bare(Facet::Required).wrapped(mode)]),
    ];
    let among: Vec<&Field> = fields.iter().collect();
    let said: Vec<String> = fields
        .iter()
        .map(|field| rules(&field.rules, Siblings::of(&among, field))[0].text.clone())
        .collect();
    assert_eq!(
        said,
        [
            "exactly one of `rain` and `hose` is set",
            "exactly one of `rain` and `hose` is set",
            "says which of `left` is set",
            "set exactly when `type` is \"Left\"",
            "chooses whether `speed` may be set, and how",
            "required, if `mode` is \"On\"",
        ]
    );
}
