//! One small kind for every shape of an API that a description can say: where resources are, who names them, how they are changed,
//! how operations look, and what the types of fields are. All scenarios and schedules of faults run with them.

use std::sync::Arc;

use kindsmith_controller::description::{self, Described, Others};
use kindsmith_controller::fake::Fake;
use serde_json::{Value, json};

use super::World;

/// The rest of every description, the fields of the spec, and the name of the kind.
const SHAPES: &[(&str, &str, &str)] = &[
    // No parameter at all: one collection for everybody.
    ("Lone", "collection: lones\nid: {body: id}\nexample: {}", ""),
    // The project is not where Google has it.
    (
        "Deep",
        "collection: api/regions/all/accounts/{project}/deeps\ncreate: PUT\ntoken: etag\nexample: {}",
        "",
    ),
    // In a folder, which is a reference; operations of the newer style.
    (
        "Shelf",
        "collection: folders/{folder}/shelves
parameters: {folder: folderRef}
id: {query: shelfId}
update: maskInQuery
operations: {style: done}
fields:
  folderRef: {as: none, is: [identity], refers: {apiVersion: x.example.org/v1, kind: Folder, external: \"folders/{name}\"}}
example: {folderRef: {external: \"7\"}}",
        "folderRef: {type: object, properties: {name: {type: string}, namespace: {type: string}, external: {type: string}}}",
    ),
    // Below a folder, an organization or the project, whichever is set.
    (
        "Sink",
        "collection: \"{parent}/sinks\"
parameters: {parent: [folderRef, organizationRef, \"projects/{project}\"]}
id: {body: name}
fields:
  folderRef: {as: none, is: [identity], refers: {apiVersion: x.example.org/v1, kind: Folder, external: \"folders/{name}\"}}
  organizationRef: {as: none, is: [identity], refers: {apiVersion: x.example.org/v1, kind: Organization, external: \"organizations/{name}\"}}
example: {organizationRef: {external: \"12\"}}",
        "folderRef: {type: object, properties: {name: {type: string}, external: {type: string}}}
organizationRef: {type: object, properties: {name: {type: string}, external: {type: string}}}",
    ),
    // Operations of the older style in the region of the resource.
    (
        "Address",
        "collection: projects/{project}/regions/{region}/addresses
parameters: {region: region}
id: {body: name}
operations: {style: status, path: \"projects/{project}/regions/{region}/operations\"}
token: fingerprint
labels: labels
busy: {field: state, values: [RESERVING]}
fields:
  region: {as: none, is: [identity]}
  purpose: {is: [immutable]}
  origin: {is: [immutable]}
fills: {state: RESERVED}
outputs: {state: state}
example: {region: here}",
        "region: {type: string}
purpose: {type: string}
origin: {type: object, properties: {city: {type: string}, gate: {type: object, properties: {number: {type: integer}}}, marks: {type: object, additionalProperties: {type: string}}, roads: {type: array, items: {type: string}}}}",
    ),
    // Named by the service, which answers with an operation.
    (
        "Ticket",
        "collection: projects/{project}/tickets
id: {generated: {field: name, items: tickets, mark: userLabels.object-uid}}
update: maskInQuery
operations: {style: done}
example: {}",
        "",
    ),
    (
        "Stub",
        "collection: projects/{project}/stubs
id: {generated: {field: id, items: items, mark: labels.object-uid}}
operations: {style: status, path: \"projects/{project}/operations\"}
example: {}",
        "",
    ),
    // Replaced as a whole.
    (
        "Board",
        "collection: projects/{project}/boards\nid: {body: boardRef.boardId}\nupdate: replace\ntoken: etag\nexample: {}",
        "",
    ),
    // A mask in the body, and every type of value.
    (
        "Values",
        "collection: projects/{project}/values
create: PUT
update: {maskInBody: value}
fields:
  count: {api: countText, as: text}
  every: {is: [duration]}
  since: {is: [time]}
  memory: {is: [quantity]}
  state: {is: [ignoreCase]}
  password: {as: secret}
  key: {is: [writeOnly]}
  made: {is: [outputOnly]}
  window: {api: windows, as: listOfOne}
  peers: {as: firstItem}
  inner.size: {api: inner.deeper.sizeGb, as: text, is: [growsOnly]}
  members[*].targetRef: {api: \"members[*].target\", refers: {apiVersion: x.example.org/v1, kind: Target, external: \"projects/{project}/targets/{name}\"}}
presence: [count]
defaults:
- {field: state, value: STATE_ON}
- {field: level, value: 3}
fills: {made: by itself, state: STATE_ON, level: 3}
example: {password: {value: x}}",
        "count: {type: integer, format: int64}
level: {type: integer}
ratio: {type: number}
on: {type: boolean}
every: {type: string, format: duration}
since: {type: string, format: date-time}
memory: {type: string}
state: {type: string}
key: {type: string}
made: {type: string}
password: {type: object, properties: {value: {type: string}, valueFrom: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
window: {type: object, properties: {start: {type: string}}}
peers: {type: array, items: {type: object, properties: {name: {type: string}}}}
inner: {type: object, properties: {size: {type: integer}, note: {type: string}}}
members: {type: array, items: {type: object, properties: {role: {type: string}, targetRef: {type: object, properties: {name: {type: string}, external: {type: string}}}}}}
tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
labels: {type: object, additionalProperties: {type: string}}",
    ),
];

fn definition(kind: &str, fields: &str) -> String {
    let fields = fields.replace('\n', ", ");
    let own = "resourceID: {type: string}, size: {type: integer}, note: {type: string}";
    crd(kind, &format!("{own}, {fields}"))
}

/// A CRD with these fields in its spec.
pub(super) fn crd(kind: &str, fields: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    let status = "{type: object, x-kubernetes-preserve-unknown-fields: true}";
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.x.example.org}}
spec:
  group: x.example.org
  names: {{kind: {kind}, plural: {plural}}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {{status: {{}}}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {{type: object, properties: {{{fields}}}}}
          status: {status}
"
    )
}

/// All of them; none has a mistake.
pub(super) fn all() -> Vec<Arc<Described>> {
    let read = |(kind, rest, fields): &(&str, &str, &str)| {
        let own = "  resourceID: {as: none, is: [identity]}\n";
        let rest = if rest.contains("\nfields:\n") {
            rest.replace("\nfields:\n", &format!("\nfields:\n{own}"))
        } else {
            format!("{rest}\nfields:\n{own}")
        };
        let text = format!(
            "version: 1\nservice: {{host: x.example.org, prefix: /v1}}\n{rest}\n---\n{}",
            definition(kind, fields)
        );
        let (described, mistakes) = description::check(&text, None, &Others::default());
        assert!(mistakes.is_empty(), "{kind}: {mistakes:#?}\n{text}");
        Arc::new(described.expect("it has no mistake"))
    };
    SHAPES.iter().map(read).collect()
}

fn made(kind: &str, spec: &Value) -> World {
    let described = all()
        .into_iter()
        .find(|described| described.kind.kind == kind)
        .expect("it is one of them");
    let world = World::of(&described, &json!({}), spec, Fake::default());
    world.settled(kind);
    world
}

fn path(world: &World) -> String {
    let state = world.fake.state();
    state.resources.keys().next().cloned().unwrap_or_default()
}

#[test]
fn resources_are_where_their_parameters_say() {
    for (kind, spec, expected) in [
        ("Lone", json!({}), "lones/lion"),
        ("Deep", json!({}), "api/regions/all/accounts/park/deeps/lion"),
        (
            "Shelf",
            json!({ "folderRef": { "external": "folders/9" } }),
            "folders/9/shelves/lion",
        ),
        ("Sink", json!({}), "projects/park/sinks/lion"),
        (
            "Sink",
            json!({ "folderRef": { "external": "7" } }),
            "folders/7/sinks/lion",
        ),
        (
            "Sink",
            json!({ "organizationRef": { "external": "organizations/12" } }),
            "organizations/12/sinks/lion",
        ),
        (
            "Address",
            json!({ "region": "there" }),
            "projects/park/regions/there/addresses/lion",
        ),
        ("Ticket", json!({}), "projects/park/tickets/g1"),
        ("Stub", json!({}), "projects/park/stubs/g1"),
        (
            "Board",
            json!({ "resourceID": "other" }),
            "projects/park/boards/other",
        ),
    ] {
        let world = made(kind, &spec);
        assert_eq!(path(&world), expected);
        let object = world.cluster.lock();
        let shown = &object.as_ref().expect("it is there")["status"]["externalRef"];
        assert_eq!(shown, expected, "{kind}");
    }
}

#[test]
fn every_type_of_value_has_the_form_of_the_api() {
    let world = made(
        "Values",
        &json!({
            "count": 0, "every": "60s", "password": { "value": "secret" }, "key": "k", "window": { "start": "1" }, "peers": [{ "name": "p" }],
            "inner": { "size": 5, "note": "n" }, "members": [{ "role": "r", "targetRef": { "external": "t" } }], "tags": ["a"], "ratio": 0.5,
        }),
    );
    let live = world.live().unwrap_or_default();
    let expected = json!({
        "countText": "0", "every": "60s", "key": "k", "windows": [{ "start": "1" }], "peers": { "name": "p" },
        "inner": { "note": "n", "deeper": { "sizeGb": "5" } }, "members": [{ "role": "r", "target": "projects/park/targets/t" }],
        "tags": ["a"], "ratio": 0.5, "state": "STATE_ON", "level": 3, "made": "by itself",
    });
    assert_eq!(live, expected);

    // The same in other words is no difference.
    world.edit(|live| {
        live["every"] = "1m".into();
        live["state"] = "state_on".into();
        live["members"][0]["target"] = "https://x.example.org/v1/projects/park/targets/t".into();
        live["members"][0]["added"] = "by the service".into();
    });
    assert_eq!(world.settled("other words"), 0);
    // What cannot shrink is refused.
    world.apply(&json!({ "inner": { "size": 4 } }));
    world.settle();
    assert!(
        world.condition().contains("it can only grow"),
        "{}",
        world.condition()
    );
}
