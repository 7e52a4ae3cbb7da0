//! Pod templates that stand alone (pkg/registry/core/podtemplate/strategy.go).

use kindsmith_json::{Arena, Path, Value};
use kindsmith_object::FieldError;

use crate::table::{Heading, Row, Table, column};
use crate::{Change, DecodedObject, Names, Preparation, Strategy, pod};

#[derive(Debug)]
pub(crate) struct PodTemplate;

impl Strategy for PodTemplate {
    fn table(&self, _: &Names) -> Table {
        Table {
            headings: HEADINGS,
            cells,
        }
    }

    fn pod_spec(&self) -> Option<&'static [&'static str]> {
        Some(&["template", "spec"])
    }

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

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        match preparation.old {
            None => decoded.meta.generation = 1,
            Some(old) if !preparation.is_same(decoded, old, "template") => {
                decoded.meta.generation = old.meta.generation.saturating_add(1);
            }
            Some(_) => {}
        }
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        change.validate_metadata(errors);
        let template = change.get(&["template"]).unwrap_or_default();
        pod::validate_template(template, &Path::root("template"), change.release, errors);
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        let is_same = |old: &DecodedObject<'_>| old.meta.generation == change.new.meta.generation;
        match change.get(&["template"]) {
            Some(template) if !change.old.is_some_and(is_same) => {
                pod::template_warnings(template, &Path::root("template"), change.release)
            }
            _ => Vec::new(),
        }
    }
}

const HEADINGS: &[Heading] = &[
    column::NAME,
    column::in_words("Containers", "Names of the template's containers."),
    column::in_words("Images", "Images of the template's containers."),
    column::in_words("Pod Labels", "Labels that pods of the template get."),
];

fn cells<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("template.spec.containers");
    vec![row.name(), names, images, row.labels("template.metadata.labels")]
}
