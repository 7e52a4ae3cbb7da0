//! Kinds that need only a few settings: names, whether they have a status, how generations are counted. Other checks
//! and defaults come from tags or from one function; kinds that need more have their own strategy.

use kindsmith_json::{Arena, Value};
use kindsmith_object::meta::{NameRule, ObjectMeta};
use kindsmith_object::{Behavior, FieldError, Gate, Release};

use crate::table::Table;
use crate::{Change, Conversion, DecodedObject, Names, Preparation, Strategy, Subresource};

/// The settings of a kind. Start from [`Described::PLAIN`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Described {
    /// Short names: `ing`.
    pub(crate) short_names: &'static [&'static str],
    /// Categories: `all`.
    pub(crate) categories: &'static [&'static str],
    /// Which names are valid.
    pub(crate) name_rule: NameRule,
    /// Since when tags check names; before, they were subdomains.
    pub(crate) tagged_since: Option<Behavior>,
    /// The status subresource.
    pub(crate) status: StatusPart,
    /// Whether the status can be requested as a table.
    pub(crate) has_status_table: bool,
    /// Since when only its subresource writes the status; before, all writes did.
    pub(crate) status_apart_since: Option<Behavior>,
    /// Whether the generation starts at one; otherwise the client's value is kept on create.
    pub(crate) starts_at_one: bool,
    /// Whether a new object without a name gets a random one.
    pub(crate) names_itself: bool,
    /// The gate without which generations are not counted.
    pub(crate) counts_with: Option<Gate>,
    /// Members whose change increments the generation.
    pub(crate) watched: &'static [&'static str],
    /// Whether an update need not name the `resourceVersion` that it changes.
    pub(crate) allows_unconditional_update: bool,
    /// Whether an update of a missing object creates it.
    pub(crate) creates_on_update: bool,
    /// Whether a configuration that is applied to the status of a missing object creates it.
    pub(crate) creates_on_status_apply: bool,
    /// Whether finalizers must be known or have a domain.
    pub(crate) checks_finalizers: bool,
    /// Whether metadata of a new object is validated with the rest; it is validated alone in any case.
    pub(crate) checks_metadata: bool,
    /// Whether an update must also be a valid new object: its metadata is validated as that, too.
    pub(crate) is_checked_anew: bool,
    /// Whether an error that several checks find is told by each of them.
    pub(crate) repeats_errors: bool,
    /// Sets what a new object has in its status.
    pub(crate) starts: for<'a> fn(&Preparation<'_, 'a>, &mut DecodedObject<'a>),
    /// How objects become those of the version that is stored.
    pub(crate) conversion: Option<&'static Conversion>,
    /// The columns and rows of tables.
    pub(crate) table: Table,
    /// The member by whose number the rows of a table are sorted.
    pub(crate) table_order: Option<&'static [&'static str]>,
    /// The fields that field selectors may name.
    pub(crate) selectable: Option<&'static [&'static str]>,
    /// Feature gates that tags of the type name.
    pub(crate) gates: &'static [Gate],
    /// Sets defaults beyond tags.
    pub(crate) default: Default,
    /// Validates beyond tags, after the metadata.
    pub(crate) rules: Rules,
    /// The warning for every request, if the kind is deprecated.
    pub(crate) deprecation: Option<&'static str>,
    /// Warns about a valid object.
    pub(crate) warns: fn(&Change<'_>) -> Vec<String>,
}

/// Validates beyond tags.
pub(crate) type Rules = fn(&Change<'_>, &mut Vec<FieldError>);

/// Sets defaults beyond tags.
pub(crate) type Default = for<'a> fn(&'a Arena, Value<'a>) -> Value<'a>;

/// How the status subresource works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusPart {
    /// There is none.
    None,
    /// A write of the status also changes metadata.
    WithMetadata,
    /// A write of the status changes only the status.
    Alone,
    /// The same, and all metadata is that of the stored object, without a check of what was sent.
    Only,
}

impl Described {
    /// No status and no generations; unconditional updates are allowed.
    pub(crate) const PLAIN: Described = Described {
        short_names: &[],
        categories: &[],
        name_rule: NameRule::Subdomain,
        tagged_since: None,
        status: StatusPart::None,
        has_status_table: true,
        status_apart_since: None,
        starts_at_one: false,
        names_itself: false,
        counts_with: None,
        watched: &[],
        allows_unconditional_update: true,
        creates_on_update: false,
        creates_on_status_apply: false,
        checks_finalizers: true,
        checks_metadata: true,
        is_checked_anew: false,
        repeats_errors: false,
        starts: |_, _| {},
        conversion: None,
        table: Table::DEFAULT,
        table_order: None,
        selectable: None,
        gates: &[],
        default: |_, object| object,
        rules: |_, _| {},
        deprecation: None,
        warns: |_| Vec::new(),
    };

    /// No status, but generations of the spec.
    pub(crate) const SPEC: Described = Described {
        starts_at_one: true,
        watched: &["spec"],
        ..Described::PLAIN
    };

    /// A status, and generations of the spec.
    pub(crate) const STATUS: Described = Described {
        status: StatusPart::WithMetadata,
        ..Described::SPEC
    };
}

const UNTABLED_STATUS: Subresource = Subresource::STATUS.untabled();

impl Strategy for Described {
    fn name_rule(&self) -> NameRule {
        self.name_rule
    }

    fn name_rule_in(&self, release: Release) -> NameRule {
        match self.tagged_since {
            Some(behavior) if !release.has(behavior) => NameRule::Subdomain,
            _ => self.name_rule,
        }
    }

    fn checks_finalizers(&self) -> bool {
        self.checks_finalizers
    }

    fn repeats_errors(&self) -> bool {
        self.repeats_errors
    }

    fn short_names(&self) -> &'static [&'static str] {
        self.short_names
    }

    fn categories(&self) -> &'static [&'static str] {
        self.categories
    }

    fn subresources(&self) -> &'static [Subresource] {
        match (self.status, self.has_status_table) {
            (StatusPart::None, _) => &[],
            (_, true) => &[Subresource::STATUS],
            (_, false) => &[UNTABLED_STATUS],
        }
    }

    fn conversion(&self) -> Option<&'static Conversion> {
        self.conversion
    }

    fn table(&self, _: &Names) -> Table {
        self.table
    }

    fn table_order(&self) -> Option<&'static [&'static str]> {
        self.table_order
    }

    fn selectable_fields(&self, _: &Names) -> Option<&'static [&'static str]> {
        self.selectable
    }

    fn allows_unconditional_update(&self) -> bool {
        self.allows_unconditional_update
    }

    fn creates_on_update(&self) -> bool {
        self.creates_on_update
    }

    fn creates_on_status_apply(&self) -> bool {
        self.creates_on_update || self.creates_on_status_apply
    }

    fn reset_fields(&self, part: &str) -> &'static [&'static [&'static str]] {
        match (self.status, part) {
            (StatusPart::None, _) => &[],
            (StatusPart::WithMetadata, "status") => &[&["spec"]],
            (StatusPart::Alone | StatusPart::Only, "status") => &[&["metadata"], &["spec"]],
            _ => &[&["status"]],
        }
    }

    fn reset_fields_in(&self, release: Release, part: &str) -> &'static [&'static [&'static str]] {
        if self.has_status_apart(release) {
            self.reset_fields(part)
        } else {
            &[]
        }
    }

    fn default<'a>(&self, arena: &'a Arena, object: Value<'a>) -> Value<'a> {
        (self.default)(arena, object)
    }

    fn validate(&self, change: &Change<'_>, errors: &mut Vec<FieldError>) {
        let is_anew = self.is_checked_anew && change.old.is_some();
        if is_anew {
            change.validate_new_metadata(errors);
        } else if self.checks_metadata || change.old.is_some() {
            change.validate_metadata(errors);
        }
        (self.rules)(change, errors);
        if is_anew {
            change.validate_metadata(errors);
        }
    }

    fn deprecation(&self) -> Option<&'static str> {
        self.deprecation
    }

    fn warnings(&self, change: &Change<'_>) -> Vec<String> {
        (self.warns)(change)
    }

    fn gates(&self) -> &'static [Gate] {
        self.gates
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        let Some(old) = preparation.old else {
            return self.prepare_new(preparation, draft);
        };
        if preparation.subresource == "status" {
            return self.prepare_status(preparation, draft, old);
        }
        if self.has_status_apart(preparation.release) {
            draft.restore(preparation.arena, "status", old);
        }
        if self
            .counts_with
            .is_some_and(|gate| !preparation.release.enables(gate))
        {
            return;
        }
        let has_changed = |key: &&str| !preparation.is_same(draft, old, key);
        if self.watched.iter().any(has_changed) {
            draft.meta.generation = old.meta.generation.saturating_add(1);
        }
    }
}

impl Described {
    /// Whether writes of the object leave its status alone.
    fn has_status_apart(&self, release: Release) -> bool {
        self.status != StatusPart::None
            && self
                .status_apart_since
                .is_none_or(|behavior| release.has(behavior))
    }

    fn prepare_new<'a>(&self, preparation: &Preparation<'_, 'a>, draft: &mut DecodedObject<'a>) {
        if self.has_status_apart(preparation.release) {
            draft.object.remove(preparation.arena, "status");
        }
        (self.starts)(preparation, draft);
        let counts = self
            .counts_with
            .is_none_or(|gate| preparation.release.enables(gate));
        if self.starts_at_one && counts {
            draft.meta.generation = 1;
        }
        if self.names_itself && draft.meta.name.is_empty() {
            draft.meta.name = preparation.uid;
        }
    }

    fn prepare_status<'a>(
        &self,
        preparation: &Preparation<'_, 'a>,
        draft: &mut DecodedObject<'a>,
        old: &DecodedObject<'a>,
    ) {
        draft.restore(preparation.arena, "spec", old);
        match self.status {
            StatusPart::Alone => draft.reset_metadata(old),
            StatusPart::Only => {
                draft.meta = ObjectMeta {
                    managed_fields: draft.meta.managed_fields,
                    resource_version: draft.meta.resource_version,
                    ..old.meta
                };
            }
            StatusPart::None | StatusPart::WithMetadata => {}
        }
    }
}
