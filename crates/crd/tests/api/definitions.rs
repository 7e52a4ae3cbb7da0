//! Steps on CRDs.

use kindsmith_conformance::Step;
use kindsmith_crd::{Body, CrdResource, Media, NoAdmission, Operation, Origin, Outcome, Status, Write};
use kindsmith_json::{Value, to_string};
use kindsmith_openapi::crd::{self, Definition};

use super::patch;
use super::url::{Place, Url};
use super::world::World;
use super::{Answer, Done, Left};

const GROUP: &str = "apiextensions.k8s.io";
const PLURAL: &str = "customresourcedefinitions";

pub(crate) fn run<'a>(world: &mut World<'a>, step: Step<'a>, url: &Url) -> Done<'a> {
    let Place::Definitions { name, subresource } = &url.place else {
        return Err(Left::Other);
    };
    if !step.accept().is_empty() {
        return Err(Left::Representation);
    }
    match step.method() {
        "DELETE" => {
            world.undefine(name);
            Err(Left::Delete)
        }
        "GET" if name.is_empty() => Err(Left::List),
        "GET" => get(world, name),
        "POST" | "PUT" | "PATCH" => write(world, step, url, name, subresource),
        _ => Err(Left::Other),
    }
}

fn get<'a>(world: &World<'a>, name: &str) -> Done<'a> {
    match world.definition(name) {
        Some(definition) => Ok(Answer {
            status: 200,
            body: definition.to_value(world.arena),
            warnings: Vec::new(),
        }),
        None => Ok(refusal(world, Status::not_found(GROUP, PLURAL, name), Vec::new())),
    }
}

fn write<'a>(world: &mut World<'a>, step: Step<'a>, url: &Url, name: &str, subresource: &str) -> Done<'a> {
    let arena = world.arena;
    let old = world.definition(name).map(|old| old.to_value(arena));
    let field_validation = match url.field_validation(step.method()) {
        Ok(validation) => validation,
        Err(status) => return Ok(refusal(world, status, Vec::new())),
    };
    let write = Write {
        version: "v1",
        operation: match (step.method(), subresource) {
            ("POST", _) => Operation::Create,
            (_, "status") => Operation::UpdateStatus { old },
            _ => Operation::Update { old },
        },
        namespace: "",
        name: arena.alloc_str(name),
        field_validation,
        is_dry_run: !url.parameter("dryRun").is_empty(),
        stamp: world.stamp(),
    };
    let crds: &CrdResource = arena.alloc(CrdResource::default());
    let text = world.fill(&step.body().unwrap_or_default());
    let media = match step.media().unwrap_or("application/json") {
        "application/json" => Media::Json,
        "application/yaml" => Media::Yaml,
        _ => {
            let object = patched(world, step, text, old)?;
            let origin = Origin::Patch {
                object,
                text: arena.alloc_str(&to_string(object)),
                strict: &[],
            };
            let outcome = crds.write(arena, &write, origin, &mut NoAdmission);
            return answer(world, url, outcome, 200);
        }
    };
    let body = Body {
        bytes: text.as_bytes(),
        media,
    };
    let success = if step.method() == "POST" { 201 } else { 200 };
    let outcome = crds.write(arena, &write, body, &mut NoAdmission);
    answer(world, url, outcome, success)
}

/// The CRD that results from a patch.
fn patched<'a>(
    world: &World<'a>,
    step: Step<'a>,
    text: &'a str,
    old: Option<Value<'a>>,
) -> Result<Value<'a>, Left> {
    let arena = world.arena;
    let old = old.ok_or(Left::Patch)?;
    let patch = kindsmith_json::parse_str(arena, text).map_err(|_| Left::Patch)?;
    match step.media().unwrap_or("application/json") {
        "application/merge-patch+json" => Ok(patch::merge(arena, old, patch)),
        "application/json-patch+json" => patch::operations(arena, old, patch).ok_or(Left::Patch),
        _ => Err(Left::Apply),
    }
}

fn answer<'a>(world: &mut World<'a>, url: &Url, outcome: Outcome<'a>, success: u16) -> Done<'a> {
    let Outcome { result, warnings } = outcome;
    let warnings = warnings.iter().map(ToString::to_string).collect();
    let definition = match result {
        Ok(written) => {
            crd::read(written.object, crd::Source::Unknown)
                .expect("it was written")
                .definition
        }
        Err(status) => return Ok(refusal(world, status, warnings)),
    };
    let definition: &'a Definition = world.arena.alloc(definition);
    let name = definition
        .metadata
        .value(world.arena)
        .get("name")
        .and_then(Value::as_str);
    let name = name.unwrap_or_default();
    if success == 201 && world.definition(name).is_some() {
        return Ok(refusal(
            world,
            Status::already_exists(GROUP, PLURAL, name),
            warnings,
        ));
    }
    let mut body = definition.to_value(world.arena);
    if url.parameter("dryRun").is_empty() {
        let revision = world.define(definition);
        world.set_revision(&mut body, revision);
    } else if success == 200 {
        world.set_revision(&mut body, 1);
    }
    Ok(Answer {
        status: success,
        body,
        warnings,
    })
}

fn refusal<'a>(world: &World<'a>, status: Status, warnings: Vec<String>) -> Answer<'a> {
    let status: &'a Status = world.arena.alloc(status);
    Answer {
        status: status.code,
        body: status.to_value(world.arena),
        warnings,
    }
}
