//! Reads one request and says what is wrong with it.

use kindsmith::{Operation, OptionSet, Profile, Steps, Value};

/// A question about an object.
#[derive(Clone)]
pub(super) struct Request<'a> {
    pub(super) id: Option<Value<'a>>,
    pub(super) package: Option<&'a str>,
    /// The Go type; empty if the request names a kind.
    pub(super) ty: &'a str,
    /// The kind, if it comes from a CRD.
    pub(super) kind: Option<Kind<'a>>,
    pub(super) operation: Operation,
    pub(super) options: OptionSet,
    /// The parts of the subresource's path, joined by slashes.
    pub(super) subresource: String,
    pub(super) steps: Steps,
    pub(super) profile: Option<Profile>,
    pub(super) object: Value<'a>,
    pub(super) old: Option<Value<'a>>,
}

/// A kind with its group and version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kind<'a> {
    pub(super) api_version: String,
    pub(super) kind: &'a str,
}

impl<'a> Request<'a> {
    pub(super) fn read(request: Value<'a>) -> Result<Self, String> {
        let Some(members) = request.as_object() else {
            return Err("a request is an object".into());
        };
        let mut read = Self {
            id: None,
            package: None,
            ty: "",
            kind: None,
            operation: Operation::Create,
            options: OptionSet::default(),
            subresource: String::new(),
            steps: Steps::ALL,
            profile: None,
            object: Value::Null,
            old: None,
        };
        let mut has_object = false;
        let (mut group, mut version, mut kind) = ("", "", "");
        for (key, value) in members {
            match key {
                "id" => read.id = Some(value),
                "package" => read.package = Some(text(key, value)?),
                "type" => read.ty = text(key, value)?,
                "group" => group = text(key, value)?,
                "version" => version = text(key, value)?,
                "kind" => kind = text(key, value)?,
                "op" => read.operation = operation(text(key, value)?)?,
                "options" => read.options = options(value)?,
                "subresources" => read.subresource = texts(key, value)?.join("/"),
                "steps" => read.steps = steps(&texts(key, value)?)?,
                "profile" => read.profile = Some(profile(text(key, value)?)?),
                "obj" => {
                    read.object = value;
                    has_object = true;
                }
                "old" => read.old = Some(value).filter(|old| !old.is_null()),
                // Unknown members belong to the caller.
                _ => {}
            }
        }
        if !has_object {
            return Err("`obj` is missing".into());
        }
        if read.ty.is_empty() {
            read.kind = Some(match (version, kind) {
                ("", "") => of_object(read.object).ok_or(
                    "`type` is missing; or name a kind with `group`, `version` and `kind`, or give `obj` an `apiVersion` and a `kind`",
                )?,
                ("", _) => return Err("`version` is missing".into()),
                (_, "") => return Err("`kind` is missing".into()),
                _ => Kind {
                    api_version: format!("{group}/{version}").trim_start_matches('/').to_owned(),
                    kind,
                },
            });
        }
        Ok(read)
    }
}

/// The kind that an object's `apiVersion` and `kind` name.
fn of_object(object: Value<'_>) -> Option<Kind<'_>> {
    Some(Kind {
        api_version: object.get("apiVersion")?.as_str()?.to_owned(),
        kind: object.get("kind")?.as_str()?,
    })
}

fn text<'a>(key: &str, value: Value<'a>) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| format!("`{key}` must be text"))
}

fn texts<'a>(key: &str, value: Value<'a>) -> Result<Vec<&'a str>, String> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    let items = value
        .as_array()
        .ok_or_else(|| format!("`{key}` must be a list"))?;
    items.iter().map(|item| text(key, *item)).collect()
}

fn operation(text: &str) -> Result<Operation, String> {
    match text {
        "CREATE" => Ok(Operation::Create),
        "UPDATE" => Ok(Operation::Update),
        other => Err(format!("`op` is CREATE or UPDATE, not `{other}`")),
    }
}

fn options(value: Value<'_>) -> Result<OptionSet, String> {
    if value.is_null() {
        return Ok(OptionSet::default());
    }
    let options = value.as_object().ok_or("`options` must be an object")?;
    let on = |(name, on): (&str, Value<'_>)| match on.as_bool() {
        Some(on) => Ok((name.to_owned(), on)),
        None => Err(format!("the option `{name}` must be true or false")),
    };
    options.iter().map(on).collect()
}

fn steps(names: &[&str]) -> Result<Steps, String> {
    let mut steps = Steps::NONE;
    for name in names {
        steps = steps.with(match *name {
            "prune" => Steps::PRUNE,
            "default" => Steps::DEFAULT,
            "validate" => Steps::VALIDATE,
            other => return Err(format!("no step `{other}`")),
        });
    }
    Ok(steps)
}

fn profile(text: &str) -> Result<Profile, String> {
    match text {
        "upstream" => Ok(Profile::Upstream),
        "kep" => Ok(Profile::Kep),
        other => Err(format!("no profile `{other}`")),
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};

    use super::*;

    fn check(request: &str, message: &str) {
        let arena = Arena::new();
        let value = parse_str(&arena, request).expect("JSON");
        assert_eq!(
            Request::read(value).map(|_| ()),
            Err(message.to_owned()),
            "{request}"
        );
    }

    #[test]
    fn says_what_is_wrong_with_a_request() {
        check("[]", "a request is an object");
        check(
            r#"{"obj": {}}"#,
            "`type` is missing; or name a kind with `group`, `version` and `kind`, or give `obj` an `apiVersion` and a `kind`",
        );
        check(r#"{"obj": {}, "kind": "Gate"}"#, "`version` is missing");
        check(r#"{"obj": {}, "version": "v1"}"#, "`kind` is missing");
        check(r#"{"type": "T"}"#, "`obj` is missing");
        check(
            r#"{"type": "T", "obj": {}, "op": "DELETE"}"#,
            "`op` is CREATE or UPDATE, not `DELETE`",
        );
        check(r#"{"type": "T", "obj": {}, "steps": ["boil"]}"#, "no step `boil`");
        check(
            r#"{"type": "T", "obj": {}, "options": {"A": 1}}"#,
            "the option `A` must be true or false",
        );
    }

    #[test]
    fn all_steps_are_taken_unless_some_are_named() {
        let arena = Arena::new();
        let read = |text: &str| {
            let value = parse_str(&arena, arena.alloc_str(text)).expect("JSON");
            Request::read(value).expect("a request").steps
        };
        assert_eq!(read(r#"{"type": "T", "obj": {}}"#), Steps::ALL);
        assert_eq!(
            read(r#"{"type": "T", "obj": {}, "steps": ["validate"]}"#),
            Steps::VALIDATE
        );
    }
}
