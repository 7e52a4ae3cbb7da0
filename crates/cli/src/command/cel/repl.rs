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
:history     what was typed, with numbers
!!  !3  !se  the last line again, the third, the last that starts with `se`
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
    let mut history = History::default();
    loop {
        if watched {
            terminal.prompt("cel> ");
        }
        let Some(line) = lines.next() else { break };
        let line = line.map_err(|error| Error::environment(format!("cannot read the input: {error}")))?;
        let line = match history.recalled(line.trim()) {
            Ok(line) => line,
            Err(text) => {
                terminal.print(&text)?;
                continue;
            }
        };
        if line == ":history" {
            terminal.print(&history.list())?;
            continue;
        }
        match answer(trial, &line, terminal) {
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

/// The lines typed so far.
#[derive(Debug, Default)]
struct History(Vec<String>);

impl History {
    /// The line to answer: a line that begins with `!` stands for an earlier one. It is remembered.
    fn recalled(&mut self, line: &str) -> Result<String, String> {
        let found = match line.strip_prefix('!') {
            // `!self.open` is an expression.
            Some(rest) if rest == "!" || rest.parse::<usize>().is_ok() => {
                let number = rest.parse().unwrap_or(self.0.len());
                let known = number.checked_sub(1).and_then(|index| self.0.get(index));
                Some(known.ok_or_else(|| format!("no line {line}; :history lists all\n"))?)
            }
            Some(start) if !start.is_empty() => {
                let mut earlier = self.0.iter().rev();
                earlier.find(|known| known.starts_with(start) && known.len() > start.len())
            }
            _ => None,
        };
        let line = found.map_or_else(|| line.to_owned(), Clone::clone);
        if !line.is_empty() && !line.starts_with(":history") && self.0.last() != Some(&line) {
            self.0.push(line.clone());
        }
        Ok(line)
    }

    fn list(&self) -> String {
        let lines = self.0.iter().enumerate();
        lines
            .map(|(index, line)| format!("{:4}  {line}\n", index + 1))
            .collect()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_lines_are_recalled() {
        let mut history = History::default();
        let mut check = |line: &str, expected: Result<&str, &str>| {
            let found = history.recalled(line);
            let found = found.as_deref().map_err(String::as_str);
            assert_eq!(found, expected, "{line}");
        };
        check("!!", Err("no line !!; :history lists all\n"));
        check("self.a", Ok("self.a"));
        check("size(self.b)", Ok("size(self.b)"));
        check("!!", Ok("size(self.b)"));
        check("!1", Ok("self.a"));
        check("!si", Ok("size(self.b)"));
        check("!self.open", Ok("!self.open"));
        check("!9", Err("no line !9; :history lists all\n"));
    }
}
