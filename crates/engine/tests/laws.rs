//! Properties over random schemas and objects: the plan agrees with the naive reading of the schema,
//! defaulting is idempotent, and no object makes a pass panic.

use crate::naive::{Naive, Shown};
use kindsmith_checks::Profile;
use kindsmith_engine::{Change, CompileOptions, Operation, OptionSet, Plan};
use kindsmith_json::{Arena, Value, parse_str};
use kindsmith_schema::{
    Bound, Builder, Condition, Default, Facet, Family, Field, Json, JsonTag, Level, Limit, ListType, Rule,
    Scalar, Schema, Shape, Struct, Type, TypeId, TypeName, TypeRef, UpdateConstraint, Wrap,
};
use kindsmith_testkit::Draw;
use proptest::prelude::*;

const NAMES: [&str; 3] = ["A", "B", "C"];

/// Three structs; each refers to those after it, and to itself behind pointers, lists and maps.
fn schema(draw: &mut Draw) -> (Schema, TypeId) {
    let mut builder = Builder::default();
    let name = |text: &str| TypeName::new("example.org/p", text);
    let ids: Vec<TypeId> = NAMES.iter().map(|text| builder.declare(&name(text))).collect();
    for (index, id) in ids.iter().enumerate() {
        let mut fields = vec![Field::new(
            "K",
            JsonTag::parse("k"),
            TypeRef::Scalar(Scalar::String),
        )];
        for number in 0..=draw.next(5) {
            fields.push(field(draw, number, &ids, index));
        }
        let mut ty = Type::new(name(NAMES[index]), Shape::Struct(Struct { fields }));
        if draw.chance(4) {
            ty.rules
                .push(native(Facet::MinLength(2)).wrapped(Wrap::Subfield("k".into())));
        }
        builder.define(*id, ty);
    }
    let (schema, renumbering) = builder.finish();
    (schema, renumbering.ty(ids[0]))
}

fn native(facet: Facet) -> Rule {
    Rule::new(Family::Declarative, facet)
}

fn field(draw: &mut Draw, number: u64, ids: &[TypeId], owner: usize) -> Field {
    let later = TypeRef::Named(ids[(owner + 1 + draw.index(2)).min(ids.len() - 1)]);
    let any = TypeRef::Named(ids[draw.index(ids.len())]);
    let string = TypeRef::Scalar(Scalar::String);
    let is_last = owner + 1 == ids.len();
    let shapes = [
        string.clone(),
        string.clone().pointer(),
        TypeRef::Scalar(Scalar::Int32),
        TypeRef::Scalar(Scalar::Int32).pointer(),
        TypeRef::Scalar(Scalar::Bool),
        string.clone().list(),
        string.clone().map(string.clone()),
        if is_last { string } else { later },
        any.clone().pointer(),
        any.clone().list(),
        any.map(TypeRef::Scalar(Scalar::String)),
    ];
    let ty = draw.pick(&shapes);
    let tag = if draw.chance(2) { ",omitempty" } else { "" };
    let name = format!("F{number}");
    let mut field = Field::new(
        name.as_str(),
        JsonTag::parse(&format!("{}{tag}", name.to_lowercase())),
        ty.clone(),
    );
    field.rules = rules(draw, &ty);
    if draw.chance(4) {
        field.default = default(draw, &ty);
    }
    field
}

fn default(draw: &mut Draw, ty: &TypeRef) -> Option<Default> {
    let text = match ty {
        TypeRef::Scalar(Scalar::String) => draw.pick(&["\"abc\"", "\"\""]),
        TypeRef::Scalar(Scalar::Int32) => draw.pick(&["2", "0"]),
        TypeRef::Pointer(inner) => match **inner {
            TypeRef::Scalar(Scalar::String) => "\"ab\"",
            TypeRef::Scalar(_) => "1",
            _ => return None,
        },
        TypeRef::List(inner) if **inner == TypeRef::Scalar(Scalar::String) => "[\"a\"]",
        _ => return None,
    };
    Some(Default::Value(Json::parse(text).expect("JSON")))
}

/// Rules that the generator would accept on a field of the type, in the order of tags.
fn rules(draw: &mut Draw, ty: &TypeRef) -> Vec<Rule> {
    let mut rules = Vec::new();
    let is_struct = matches!(ty, TypeRef::Named(_));
    let limit = draw.next(3) as i64 + 1;
    let bound = Bound {
        limit: Limit::Number(Json::int(limit.into())),
        exclusive: false,
    };
    // A pointer to a struct with checks must be guarded, or upstream panics.
    let needs_guard = matches!(ty, TypeRef::Pointer(inner) if matches!(**inner, TypeRef::Named(_)));
    if !is_struct && (needs_guard || draw.chance(2)) {
        rules.push(native(draw.pick(&[
            Facet::Required,
            Facet::Optional,
            Facet::Optional,
            Facet::Forbidden,
        ])));
    }
    let value = match ty {
        TypeRef::Pointer(inner) => inner,
        ty => ty,
    };
    let mut more = match value {
        TypeRef::Scalar(Scalar::String) => {
            vec![Facet::MinLength(limit), Facet::MaxLength(limit), Facet::Immutable]
        }
        TypeRef::Scalar(Scalar::Int32) => vec![
            Facet::Minimum(bound.clone()),
            Facet::Maximum(bound),
            Facet::Immutable,
        ],
        TypeRef::Scalar(_) => vec![Facet::Immutable],
        TypeRef::List(_) => vec![Facet::MinItems(limit), Facet::MaxItems(limit)],
        _ => Vec::new(),
    };
    if !matches!(value, TypeRef::List(_) | TypeRef::Map(..)) && !needs_guard && !is_struct {
        let constraints = [
            UpdateConstraint::NoSet,
            UpdateConstraint::NoUnset,
            UpdateConstraint::NoModify,
        ];
        more.push(Facet::Update(vec![draw.pick(&constraints)]));
    }
    more.retain(|_| draw.chance(2));
    rules.extend(more.into_iter().map(native));
    if let TypeRef::List(element) = value {
        let is_struct = matches!(**element, TypeRef::Named(_));
        let kind = draw.pick(&[ListType::Atomic, ListType::Set, ListType::Map]);
        match kind {
            ListType::Map if is_struct => {
                rules.push(native(Facet::ListType(kind)));
                rules.push(native(Facet::ListMapKey("k".into())));
            }
            ListType::Map => {}
            kind => rules.push(native(Facet::ListType(kind))),
        }
        if draw.chance(2) {
            let inner = if is_struct {
                native(Facet::MinLength(limit)).wrapped(Wrap::Subfield("k".into()))
            } else {
                native(Facet::MaxLength(limit))
            };
            rules.push(inner.wrapped(Wrap::EachVal));
        }
    }
    if let TypeRef::Map(..) = value
        && draw.chance(2)
    {
        rules.push(native(Facet::MaxLength(1)).wrapped(Wrap::EachKey));
    }
    if is_struct && draw.chance(2) {
        let facet = draw.pick(&[Facet::Required, Facet::MinLength(limit), Facet::Immutable]);
        rules.push(native(facet).wrapped(Wrap::Subfield("k".into())));
    }
    for rule in &mut rules {
        decorate(draw, rule, needs_guard);
    }
    rules
}

/// Wraps some rules in a condition or a level.
fn decorate(draw: &mut Draw, rule: &mut Rule, keep: bool) {
    let is_list_tag = matches!(rule.facet, Facet::ListType(_) | Facet::ListMapKey(_));
    let guards = matches!(rule.facet, Facet::Required | Facet::Optional | Facet::Forbidden);
    if is_list_tag || (keep && guards) {
        return;
    }
    if draw.chance(5) {
        let option = Condition::Option {
            name: "Opt".into(),
            enabled: draw.chance(2),
        };
        *rule = rule.clone().wrapped(Wrap::If(option));
    }
    if draw.chance(5) {
        let level = draw.pick(&[Level::Alpha, Level::Beta]);
        *rule = rule.clone().wrapped(Wrap::Level { level, since: None });
    }
}

/// A JSON value of a type, often absent, null, zero or repeated.
fn object(draw: &mut Draw, schema: &Schema, ty: &TypeRef, depth: usize) -> Option<String> {
    if draw.chance(4) {
        return None;
    }
    if draw.chance(12) {
        return Some("null".into());
    }
    Some(match ty {
        TypeRef::Pointer(inner) => return object(draw, schema, inner, depth),
        TypeRef::Scalar(Scalar::String) => draw
            .pick(&["\"\"", "\"a\"", "\"ab\"", "\"abc\"", "\"é語\""])
            .into(),
        TypeRef::Scalar(Scalar::Bool) => draw.pick(&["true", "false"]).into(),
        TypeRef::Scalar(_) => draw.pick(&["0", "1", "2", "3", "-1"]).into(),
        TypeRef::List(_) | TypeRef::Map(..) if depth > 3 => return None,
        TypeRef::List(element) => {
            let items =
                (0..draw.next(4)).map(|_| object(draw, schema, element, depth + 1).unwrap_or("null".into()));
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        TypeRef::Map(_, element) => {
            let keys = ["a", "bc", "d"];
            let kept: Vec<&str> = keys.into_iter().filter(|_| draw.chance(2)).collect();
            let entries = kept.into_iter().map(|key| {
                let value = object(draw, schema, element, depth + 1).unwrap_or("null".into());
                format!("\"{key}\":{value}")
            });
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
        TypeRef::Named(_) if depth > 4 => return None,
        TypeRef::Named(id) => {
            let members = schema.fields(*id).filter_map(|(_, field)| {
                let value = object(draw, schema, &field.ty, depth + 1)?;
                Some(format!("\"{}\":{value}", field.json_name().expect("a name")))
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        _ => return None,
    })
}

fn sorted(mut errors: Vec<Shown>) -> Vec<Shown> {
    errors.sort_by(|left, right| format!("{left:?}").cmp(&format!("{right:?}")));
    errors
}

fn agrees(seed: u64) -> Result<(), TestCaseError> {
    let mut draw = Draw(seed);
    let (schema, root) = schema(&mut draw);
    let plan = Plan::compile(&schema, root);
    let ty = TypeRef::Named(root);
    for _ in 0..8 {
        let new = object(&mut draw, &schema, &ty, 0).unwrap_or("{}".into());
        let old = match draw.next(4) {
            0 => None,
            1 => Some(new.clone()),
            _ => Some(object(&mut draw, &schema, &ty, 0).unwrap_or("{}".into())),
        };
        let option = draw.pick(&[None, Some(true), Some(false)]);
        let arena = Arena::new();
        let new = parse_str(&arena, arena.alloc_str(&new)).expect("JSON");
        let old = old.map(|old| parse_str(&arena, arena.alloc_str(&old)).expect("JSON"));
        prop_assert_eq!(plan.decode(new), Ok(()));
        let naive = Naive {
            schema: &schema,
            update: old.is_some(),
            option,
        };
        let decoded = old.map(|old| naive.decode(&ty, old));
        let expected = naive.of_type(&ty, "<nil>", &naive.decode(&ty, new), decoded.as_ref());
        let options: OptionSet = option.map(|on| ("Opt", on)).into_iter().collect();
        let change = Change {
            operation: if old.is_some() {
                Operation::Update
            } else {
                Operation::Create
            },
            old,
            options: Some(&options),
            ..Change::create(new)
        };
        let errors = plan.validate(&change).into_iter().map(|error| {
            let detail = error.detail.to_string();
            (
                error.path.to_string(),
                error.kind.name().to_owned(),
                detail,
                error.level,
                error.short_circuit,
            )
        });
        prop_assert_eq!(
            sorted(errors.collect()),
            sorted(expected),
            "\n{:?}\n{}",
            change,
            schema.dump(|_| true)
        );
        let filled = plan.default(&arena, new);
        prop_assert_eq!(plan.default(&arena, filled), filled, "defaulting twice");
    }
    Ok(())
}

/// Arbitrary JSON.
fn nonsense() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        Just("1e300".to_owned()),
        "[a-f0-3]{0,3}".prop_map(|text| format!("\"{text}\"")),
    ];
    leaf.prop_recursive(6, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::btree_map("f[0-5]|k|a", inner, 0..6).prop_map(|entries| {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|(key, value)| format!("\"{key}\":{value}"))
                    .collect();
                format!("{{{}}}", entries.join(","))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_plan_agrees_with_the_naive_reading(seed in any::<u64>()) {
        agrees(seed)?;
    }

    #[test]
    fn no_object_makes_a_pass_panic(seed in any::<u64>(), new in nonsense(), old in nonsense()) {
        let (schema, root) = schema(&mut Draw(seed));
        for profile in [Profile::Upstream, Profile::Kep] {
            let options = CompileOptions { profile, ..CompileOptions::default() };
            let plan = Plan::compile_with(&schema, root, &options);
            let arena = Arena::new();
            let new = parse_str(&arena, &new).expect("JSON");
            let old = parse_str(&arena, &old).expect("JSON");
            let _ = plan.decode(new);
            let pruned = plan.prune(&arena, new);
            let filled = plan.default(&arena, pruned);
            let _ = plan.encode(filled);
            let _ = plan.validate(&Change::update(filled, old));
            prop_assert_eq!(plan.prune(&arena, pruned), pruned);
        }
    }
}

/// Objects nested deeper than any stack are rejected or left alone, not followed.
#[test]
fn depth_is_bounded() {
    let mut builder = Builder::default();
    let name = TypeName::new("example.org/p", "Node");
    let id = builder.declare(&name);
    let mut next = Field::new("Next", JsonTag::parse("next"), TypeRef::Named(id).pointer());
    next.rules = vec![native(Facet::Optional)];
    let mut list = Field::new("List", JsonTag::parse("list"), TypeRef::Named(id).list());
    list.rules = vec![native(Facet::ListType(ListType::Set))];
    builder.define(
        id,
        Type::new(
            name,
            Shape::Struct(Struct {
                fields: vec![next, list],
            }),
        ),
    );
    let (schema, renumbering) = builder.finish();
    for profile in [Profile::Upstream, Profile::Kep] {
        let options = CompileOptions {
            profile,
            ..CompileOptions::default()
        };
        let plan = Plan::compile_with(&schema, renumbering.ty(id), &options);
        for (open, close) in [(r#"{"next":"#, "}"), (r#"{"list":["#, "]}")] {
            let text = format!("{}{{}}{}", open.repeat(4000), close.repeat(4000));
            let arena = Arena::new();
            let deep = parse_str(&arena, &text).expect("JSON");
            assert!(plan.decode(deep).is_err());
            let filled = plan.default(&arena, plan.prune(&arena, deep));
            let other = filled.copy_in(&arena);
            assert_eq!(plan.validate(&Change::update(filled, other)), []);
            assert_eq!(plan.validate(&Change::update(filled, Value::Null)).len(), 0);
            assert!(plan.encode(filled).len() > 4000);
        }
    }
}
