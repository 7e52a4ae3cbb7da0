//! What is served: groups, versions, resources. A [`Catalog`] never changes while somebody reads it.

mod built_in;
mod counts;
mod custom;
mod definitions;
mod outline;

use std::collections::BTreeMap;
use std::sync::Arc;

use kindsmith_json::Value;
use kindsmith_object::meta::Scope;
use kindsmith_object::{Release, StorePrefix};
use kindsmith_openapi::crd::Names;
use kindsmith_schema::Str;
use kindsmith_store::Bytes;

use crate::Resource;
use crate::resource::Serving;
use outline::Outline;

pub(crate) use built_in::{own, served};
pub(crate) use custom::Defined;

/// A verb of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// `POST`.
    Create,
    /// `DELETE` of one object.
    Delete,
    /// `DELETE` of many.
    DeleteCollection,
    /// `GET` of one object.
    Get,
    /// `GET` of many.
    List,
    /// `PATCH`.
    Patch,
    /// `PUT`.
    Update,
    /// `GET` of many with `watch`.
    Watch,
}

impl Verb {
    /// All verbs with their names.
    const NAMES: [(&'static str, Verb); 8] = [
        ("create", Verb::Create),
        ("delete", Verb::Delete),
        ("deletecollection", Verb::DeleteCollection),
        ("get", Verb::Get),
        ("list", Verb::List),
        ("patch", Verb::Patch),
        ("update", Verb::Update),
        ("watch", Verb::Watch),
    ];

    /// The verb with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Verb> {
        let found = Verb::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, verb)| verb)
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = Verb::NAMES.iter().find(|(_, verb)| *verb == self);
        found.map_or("", |(name, _)| name)
    }
}

/// The verbs of a resource, sorted as discovery shows them.
pub type Verbs = &'static [Verb];

/// One resource in one version.
#[derive(Debug, Clone)]
pub struct Served {
    /// The API group; empty for the core group.
    pub group: Str,
    /// The version.
    pub version: Str,
    /// The plural name, as in the path.
    pub plural: Str,
    /// The singular name.
    pub singular: Str,
    /// The kind.
    pub kind: Str,
    /// The kind of lists.
    pub list_kind: Str,
    /// Short names: `cm`.
    pub short_names: Vec<Str>,
    /// Categories: `all`.
    pub categories: Vec<Str>,
    /// Whether objects live in namespaces.
    pub scope: Scope,
    /// The supported verbs.
    pub verbs: Verbs,
    /// The subresources.
    pub subresources: Vec<Subresource>,
    /// Where objects are stored.
    pub key_prefix: StorePrefix,
    /// The implementation.
    pub resource: Arc<dyn Resource>,
}

/// A subresource.
#[derive(Debug, Clone)]
pub struct Subresource {
    /// The last part of the path: `status`.
    pub name: Str,
    /// Group, version and kind of request and response bodies.
    pub kind: (Str, Str, Str),
    /// The supported verbs.
    pub verbs: Verbs,
    /// Whether it can be requested as a table.
    pub has_table: bool,
}

impl Served {
    /// Whether it is in the core group.
    #[must_use]
    pub(crate) fn is_core(&self) -> bool {
        self.group.is_empty()
    }

    /// Group and version as in `apiVersion`: `apps/v1`.
    #[must_use]
    pub fn api_version(&self) -> String {
        match &*self.group {
            "" => self.version.to_string(),
            group => format!("{group}/{}", self.version),
        }
    }

    /// Whether it supports a verb.
    #[must_use]
    pub fn has(&self, verb: Verb) -> bool {
        self.verbs.contains(&verb)
    }

    /// The subresource with this name.
    #[must_use]
    pub fn subresource(&self, name: &str) -> Option<&Subresource> {
        self.subresources.iter().find(|known| *known.name == *name)
    }

    fn sort_key(&self) -> (&str, &str, &str) {
        (&self.group, &self.version, &self.plural)
    }
}

/// What the CRDs of a group define, by the names of the CRDs.
type OfGroup = BTreeMap<Str, Arc<Defined>>;

/// All that is served, sorted by group, version and resource.
#[derive(Debug, Clone)]
pub struct Catalog {
    /// All resources.
    pub served: Vec<Arc<Served>>,
    /// What custom resources need of the server.
    serving: Serving,
    /// What is built in.
    built_in: Arc<[Arc<Served>]>,
    /// What CRDs define, by group. Shared between catalogs, so a copy is cheap.
    defined: BTreeMap<Str, OfGroup>,
}

impl Catalog {
    /// Builds a catalog of the built-in resources and those of stored CRDs.
    pub(crate) fn new(
        built_in: impl IntoIterator<Item = Arc<Served>>,
        definitions: impl IntoIterator<Item = (Str, Bytes)>,
        serving: &Serving,
    ) -> Self {
        let mut built_in: Vec<Arc<Served>> = built_in.into_iter().collect();
        built_in.push(Arc::new(definitions::served(serving.gates)));
        let mut defined = BTreeMap::<Str, OfGroup>::new();
        for (name, source) in definitions {
            if let Some(new) = Defined::read(&source, serving) {
                let of_group = defined.entry(group_of(&name).into()).or_default();
                of_group.insert(name, Arc::new(new));
            }
        }
        Catalog {
            served: Vec::new(),
            built_in: built_in.into(),
            defined,
            serving: serving.clone(),
        }
        .sorted()
    }

    /// What a stored CRD defines; `None` if it is invalid.
    pub(crate) fn read(&self, source: &Bytes) -> Option<Defined> {
        Defined::read(source, &self.serving)
    }

    /// The same for a CRD whose value is known: its bytes are not parsed for that.
    pub(crate) fn read_value(&self, source: &Bytes, value: Value<'_>) -> Option<Defined> {
        Some(Defined::new(source, Outline::of(value)?, &self.serving))
    }

    /// Follows a CRD that was written (`Some`) or removed (`None`). Returns what it defined before.
    pub(crate) fn define(&mut self, name: &str, new: Option<Defined>) -> Option<Arc<Defined>> {
        let new = new.map(Arc::new);
        let of_group = self.defined.entry(group_of(name).into()).or_default();
        let old = match &new {
            Some(new) => of_group.insert(name.into(), Arc::clone(new)),
            None => of_group.remove(name),
        };
        if of_group.is_empty() {
            self.defined.remove(group_of(name));
        }
        // The others keep their order: sorting thousands for each of thousands of CRDs would take most of the time.
        for served in old.iter().flat_map(|old| &old.served) {
            let first = self.place(|known| known < served.sort_key());
            let same = |known: &Arc<Served>| Arc::ptr_eq(known, served);
            if let Some(at) = self.served[first..].iter().position(same) {
                self.served.remove(first + at);
            }
        }
        for served in new.iter().flat_map(|new| &new.served) {
            let at = self.place(|known| known <= served.sort_key());
            self.served.insert(at, Arc::clone(served));
        }
        old
    }

    /// The place of the first resource for which `is_before` does not hold.
    fn place(&self, is_before: impl Fn((&str, &str, &str)) -> bool) -> usize {
        self.served.partition_point(|known| is_before(known.sort_key()))
    }

    fn sorted(mut self) -> Self {
        let defined = self.defined.values().flat_map(BTreeMap::values);
        let defined = defined.flat_map(|defined| &defined.served);
        self.served = self.built_in.iter().chain(defined).cloned().collect();
        self.served
            .sort_by(|left, right| left.sort_key().cmp(&right.sort_key()));
        self
    }

    /// The release whose rules hold.
    pub(crate) fn release(&self) -> Release {
        self.serving.release
    }

    /// The resource of a path.
    #[must_use]
    pub fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Served>> {
        let key = (group, version, plural);
        let found = self.served.binary_search_by(|served| served.sort_key().cmp(&key));
        found.ok().map(|position| &self.served[position])
    }

    /// Whether anything is served in a version of a group.
    pub(crate) fn has_version(&self, group: &str, version: &str) -> bool {
        let first = self.place(|known| known < (group, version, ""));
        let served = self.served.get(first);
        served.is_some_and(|served| (&*served.group, &*served.version) == (group, version))
    }

    /// The resources of a group.
    pub(crate) fn group(&self, group: &str) -> &[Arc<Served>] {
        let first = self.served.partition_point(|served| *served.group < *group);
        let rest = &self.served[first..];
        &rest[..rest.partition_point(|served| *served.group == *group)]
    }

    /// The resource of a kind.
    pub(crate) fn of_kind(&self, group: &str, version: &str, kind: &str) -> Option<&Arc<Served>> {
        let mut served = self.group(group).iter();
        served.find(|served| *served.version == *version && *served.kind == *kind)
    }

    /// A version of a resource.
    pub(crate) fn first(&self, group: &str, plural: &str) -> Option<Arc<Served>> {
        let mut served = self.group(group).iter();
        served.find(|served| *served.plural == *plural).cloned()
    }

    /// The resource of a path whose definition is not established, though its names are accepted.
    pub(crate) fn find_unpublished(&self, group: &str, version: &str, plural: &str) -> Option<&Arc<Served>> {
        let defined = self.definition(group, plural)?;
        let mut unpublished = defined.unpublished.iter();
        unpublished.find(|served| *served.version == *version)
    }

    /// Whether a group is built in: then its paths are routed by shape, and what is unknown is answered with a `Status`.
    pub(crate) fn is_built_in_group(&self, group: &str) -> bool {
        self.built_in.iter().any(|served| *served.group == *group)
    }

    /// Whether a built-in kind is served in a version.
    pub(crate) fn is_built_in_version(&self, group: &str, version: &str) -> bool {
        let mut built_in = self.built_in.iter();
        built_in.any(|served| *served.group == *group && *served.version == *version)
    }

    /// The accepted names of all CRDs of a group except one.
    pub(crate) fn other_names(&self, group: &str, but: &str) -> Vec<Names> {
        let of_group = self.defined.get(group).into_iter().flatten();
        of_group
            .filter(|(name, _)| ***name != *but)
            .map(|(_, defined)| defined.outline.accepted.clone())
            .collect()
    }

    /// The CRDs that wait for names or for the end of their deletion.
    pub(crate) fn unsettled(&self) -> Vec<Str> {
        self.defined.values().flat_map(unsettled).cloned().collect()
    }

    /// Those of a group.
    pub(crate) fn unsettled_of(&self, group: &str) -> Vec<Str> {
        let of_group = self.defined.get(group).into_iter();
        of_group.flat_map(unsettled).cloned().collect()
    }

    /// Whether the CRD of a resource takes no new objects, because it is being deleted.
    pub(crate) fn refuses_objects(&self, group: &str, plural: &str) -> bool {
        let defined = self.definition(group, plural);
        defined.is_some_and(|defined| defined.outline.is_terminating || defined.outline.is_deleted)
    }

    /// Whether the objects of a resource are being deleted with its CRD.
    pub(crate) fn is_terminating(&self, group: &str, plural: &str) -> bool {
        let defined = self.definition(group, plural);
        defined.is_some_and(|defined| defined.outline.is_terminating)
    }

    fn definition(&self, group: &str, plural: &str) -> Option<&Arc<Defined>> {
        self.defined.get(group)?.get(&*format!("{plural}.{group}"))
    }
}

/// The group of a CRD by its name, which is the plural and the group.
fn group_of(name: &str) -> &str {
    name.split_once('.').map_or("", |(_, group)| group)
}

fn unsettled(of_group: &OfGroup) -> impl Iterator<Item = &Str> {
    let waiting = of_group.iter().filter(|(_, defined)| {
        let outline = &defined.outline;
        !(outline.is_accepted && outline.is_established && !outline.is_terminating)
    });
    waiting.map(|(name, _)| name)
}
