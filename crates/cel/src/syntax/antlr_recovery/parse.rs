//! Parses along the network and recovers from errors as ANTLR's default strategy does, with cel-go's limits.

use super::atn::{EPSILON, Label, RULES, Rule, Set, StateKind, Transition, one};
use super::grammar::ATN;
use super::predict::{Decision, predict};
use super::tree::{Leaf, Part, Tree};
use crate::syntax::error::Errors;
use crate::syntax::lexer::LexError;
use crate::syntax::parser::{MAX_DEPTH, RULE_DEPTH_TEXT};
use crate::syntax::source::{Location, Source};
use crate::syntax::token::{Kind, Token};

const MAX_REPORTS: usize = 100;
const MAX_RECOVERIES: usize = 30;
const MAX_SKIPPED: usize = 256;

/// Parsing is abandoned; what was reported stays.
struct Abort;

/// Why a rule cannot go on.
enum Problem {
    /// No alternative fits: where prediction started and the token it failed at.
    NoViable(usize, usize),
    /// The current token is not what comes next.
    Mismatch,
}

/// The recovered tree, unless parsing was abandoned, and the syntax errors.
pub(super) fn parse(source: &Source, tokens: &[Token], lex_errors: &[LexError]) -> (Option<Tree>, Errors) {
    let visible: Vec<usize> = (0..tokens.len())
        .filter(|at| !matches!(tokens[*at].kind, Kind::Whitespace | Kind::Comment))
        .collect();
    let kinds = visible.iter().map(|at| tokens[*at].kind).collect();
    let mut parser = Parser {
        source,
        tokens,
        visible,
        kinds,
        at: 0,
        fetched: 0,
        lex_errors,
        lexed: 0,
        errors: Errors::default(),
        reports: 0,
        tree: Tree::default(),
        calls: Vec::new(),
        state: 0,
        precedence: vec![0],
        depth: [0; RULES],
        recovering: false,
        last_error: None,
        recoveries: 0,
    };
    let result = parser.run();
    // The lexer runs as tokens are asked for, so an abandoned parse has seen only some of its errors.
    let seen = if result.is_ok() {
        u32::MAX
    } else {
        parser.offset(parser.fetched.max(parser.at))
    };
    let done = parser.lex_until(seen).is_ok() && result.is_ok();
    (done.then_some(parser.tree), parser.errors)
}

struct Parser<'s> {
    source: &'s Source,
    tokens: &'s [Token],
    /// Positions of the tokens that are not white space or comments.
    visible: Vec<usize>,
    kinds: Vec<Kind>,
    at: usize,
    /// The furthest token looked at.
    fetched: usize,
    lex_errors: &'s [LexError],
    lexed: usize,
    errors: Errors,
    reports: usize,
    tree: Tree,
    /// The states rules were called from, outermost first.
    calls: Vec<usize>,
    state: usize,
    precedence: Vec<u8>,
    depth: [u32; RULES],
    recovering: bool,
    /// Where recovery was last attempted, and in which states.
    last_error: Option<(usize, Vec<usize>)>,
    recoveries: usize,
}

type Step<T> = Result<T, Abort>;

/// A rule being parsed: its context, the state it is in, and the call it came from with the label it gets there.
struct Frame {
    rule: Rule,
    context: usize,
    at: usize,
    caller: Option<(usize, Label)>,
}

/// How far a rule was followed.
enum Walked {
    End,
    Failed(Problem),
    /// The rule and precedence to parse next, and where the call is.
    Call(Rule, u8, (usize, Label)),
}

/// Whether a rule is left-recursive in the grammar.
fn climbs(rule: Rule) -> bool {
    matches!(rule, Rule::Relation | Rule::Calc | Rule::Member)
}

impl Parser<'_> {
    fn kind(&self) -> Kind {
        self.kinds[self.at]
    }

    fn consume(&mut self) {
        self.at += usize::from(self.kind() != Kind::Eof);
    }

    /// Reports the lexer's errors before an offset, as reading tokens up to there would.
    fn lex_until(&mut self, offset: u32) -> Step<()> {
        while let Some(error) = self
            .lex_errors
            .get(self.lexed)
            .filter(|error| error.start < offset)
        {
            self.lexed += 1;
            self.report(error.start, &error.message)?;
        }
        Ok(())
    }

    fn report(&mut self, offset: u32, message: &str) -> Step<()> {
        let location = self.source.location(offset);
        if self.reports >= MAX_REPORTS {
            self.errors.report(
                location,
                format!("Syntax error: More than {MAX_REPORTS} syntax errors"),
            );
            return Err(Abort);
        }
        self.reports += 1;
        self.errors.report(location, format!("Syntax error: {message}"));
        Ok(())
    }

    fn report_here(&mut self, message: &str) -> Step<()> {
        let offset = self.offset(self.at);
        self.report(offset, message)
    }

    fn offset(&self, at: usize) -> u32 {
        self.tokens[self.visible[at]].start
    }

    fn enter(&mut self, rule: Rule) -> Step<()> {
        let depth = &mut self.depth[rule as usize];
        *depth += 1;
        if *depth > MAX_DEPTH {
            self.errors.report(Location::NONE, RULE_DEPTH_TEXT);
            return Err(Abort);
        }
        Ok(())
    }

    fn leave(&mut self, rule: Rule) {
        let depth = &mut self.depth[rule as usize];
        *depth = depth.saturating_sub(1);
    }

    /// Starts a rule.
    fn open(&mut self, rule: Rule, precedence: u8, caller: Option<(usize, Label)>) -> Step<Frame> {
        let context = self.tree.add(rule, self.visible[self.at]);
        self.calls.extend(caller.map(|(call, _)| call));
        if climbs(rule) {
            self.precedence.push(precedence);
        }
        let start = ATN.starts[rule as usize];
        self.state = start;
        self.enter(rule)?;
        Ok(Frame {
            rule,
            context,
            at: start,
            caller,
        })
    }

    /// Ends a rule; a problem in it is reported and recovered from here.
    fn close(&mut self, frame: &Frame, problem: Option<Problem>) -> Step<()> {
        if let Some(problem) = problem {
            self.report_problem(&problem)?;
            self.recover()?;
        }
        self.leave(frame.rule);
        if climbs(frame.rule) {
            self.precedence.pop();
        } else if let Some((call, _)) = frame.caller {
            self.state = call;
        }
        if frame.caller.is_some() {
            self.calls.pop();
        }
        Ok(())
    }

    /// Parses everything. Rules nest deeply, so their frames are kept here rather than on the thread's stack.
    fn run(&mut self) -> Step<()> {
        let mut frames = vec![self.open(Rule::Start, 0, None)?];
        while let Some(frame) = frames.last_mut() {
            let problem = match self.walk(frame)? {
                Walked::Call(rule, precedence, call) => {
                    let frame = self.open(rule, precedence, Some(call))?;
                    frames.push(frame);
                    continue;
                }
                Walked::End => None,
                Walked::Failed(problem) => Some(problem),
            };
            let Some(done) = frames.pop() else { break };
            self.close(&done, problem)?;
            if let (Some(parent), Some((call, label))) = (frames.last_mut(), done.caller) {
                self.tree.contexts[parent.context]
                    .parts
                    .push((label, Part::Context(done.context)));
                parent.at = follow(call);
            }
        }
        Ok(())
    }

    /// Follows the network through a rule up to a call, its end or a problem.
    fn walk(&mut self, frame: &mut Frame) -> Step<Walked> {
        loop {
            let at = frame.at;
            let state = &ATN.states[at];
            let decision = match state.kind {
                StateKind::RuleStop => return Ok(Walked::End),
                StateKind::Basic | StateKind::BlockEnd => None,
                // The loop's entry decides, but what is missing is judged as behind a round.
                StateKind::StarLoopBack => match state.transitions.first() {
                    Some(Transition::Epsilon(entry)) => Some(*entry),
                    _ => None,
                },
                StateKind::StarBlockStart if state.transitions.len() == 1 => None,
                _ => Some(at),
            };
            if let Some(decision) = decision {
                self.state = at;
                if let Err(problem) = self.sync()? {
                    return Ok(Walked::Failed(problem));
                }
                match self.decide(decision) {
                    Ok(alt) => frame.at = self.take(decision, alt, frame.context),
                    Err(problem) => return Ok(Walked::Failed(problem)),
                }
                continue;
            }
            match state.transitions.first().copied() {
                None => return Ok(Walked::End),
                Some(Transition::Epsilon(target)) => frame.at = target,
                Some(Transition::Precedence { target, level }) => {
                    self.state = at;
                    frame.context = self.wrap(frame.context, level)?;
                    frame.at = target;
                }
                Some(Transition::Rule {
                    rule,
                    precedence,
                    label,
                    ..
                }) => {
                    self.state = at;
                    return Ok(Walked::Call(rule, precedence, (at, label)));
                }
                Some(Transition::Token { set, target, label }) => {
                    self.state = at;
                    let matched = self.match_token(set)?;
                    let parts = &mut self.tree.contexts[frame.context].parts;
                    match matched {
                        Ok(leaf) => parts.push((label, Part::Leaf(leaf))),
                        Err(problem) => {
                            parts.push((label, Part::Nothing));
                            return Ok(Walked::Failed(problem));
                        }
                    }
                    frame.at = target;
                }
            }
        }
    }

    /// The state an alternative starts with; the context remembers which alternative of its rule it is.
    fn take(&mut self, decision: usize, alt: usize, context: usize) -> usize {
        let state = &ATN.states[decision];
        let whole_rule = state.kind == StateKind::BlockStart
            && matches!(
                state.rule,
                Rule::Unary | Rule::Primary | Rule::EscapeIdent | Rule::Literal
            )
            && state.transitions.len() > 1
            && self.tree.contexts[context].alt == 0;
        if whole_rule {
            self.tree.contexts[context].alt = alt;
        }
        if state.precedence_loop && alt == 1 {
            self.leave(state.rule);
        }
        match state.transitions[alt - 1] {
            Transition::Epsilon(target) => target,
            _ => decision,
        }
    }

    /// What was parsed so far becomes the left operand of a new context.
    fn wrap(&mut self, operand: usize, level: u8) -> Step<usize> {
        let (rule, start) = (
            self.tree.contexts[operand].rule,
            self.tree.contexts[operand].start,
        );
        self.enter(rule)?;
        let context = self.tree.add(rule, start);
        self.tree.contexts[context].alt = level as usize;
        self.tree.contexts[context]
            .parts
            .push((Label::E, Part::Context(operand)));
        Ok(context)
    }

    fn decide(&mut self, decision: usize) -> Result<usize, Problem> {
        let state = &ATN.states[decision];
        if state.transitions.len() == 1 {
            return Ok(1);
        }
        if state.by_token {
            return self.decide_by_token(decision);
        }
        let returns: Vec<usize> = self.calls.iter().map(|call| follow(*call)).collect();
        let precedence = self.precedence.last().copied().unwrap_or(0);
        let request = Decision {
            state: decision,
            ahead: &self.kinds[self.at..],
            returns: &returns,
            precedence,
        };
        predict(&ATN, &request).map_err(|failure| {
            Problem::NoViable(self.at, (self.at + failure.ahead).min(self.kinds.len() - 1))
        })
    }

    /// The generated code tests the next token: loops and options are skipped on anything else.
    fn decide_by_token(&self, decision: usize) -> Result<usize, Problem> {
        let state = &ATN.states[decision];
        let next = one(self.kind());
        let skips = state.rule != Rule::EscapeIdent;
        for (at, transition) in state.transitions.iter().enumerate() {
            let Transition::Epsilon(target) = transition else {
                continue;
            };
            if skips && at > 0 {
                return Ok(at + 1);
            }
            if ATN.next_tokens(*target) & next != 0 {
                return Ok(at + 1);
            }
        }
        Err(Problem::NoViable(self.at, self.at))
    }

    fn match_token(&mut self, set: Set) -> Step<Result<Leaf, Problem>> {
        if set & one(self.kind()) != 0 {
            self.end_error();
            let leaf = Leaf::Input(self.visible[self.at]);
            self.consume();
            return Ok(Ok(leaf));
        }
        self.recover_inline()
    }

    fn end_error(&mut self) {
        self.recovering = false;
        self.last_error = None;
    }

    /// The tokens that can come next here, seen through the callers.
    fn expected(&self) -> Set {
        let mut following = ATN.next_tokens(self.state);
        let mut expected = following & !EPSILON;
        for call in self.calls.iter().rev() {
            if following & EPSILON == 0 {
                return expected;
            }
            following = ATN.next_tokens(follow(*call));
            expected |= following & !EPSILON;
        }
        if following & EPSILON != 0 {
            expected |= one(Kind::Eof);
        }
        expected
    }

    /// Checks that the next token fits before a decision, and deletes or skips what does not.
    fn sync(&mut self) -> Step<Result<(), Problem>> {
        if self.recovering {
            return Ok(Ok(()));
        }
        let next = ATN.next_tokens(self.state);
        if next & (EPSILON | one(self.kind())) != 0 {
            return Ok(Ok(()));
        }
        match ATN.states[self.state].kind {
            StateKind::StarLoopBack | StateKind::PlusLoopBack => {
                self.report_unwanted()?;
                let until = self.expected() | self.recovery_set();
                self.skip_until(until, usize::MAX)?;
                Ok(Ok(()))
            }
            _ => {
                if self.delete_token(&mut 0)? {
                    return Ok(Ok(()));
                }
                Ok(Err(Problem::Mismatch))
            }
        }
    }

    /// Deletes the current token if the one behind it is what is expected.
    fn delete_token(&mut self, skipped: &mut usize) -> Step<bool> {
        let next = (self.at + 1).min(self.kinds.len() - 1);
        self.fetched = self.fetched.max(next);
        let behind = self.kinds[next];
        if self.expected() & one(behind) == 0 {
            return Ok(false);
        }
        self.report_unwanted()?;
        *skipped += 1;
        self.consume();
        self.end_error();
        Ok(true)
    }

    fn recover_inline(&mut self) -> Step<Result<Leaf, Problem>> {
        self.count_recovery()?;
        if self.delete_token(&mut 0)? {
            let leaf = Leaf::Input(self.visible[self.at]);
            self.consume();
            return Ok(Ok(leaf));
        }
        let returns: Vec<usize> = self.calls.iter().map(|call| follow(*call)).collect();
        let next = match ATN.states[self.state].transitions[0] {
            Transition::Token { target, .. } => target,
            _ => return Ok(Err(Problem::Mismatch)),
        };
        if ATN.next_tokens_in(next, &returns) & one(self.kind()) == 0 {
            return Ok(Err(Problem::Mismatch));
        }
        self.report_missing()?;
        let expected = names(self.expected());
        let text = format!("<missing {}>", expected.first().copied().unwrap_or("undefined"));
        // A token missing at the end pretends to be where the last one is.
        let at = if self.kind() == Kind::Eof {
            self.at.saturating_sub(1)
        } else {
            self.at
        };
        Ok(Ok(Leaf::Missing(text, self.offset(at))))
    }

    fn count_recovery(&mut self) -> Step<()> {
        if self.recoveries == MAX_RECOVERIES {
            self.report_here(&format!(
                "error recovery attempt limit exceeded: {MAX_RECOVERIES}"
            ))?;
            return Err(Abort);
        }
        self.recoveries += 1;
        Ok(())
    }

    fn report_problem(&mut self, problem: &Problem) -> Step<()> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        match *problem {
            Problem::Mismatch => {
                let text = format!(
                    "mismatched input {} expecting {}",
                    self.shown(self.at),
                    list(self.expected())
                );
                self.report_here(&text)
            }
            Problem::NoViable(start, failed) => {
                let text = match self.kinds[start] {
                    Kind::Eof => "<EOF>".to_owned(),
                    _ => self.text(start, failed),
                };
                let text = reserved_word(&text).map_or_else(
                    || format!("no viable alternative at input {}", quote(&text)),
                    str::to_owned,
                );
                self.lex_until(self.offset(failed))?;
                self.report(self.offset(failed), &text)
            }
        }
    }

    fn report_unwanted(&mut self) -> Step<()> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        let text = format!(
            "extraneous input {} expecting {}",
            self.shown(self.at),
            list(self.expected())
        );
        self.report_here(&text)
    }

    fn report_missing(&mut self) -> Step<()> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        let text = format!("missing {} at {}", list(self.expected()), self.shown(self.at));
        self.report_here(&text)
    }

    /// Skips to a token some caller can go on with.
    fn recover(&mut self) -> Step<()> {
        self.count_recovery()?;
        let mut skipped = 0;
        let stuck = self
            .last_error
            .as_ref()
            .is_some_and(|(at, states)| *at == self.at && states.contains(&self.state));
        if stuck {
            // No progress since the last attempt in this state.
            self.consume();
            skipped += 1;
        }
        match &mut self.last_error {
            Some((at, states)) => {
                *at = self.at;
                states.push(self.state);
            }
            None => self.last_error = Some((self.at, vec![self.state])),
        }
        self.skip_until(self.recovery_set(), MAX_SKIPPED - skipped)
    }

    fn recovery_set(&self) -> Set {
        self.calls
            .iter()
            .fold(0, |set, call| set | ATN.next_tokens(follow(*call)))
            & !EPSILON
    }

    fn skip_until(&mut self, set: Set, mut allowed: usize) -> Step<()> {
        while self.kind() != Kind::Eof && set & one(self.kind()) == 0 {
            if allowed == 0 {
                let text = format!("error recovery token lookahead limit exceeded: {MAX_SKIPPED}");
                self.errors.report(Location::NONE, text);
                return Err(Abort);
            }
            allowed -= 1;
            self.consume();
        }
        Ok(())
    }

    /// The current token as errors show it.
    fn shown(&self, at: usize) -> String {
        match self.kinds[at] {
            Kind::Eof => "'<EOF>'".to_owned(),
            _ => quote(&self.text(at, at)),
        }
    }

    /// The text from one visible token to another, with what is hidden between them.
    fn text(&self, from: usize, to: usize) -> String {
        let tokens = &self.tokens[self.visible[from]..=self.visible[to]];
        tokens
            .iter()
            .filter(|token| token.kind != Kind::Eof)
            .map(|token| self.source.slice(token.start as usize, token.end as usize))
            .collect()
    }
}

/// Where a call goes on.
fn follow(call: usize) -> usize {
    match ATN.states[call].transitions.first() {
        Some(Transition::Rule { follow, .. }) => *follow,
        _ => call,
    }
}

fn names(set: Set) -> Vec<&'static str> {
    (0..NAMES.len())
        .filter(|bit| set & (1 << bit) != 0)
        .map(|bit| NAMES[bit])
        .collect()
}

fn list(set: Set) -> String {
    let names = names(set);
    if let [only] = &names[..] {
        (*only).to_owned()
    } else {
        format!("{{{}}}", names.join(", "))
    }
}

fn quote(text: &str) -> String {
    format!(
        "'{}'",
        text.replace('\t', "\\t")
            .replace('\n', "\\n")
            .replace('\r', "\\r")
    )
}

/// A literal word where a name was wanted has a text of its own in cel-go.
fn reserved_word(text: &str) -> Option<&'static str> {
    let mut chars = text.chars();
    chars.next().filter(|c| *c != '\n')?;
    match chars.as_str() {
        "true" => Some("mismatched input 'true' expecting IDENTIFIER"),
        "false" => Some("mismatched input 'false' expecting IDENTIFIER"),
        "null" => Some("mismatched input 'null' expecting IDENTIFIER"),
        _ => None,
    }
}

/// The names of token kinds in lists of what is expected: a quoted literal or a symbolic name.
const NAMES: [&str; 38] = [
    "<EOF>",
    "'=='",
    "'!='",
    "'in'",
    "'<'",
    "'<='",
    "'>='",
    "'>'",
    "'&&'",
    "'||'",
    "'['",
    "']'",
    "'{'",
    "'}'",
    "'('",
    "')'",
    "'.'",
    "','",
    "'-'",
    "'!'",
    "'?'",
    "':'",
    "'+'",
    "'*'",
    "'/'",
    "'%'",
    "'true'",
    "'false'",
    "'null'",
    "WHITESPACE",
    "COMMENT",
    "NUM_FLOAT",
    "NUM_INT",
    "NUM_UINT",
    "STRING",
    "BYTES",
    "IDENTIFIER",
    "ESC_IDENTIFIER",
];
