//! Reads expressions line by line, typed or piped.

use std::io::{BufRead, IsTerminal};

use kindsmith_source::render::Style;

use super::expression::{Expression, readable};
use super::trial::Trial;
use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

const HELP: &str = "\
EXPR         value, type and cost of an expression
:type EXPR   only its type
:cost EXPR   only its estimated cost
:schema      the type of `self` and its fields
:help        this page
:quit        leave
";

/// Runs until the end of the input or `:quit`.
pub(super) fn run(trial: &Trial<'_>, terminal: &Terminal) -> Result<Outcome, Error> {
    let stdin = std::io::stdin();
    let watched = stdin.is_terminal();
    if watched {
        terminal.say("type an expression, or :help");
    }
    let mut outcome = Outcome::Clean;
    let mut lines = stdin.lock().lines();
    loop {
        if watched {
            terminal.prompt("cel> ");
        }
        let Some(line) = lines.next() else { break };
        let line = line.map_err(|error| Error::environment(format!("cannot read the input: {error}")))?;
        match answer(trial, line.trim(), terminal) {
            None => break,
            Some((text, found)) => {
                terminal.print(&text)?;
                // A user at the terminal has seen the error; a script needs the exit code.
                if !watched && found == Outcome::Findings {
                    outcome = Outcome::Findings;
                }
            }
        }
    }
    Ok(outcome)
}

/// The answer to one line; `None` ends the session.
fn answer(trial: &Trial<'_>, line: &str, terminal: &Terminal) -> Option<(String, Outcome)> {
    // There is only one code here, so pointing to its page after every line would be noise.
    let style = Style {
        pages: None,
        ..terminal.style()
    };
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Some(match word {
        "" => (String::new(), Outcome::Clean),
        ":quit" | ":q" | ":exit" => return None,
        ":help" | ":h" | ":?" => (HELP.to_owned(), Outcome::Clean),
        ":schema" => (schema(trial), Outcome::Clean),
        ":type" => trial.ty(rest, style),
        ":cost" => {
            let expression = Expression::compile(rest, trial.subject, trial.optional_old);
            (trial.cost(rest, &expression), Outcome::Clean)
        }
        word if word.starts_with(':') => {
            let text = format!("no command `{word}`; :help lists all\n");
            (text, Outcome::Findings)
        }
        _ => trial.text(line, style),
    })
}

/// The fields of `self`, one line each.
fn schema(trial: &Trial<'_>) -> String {
    use kindsmith_cel::types::decl::NodeShape;
    let declarations = &trial.subject.declarations;
    let mut out = format!("self: {}\n", readable(&declarations.ty().to_string()));
    if let NodeShape::Object(object) = &declarations.root.shape {
        let mut fields: Vec<String> = object
            .properties
            .iter()
            .filter(|(_, node)| node.visible)
            .filter_map(|(name, node)| {
                let name = kindsmith_cel::escape::escape(name)?;
                Some(format!("  .{name}: {}\n", node.ty(&format!("self.{name}"))?))
            })
            .collect();
        fields.sort();
        out.extend(fields);
    }
    out
}
