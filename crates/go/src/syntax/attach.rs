//! Which comment groups belong to a declaration, by the rules of gengo (line numbers only) and of Go's own
//! parser and controller-gen (doc comment and nearest other group).

use super::comment::{CommentTable, GroupId};
use super::token::{Kind, Token};

/// The parser's position among the comments.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cursor {
    /// Groups before the previous token.
    previous: u32,
    /// Groups before the previous token other than a semicolon, or already taken as a trailing comment.
    free: u32,
}

impl Cursor {
    /// Moves past a token.
    pub(super) fn pass(&mut self, token: Token) {
        self.previous = token.groups;
        if token.kind != Kind::Semicolon {
            self.free = self.free.max(token.groups);
        }
    }

    /// The doc comment of a declaration that starts with `token` (`leadComment` in go/parser/parser.go).
    pub(super) fn lead(self, comments: &CommentTable, token: Token) -> Option<GroupId> {
        let id = GroupId(self.previous.max(token.groups.checked_sub(1)?));
        let group = (id.0 < token.groups).then(|| comments.group(id))?;
        (!group.after_code && group.end_line + 1 == token.line).then_some(id)
    }

    /// The comment that follows the previous token on its line, seen from the next one (`lineComment` there).
    pub(super) fn trailing(self, comments: &CommentTable, next: Token) -> Option<GroupId> {
        let id = GroupId(self.previous);
        let group = (id.0 < next.groups).then(|| comments.group(id))?;
        let ends = next.line != group.end_line || matches!(next.kind, Kind::Semicolon | Kind::End);
        (group.after_code && ends).then_some(id)
    }

    /// Marks a trailing comment as taken.
    pub(super) fn take(&mut self, trailing: Option<GroupId>) {
        if let Some(GroupId(id)) = trailing {
            self.free = self.free.max(id + 1);
        }
    }

    /// The groups between the previous declaration and `token` that are neither trailing nor `doc`.
    pub(super) fn loose(
        self,
        token: Token,
        doc: Option<GroupId>,
    ) -> impl DoubleEndedIterator<Item = GroupId> {
        (self.free..token.groups)
            .map(GroupId)
            .filter(move |id| Some(*id) != doc)
    }
}

/// gengo's closest group of a name on `line` (`docComment` in gengo/v2/parser/parse.go).
pub(super) fn closest(comments: &CommentTable, line: u32) -> Option<GroupId> {
    comments.ending_on(line.checked_sub(1)?)
}

/// gengo's second closest group of a type's name on `line` (`priorDetachedComment` there).
pub(super) fn second_closest(
    comments: &CommentTable,
    line: u32,
    closest: Option<GroupId>,
) -> Option<GroupId> {
    let from = closest.map_or(line, |id| comments.group(id).line);
    comments.ending_on(from.checked_sub(2)?)
}
