//! Nodes as Go's `%#v` prints what they decode to, for two rare error texts.

use super::map::Key;
use super::node::{Content, Document, NodeId};
use super::resolve::{Resolved, resolve};

/// What is shown at most; deeper values are cut off.
const MAX_DEPTH: usize = 64;

pub(super) fn go_syntax(document: &Document<'_>, node: NodeId) -> String {
    let mut shown = String::new();
    append(&mut shown, document, node, MAX_DEPTH);
    if shown == NIL { "<nil>".into() } else { shown }
}

const NIL: &str = "interface {}(nil)";

fn append(shown: &mut String, document: &Document<'_>, id: NodeId, depth: usize) {
    let node = &document.nodes[id];
    let Some(depth) = depth.checked_sub(1) else {
        shown.push_str("...");
        return;
    };
    match &node.content {
        Content::Alias { target, .. } => append(shown, document, *target, depth),
        Content::Scalar { text, tag, implicit } => {
            let string = Resolved::Str(text);
            let resolved = if tag.is_empty() && !implicit {
                Ok(string)
            } else {
                resolve(tag, text, node.start)
            };
            match Key::from(resolved.unwrap_or(string)) {
                Key::Null => shown.push_str(NIL),
                key => shown.push_str(&key.to_string()),
            }
        }
        Content::Sequence(children) => {
            shown.push_str("[]interface {}{");
            for (position, &child) in children.iter().enumerate() {
                shown.push_str(if position > 0 { ", " } else { "" });
                append(shown, document, child, depth);
            }
            shown.push('}');
        }
        Content::Mapping(children) => {
            let mut pairs: Vec<String> = Vec::new();
            for pair in children.chunks_exact(2) {
                let mut printed = String::new();
                append(&mut printed, document, pair[0], depth);
                printed.push(':');
                append(&mut printed, document, pair[1], depth);
                pairs.push(printed);
            }
            pairs.sort_unstable();
            shown.push_str("map[interface {}]interface {}{");
            shown.push_str(&pairs.join(", "));
            shown.push('}');
        }
    }
}
