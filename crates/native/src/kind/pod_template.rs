//! Pod templates that stand alone (pkg/registry/core/podtemplate/strategy.go).

use kindsmith_engine::FieldError;
use kindsmith_json::{Arena, Path, Value};

use crate::column::{self, Column};
use crate::rule::{entries, items, text};
use crate::{Change, Draft, Preparation, Strategy, pod};

#[derive(Debug)]
pub(crate) struct PodTemplate;

impl Strategy for PodTemplate {
    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        let mut object = object;
        if let Some(template) = object.get("template").filter(|value| !value.is_null()) {
            let filled = pod::default_template(arena, template);
            if filled != template {
                object.set(arena, &["template"], filled);
            }
        }
        object
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut Draft<'a>) {
        match preparation.old {
            None => draft.meta.generation = 1,
            Some(old) if !preparation.is_same(draft, old, "template") => {
                draft.meta.generation = old.meta.generation.saturating_add(1);
            }
            Some(_) => {}
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        let template = change.get(&["template"]).unwrap_or_default();
        pod::validate_template(template, &Path::root("template"), errors);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let is_same = |old: &Draft<'_>| old.meta.generation == change.new.meta.generation;
        match change.get(&["template"]) {
            Some(template) if !change.old.is_some_and(is_same) => {
                pod::template_warnings(template, &Path::root("template"))
            }
            _ => Vec::new(),
        }
    }

    fn columns(&self) -> &'static [Column] {
        const CONTAINERS: Column =
            Column::of("Containers", "string", "Names of each container in the template.");
        const IMAGES: Column = Column::of(
            "Images",
            "string",
            "Images referenced by each container in the template.",
        );
        const LABELS: Column = Column::of("Pod Labels", "string", "The labels for the pod template.");
        &[Column::NAME, CONTAINERS, IMAGES, LABELS]
    }

    fn cells<'a>(&self, arena: &'a Arena, object: Value<'a>, _: i64) -> Vec<Value<'a>> {
        let joined = |key| {
            let containers = items(object.lookup(&["template", "spec", "containers"])).iter();
            let texts: Vec<&str> = containers.map(|container| text(container.get(key))).collect();
            Value::Str(arena.alloc_str(&texts.join(",")))
        };
        let labels = entries(object.lookup(&["template", "metadata", "labels"]));
        let mut labels: Vec<String> = labels
            .iter()
            .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
            .collect();
        labels.sort_unstable();
        let labels = match labels.is_empty() {
            true => "<none>".to_owned(),
            false => labels.join(","),
        };
        vec![
            column::name(object),
            joined("name"),
            joined("image"),
            Value::Str(arena.alloc_str(&labels)),
        ]
    }
}
