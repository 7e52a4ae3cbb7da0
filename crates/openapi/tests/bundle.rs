//! Files with many documents: the index by lines agrees with a parser.

use std::fs;
use std::path::Path;

use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_openapi::bundle::{Entry, Head, scan};
use proptest::prelude::*;

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    note: |
      kind: Other
    other: 'two
      lines'
  name: things.example.org # the name
spec:
  group: example.org
  names:
    kind: Thing
    listKind: ThingList
    plural: things
  scope: Namespaced
  versions:
  - additionalPrinterColumns:
    - jsonPath: .spec.a
      name: A
      type: string
    name: v1
    schema:
      openAPIV3Schema:
        description: 'It''s a thing, and
          its name is: thing'
        properties:
          spec:
            description: |-
              kind: Thing
              - [link](https://example.org)
              \"quoted\" and 'tis
            default: {a: \"b\", c: [1, 2]}
            type: object
        type: object
    served: true
    storage: true
  - name: v2
    served: false
    storage: false
status:
  storedVersions: [v1]
";

/// One line for each entry.
fn listed(text: &str) -> Vec<String> {
    scan(text).iter().map(line).collect()
}

fn line(entry: &Entry<'_>) -> String {
    match &entry.head {
        Head::Definition(head) => {
            let version = |version: &kindsmith_openapi::bundle::VersionHead| {
                let mark = |truth, mark| if truth { mark } else { "" };
                format!(
                    "{}{}{}",
                    version.name,
                    mark(version.served, "+"),
                    mark(version.storage, "*")
                )
            };
            let versions: Vec<_> = head.versions.iter().map(version).collect();
            format!(
                "{} {}/{} {} [{}]",
                head.name,
                head.group,
                head.kind,
                head.plural,
                versions.join(" ")
            )
        }
        Head::Published => "published".into(),
        Head::Other {
            api_version,
            kind,
            name,
        } => format!("{api_version} {kind} {name}"),
        Head::Unreadable { error } => format!("unreadable: {error}"),
    }
}

const LISTED: &str = "things.example.org example.org/Thing things [v1+* v2]";

#[test]
fn definitions_are_found_among_other_documents() {
    let text = format!(
        "# a comment\n---\n{DEFINITION}---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: a}}\n--- # end\n"
    );
    assert_eq!(listed(&text), [LISTED, "v1 Namespace a"]);
    let entries = scan(&text);
    assert_eq!(&text[entries[0].range.clone()], format!("---\n{DEFINITION}"));
    let arena = Arena::new();
    assert!(
        entries[0]
            .value(&arena)
            .expect("it parses")
            .get("status")
            .is_some()
    );
}

#[test]
fn lists_are_split_into_their_items() {
    let indented = DEFINITION.replace('\n', "\n  ");
    let text = format!(
        "apiVersion: v1\nitems:\n- {indented}\n- apiVersion: v1\n  kind: Namespace\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
    );
    let entries = scan(&text);
    assert_eq!(
        entries.iter().map(line).collect::<Vec<_>>(),
        [LISTED, "v1 Namespace "]
    );
    let arena = Arena::new();
    let alone = yaml::parse(&arena, DEFINITION.as_bytes()).expect("it parses");
    assert_eq!(entries[0].value(&arena).expect("it parses"), alone);
    assert!(text[entries[1].range.clone()].starts_with("- apiVersion: v1"));
}

#[test]
fn json_is_read_too() {
    let arena = Arena::new();
    let value = yaml::parse(&arena, DEFINITION.as_bytes()).expect("it parses");
    let one = to_string(value);
    assert_eq!(listed(&one), [LISTED]);
    assert_eq!(listed(&format!("{one}\n{one}")), [LISTED, LISTED]);
    let list = format!(
        r#"{{"kind":"List","apiVersion":"v1","items":[ {one} , {{"kind":"A","apiVersion":"b"}},null,1 ]}}"#
    );
    assert_eq!(listed(&list), [LISTED, "b A ", "  ", "  "]);
    let entries = scan(&list);
    assert_eq!(&list[entries[0].range.clone()], one);
    assert_eq!(entries[0].value(&arena).expect("it parses"), value);
    assert_eq!(listed(r#"{"openapi":"3.0.0"}"#), ["published"]);
    assert_eq!(listed(r#"{"kind":"List","items":[]}"#), [""; 0]);
}

#[test]
fn ambiguous_lines_are_parsed() {
    let replace = |from: &str, to: &str| listed(&DEFINITION.replace(from, to));
    for (from, to) in [
        ("kind: Thing\n", "kind: 'Thing'\n"),
        ("kind: Thing\n", "kind: Thing\n\n    # a comment\n"),
        ("\n", "\r\n"),
        ("  names:\n", "  names: &names\n"),
        ("names:\n    kind: Thing\n", "names:\n    kind:\n      Thing\n"),
        ("    note: |\n", "    note: >1\n"),
        ("status:\n", "'status':\n"),
        (
            "apiVersion: apiextensions.k8s.io/v1\n",
            "? apiVersion\n: apiextensions.k8s.io/v1\n",
        ),
        // A quoted string may continue on any line.
        ("status:\n", "status:\n  text: \"\nkind: Other\n\"\n"),
    ] {
        assert_eq!(replace(from, to), [LISTED], "{to}");
    }
    assert_eq!(
        replace(
            "names:\n    kind: Thing\n",
            "names:\n    kind: Thing\n      more\n"
        ),
        ["things.example.org example.org/Thing more things [v1+* v2]"]
    );
    assert_eq!(
        replace("group: example.org", "group: yes"),
        ["things.example.org /Thing things [v1+* v2]"]
    );
    assert_eq!(
        replace("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"),
        [LISTED]
    );
}

#[test]
fn schemas_are_not_read() {
    let text = DEFINITION.replace("            type: object\n", "            type: @object\n");
    assert_eq!(listed(&text), [LISTED]);
    assert!(scan(&text)[0].value(&Arena::new()).is_err());
}

#[test]
fn unparsable_documents_are_listed_as_such() {
    assert_eq!(listed("a: [\n---\nkind: A\napiVersion: v1\n").len(), 2);
    assert!(listed("a: [\n")[0].starts_with("unreadable: yaml: "));
    assert_eq!(listed(""), [""; 0]);
}

/// The entries of a text by a parser, in the form of [`scan`].
fn by_parser(text: &str) -> Option<Vec<String>> {
    let mut entries = Vec::new();
    for document in yaml::documents(text) {
        let arena = Arena::new();
        let value = yaml::parse(&arena, document.text.as_bytes()).ok()?;
        let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default();
        let items = value
            .get("items")
            .and_then(Value::as_array)
            .filter(|_| kind.ends_with("List"));
        let objects = items.map_or_else(|| vec![value], <[_]>::to_vec);
        entries.extend(objects.into_iter().flat_map(|object| {
            // A single JSON object cannot be read in another way.
            match object {
                Value::Object(_) => listed(&to_string(object)),
                _ => vec!["  ".to_owned()],
            }
        }));
    }
    Some(entries)
}

#[test]
fn recorded_bodies_are_listed_as_they_parse() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/api");
    let mut definitions = 0;
    for entry in fs::read_dir(folder).expect("the recordings are there") {
        let text = fs::read_to_string(entry.expect("it can be listed").path()).expect("it can be read");
        let arena = Arena::new();
        let transcript = parse_str(&arena, &text).expect("it is JSON");
        for step in transcript
            .get("steps")
            .and_then(Value::as_array)
            .unwrap_or_default()
        {
            let body = step.get("body").and_then(Value::as_str).unwrap_or_default();
            if let Some(expected) = by_parser(body).filter(|_| !body.trim_start().starts_with('{')) {
                definitions += expected.iter().filter(|line| line.contains('[')).count();
                assert_eq!(listed(body), expected, "{body}");
            }
        }
    }
    assert!(definitions > 300, "{definitions} definitions");
}

/// Pieces put into lines to mislead the index.
const PIECES: &[&str] = &[
    "\"",
    "'",
    "{",
    "[",
    "]",
    "}",
    "- ",
    ": ",
    "#",
    " ",
    "  ",
    "\n",
    "\n\n",
    "|",
    ">",
    "&a ",
    "*a",
    "!!str ",
    "? ",
    "\\",
    "kind: Other\n",
    "\nspec:\n",
    "\n  group: other.org\n",
    "\n    kind: Other\n",
    "\n  - name: v3\n",
    "''",
    "\"\n",
    "'\n",
    "\r",
    "\u{2028}",
    "\t",
    "---\n",
    "...\n",
    "name: a",
    "true",
    "null",
    "<<: ",
    "key",
    ",",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn lines_never_contradict_the_parser(
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(PIECES), 0usize..12), 1..4),
        in_list in any::<bool>(),
    ) {
        let mut text = DEFINITION.to_owned();
        for (at, piece, removed) in changes {
            let at = at.index(text.len());
            let Some(end) = (at..=text.len()).skip(removed).find(|end| text.is_char_boundary(*end)) else {
                continue;
            };
            if text.is_char_boundary(at) {
                text.replace_range(at..end, piece);
            }
        }
        if in_list {
            text = format!("apiVersion: v1\nkind: List\nitems:\n- {}", text.replace('\n', "\n  "));
        }
        if let Some(expected) = by_parser(&text) {
            prop_assert_eq!(listed(&text), expected, "{}", text);
        }
    }
}
