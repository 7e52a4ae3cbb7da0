//! Repairs the parse at a token that does not fit: first decides how, then reports, then does it.
//!
//! Knows the tokens that fit, not the tree.

use super::graph::{NodeId, Set, one};
use super::input::Input;
use super::report::{Reports, Step};
use super::stacks::{Stack, Stacks};
use crate::syntax::token::Kind;

const MAX_ATTEMPTS: usize = 30;
const MAX_SKIPPED: usize = 256;

/// Where and why the parser cannot go on.
#[derive(Clone, Copy)]
pub(super) struct Trouble {
    pub(super) node: NodeId,
    pub(super) callers: Stack,
    pub(super) cause: Cause,
}

#[derive(Clone, Copy)]
pub(super) enum Cause {
    /// A certain token is needed, and `next` comes after it.
    Token { next: NodeId },
    /// A choice whose alternatives all start with other tokens.
    Choice,
    /// The same, after a round of a loop.
    Round,
    /// Prediction was left without an alternative at this token.
    NoAlternative { failed: usize },
}

/// What is done about it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repair {
    /// The token is dropped; the one after it fits.
    DeleteToken,
    /// The needed token is made up; the current one fits after it.
    InsertToken,
    /// Tokens are dropped until the loop or a caller can go on.
    SkipTokens,
    /// The rule ends here, and tokens are dropped until a caller can go on.
    LeaveRule,
}

/// The state of repairs over a parse.
#[derive(Default)]
pub(super) struct Recovery {
    attempts: usize,
    /// No token has fit since the last report, so further trouble is most likely a consequence of it.
    quiet: bool,
    /// The token at which rules were left since a token last fit, and the nodes they were left from.
    left: Option<(usize, Vec<NodeId>)>,
}

impl Recovery {
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// A token fits: the next trouble is a new one.
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

    /// Drops the token if a rule was left from this node at this token before: that has not helped. Returns how many
    /// tokens were dropped.
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
