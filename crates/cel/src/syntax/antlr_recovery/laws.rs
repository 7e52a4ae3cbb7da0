//! Laws of the repairing parser, for valid expressions and for damaged ones.

use std::cell::Cell;

use proptest::prelude::*;

use super::errors;
use super::grammar::{GRAMMAR, RULES};
use super::graph::{ChoiceKind, GRAPH, Node, RULE_END};
use crate::syntax::source::{Location, Source};
use crate::syntax::{lexer, parse};

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts a move of the parser by a node, or of the prediction by a token.
pub(super) fn count_step() {
    STEPS.set(STEPS.get() + 1);
}

/// Expressions that use every rule of the grammar.
const GOOD: &[&str] = &[
    "",
    "self.a == 1 && !self.b || self.c in [1, 2]",
    "self.list.all(x, x.name != '' && x.size < 3u)",
    "has(self.a) ? self.a.b[0] : -self.c * (2 + 3) % 4 - 1.5",
    "a.b.c.d.e.Message{field: 1, `other-field`: b'x', ?optional: y,}",
    "{'key': [1, ?2, 3,], ?'other': {}}[?'key'].?field.`escaped`",
    "-1 - -1 == --x && !!true || !false == null",
    "f(g(h(1, 2), [[[]]]), .i(), .j.k(.l{}))",
    "a ? b : c ? d : e\n  // comment\n  && r'raw' == \"\"\"long\"\"\"",
    "x.map(y, y.filter(z, z > 0 && z <= 9)).size() >= int('12') / 3",
    "as.if + 99999999999999999999 == '\\u00e9' + true.false",
];

/// What is inserted to damage expressions.
const PIECES: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "+", "-", "*", "/", "%", "!", "<", ">=", "==", "&&",
    "||", " in ", "true", "null", "1", "2.5", "3u", "'s'", "b'x'", "x", "`a`", " ", "\n", "#", "=", "\"",
    ".true", "x{", "x.y.", "{?", "--", "\u{e9}", "//",
];

/// Removes, inserts or replaces a token.
#[derive(Clone, Debug)]
enum Damage {
    Remove(usize),
    Insert(usize, &'static str),
    Replace(usize, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let piece = || prop::sample::select(PIECES);
    prop_oneof![
        any::<usize>().prop_map(Damage::Remove),
        (any::<usize>(), piece()).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        (any::<usize>(), piece()).prop_map(|(at, piece)| Damage::Replace(at, piece)),
    ]
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let source = Source::new(text);
    let (tokens, _) = lexer::tokens(&source);
    let mut pieces: Vec<String> = tokens
        .iter()
        .map(|token| source.slice(token.start as usize, token.end as usize))
        .collect();
    for damage in damages {
        let length = pieces.len();
        match damage {
            Damage::Insert(at, piece) => pieces.insert(at % (length + 1), (*piece).to_owned()),
            Damage::Remove(at) if length > 0 => drop(pieces.remove(at % length)),
            Damage::Replace(at, piece) if length > 0 => pieces[at % length] = (*piece).to_owned(),
            Damage::Remove(_) | Damage::Replace(..) => {}
        }
    }
    pieces.concat()
}

/// Both parsers have the same grammar: the quick one accepts whatever has no errors here, and its errors are found here
/// too.
fn agrees_with_the_quick_parser(text: &str) -> Result<(), TestCaseError> {
    let source = Source::new(text);
    let (tokens, lex_errors) = lexer::tokens(&source);
    let found = errors(&source, &tokens, &lex_errors);
    match parse(&source) {
        Ok(_) => prop_assert_eq!(found.display(&source), "", "{}", text),
        Err(errors) => {
            prop_assert!(!found.is_empty(), "{}", text);
            prop_assert_eq!(found.display(&source), errors.display(&source), "{}", text);
        }
    }
    Ok(())
}

fn errors_are_in_the_text(text: &str) -> Result<(), TestCaseError> {
    let source = Source::new(text);
    let (tokens, lex_errors) = lexer::tokens(&source);
    for error in errors(&source, &tokens, &lex_errors).iter() {
        let Location { line, column } = error.location;
        let length = source.snippet(line).map_or(0, |line| line.chars().count() as i32);
        let placed = (-1..=length).contains(&column);
        prop_assert!(placed, "{}: {:?} in a line of {}", text, error, length);
    }
    Ok(())
}

fn takes_linear_time(text: &str) -> Result<(), TestCaseError> {
    let source = Source::new(text);
    let (tokens, lex_errors) = lexer::tokens(&source);
    STEPS.set(0);
    errors(&source, &tokens, &lex_errors);
    let (steps, limit) = (STEPS.get(), 40 * tokens.len());
    prop_assert!(
        steps <= limit,
        "{} steps for {} tokens: {}",
        steps,
        tokens.len(),
        text
    );
    Ok(())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    agrees_with_the_quick_parser(text)?;
    errors_are_in_the_text(text)?;
    takes_linear_time(text)
}

proptest! {
    #[test]
    fn laws_hold_for_damaged_expressions(
        text in prop::sample::select(GOOD),
        damages in prop::collection::vec(damage(), 0..6),
    ) {
        check(&damaged(text, &damages))?;
    }

    #[test]
    fn laws_hold_for_any_tokens(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        check(&pieces.concat())?;
    }
}

#[test]
fn long_input_takes_linear_time() {
    for piece in PIECES {
        let long = piece.repeat(2_000);
        takes_linear_time(&long).expect("few steps");
        takes_linear_time(&format!("a == [{long}")).expect("few steps");
    }
}

#[test]
fn rules_are_in_order_and_never_empty() {
    for (at, (rule, _)) in GRAMMAR.iter().enumerate() {
        assert_eq!(at, *rule as usize);
        assert_eq!(
            GRAPH.first(GRAPH.starts[at]) & RULE_END,
            0,
            "{rule:?} can be empty"
        );
    }
    assert_eq!(GRAMMAR.len(), RULES);
}

/// An error in a choice is reported in one way if the next token decides and in another if prediction does.
#[test]
fn the_next_token_decides_where_alternatives_start_differently() {
    let (mut by_token, mut predicted) = (Vec::new(), Vec::new());
    for node in &GRAPH.nodes {
        if let Node::Choice(choice) = node {
            let name = match &choice.kind {
                ChoiceKind::Forms(forms) => format!("{:?}", forms[0]),
                ChoiceKind::Operator => "operator".to_owned(),
                ChoiceKind::Optional => "optional".to_owned(),
                ChoiceKind::Loop { operators: true, .. } => "operators".to_owned(),
                ChoiceKind::Loop { .. } => continue,
            };
            let names = if choice.by_token {
                &mut by_token
            } else {
                &mut predicted
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    assert_eq!(by_token, ["optional", "Name"]);
    assert_eq!(predicted, ["operators", "operator", "Operand", "Ident", "Int"]);
}
