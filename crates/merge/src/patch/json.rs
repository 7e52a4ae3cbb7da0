//! JSON patch (RFC 6902), with the limits of the API server and the quirks of the library it uses
//! (evanphx/json-patch v4): `replace` adds missing members, indexes may count from the end, and text before the
//! first slash of a path is ignored.

use std::fmt;

use kindsmith_formats::limit;
use kindsmith_json::{Arena, Draft, Options, Value, read, to_string};

use super::{PatchError, document};

/// The maximum number of operations in a patch.
const OPERATIONS: usize = 10_000;
/// How many bytes of JSON all `copy` operations together may add.
const COPIED: usize = limit::REQUEST_BYTES;

/// A JSON patch.
#[derive(Debug, Clone)]
pub struct JsonPatch<'a> {
    operations: &'a [Value<'a>],
    /// What strict decoding rejects in the patch itself.
    pub strict: Vec<String>,
}

/// Why an operation of a patch fails. `Display` is the library's message, which clients that patch do not see.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonPatchFailure {
    /// A `test` found another value.
    Test(String),
    /// An operation does not fit the object.
    Misfit(String),
}

impl std::error::Error for JsonPatchFailure {}

impl fmt::Display for JsonPatchFailure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Test(text) | Self::Misfit(text)) = self;
        out.write_str(text)
    }
}

/// What the library appends to its errors.
const MISSING: &str = "missing value";
const INVALID_INDEX: &str = "invalid index referenced";
const TEST_FAILED: &str = "test failed";

/// Why the patch of a webhook cannot be read. `Display` is the text of Go's decoder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonPatchSyntax {
    /// It is not JSON.
    Json(read::ReadError),
    /// It, or one of its operations, is another kind of value.
    Unfit {
        /// The kind of value, as Go calls it.
        found: &'static str,
        /// The Go type that was wanted.
        wanted: &'static str,
    },
}

impl fmt::Display for JsonPatchSyntax {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(out),
            Self::Unfit { found, wanted } => {
                write!(
                    out,
                    "json: cannot unmarshal {found} into Go value of type jsonpatch.{wanted}"
                )
            }
        }
    }
}

impl std::error::Error for JsonPatchSyntax {}

impl From<JsonPatchSyntax> for String {
    fn from(error: JsonPatchSyntax) -> Self {
        error.to_string()
    }
}

fn check_count(operations: &[Value<'_>]) -> Result<(), PatchError> {
    if operations.len() <= OPERATIONS {
        return Ok(());
    }
    Err(PatchError::TooLarge(format!(
        "Request entity too large: The allowed maximum operations in a JSON patch is {OPERATIONS}, got {}",
        operations.len()
    )))
}

impl<'a> JsonPatch<'a> {
    /// Reads a patch.
    ///
    /// # Errors
    ///
    /// If it is not a list of operations, or has too many.
    pub fn read(arena: &'a Arena, bytes: &'a [u8]) -> Result<Self, PatchError> {
        let read = document(arena, bytes)?;
        let operations = match read.value {
            Value::Null => &[],
            Value::Array(operations) => operations,
            other => return Err(unfit(other, "value", "[]handlers.jsonPatchOp")),
        };
        let mut strict: Vec<String> = read
            .duplicates
            .iter()
            .map(|duplicate| format!("json patch {duplicate}"))
            .collect();
        for (index, &operation) in operations.iter().enumerate() {
            check(index, operation, &mut strict)?;
        }
        check_count(operations)?;
        Ok(JsonPatch { operations, strict })
    }

    /// Reads a patch without validation of its fields: only the library that patches reads it (`applyJSPatch` in apiserver's
    /// pkg/endpoints/handlers/patch.go).
    ///
    /// # Errors
    ///
    /// If it is not a list of operations, or has too many.
    pub fn read_unchecked(arena: &'a Arena, bytes: &'a [u8]) -> Result<Self, PatchError> {
        let patch = Self::decode(arena, bytes).map_err(|error| match error {
            JsonPatchSyntax::Json(error) => PatchError::Unreadable(error.to_string()),
            unfit @ JsonPatchSyntax::Unfit { .. } => PatchError::BadRequest(unfit.to_string()),
        })?;
        check_count(patch.operations)?;
        Ok(patch)
    }

    /// Reads the patch of a webhook (`jsonpatch.DecodePatch`).
    ///
    /// # Errors
    ///
    /// The error of Go's decoder, if it is not a list of operations.
    pub fn decode(arena: &'a Arena, bytes: &'a [u8]) -> Result<Self, JsonPatchSyntax> {
        let read = read::read(arena, bytes, Options::default()).map_err(JsonPatchSyntax::Json)?;
        let unfit = |value, wanted| {
            let found = Value::go_json_name(value);
            Err(JsonPatchSyntax::Unfit { found, wanted })
        };
        let operations = match read.value {
            Value::Null => &[],
            Value::Array(operations) => operations,
            other => return unfit(other, "Patch"),
        };
        for &operation in operations {
            if !matches!(operation, Value::Object(_) | Value::Null) {
                return unfit(operation, "Operation");
            }
        }
        Ok(JsonPatch {
            operations,
            strict: Vec::new(),
        })
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Applies the patch to an object.
    ///
    /// # Errors
    ///
    /// If an operation does not fit, or a test fails.
    pub fn apply(&self, arena: &'a Arena, target: Value<'a>) -> Result<Value<'a>, PatchError> {
        self.apply_or_tell(arena, target)
            .map_err(|_| PatchError::Rejected)
    }

    /// Applies the patch to an object; the error is the library's message.
    ///
    /// # Errors
    ///
    /// If an operation does not fit, or a test fails.
    pub fn apply_or_tell(&self, arena: &'a Arena, target: Value<'a>) -> Result<Value<'a>, JsonPatchFailure> {
        let mut draft = Draft::new(target);
        let mut copied = 0;
        for &operation in self.operations {
            // It may move a long array.
            kindsmith_gostd::budget::spend(100);
            Step { arena, operation }.run(&mut draft, &mut copied)?;
        }
        Ok(draft.freeze(arena))
    }
}

/// Checks the shape of an operation.
fn check(index: usize, operation: Value<'_>, strict: &mut Vec<String>) -> Result<(), PatchError> {
    let object = match operation {
        Value::Null => return Ok(()),
        Value::Object(object) => object,
        other => return Err(unfit(other, "value", "handlers.jsonPatchOp")),
    };
    for (key, value) in object {
        match key {
            "op" | "path" | "from" if !matches!(value, Value::Str(_) | Value::Null) => {
                return Err(unfit(value, &format!("struct field jsonPatchOp.{key}"), "string"));
            }
            "op" | "path" | "from" | "value" => {}
            other => {
                let path = kindsmith_json::write::go_quote(&format!("[{index}].{other}"));
                strict.push(format!("json patch unknown field {path}"));
            }
        }
    }
    Ok(())
}

fn unfit(value: Value<'_>, place: &str, ty: &str) -> PatchError {
    PatchError::BadRequest(format!(
        "error decoding patch: json: cannot unmarshal {} into Go {place} of type {ty}",
        value.go_json_name()
    ))
}

/// One operation.
struct Step<'a> {
    arena: &'a Arena,
    operation: Value<'a>,
}

impl<'a> Step<'a> {
    fn run(&self, root: &mut Draft<'a>, copied: &mut usize) -> Result<(), JsonPatchFailure> {
        match self
            .operation
            .get("op")
            .and_then(Value::as_str)
            .unwrap_or("unknown")
        {
            "add" => self.add(root),
            "replace" => self.replace(root),
            "remove" => self.remove(root),
            "test" => self.test(root),
            "move" => self.shift(root),
            "copy" => self.copy(root, copied),
            other => Err(JsonPatchFailure::Misfit(format!("Unexpected kind: {other}"))),
        }
    }

    fn add(&self, root: &mut Draft<'a>) -> Result<(), JsonPatchFailure> {
        let path = self.text("add", "path")?;
        place(root, path)
            .ok_or_else(|| {
                missing(format!(
                    "add operation does not apply: doc is missing path: \"{path}\""
                ))
            })?
            .add(Draft::new(self.value()))
            .map_err(|error| error.within(&format!("error in add for path: '{path}'")))
    }

    fn replace(&self, root: &mut Draft<'a>) -> Result<(), JsonPatchFailure> {
        let path = self.text("replace", "path")?;
        if path.is_empty() {
            let (Value::Object(_) | Value::Array(_)) = self.value() else {
                let text = "replace operation value must be object or array: %!w(<nil>)";
                return Err(JsonPatchFailure::Misfit(text.to_owned()));
            };
            *root = Draft::new(self.value());
            return Ok(());
        }
        place(root, path)
            .ok_or_else(|| {
                missing(format!(
                    "replace operation does not apply: doc is missing path: {path}"
                ))
            })?
            .replace(Draft::new(self.value()))
            .map_err(|_| {
                missing(format!(
                    "replace operation does not apply: doc is missing key: {path}"
                ))
            })
    }

    fn remove(&self, root: &mut Draft<'a>) -> Result<(), JsonPatchFailure> {
        let path = self.text("remove", "path")?;
        place(root, path)
            .ok_or_else(|| {
                missing(format!(
                    "remove operation does not apply: doc is missing path: \"{path}\""
                ))
            })?
            .remove()
            .map(drop)
            .map_err(|error| error.within(&format!("error in remove for path: '{path}'")))
    }

    fn test(&self, root: &mut Draft<'a>) -> Result<(), JsonPatchFailure> {
        let path = self.text("test", "path")?;
        let found = place(root, path)
            .ok_or_else(|| missing(format!("test operation does not apply: is missing path: {path}")))?
            .get()
            .map_err(|error| error.within(&format!("error in test for path: '{path}'")))?;
        let found = found.map(|draft| draft.freeze(self.arena)).unwrap_or_default();
        if found == self.value() {
            Ok(())
        } else {
            Err(JsonPatchFailure::Test(format!(
                "testing value {path} failed: {TEST_FAILED}"
            )))
        }
    }

    fn shift(&self, root: &mut Draft<'a>) -> Result<(), JsonPatchFailure> {
        let from = self.text("move", "from")?;
        let source = place(root, from).ok_or_else(|| {
            missing(format!(
                "move operation does not apply: doc is missing from path: {from}"
            ))
        })?;
        let key = source.last.clone();
        let moved = source
            .remove()
            .map_err(|error| error.within(&format!("error in move for path: '{key}'")))?;
        let path = self.text("move", "path")?;
        place(root, path)
            .ok_or_else(|| {
                missing(format!(
                    "move operation does not apply: doc is missing destination path: {path}"
                ))
            })?
            .add(moved)
            .map_err(|error| error.within(&format!("error in move for path: '{path}'")))
    }

    fn copy(&self, root: &mut Draft<'a>, copied: &mut usize) -> Result<(), JsonPatchFailure> {
        let from = self.text("copy", "from")?;
        let found = place(root, from)
            .ok_or_else(|| {
                missing(format!(
                    "copy operation does not apply: doc is missing from path: {from}"
                ))
            })?
            .get()
            .map_err(|error| error.within(&format!("error in copy for from: '{from}'")))?;
        let copy = found.map(|draft| draft.freeze(self.arena)).unwrap_or_default();
        if found.is_some() {
            *copied += to_string(copy).len();
        }
        let path = self.text("copy", "path")?;
        let target = place(root, path).ok_or_else(|| {
            missing(format!(
                "copy operation does not apply: doc is missing destination path: {path}"
            ))
        })?;
        if *copied > COPIED {
            return Err(JsonPatchFailure::Misfit(format!(
                "Unable to complete the copy, the accumulated size increase of copy is {copied}, exceeding the limit {COPIED}"
            )));
        }
        target
            .add(Draft::new(copy))
            .map_err(|error| error.within("error while adding value during copy"))
    }

    fn text(&self, operation: &str, key: &str) -> Result<&'a str, JsonPatchFailure> {
        let text = self.operation.get(key).and_then(Value::as_str);
        text.ok_or_else(|| missing(format!("{operation} operation failed to decode {key}")))
    }

    /// The operand; null if it is missing.
    fn value(&self) -> Value<'a> {
        self.operation.get("value").unwrap_or_default()
    }
}

fn missing(text: String) -> JsonPatchFailure {
    JsonPatchFailure::Misfit(text).within_cause(MISSING)
}

impl JsonPatchFailure {
    /// The failure, prefixed with the operation.
    fn within(self, doing: &str) -> Self {
        JsonPatchFailure::Misfit(format!("{doing}: {self}"))
    }

    fn within_cause(self, cause: &str) -> Self {
        JsonPatchFailure::Misfit(format!("{self}: {cause}"))
    }

    fn index(text: impl std::fmt::Display) -> Self {
        JsonPatchFailure::Misfit(format!("Unable to access invalid index: {text}: {INVALID_INDEX}"))
    }

    fn number(text: &str) -> Self {
        let quoted = kindsmith_json::write::go_quote(text);
        JsonPatchFailure::Misfit(format!("strconv.Atoi: parsing {quoted}: invalid syntax"))
    }
}

/// A place in a document: its parent, and the last step of the path.
struct Place<'d, 'a> {
    holder: &'d mut Draft<'a>,
    last: String,
}

/// Finds a place; `None` if its parent does not exist. The place itself need not exist.
fn place<'d, 'a>(root: &'d mut Draft<'a>, path: &str) -> Option<Place<'d, 'a>> {
    let (_, path) = path.split_once('/')?;
    let mut steps = path
        .split('/')
        .map(|step| step.replace("~1", "/").replace("~0", "~"));
    let mut last = steps.next().unwrap_or_default();
    let mut holder = root;
    for step in steps {
        let here = std::mem::replace(&mut last, step);
        holder = if holder.is_array() {
            let index = index(&here, holder.len()).ok()?;
            holder.at_mut(index)?
        } else {
            holder.get_mut(&here)?
        };
    }
    (holder.is_array() || holder.is_object()).then_some(Place { holder, last })
}

/// A number that may count from the end: -1 is the last of `len`.
fn index(text: &str, len: usize) -> Result<usize, JsonPatchFailure> {
    let number: i64 = text.parse().map_err(|_| JsonPatchFailure::number(text))?;
    let counted = match usize::try_from(number) {
        Ok(index) => Some(index),
        Err(_) => usize::try_from(number.unsigned_abs())
            .ok()
            .and_then(|back| len.checked_sub(back)),
    };
    counted.ok_or_else(|| JsonPatchFailure::index(number))
}

impl<'d, 'a> Place<'d, 'a> {
    /// The value at the place. A member may be missing, a list element must exist.
    fn get(self) -> Result<Option<&'d Draft<'a>>, JsonPatchFailure> {
        if self.holder.is_array() {
            let index = index(&self.last, self.holder.len())?;
            let found = self.holder.at_mut(index);
            return found
                .map(|found| Some(&*found))
                .ok_or_else(|| JsonPatchFailure::index(index));
        }
        Ok(self.holder.get_mut(&self.last).map(|found| &*found))
    }

    fn add(self, value: Draft<'a>) -> Result<(), JsonPatchFailure> {
        let Some(items) = self.holder.as_array_mut() else {
            self.holder.insert(self.last, value);
            return Ok(());
        };
        let index = match &*self.last {
            "-" => items.len(),
            // The position after the last element is valid too.
            text => index(text, items.len() + 1).map_err(|error| match text.parse::<i64>() {
                Ok(_) => error,
                Err(_) => error.within(&format!("value was not a proper array index: '{text}'")),
            })?,
        };
        if index > items.len() {
            return Err(JsonPatchFailure::index(index));
        }
        items.insert(index, value);
        Ok(())
    }

    fn replace(self, value: Draft<'a>) -> Result<(), JsonPatchFailure> {
        let Some(items) = self.holder.as_array_mut() else {
            self.holder.insert(self.last, value);
            return Ok(());
        };
        let index = index(&self.last, items.len())?;
        *items
            .get_mut(index)
            .ok_or_else(|| JsonPatchFailure::index(index))? = value;
        Ok(())
    }

    fn remove(self) -> Result<Draft<'a>, JsonPatchFailure> {
        let Some(items) = self.holder.as_array_mut() else {
            let last = self.last;
            return self
                .holder
                .remove(&last)
                .ok_or_else(|| missing(format!("Unable to remove nonexistent key: {last}")));
        };
        let index = index(&self.last, items.len())?;
        if index < items.len() {
            Ok(items.remove(index))
        } else {
            Err(JsonPatchFailure::index(index))
        }
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::parse_str;

    use super::*;

    const REJECTED: &str = "the server rejected our request due to an error in our request";

    fn check(target: &str, patch: &str, expected: Result<&str, &str>) {
        let arena = Arena::new();
        let target = parse_str(&arena, target).expect("JSON");
        let result = JsonPatch::read(&arena, patch.as_bytes())
            .and_then(|patch| patch.apply(&arena, target))
            .map(to_string)
            .map_err(|error| error.to_string());
        assert_eq!(result.as_deref().map_err(String::as_str), expected, "{patch}");
    }

    #[test]
    fn operations() {
        let target = r#"{"a":{"b":1},"l":["x","y"]}"#;
        for (patch, expected) in [
            (
                r#"{"op":"add","path":"/a/c","value":2}"#,
                r#"{"a":{"b":1,"c":2},"l":["x","y"]}"#,
            ),
            (
                r#"{"op":"add","path":"/a/c"}"#,
                r#"{"a":{"b":1,"c":null},"l":["x","y"]}"#,
            ),
            (
                r#"{"op":"add","path":"/l/1","value":"z"}"#,
                r#"{"a":{"b":1},"l":["x","z","y"]}"#,
            ),
            (
                r#"{"op":"add","path":"/l/-","value":"z"}"#,
                r#"{"a":{"b":1},"l":["x","y","z"]}"#,
            ),
            (
                r#"{"op":"add","path":"/l/-1","value":"z"}"#,
                r#"{"a":{"b":1},"l":["x","y","z"]}"#,
            ),
            (
                r#"{"op":"add","path":"a/c","value":2}"#,
                r#"{"a":{"b":1},"l":["x","y"],"c":2}"#,
            ),
            (
                r#"{"op":"add","path":"/m~1n~0","value":2}"#,
                r#"{"a":{"b":1},"l":["x","y"],"m/n~":2}"#,
            ),
            (
                r#"{"op":"replace","path":"/a/c","value":2}"#,
                r#"{"a":{"b":1,"c":2},"l":["x","y"]}"#,
            ),
            (
                r#"{"op":"replace","path":"/l/-1","value":2}"#,
                r#"{"a":{"b":1},"l":["x",2]}"#,
            ),
            (r#"{"op":"remove","path":"/a/b"}"#, r#"{"a":{},"l":["x","y"]}"#),
            (r#"{"op":"remove","path":"/l/-1"}"#, r#"{"a":{"b":1},"l":["x"]}"#),
            (r#"{"op":"test","path":"/l/0","value":"x"}"#, target),
            (r#"{"op":"test","path":"/none","value":null}"#, target),
            (
                r#"{"op":"move","from":"/l/0","path":"/a/b"}"#,
                r#"{"a":{"b":"x"},"l":["y"]}"#,
            ),
            (
                r#"{"op":"copy","from":"/a","path":"/l/0"}"#,
                r#"{"a":{"b":1},"l":[{"b":1},"x","y"]}"#,
            ),
            (
                r#"{"op":"copy","from":"/none","path":"/a/b"}"#,
                r#"{"a":{"b":null},"l":["x","y"]}"#,
            ),
        ] {
            check(target, &format!("[{patch}]"), Ok(expected));
        }
    }

    #[test]
    fn operations_that_do_not_fit() {
        for patch in [
            r#"{"op":"add","value":1}"#,
            r#"{"op":"add","path":"a","value":1}"#,
            r#"{"op":"add","path":"","value":1}"#,
            r#"{"path":"/a","value":1}"#,
            r#"{"op":"increment","path":"/a","value":1}"#,
            r#"{"op":"add","path":"/none/a","value":1}"#,
            r#"{"op":"add","path":"/a/b/c","value":1}"#,
            r#"{"op":"add","path":"/l/3","value":1}"#,
            r#"{"op":"add","path":"/l/x","value":1}"#,
            r#"{"op":"add","path":"/l/-4","value":1}"#,
            r#"{"op":"replace","path":"/l/2","value":1}"#,
            r#"{"op":"remove","path":"/none"}"#,
            r#"{"op":"remove","path":"/l/2"}"#,
            r#"{"op":"remove","path":"/l/-3"}"#,
            r#"{"op":"test","path":"/a/b","value":2}"#,
            r#"{"op":"test","path":"/none","value":2}"#,
            r#"{"op":"move","from":"/none","path":"/a/b"}"#,
            r"null",
        ] {
            check(
                r#"{"a":{"b":1},"l":["x","y"]}"#,
                &format!("[{patch}]"),
                Err(REJECTED),
            );
        }
    }

    #[test]
    fn malformed_patches() {
        let into = "error decoding patch: json: cannot unmarshal";
        check("{}", r#"[{"op":"#, Err("invalid JSON patch"));
        check("{}", "null", Ok("{}"));
        check(
            "{}",
            "{}",
            Err(&format!(
                "{into} object into Go value of type []handlers.jsonPatchOp"
            )),
        );
        check(
            "{}",
            "[1]",
            Err(&format!(
                "{into} number into Go value of type handlers.jsonPatchOp"
            )),
        );
        check(
            "{}",
            r#"[{"op":1}]"#,
            Err(&format!(
                "{into} number into Go struct field jsonPatchOp.op of type string"
            )),
        );
    }

    #[test]
    fn limits() {
        let many = format!("[{}]", vec!["{}"; OPERATIONS + 1].join(","));
        let message =
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001";
        check("{}", &many, Err(message));
        let doubling = vec![r#"{"op":"copy","from":"/a","path":"/a/-"}"#; 40].join(",");
        check(r#"{"a":["0123456789"]}"#, &format!("[{doubling}]"), Err(REJECTED));
    }

    #[test]
    fn strict_reading() {
        let arena = Arena::new();
        let patch = br#"[{"op":"add","path":"/a","value":{"x":1},"foo":1},{"Op":"add","op":"a","op":"b"}]"#;
        let patch = JsonPatch::read(&arena, patch).expect("it is a patch");
        assert_eq!(
            patch.strict,
            [
                r#"json patch duplicate field "[1].op""#,
                r#"json patch unknown field "[0].foo""#,
                r#"json patch unknown field "[1].Op""#,
            ]
        );
    }
}
