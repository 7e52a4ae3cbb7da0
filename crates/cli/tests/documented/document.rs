//! Command blocks of Markdown.

use crate::binary::root;

/// A block with commands.
pub(super) struct Block {
    /// Of the document, counted from 1.
    pub(super) line: usize,
    /// Each with the output that is shown, if the block is a session.
    pub(super) commands: Vec<(String, Option<String>)>,
}

pub(super) fn text(document: &str) -> String {
    std::fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

/// Fenced blocks of a language: the line of each, and its text.
pub(super) fn fenced<'t>(text: &'t str, languages: &[&str]) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(at) = rest.find("```") {
        line += rest[..at].matches('\n').count();
        let (language, body) = rest[at + 3..].split_once('\n').unwrap_or_default();
        let end = body.find("```").unwrap_or(body.len());
        if languages.contains(&language.trim()) {
            found.push((line + 1, &body[..end]));
        }
        line += 1 + body[..end].matches('\n').count();
        rest = body.get(end + 3..).unwrap_or_default();
    }
    found
}

/// The command blocks of a document.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let all = fenced(text, &["sh", "console"]);
    for (line, body) in all {
        let is_session = body.starts_with("$ ");
        let commands = if is_session { session(body) } else { script(body) };
        found.push(Block { line, commands });
    }
    for (line, body) in fenced(text, &["make"]) {
        let commands = recipes(body);
        found.push(Block { line, commands });
    }
    found.sort_by_key(|block| block.line);
    found
}

/// The lines of a makefile's recipes. Those with a variable that the block does not set are somebody else's.
fn recipes(body: &str) -> Vec<(String, Option<String>)> {
    let variables: Vec<(&str, &str)> = body.lines().filter_map(|line| line.split_once(" = ")).collect();
    let lines = body.lines().filter_map(|line| line.strip_prefix('\t'));
    let filled = lines.map(|line| {
        variables.iter().fold(line.to_owned(), |line, (name, value)| {
            line.replace(&format!("$({name})"), value)
        })
    });
    filled
        .filter(|line| !line.contains("$("))
        .map(|line| (line, None))
        .collect()
}

/// A session: `$` and a command, then its output. A block of commands alone shows none.
fn session(body: &str) -> Vec<(String, Option<String>)> {
    let shows = body
        .lines()
        .any(|line| !line.is_empty() && !line.starts_with("$ ") && !line.starts_with("    "));
    let mut commands: Vec<(String, Option<String>)> = Vec::new();
    for line in body.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), shows.then(String::new))),
            (None, Some((command, _))) if command.ends_with('\\') => {
                command.pop();
                command.push_str(line.trim_start());
            }
            (None, Some((_, Some(output)))) => *output += &format!("{line}\n"),
            (None, _) => {}
        }
    }
    commands
}

/// A script: one command a line.
fn script(body: &str) -> Vec<(String, Option<String>)> {
    let joined = body.replace("\\\n", " ");
    let lines = joined
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| (line.to_owned(), None)).collect()
}
