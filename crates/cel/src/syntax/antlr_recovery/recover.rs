//! Repairs the parse at a token that does not fit: decides how, reports the error, then repairs.
//!
//! Knows the tokens that fit, not the tree.

use super::graph::{NodeId, Set, one};
use super::input::Input;
use super::repair::{Cause, Repair};
use super::report::{Reports, Step};
use super::stacks::{Stack, Stacks};
use crate::syntax::token::Kind;

const MAX_ATTEMPTS: usize = 30;
const MAX_SKIPPED: usize = 256;

/// Where and why the parser is stuck.
#[derive(Clone, Copy)]
pub(super) struct Trouble {
    pub(super) node: NodeId,
    pub(super) callers: Stack,
    pub(super) cause: Cause,
}

/// The state of repairs over a parse.
#[derive(Default)]
pub(super) struct Recovery {
    attempts: usize,
    /// Whether no token has fit since the last report; further errors are then most likely consequences of it.
    quiet: bool,
    /// The token at which rules were left since a token last fit, and the nodes they were left from.
    left: Option<(usize, Vec<NodeId>)>,
}

impl Recovery {
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Records that a token fits: the next error is a new one.
    pub(super) fn resume(&mut self) {
        self.quiet = false;
        self.left = None;
    }

    pub(super) fn repair(
        &mut self,
        trouble: Trouble,
        input: &mut Input<'_>,
        stacks: &Stacks,
        reports: &mut Reports<'_>,
    ) -> Step<Repair> {
        if let Cause::Token { .. } = trouble.cause {
            self.count_attempt(input, reports)?;
        }
        let expected = stacks.expected(trouble.node, trouble.callers);
        let repair = decide(trouble, expected, input, stacks);
        if !self.quiet {
            self.quiet = true;
            reports.trouble(trouble.cause, repair, expected, input)?;
        }
        let resumable = || stacks.resumable(trouble.callers);
        match repair {
            Repair::DeleteToken => {
                input.consume();
                self.resume();
            }
            Repair::InsertToken => {}
            Repair::SkipTokens => skip_until(expected | resumable(), usize::MAX, input, reports)?,
            Repair::LeaveRule => {
                self.count_attempt(input, reports)?;
                let skipped = self.unstick(trouble.node, input);
                skip_until(resumable(), MAX_SKIPPED - skipped, input, reports)?;
            }
        }
        Ok(repair)
    }

    fn count_attempt(&mut self, input: &Input<'_>, reports: &mut Reports<'_>) -> Step<()> {
        if self.attempts == MAX_ATTEMPTS {
            let text = format!("error recovery attempt limit exceeded: {MAX_ATTEMPTS}");
            return Err(reports.abort_at(input.offset(input.at), &text));
        }
        self.attempts += 1;
        Ok(())
    }

    /// Drops the token if a rule was already left from this node at this token, since that did not help. Returns how
    /// many tokens were dropped.
    fn unstick(&mut self, node: NodeId, input: &mut Input<'_>) -> usize {
        let (at, nodes) = self.left.get_or_insert_default();
        let stuck = *at == input.at && nodes.contains(&node);
        if stuck {
            input.consume();
        }
        *at = input.at;
        nodes.push(node);
        usize::from(stuck)
    }
}

fn decide(trouble: Trouble, expected: Set, input: &mut Input<'_>, stacks: &Stacks) -> Repair {
    let insertable = match trouble.cause {
        Cause::Round => return Repair::SkipTokens,
        Cause::NoAlternative { .. } => return Repair::LeaveRule,
        Cause::Choice => 0,
        Cause::Token { next } => stacks.expected(next, trouble.callers),
    };
    if expected & one(input.second()) != 0 {
        Repair::DeleteToken
    } else if input.is_one_of(insertable) {
        Repair::InsertToken
    } else {
        Repair::LeaveRule
    }
}

fn skip_until(set: Set, mut allowed: usize, input: &mut Input<'_>, reports: &mut Reports<'_>) -> Step<()> {
    while !input.is_one_of(set | one(Kind::Eof)) {
        if allowed == 0 {
            let text = format!("error recovery token lookahead limit exceeded: {MAX_SKIPPED}");
            return Err(reports.abort(&text));
        }
        allowed -= 1;
        input.consume();
    }
    Ok(())
}
