//! The CEL grammar as a transition network, left recursion made into loops as ANTLR does.

use std::sync::LazyLock;

use super::atn::{Atn, Label, RULES, Rule, Set, State, StateKind, Transition, one};
use crate::syntax::token::Kind;

/// The network of the grammar.
pub(super) static ATN: LazyLock<Atn> = LazyLock::new(build);

/// A part of a rule.
enum Item {
    Token(Set, Label),
    Rule(Rule, u8, Label),
    Optional(Vec<Item>),
    /// Repeated, any number of times; the flag says whether the next token decides.
    Star(bool, Vec<Item>),
    /// Repeated at least once.
    Plus(bool, Vec<Item>),
    /// The loop of a left-recursive rule: alternatives with their precedence.
    Climb(Vec<(u8, Vec<Item>)>),
    /// Alternatives; the flag says whether the next token decides.
    Choice(bool, Vec<Vec<Item>>),
}

fn token(kind: Kind, label: Label) -> Item {
    Item::Token(one(kind), label)
}

fn mark(kind: Kind) -> Item {
    token(kind, Label::None)
}

fn rule(rule: Rule, label: Label) -> Item {
    Item::Rule(rule, 0, label)
}

fn build() -> Atn {
    let mut builder = Builder {
        atn: Atn {
            followers: vec![Vec::new(); RULES],
            ..Atn::default()
        },
        rule: Rule::Start,
    };
    for (name, items) in rules() {
        builder.rule = name;
        let start = builder.state(StateKind::Basic);
        builder.atn.starts[name as usize] = start;
        let end = builder.sequence(start, &items);
        let stop = builder.state(StateKind::RuleStop);
        builder.epsilon(end, stop);
        builder.atn.stops[name as usize] = stop;
    }
    let mut atn = builder.atn;
    shorten_tails(&mut atn);
    for state in &atn.states {
        for transition in &state.transitions {
            if let Transition::Rule {
                rule,
                follow,
                precedence,
                ..
            } = transition
            {
                atn.followers[*rule as usize].push((*follow, *precedence == 0));
            }
        }
    }
    atn
}

/// The last step of an alternative leads right to the end of its block, so that alternatives that end alike end in
/// the same state.
fn shorten_tails(atn: &mut Atn) {
    for at in 0..atn.states.len() {
        let target = match atn.states[at].transitions[..] {
            [Transition::Token { target, .. }] => target,
            [Transition::Rule { follow, .. }] => follow,
            _ => continue,
        };
        let [Transition::Epsilon(end)] = atn.states[target].transitions[..] else {
            continue;
        };
        let ends = matches!(
            atn.states[end].kind,
            StateKind::BlockEnd | StateKind::PlusLoopBack | StateKind::StarLoopBack
        );
        if !ends || atn.states[target].kind != StateKind::Basic {
            continue;
        }
        match &mut atn.states[at].transitions[0] {
            Transition::Token { target, .. } => *target = end,
            Transition::Rule { follow, .. } => *follow = end,
            _ => {}
        }
    }
}

fn rules() -> Vec<(Rule, Vec<Item>)> {
    let mut rules = operators();
    rules.push((Rule::Unary, unary()));
    rules.push((Rule::Member, member()));
    rules.push((Rule::Primary, primary()));
    rules.extend(lists());
    rules.push((Rule::Literal, literal()));
    rules
}

fn optional(kind: Kind, label: Label) -> Item {
    Item::Optional(vec![token(kind, label)])
}

fn arguments() -> Item {
    Item::Optional(vec![rule(Rule::ExprList, Label::Args)])
}

/// From the whole expression down to sums and products.
fn operators() -> Vec<(Rule, Vec<Item>)> {
    use Kind as K;
    use Label as L;
    let relation = [
        K::Less,
        K::LessEquals,
        K::GreaterEquals,
        K::Greater,
        K::Equals,
        K::NotEquals,
        K::In,
    ];
    let set = |kinds: &[Kind]| Item::Token(kinds.iter().fold(0, |set, kind| set | one(*kind)), L::Op);
    let ternary = vec![
        token(K::Question, L::Op),
        rule(Rule::Or, L::E1),
        mark(K::Colon),
        rule(Rule::Expr, L::E2),
    ];
    let more_or = vec![token(K::Or, L::Ops), rule(Rule::And, L::E1)];
    let more_and = vec![token(K::And, L::Ops), rule(Rule::Relation, L::E1)];
    let products = vec![
        set(&[K::Star, K::Slash, K::Percent]),
        Item::Rule(Rule::Calc, 3, L::E1),
    ];
    let sums = vec![set(&[K::Plus, K::Minus]), Item::Rule(Rule::Calc, 2, L::E1)];
    let relations = vec![set(&relation), Item::Rule(Rule::Relation, 2, L::E1)];
    vec![
        (Rule::Start, vec![rule(Rule::Expr, L::E), mark(K::Eof)]),
        (Rule::Expr, vec![rule(Rule::Or, L::E), Item::Optional(ternary)]),
        (Rule::Or, vec![rule(Rule::And, L::E), Item::Star(true, more_or)]),
        (
            Rule::And,
            vec![rule(Rule::Relation, L::E), Item::Star(true, more_and)],
        ),
        (
            Rule::Relation,
            vec![rule(Rule::Calc, L::E), Item::Climb(vec![(1, relations)])],
        ),
        (
            Rule::Calc,
            vec![
                rule(Rule::Unary, L::E),
                Item::Climb(vec![(2, products), (1, sums)]),
            ],
        ),
    ]
}

fn unary() -> Vec<Item> {
    let operand = || rule(Rule::Member, Label::E);
    let alternatives = vec![
        vec![operand()],
        vec![Item::Plus(true, vec![token(Kind::Exclam, Label::Ops)]), operand()],
        vec![Item::Plus(false, vec![token(Kind::Minus, Label::Ops)]), operand()],
    ];
    vec![Item::Choice(false, alternatives)]
}

fn member() -> Vec<Item> {
    use Kind as K;
    use Label as L;
    let select = vec![
        token(K::Dot, L::Op),
        optional(K::Question, L::Opt),
        rule(Rule::EscapeIdent, L::Id),
    ];
    let call = vec![
        token(K::Dot, L::Op),
        token(K::Ident, L::Id),
        token(K::LParen, L::Open),
        arguments(),
        mark(K::RParen),
    ];
    let index = vec![
        token(K::LBracket, L::Op),
        optional(K::Question, L::Opt),
        rule(Rule::Expr, L::Index),
        mark(K::RBracket),
    ];
    vec![
        rule(Rule::Primary, L::E),
        Item::Climb(vec![(3, select), (2, call), (1, index)]),
    ]
}

fn primary() -> Vec<Item> {
    use Kind as K;
    use Label as L;
    let name = || vec![optional(K::Dot, L::Dot), token(K::Ident, L::Id)];
    let with = |mut items: Vec<Item>, more: Vec<Item>| {
        items.extend(more);
        items
    };
    // What may stand between the brackets of a literal, and a comma behind it.
    let filled = |open, content, label, close| {
        vec![
            token(open, L::Op),
            Item::Optional(vec![rule(content, label)]),
            optional(K::Comma, L::None),
            mark(close),
        ]
    };
    let call = vec![token(K::LParen, L::Op), arguments(), mark(K::RParen)];
    let qualified = vec![Item::Star(
        true,
        vec![token(K::Dot, L::Ops), token(K::Ident, L::Id)],
    )];
    let message = with(
        with(name(), qualified),
        filled(K::LBrace, Rule::FieldList, L::Entries, K::RBrace),
    );
    let alternatives = vec![
        name(),
        with(name(), call),
        vec![mark(K::LParen), rule(Rule::Expr, L::E), mark(K::RParen)],
        filled(K::LBracket, Rule::ListInit, L::Elems, K::RBracket),
        filled(K::LBrace, Rule::MapList, L::Entries, K::RBrace),
        message,
        vec![rule(Rule::Literal, L::E)],
    ];
    vec![Item::Choice(false, alternatives)]
}

/// The contents of calls and literals.
fn lists() -> Vec<(Rule, Vec<Item>)> {
    use Kind as K;
    use Label as L;
    let more = |content, label| vec![mark(K::Comma), rule(content, label)];
    let names = vec![vec![token(K::Ident, L::Id)], vec![token(K::EscIdent, L::Id)]];
    vec![
        (
            Rule::ExprList,
            vec![rule(Rule::Expr, L::E), Item::Star(true, more(Rule::Expr, L::E))],
        ),
        (
            Rule::ListInit,
            vec![
                rule(Rule::OptExpr, L::Elems),
                Item::Star(false, more(Rule::OptExpr, L::Elems)),
            ],
        ),
        (Rule::FieldList, entries(Rule::OptField, L::Fields)),
        (
            Rule::OptField,
            vec![optional(K::Question, L::Opt), rule(Rule::EscapeIdent, L::Id)],
        ),
        (Rule::MapList, entries(Rule::OptExpr, L::Keys)),
        (Rule::EscapeIdent, vec![Item::Choice(true, names)]),
        (
            Rule::OptExpr,
            vec![optional(K::Question, L::Opt), rule(Rule::Expr, L::E)],
        ),
    ]
}

fn literal() -> Vec<Item> {
    use Kind as K;
    use Label as L;
    let plain = |kind| vec![token(kind, L::Tok)];
    let signed = |kind| vec![optional(K::Minus, L::Sign), token(kind, L::Tok)];
    let alternatives = vec![
        signed(K::Int),
        plain(K::Uint),
        signed(K::Float),
        plain(K::String),
        plain(K::Bytes),
        plain(K::True),
        plain(K::False),
        plain(K::Null),
    ];
    vec![Item::Choice(false, alternatives)]
}

/// `key: value` pairs with commas between them.
fn entries(key: Rule, label: Label) -> Vec<Item> {
    let pair = || {
        vec![
            rule(key, label),
            token(Kind::Colon, Label::Cols),
            rule(Rule::Expr, Label::Values),
        ]
    };
    let mut items = pair();
    let mut more = vec![mark(Kind::Comma)];
    more.extend(pair());
    items.push(Item::Star(false, more));
    items
}

struct Builder {
    atn: Atn,
    rule: Rule,
}

impl Builder {
    fn state(&mut self, kind: StateKind) -> usize {
        self.atn.states.push(State {
            kind,
            rule: self.rule,
            transitions: Vec::new(),
            by_token: false,
            precedence_loop: false,
        });
        self.atn.states.len() - 1
    }

    fn transition(&mut self, from: usize, transition: Transition) {
        self.atn.states[from].transitions.push(transition);
    }

    fn epsilon(&mut self, from: usize, to: usize) {
        self.transition(from, Transition::Epsilon(to));
    }

    /// Adds the items behind a state and returns the state behind them.
    fn sequence(&mut self, from: usize, items: &[Item]) -> usize {
        items.iter().fold(from, |from, item| self.item(from, item))
    }

    fn item(&mut self, from: usize, item: &Item) -> usize {
        match item {
            Item::Token(set, label) => {
                let target = self.state(StateKind::Basic);
                self.transition(
                    from,
                    Transition::Token {
                        set: *set,
                        target,
                        label: *label,
                    },
                );
                target
            }
            Item::Rule(rule, precedence, label) => {
                let follow = self.state(StateKind::Basic);
                let call = Transition::Rule {
                    rule: *rule,
                    follow,
                    precedence: *precedence,
                    label: *label,
                };
                self.transition(from, call);
                follow
            }
            Item::Optional(items) => {
                let block = self.block(from, StateKind::BlockStart, true);
                let first = self.state(StateKind::Basic);
                self.epsilon(block, first);
                let last = self.sequence(first, items);
                let end = self.state(StateKind::BlockEnd);
                self.epsilon(last, end);
                self.epsilon(block, end);
                end
            }
            Item::Choice(by_token, alternatives) => {
                let block = self.block(from, StateKind::BlockStart, *by_token);
                self.alternatives(block, alternatives.iter().map(|items| (None, &items[..])))
            }
            Item::Star(by_token, items) => {
                let entry = self.block(from, StateKind::StarLoopEntry, *by_token);
                self.repeat(entry, vec![(None, &items[..])])
            }
            Item::Climb(alternatives) => {
                let entry = self.block(from, StateKind::StarLoopEntry, false);
                self.atn.states[entry].precedence_loop = true;
                self.repeat(
                    entry,
                    alternatives
                        .iter()
                        .map(|(level, items)| (Some(*level), &items[..]))
                        .collect(),
                )
            }
            Item::Plus(by_token, items) => {
                let block = self.block(from, StateKind::PlusBlockStart, true);
                let first = self.state(StateKind::Basic);
                self.epsilon(block, first);
                let last = self.sequence(first, items);
                let back = self.block(last, StateKind::PlusLoopBack, *by_token);
                let end = self.state(StateKind::Basic);
                self.epsilon(back, block);
                self.epsilon(back, end);
                end
            }
        }
    }

    fn block(&mut self, from: usize, kind: StateKind, by_token: bool) -> usize {
        let block = self.state(kind);
        self.atn.states[block].by_token = by_token;
        self.epsilon(from, block);
        block
    }

    fn alternatives<'i>(
        &mut self,
        block: usize,
        alternatives: impl Iterator<Item = (Option<u8>, &'i [Item])>,
    ) -> usize {
        let end = self.state(StateKind::BlockEnd);
        for (level, items) in alternatives {
            let mut first = self.state(StateKind::Basic);
            self.epsilon(block, first);
            if let Some(level) = level {
                let target = self.state(StateKind::Basic);
                self.transition(first, Transition::Precedence { level, target });
                first = target;
            }
            let last = self.sequence(first, items);
            self.epsilon(last, end);
        }
        end
    }

    fn repeat(&mut self, entry: usize, alternatives: Vec<(Option<u8>, &[Item])>) -> usize {
        let block = self.state(StateKind::StarBlockStart);
        self.epsilon(entry, block);
        let end = self.alternatives(block, alternatives.into_iter());
        let back = self.state(StateKind::StarLoopBack);
        self.epsilon(end, back);
        self.epsilon(back, entry);
        let exit = self.state(StateKind::Basic);
        self.epsilon(entry, exit);
        exit
    }
}
