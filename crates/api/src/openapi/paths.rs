//! The paths of a resource and the operations on them.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::Scope;

use super::built_in::{self, Models};
use super::connections::{self, Connection};
use super::operations::{
    Action, CHANGE, CREATE, Operation, PRETTY, READ, READ_MANY, REMOVE, REMOVE_MANY, REPLACE, WATCH,
    WATCH_MANY, operation, path_parameter, query,
};
use super::shared::{META, Schemas};
use crate::{Served, Verb};
use kindsmith_json::object_of;

/// The paths of a resource.
pub(super) fn paths<'a>(
    arena: &'a Arena,
    served: &'a Served,
    models: &Models<'a>,
    schemas: &mut Schemas<'a>,
) -> Vec<(&'a str, Value<'a>)> {
    let base = match &*served.group {
        "" => format!("/api/{}", served.version),
        group => format!("/apis/{group}/{}", served.version),
    };
    let is_namespaced = served.scope == Scope::Namespaced;
    let mut writer = Writer {
        arena,
        served,
        schemas,
        created: None,
        options: None,
        out: Vec::new(),
    };
    let mut root = format!("{base}/{}", served.plural);
    if is_namespaced {
        let noun = format!("{}ForAllNamespaces", served.kind);
        writer.path(&root, &[(READ_MANY, noun, models.list)]);
        root = format!("{base}/namespaces/{{namespace}}/{}", served.plural);
    }
    let noun = if is_namespaced {
        format!("Namespaced{}", served.kind)
    } else {
        served.kind.to_string()
    };
    let status = format!("{META}Status");
    let returns_object = served
        .resource
        .built_in()
        .is_some_and(|kind| kind.publishes_deleted_object());
    let removed = if returns_object { models.object } else { &status };
    writer.path(
        &root,
        &[
            (READ_MANY, noun.clone(), models.list),
            (CREATE, noun.clone(), models.object),
            (REMOVE_MANY, format!("Collection{noun}"), &status),
        ],
    );
    let named = format!("{root}/{{name}}");
    writer.path(
        &named,
        &[
            (READ, noun.clone(), models.object),
            (REPLACE, noun.clone(), models.object),
            (REMOVE, noun.clone(), removed),
            (CHANGE, noun.clone(), models.object),
        ],
    );
    writer.subresources(&named, &noun, models);
    if !served.resource.is_custom() {
        writer.watches(&base);
    }
    writer.out
}

struct Writer<'w, 'a> {
    arena: &'a Arena,
    served: &'a Served,
    schemas: &'w mut Schemas<'a>,
    /// Group, version and kind of what is created through the subresource that is written.
    created: Option<(&'a str, &'a str, &'a str)>,
    /// The type whose fields are parameters of the subresource that is written.
    options: Option<&'static str>,
    out: Vec<(&'a str, Value<'a>)>,
}

impl<'a> Writer<'_, 'a> {
    /// Adds the paths that only watch, which are deprecated.
    fn watches(&mut self, base: &str) {
        let (kind, plural) = (&self.served.kind, &self.served.plural);
        let event = format!("{META}WatchEvent");
        let all = format!("{base}/watch/{plural}");
        if self.served.scope == Scope::Namespaced {
            self.path(
                &all,
                &[(WATCH_MANY, format!("{kind}ListForAllNamespaces"), &event)],
            );
            let root = format!("{base}/watch/namespaces/{{namespace}}/{plural}");
            self.path(&root, &[(WATCH_MANY, format!("Namespaced{kind}List"), &event)]);
            self.path(
                &format!("{root}/{{name}}"),
                &[(WATCH, format!("Namespaced{kind}"), &event)],
            );
        } else {
            self.path(&all, &[(WATCH_MANY, format!("{kind}List"), &event)]);
            self.path(&format!("{all}/{{name}}"), &[(WATCH, kind.to_string(), &event)]);
        }
    }

    fn subresources(&mut self, named: &str, noun: &str, models: &Models<'a>) {
        let served = self.served;
        for sub in &served.subresources {
            let mut title: String = sub.name.to_string();
            if let Some(first) = title.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            let noun = format!("{noun}{title}");
            let path = format!("{named}/{}", sub.name);
            let model = match &*sub.kind.2 {
                "Scale" => "io.k8s.api.autoscaling.v1.Scale",
                _ if *sub.name == *"log" => "",
                kind if *kind == *served.kind => models.object,
                kind if kind.ends_with("Options") => {
                    let connection = Connection {
                        served,
                        sub,
                        noun: &noun,
                    };
                    self.out
                        .extend(connections::paths(self.arena, &connection, &path, self.schemas));
                    continue;
                }
                kind => {
                    let created = (&*sub.kind.0, &*sub.kind.1, kind);
                    self.created = Some(created);
                    match built_in::created(self.arena, created, self.schemas) {
                        Some(model) => model,
                        None => continue,
                    }
                }
            };
            let actions = [
                (Verb::Get, READ),
                (Verb::Update, REPLACE),
                (Verb::Create, CREATE),
                (Verb::Patch, CHANGE),
            ];
            let actions: Vec<(Action, String, &str)> = actions
                .into_iter()
                .filter(|(verb, _)| sub.verbs.contains(verb))
                .map(|(_, action)| (action, noun.clone(), model))
                .collect();
            self.options = (*sub.name == *"log").then_some("PodLogOptions");
            self.path(&path, &actions);
            (self.created, self.options) = (None, None);
        }
    }

    /// Adds a path with the operations that the resource supports. Parameters that all of them share are listed once.
    fn path(&mut self, path: &str, operations: &[(Action, String, &str)]) {
        let (arena, served) = (self.arena, self.served);
        let is_subresource = path.matches('/').count() > 0 && path.contains("{name}/");
        let has = |action: Action| is_subresource || served.has(verb(action));
        let present: Vec<&(Action, String, &str)> =
            operations.iter().filter(|(action, _, _)| has(*action)).collect();
        let [first, ..] = present[..] else {
            return;
        };
        let is_alone = present.len() == 1;
        let mut members: Vec<(&'a str, Value<'a>)> = Vec::new();
        for (action, noun, answer) in &present {
            let operation_to_write = Operation {
                action: *action,
                noun,
                answer,
                created: self.created,
                has_no_parameters: is_alone,
            };
            members.push((
                action.method,
                operation(arena, served, &operation_to_write, self.schemas),
            ));
        }
        let mut shared: Vec<(&str, Value<'a>)> = vec![("pretty", query(arena, PRETTY))];
        if is_alone {
            let own = first.0.parameters(served);
            shared.extend(own.map(|parameter| (parameter.0, query(arena, parameter))));
        }
        if let Some(options) = self.options {
            shared.extend(connections::fields(arena, options, self.schemas));
        }
        if path.contains("{name}") {
            shared.push((
                "name",
                path_parameter(arena, "name", &format!("name of the {}", served.kind)),
            ));
        }
        if path.contains("{namespace}") {
            let description = format!("namespace of the {}", served.kind);
            shared.push(("namespace", path_parameter(arena, "namespace", &description)));
        }
        shared.sort_by_key(|(name, _)| *name);
        let shared: Vec<Value<'a>> = shared.into_iter().map(|(_, value)| value).collect();
        members.push(("parameters", Value::Array(arena.alloc_slice_copy(&shared))));
        self.out.push((arena.alloc_str(path), object_of(arena, &members)));
    }
}

fn verb(action: Action) -> Verb {
    match action {
        READ => Verb::Get,
        READ_MANY => Verb::List,
        CREATE => Verb::Create,
        REPLACE => Verb::Update,
        CHANGE => Verb::Patch,
        REMOVE_MANY => Verb::DeleteCollection,
        WATCH | WATCH_MANY => Verb::Watch,
        _ => Verb::Delete,
    }
}
