//! Turns nodes into a value as sigs.k8s.io/yaml does on its way to JSON: merges, aliases, keys made strings.
//!
//! Keeps its own stack, so nesting never exhausts the thread's.

use super::error::{Problem, YamlError};
use super::map::{Key, Map};
use super::node::{Content, Document, NodeId};
use super::resolve::{Resolved, resolve};
use super::show;
use super::{Read, YamlDuplicate};
use crate::read::BigIntegers;
use crate::{Arena, Value};

pub(super) fn decode<'a>(
    arena: &'a Arena,
    document: &Document<'_>,
    big_integers: BigIntegers,
) -> Result<Read<'a>, YamlError> {
    let mut decoder = Decoder {
        arena,
        document,
        big_integers,
        frames: Vec::new(),
        items: Vec::new(),
        maps: Vec::new(),
        active_aliases: vec![false; document.nodes.len()],
        counts: Counts::default(),
        duplicates: Vec::new(),
        unsayable: None,
    };
    let value = match document.root {
        None => Value::Null,
        Some(root) => decoder.run(root)?,
    };
    match decoder.unsayable {
        Some(error) => Err(error),
        None => Ok(Read {
            value,
            duplicates: decoder.duplicates,
        }),
    }
}

struct Decoder<'d, 't, 'a> {
    arena: &'a Arena,
    document: &'d Document<'t>,
    big_integers: BigIntegers,
    frames: Vec<Frame<'a>>,
    /// Elements of all open sequences, each sequence's behind its parent's.
    items: Vec<Value<'a>>,
    /// Open mappings, innermost last.
    maps: Vec<Map<'a>>,
    active_aliases: Vec<bool>,
    counts: Counts,
    duplicates: Vec<YamlDuplicate>,
    /// The first thing JSON cannot say; go-yaml's own complaints come before it.
    unsayable: Option<YamlError>,
}

/// A node whose children are being decoded.
#[derive(Clone, Copy)]
enum Frame<'a> {
    Sequence {
        node: NodeId,
        next: usize,
        start: usize,
    },
    /// `key` is set while the value is being decoded. A merged mapping adds to the innermost map.
    Mapping {
        node: NodeId,
        next: usize,
        key: Option<Key<'a>>,
        merged: bool,
    },
    /// The mappings of `<<: [..]`, from the last to the first.
    MergeList {
        node: NodeId,
        left: usize,
    },
    Alias {
        node: NodeId,
    },
}

/// What a node turned out to be.
#[derive(Clone, Copy)]
enum Decoded<'a> {
    Scalar(Resolved<'a>),
    Container(Value<'a>),
    /// Went into another mapping.
    Merged,
}

/// How much of the work comes from aliases (`decoder.unmarshal` in decode.go).
#[derive(Default)]
struct Counts {
    total: usize,
    aliased: usize,
    alias_depth: usize,
}

impl Counts {
    fn add(&mut self) -> bool {
        self.total += 1;
        self.aliased += usize::from(self.alias_depth > 0);
        let (low, high) = (400_000.0, 4_000_000.0);
        let allowed = 0.99 - 0.89 * ((self.total as f64 - low) / (high - low)).clamp(0.0, 1.0);
        self.aliased <= 100 || self.total <= 1000 || self.aliased as f64 / self.total as f64 <= allowed
    }
}

impl<'t, 'a> Decoder<'_, 't, 'a> {
    fn run(&mut self, root: NodeId) -> Result<Value<'a>, YamlError> {
        let mut decoded = self.begin(root)?;
        loop {
            let Some(frame) = self.frames.pop() else {
                return Ok(self.value(decoded.unwrap_or(Decoded::Merged), root));
            };
            decoded = self.resume(frame, decoded)?;
        }
    }

    /// Decodes a scalar; of anything else only pushes the frame.
    fn begin(&mut self, id: NodeId) -> Result<Option<Decoded<'a>>, YamlError> {
        self.count(id)?;
        let node = &self.document.nodes[id];
        match &node.content {
            Content::Scalar { text, tag, implicit } => {
                let text = self.arena.alloc_str(text);
                let scalar = match &**tag {
                    "" if !implicit => Resolved::Str(text),
                    "tag:yaml.org,2002:binary" => Resolved::Str(self.binary(text, id)?),
                    tag => resolve(tag, text, node.start)?,
                };
                return Ok(Some(Decoded::Scalar(scalar)));
            }
            Content::Alias { name, target } => {
                if self.active_aliases[id] {
                    let problem = format!("anchor '{name}' value contains itself");
                    return Err(Problem::decoding(problem, node.start).into());
                }
                self.active_aliases[id] = true;
                self.counts.alias_depth += 1;
                self.frames.push(Frame::Alias { node: id });
                // An anchor is never on an alias, so this goes one level deep only.
                return self.begin(*target);
            }
            Content::Sequence(_) => {
                let start = self.items.len();
                self.frames.push(Frame::Sequence {
                    node: id,
                    next: 0,
                    start,
                });
            }
            Content::Mapping(_) => {
                self.maps.push(Map::default());
                self.frames.push(Frame::Mapping {
                    node: id,
                    next: 0,
                    key: None,
                    merged: false,
                });
            }
        }
        Ok(None)
    }

    fn count(&mut self, id: NodeId) -> Result<(), YamlError> {
        if self.counts.add() {
            return Ok(());
        }
        let mark = self.document.nodes[id].start;
        Err(Problem::decoding("document contains excessive aliasing", mark).into())
    }

    fn binary(&self, text: &str, id: NodeId) -> Result<&'a str, YamlError> {
        let problem = || {
            Problem::decoding(
                "!!binary value contains invalid base64 data",
                self.document.nodes[id].start,
            )
        };
        let bytes = super::base64::decode(text).ok_or_else(problem)?;
        Ok(self.arena.alloc_str(&crate::read::repair(&bytes)))
    }

    /// Goes on with a frame once its last child is decoded.
    fn resume(
        &mut self,
        frame: Frame<'a>,
        child: Option<Decoded<'a>>,
    ) -> Result<Option<Decoded<'a>>, YamlError> {
        match frame {
            Frame::Sequence { node, next, start } => self.sequence(node, next, start, child),
            Frame::Mapping {
                node,
                next,
                key,
                merged,
            } => self.mapping(node, next, key, merged, child),
            Frame::MergeList { node, left } => self.merge_list(node, left),
            Frame::Alias { node } => {
                let Some(child) = child else {
                    self.frames.push(Frame::Alias { node });
                    return Ok(None);
                };
                self.active_aliases[node] = false;
                self.counts.alias_depth -= 1;
                Ok(Some(child))
            }
        }
    }

    fn sequence(
        &mut self,
        id: NodeId,
        next: usize,
        start: usize,
        child: Option<Decoded<'a>>,
    ) -> Result<Option<Decoded<'a>>, YamlError> {
        let document = self.document;
        let Content::Sequence(children) = &document.nodes[id].content else {
            return Ok(None);
        };
        if let Some(child) = child {
            let value = self.value(child, children[next - 1]);
            self.items.push(value);
        }
        let Some(&next_child) = children.get(next) else {
            let items = self.arena.alloc_slice_copy(&self.items[start..]);
            self.items.truncate(start);
            return Ok(Some(Decoded::Container(Value::Array(items))));
        };
        self.frames.push(Frame::Sequence {
            node: id,
            next: next + 1,
            start,
        });
        self.begin(next_child)
    }

    fn mapping(
        &mut self,
        id: NodeId,
        next: usize,
        key: Option<Key<'a>>,
        merged: bool,
        child: Option<Decoded<'a>>,
    ) -> Result<Option<Decoded<'a>>, YamlError> {
        let document = self.document;
        let Content::Mapping(children) = &document.nodes[id].content else {
            return Ok(None);
        };
        let frame = |next, key| Frame::Mapping {
            node: id,
            next,
            key,
            merged,
        };
        match (child, key) {
            (None | Some(Decoded::Merged), _) => {}
            (Some(child), None) => {
                let key = self.key(child, children[next - 1])?;
                self.frames.push(frame(next + 1, Some(key)));
                return self.begin(children[next]);
            }
            (Some(child), Some(key)) => self.store(key, child, children[next - 1]),
        }
        let Some(&key_node) = children.get(next) else {
            if merged {
                return Ok(Some(Decoded::Merged));
            }
            let map = self.maps.pop().unwrap_or_default();
            let value = map.finish(self.arena, document, &mut self.unsayable);
            return Ok(Some(Decoded::Container(value)));
        };
        if self.is_merge(key_node) {
            self.frames.push(frame(next + 2, None));
            return self.merge(children[next + 1]);
        }
        self.frames.push(frame(next + 1, None));
        self.begin(key_node)
    }

    fn is_merge(&self, id: NodeId) -> bool {
        match &self.document.nodes[id].content {
            Content::Scalar { text, tag, implicit } => {
                text == "<<" && (*implicit || tag == "tag:yaml.org,2002:merge")
            }
            _ => false,
        }
    }

    /// Decodes what `<<` points to into the innermost map.
    fn merge(&mut self, id: NodeId) -> Result<Option<Decoded<'a>>, YamlError> {
        match &self.document.nodes[id].content {
            Content::Sequence(children) => self.merge_list(id, children.len()),
            _ => self.merge_one(id),
        }
    }

    /// Later ones go first, so that earlier ones count.
    fn merge_list(&mut self, id: NodeId, left: usize) -> Result<Option<Decoded<'a>>, YamlError> {
        let document = self.document;
        let Content::Sequence(children) = &document.nodes[id].content else {
            return Ok(None);
        };
        let Some(left) = left.checked_sub(1) else {
            return Ok(Some(Decoded::Merged));
        };
        self.frames.push(Frame::MergeList { node: id, left });
        self.merge_one(children[left])
    }

    fn merge_one(&mut self, id: NodeId) -> Result<Option<Decoded<'a>>, YamlError> {
        let nodes = &self.document.nodes;
        let target = match &nodes[id].content {
            Content::Alias { target, .. } => *target,
            _ => id,
        };
        if !matches!(nodes[target].content, Content::Mapping(_)) {
            let problem = "map merge requires map or sequence of maps as the value";
            return Err(Problem::decoding(problem, nodes[id].start).into());
        }
        self.begin(id)?;
        // The mapping was begun as one of its own; it shares the map below instead.
        self.maps.pop();
        if let Some(Frame::Mapping { merged, .. }) = self.frames.last_mut() {
            *merged = true;
        }
        Ok(None)
    }

    fn key(&mut self, decoded: Decoded<'a>, id: NodeId) -> Result<Key<'a>, YamlError> {
        match decoded {
            Decoded::Scalar(scalar) => Ok(Key::from(scalar)),
            Decoded::Container(_) => {
                let problem = format!("invalid map key: {}", show::go_syntax(self.document, id));
                Err(Problem::decoding(problem, self.document.nodes[id].start).into())
            }
            Decoded::Merged => Ok(Key::Null),
        }
    }

    fn store(&mut self, key: Key<'a>, child: Decoded<'a>, id: NodeId) {
        let value = self.value(child, id);
        let Some(map) = self.maps.last_mut() else {
            return;
        };
        if map.insert(key, value, id) {
            let mark = self.document.nodes[id].start;
            self.duplicates.push(YamlDuplicate {
                key: key.to_string().into(),
                line: mark.line + 1,
                offset: mark.offset,
            });
        }
    }

    /// The value that comes out when the YAML value was printed as JSON and read again.
    fn value(&mut self, decoded: Decoded<'a>, id: NodeId) -> Value<'a> {
        match decoded {
            Decoded::Container(value) => value,
            Decoded::Merged | Decoded::Scalar(Resolved::Null) => Value::Null,
            Decoded::Scalar(Resolved::Bool(truth)) => Value::Bool(truth),
            Decoded::Scalar(Resolved::Int(number)) => Value::Int(number),
            Decoded::Scalar(Resolved::Uint(number)) => match self.big_integers {
                BigIntegers::Exact => Value::from(number),
                BigIntegers::Float => Value::Float(number as f64),
            },
            Decoded::Scalar(Resolved::Str(text) | Resolved::Timestamp(text)) => Value::Str(text),
            Decoded::Scalar(Resolved::Float(number)) => self.float(number, id),
        }
    }

    fn float(&mut self, number: f64, id: NodeId) -> Value<'a> {
        let mut printed = String::new();
        if !number.is_finite() {
            crate::write::append_float_general(&mut printed, number);
            let mark = self.document.nodes[id].start;
            let error = YamlError::new(format!("json: unsupported value: {printed}"), mark);
            self.unsayable.get_or_insert(error);
            return Value::Null;
        }
        crate::write::append_float(&mut printed, number);
        crate::read::number_literal(&printed, self.big_integers)
    }
}
