//! Properties of arbitrary tags on arbitrary types.

use crate::declared::{PACKAGE, declared};
use kindsmith_tags::{Family, Profile, catalogue};
use proptest::prelude::*;

fn tag_name() -> impl Strategy<Value = &'static str> {
    let names: Vec<&'static str> = catalogue()
        .filter(|tag| matches!(tag.family, Family::Declarative | Family::Kep | Family::Control))
        .map(|tag| tag.name)
        .collect();
    proptest::sample::select(names)
}

fn args() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        1 => Just("()".to_owned()),
        2 => proptest::sample::select(vec!["a", "name", "next", "3", "true", "\"x\""]).prop_map(|arg| format!("({arg})")),
        2 => ("(name|size|on|union|modality|mode|since|constraint|group|flags)", "(a|3|true|\"1.2\"|next.name|NonError)")
            .prop_map(|(name, value)| format!("({name}: {value})")),
    ]
}

fn value() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "",
        "",
        "=3",
        "=-1",
        "=map",
        "=set",
        "=atomic",
        "=name",
        "=NoSet",
        "=NoSet,NoClear",
        "=NoAddItem",
        "=true",
        "=\"x\"",
        "=k8s-uuid",
        "=",
        " # why",
        "=99999999999999999999",
    ])
}

fn line() -> impl Strategy<Value = String> {
    (proptest::collection::vec((tag_name(), args()), 1..4), value()).prop_map(|(links, value)| {
        let links: Vec<String> = links
            .iter()
            .map(|(name, args)| format!("+{name}{args}"))
            .collect();
        format!("{}{value}", links.join("="))
    })
}

fn ty() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "string",
        "*string",
        "int32",
        "bool",
        "float64",
        "any",
        "[]string",
        "[]Node",
        "[]*Node",
        "Node",
        "*Node",
        "Loop",
        "Nodes",
        "map[string]Node",
        "map[int32]string",
        "**string",
        "v1.Unheard",
        "v1.ObjectMeta",
        "[]Nodes",
    ])
}

fn source() -> impl Strategy<Value = String> {
    let member = (proptest::collection::vec(line(), 0..5), ty());
    (
        proptest::collection::vec(member, 1..4),
        proptest::collection::vec(line(), 0..4),
    )
        .prop_map(|(members, tags)| {
            let comment =
                |tags: &[String]| -> String { tags.iter().map(|tag| format!("// {tag}\n")).collect() };
            let mut text = format!("{}type Nodes []Node\n", comment(&tags));
            text += &format!("{}type Node struct {{\n", comment(&tags));
            for (index, (tags, ty)) in members.iter().enumerate() {
                let name = ["name", "next", "size"][index];
                text += &format!("{}F{index} {ty} `json:\"{name}\"`\n", comment(tags));
            }
            text += "}\ntype Loop Pool\ntype Pool Loop\n";
            text
        })
}

proptest! {
    #[test]
    fn nothing_panics_and_results_are_deterministic(text in source()) {
        for profile in [Profile::Upstream, Profile::Kep] {
            let (one, two) = (declared(&text, PACKAGE, profile), declared(&text, PACKAGE, profile));
            prop_assert_eq!(one.findings(), two.findings());
            prop_assert_eq!(one.dump, two.dump);
        }
    }

    #[test]
    fn profiles_differ_only_where_a_finding_says_so(text in source()) {
        let (upstream, kep) = (
            declared(&text, PACKAGE, Profile::Upstream),
            declared(&text, PACKAGE, Profile::Kep),
        );
        // One ignores what the other knows, or refuses what the other allows.
        if upstream.findings() == kep.findings() {
            prop_assert_eq!(upstream.dump, kep.dump);
        }
        prop_assert!(kep.diagnostics.iter().all(|found| found.code() != "kep-only"));
    }

    #[test]
    fn spans_are_inside_the_source(text in source()) {
        let found = declared(&text, PACKAGE, Profile::Upstream);
        for diagnostic in &found.diagnostics {
            prop_assert!((diagnostic.span.end as usize) <= text.len());
            prop_assert!(!diagnostic.message.is_empty());
        }
    }
}
