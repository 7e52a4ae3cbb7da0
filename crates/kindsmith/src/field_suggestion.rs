//! The field that a misspelt one was meant to be.

use kindsmith_engine::Plan;
use kindsmith_formats::nearest::nearest_of;
use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_schema::JsonSchema;

use crate::Kinds;
use crate::definition::is_definition;
use crate::misfit;

impl Kinds {
    /// The name that an unknown field of an object was probably meant to have: a similar one that the object does not
    /// use yet.
    ///
    #[cfg_attr(feature = "go", doc = "```")]
    #[cfg_attr(not(feature = "go"), doc = "```ignore")]
    /// # use kindsmith::Kinds;
    /// # use kindsmith_json::path::{PathBuf, Step};
    /// # use kindsmith_json::{Arena, parse_str};
    /// let arena = Arena::new();
    /// let pod = parse_str(&arena, r#"{"apiVersion": "v1", "kind": "Pod", "spec": {"contaners": []}}"#)?;
    /// let path: PathBuf = ["spec", "contaners"].map(|name| Step::Field(name.into())).into_iter().collect();
    /// assert_eq!(Kinds::default().field_suggestion(pod, &path).as_deref(), Some("containers"));
    /// # Ok::<(), kindsmith_json::ReadError>(())
    /// ```
    #[must_use]
    pub fn field_suggestion(&self, object: Value<'_>, path: &PathBuf) -> Option<String> {
        let (Step::Field(name) | Step::Key(name), parent) = path.steps().split_last()? else {
            return None;
        };
        let holder = parent.iter().try_fold(object, Value::step)?;
        let names = self.fields_at(object, parent);
        let unused = names.into_iter().filter(|name| holder.get(name).is_none());
        nearest_of(name, unused)
    }

    fn fields_at(&self, object: Value<'_>, path: &[Step]) -> Vec<String> {
        let of_plan = |plan: &Plan| plan.fields_at(path).into_iter().map(str::to_owned).collect();
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        if is_definition(object) {
            return misfit::definition_plan().as_ref().map_or_else(Vec::new, of_plan);
        }
        if let Some(found) = self.crds().of_object(api_version, kind) {
            let mut names: Vec<String> = misfit::metadata_plan().as_ref().map_or_else(Vec::new, of_plan);
            if let Ok(schema) = found.schema() {
                names.extend(properties_at(&schema, path));
            }
            return names;
        }
        self.typed_fields(api_version, kind, path)
    }
}

fn properties_at(schema: &JsonSchema, path: &[Step]) -> Vec<String> {
    let found = path.iter().try_fold(schema, |schema, step| match step {
        Step::Index(_) => schema.item(),
        Step::Field(name) | Step::Key(name) => schema.property(name).or_else(|| schema.additional()),
    });
    let properties = found.map(|schema| schema.properties.iter());
    properties.map_or_else(Vec::new, |properties| {
        properties.map(|(name, _)| name.to_string()).collect()
    })
}
