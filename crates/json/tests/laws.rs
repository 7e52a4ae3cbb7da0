//! Properties of every value and every text.

use kindsmith_json::path::Segment;
use kindsmith_json::read::{self, BigIntegers, Options};
use kindsmith_json::write::{Documents, Escape, Format, Lengths, Order, to_yaml};
use kindsmith_json::{
    Arena, ArrayEdit, Draft, Object, ObjectEdit, Value, locate, parse, parse_str, to_string, yaml,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// JSON text of a value, with white space, escapes and all kinds of numbers.
fn json() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("JSON has no infinity, and -0 reads as 0", |number| {
                number.is_finite() && number.to_bits() != (-0.0_f64).to_bits()
            })
            .prop_map(|n| format!("{n:e}")),
        (-1000..1000_i32).prop_map(|number| format!("{}", f64::from(number) / 8.0)),
    ];
    let scalar = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|truth| truth.to_string()),
        number,
        string().prop_map(|text| quoted(&text)),
    ];
    scalar.prop_recursive(5, 64, 6, |inner| {
        let array = vec(inner.clone(), 0..6).prop_map(|items| format!("[ {}]", items.join(" ,")));
        let object = btree_map(string(), inner, 0..6).prop_map(|entries| {
            let entries: Vec<_> = entries
                .iter()
                .map(|(key, value)| format!("{}:\n{value}", quoted(key)))
                .collect();
            format!("{{{} }}", entries.join(",\t"))
        });
        prop_oneof![array, object]
    })
}

fn string() -> impl Strategy<Value = String> {
    let odd = [
        "", "yes", "~", "010", "1e3", "a: b", "- x", "#", " a", "a ", "a\nb", "\n", "\t", "\u{2028}", "<&>",
        "é", "😀",
    ];
    prop_oneof![
        "[a-z]{0,12}",
        "[ -~]{0,40}",
        any::<String>(),
        proptest::sample::select(odd.to_vec()).prop_map(str::to_owned),
    ]
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string")
}

/// The value in serde_json.
fn as_serde(value: Value<'_>) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(truth) => truth.into(),
        Value::Int(number) => number.into(),
        Value::Uint(number) => number.into(),
        Value::Float(number) => number.into(),
        Value::Str(text) => text.into(),
        Value::Array(items) => items.iter().map(|&item| as_serde(item)).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.to_owned(), as_serde(value)))
            .collect(),
    }
}

/// Equal except for numbers: a float without a fraction is written as an integer, with the fewest digits that
/// distinguish it from its neighbors, as in Go.
fn alike(left: Value<'_>, right: Value<'_>) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| alike(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let same = |(key, value)| right.get(key).is_some_and(|other| alike(value, other));
            left.len() == right.len() && left.iter().all(same)
        }
        _ => left == right || left.as_f64().is_some_and(|number| right.as_f64() == Some(number)),
    }
}

proptest! {
    #[test]
    fn agrees_with_serde_json(text in json()) {
        let arena = Arena::new();
        let options = Options::default().big_integers(BigIntegers::Exact);
        let ours = read::read(&arena, text.as_bytes(), options).expect("JSON").value;
        let theirs: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        prop_assert_eq!(as_serde(ours), theirs);
    }

    #[test]
    fn accepts_the_same_texts_as_serde_json(text in r#"[\[\]{}:,"\\ntrue0-9.eE+\- ]{0,24}"#) {
        let arena = Arena::new();
        let ours = parse_str(&arena, &text);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        // serde_json rejects lone surrogates and numbers out of range, and limits nesting; none of these
        // occur here.
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours, theirs);
    }

    /// Words with single spaces between them are read at once, those with several one by one.
    #[test]
    fn spaces_between_words_of_yaml_are_kept(
        words in vec(
            prop_oneof!["[a-zé\u{a0}]{1,70}", "[a-c,?:#\\[\\]{}'\"&*!|>-]{1,4}"],
            1..8,
        ),
        is_in_brackets: bool,
    ) {
        let arena = Arena::new();
        let read = |separator: &str| {
            let text = words.join(separator);
            let text = if is_in_brackets { format!("k: [{text}]") } else { format!("k: {text}") };
            let value = yaml::parse(&arena, arena.alloc_str(&text).as_bytes());
            value.ok().map(to_string)
        };
        prop_assert_eq!(read("  "), read(" ").map(|value| value.replace(' ', "  ")), "{:?}", words);
    }

    #[test]
    fn written_json_reads_back_the_same(text in json(), html: bool, sorted: bool, pretty: bool) {
        let arena = Arena::new();
        let value = parse_str(&arena, &text).expect("JSON");
        let mut format = Format::default()
            .escape(if html { Escape::Html } else { Escape::Minimal })
            .order(if sorted { Order::Sorted } else { Order::Kept });
        if pretty {
            format = format.indent("  ");
        }
        let written = format.to_string(value);
        prop_assert_eq!(format.len(value), written.len());
        let back = parse_str(&arena, &written).expect("JSON");
        prop_assert!(alike(back, value), "{} {}", written, text);
        prop_assert_eq!(format.to_string(back), written);
    }

    #[test]
    fn written_yaml_reads_back_the_same(text in json()) {
        let arena = Arena::new();
        let value = parse_str(&arena, &text).expect("JSON");
        // As in go-yaml, a plain `<<` key would be merged when read back.
        prop_assume!(!text.contains("<<"));
        let written = to_yaml(value, Order::Kept);
        match yaml::parse(&arena, written.as_bytes()) {
            Ok(back) => prop_assert!(alike(back, value), "{}", written),
            Err(error) => prop_assert!(false, "{} {}", error, written),
        }
    }

    #[test]
    fn values_that_share_parts_are_written_like_others(parts in vec(json(), 1..4), sorted: bool) {
        let arena = Arena::new();
        let order = if sorted { Order::Sorted } else { Order::Kept };
        let mut documents = Documents::new(order);
        let mut lengths = Lengths::default();
        let (mut written, mut whole) = (Vec::new(), Value::Null);
        for part in &parts {
            let part = parse_str(&arena, part).expect("JSON");
            // The same parts again, at other depths, on lines of their own and on started lines.
            whole = Value::Array(arena.alloc_slice_copy(&[part, whole, Value::Array(arena.alloc_slice_copy(&[whole, part]))]));
            let long = arena.alloc_str(&"k".repeat(200));
            for key in ["a", long] {
                let mut object = Object::EMPTY;
                object.insert(&arena, key, whole);
                object.insert(&arena, "b", part);
                whole = object.into();
            }
            documents.add(String::new(), whole);
            written.push(to_yaml(whole, order));
            prop_assert_eq!(lengths.of(whole), Format::default().len(whole));
        }
        prop_assert_eq!(documents.into_texts(), written);
    }

    #[test]
    fn json_is_yaml(text in json()) {
        let arena = Arena::new();
        // Leaves out characters that YAML does not allow or folds, and the merge key.
        let allowed = |c: char| !('\u{7f}'..='\u{9f}').contains(&c) && !('\u{feff}'..='\u{ffff}').contains(&c);
        let compact = to_string(parse_str(&arena, &text).expect("JSON"));
        let compact: String = compact.chars().map(|c| if allowed(c) && c != '<' { c } else { 'x' }).collect();
        let value = parse_str(&arena, &compact).expect("JSON");
        let from_yaml = yaml::parse(&arena, compact.as_bytes());
        prop_assert!(from_yaml.as_ref().is_ok_and(|&back| alike(back, value)), "{:?} {}", from_yaml, compact);
    }

    #[test]
    fn copies_are_equal_and_independent(text in json()) {
        let (arena, other) = (Arena::new(), Arena::new());
        let value = parse_str(&arena, &text).expect("JSON");
        let copy = value.copy_in(&other);
        prop_assert_eq!(value, copy);
        prop_assert_eq!(Draft::new(value).freeze(&arena), value);
        drop(arena);
        prop_assert_eq!(to_string(copy).is_empty(), false);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in vec(any::<u8>(), 0..200)) {
        let arena = Arena::new();
        let _ = parse(&arena, &bytes);
        let _ = yaml::parse(&arena, &bytes);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in r#"[\[\]{}:,"'\\\-?&*!|>%@#<~ \t\r\na-c0-9\u0085\u2028é]{0,60}"#) {
        let arena = Arena::new();
        let _ = parse_str(&arena, &text);
        let _ = yaml::parse(&arena, text.as_bytes());
        let path = [Segment::Field("a"), Segment::Index(0), Segment::Field("b")];
        let _ = locate::in_json(&text, path);
        let _ = locate::in_yaml(&text, path);
        let _ = yaml::documents(&text).count();
    }

    #[test]
    fn edits_behave_like_a_map(steps in vec((0..60_u8, any::<Option<i64>>()), 0..200)) {
        let arena = Arena::new();
        let mut edit = ObjectEdit::new(&arena, Object::EMPTY);
        let mut model: Vec<(String, i64)> = Vec::new();
        for (key, number) in steps {
            let key = format!("k{key}");
            let place = model.iter().position(|(known, _)| *known == key);
            match (number, place) {
                (Some(number), Some(at)) => model[at].1 = number,
                (Some(number), None) => model.push((key.clone(), number)),
                (None, Some(at)) => drop(model.remove(at)),
                (None, None) => {}
            }
            match number {
                Some(number) => drop(edit.insert(arena.alloc_str(&key), number.into())),
                None => drop(edit.remove(&key)),
            }
        }
        let object = edit.finish();
        let found: Vec<_> = object.iter().map(|(key, value)| (key.to_owned(), value.as_i64().unwrap_or(0))).collect();
        prop_assert_eq!(&found, &model);
        for (key, number) in &model {
            prop_assert_eq!(object.get(key).and_then(Value::as_i64), Some(*number));
        }
        prop_assert_eq!(object.get("missing"), None);
    }

    #[test]
    fn retain_keeps_the_selected_entries(numbers in vec(-5..5_i64, 0..40)) {
        let arena = Arena::new();
        let items = arena.alloc_slice_fill_iter(numbers.iter().map(|&number| Value::Int(number)));
        let mut edit = ArrayEdit::new(&arena, items);
        edit.retain(|item| item.as_i64().is_some_and(|number| number > 0));
        let kept: Vec<_> = edit.finish().iter().filter_map(|item| item.as_i64()).collect();
        prop_assert_eq!(kept, numbers.into_iter().filter(|&number| number > 0).collect::<Vec<_>>());
    }
}
