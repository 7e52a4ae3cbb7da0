//! Turns calls into checks and programs, in their final order.

use kindsmith_schema::{FieldId, GoKind, Literal, Scalar, Str, TypeId, TypeRef};

use super::build::Builder;
use super::{
    Active, Check, CheckId, CompareCheck, FieldIx, Inner, Matching, ModeCheck, NodeId, NodeShape, Number,
    OptionIx, Program, Quick, RouteStep, Slot, Step, UnionCheck, UnionMembers,
};
use kindsmith_checks::{Body, Call, Leaf, LoweredField};

impl Builder<'_> {
    /// Lays out the calls of all named types met so far.
    pub(super) fn emit_pending(&mut self) {
        while let Some((node, ty)) = self.pending.pop() {
            self.emit_type(node, ty);
        }
    }

    fn emit_type(&mut self, node: NodeId, ty: TypeId) {
        let lowered = self.lowered;
        let Some(lowered) = lowered.get(&ty) else { return };
        let at = Slot { node, pointer: false };
        let program = self.program(&lowered.calls, at);
        let keys = self.iteration(lowered.keys.as_ref(), at);
        let values = self.iteration(lowered.values.as_ref(), at);
        let slot = &mut self.nodes[node.0 as usize];
        slot.program = program;
        slot.keys = keys;
        slot.values = values;
        slot.opaque = lowered.opaque;
        let NodeShape::Struct(members) = &slot.shape else {
            return;
        };
        let first = members.first;
        for (index, field) in lowered.fields.iter().enumerate() {
            self.emit_field(node, FieldIx(first + index as u32), field);
        }
        let is_plain = program.len == 0 && !lowered.opaque;
        if let NodeShape::Struct(members) = &mut self.nodes[node.0 as usize].shape {
            members.glance = is_plain && members.active.iter().all(|active| !active.glance.is_empty());
        }
    }

    fn emit_field(&mut self, owner: NodeId, ix: FieldIx, lowered: &LoweredField) {
        let plan = &self.fields[ix.0 as usize];
        let slot = plan.slot;
        let declared = &self.types.schema.field(plan.id).ty;
        let function = self.types.function_type(declared).filter(|_| !lowered.opaque);
        let calls_type = function.is_some_and(|ty| self.has_validations(ty));
        let mut calls = Vec::new();
        // Upstream adds this check when the field has checks, or when its named list type has some.
        let is_named_list = self.types.kind(&self.types.unalias(declared)) == GoKind::Alias;
        if self.has_pointer_elements(slot) && (!lowered.calls.is_empty() || (is_named_list && calls_type)) {
            calls.push(Call::new(Body::Leaf(Leaf::NoNils), None).short_circuiting());
        }
        calls.extend(lowered.calls.iter().cloned());
        let program = self.program(&calls, slot);
        let keys = self.iteration(lowered.keys.as_ref(), slot);
        let values = self.iteration(lowered.values.as_ref(), slot);
        let runs = program.len > 0 || calls_type || keys.is_some() || values.is_some();
        let mut glance: Vec<Quick> = self.steps[program.first as usize..][..program.len as usize]
            .iter()
            .map(|step| step.quick)
            .collect();
        if calls_type || keys.is_some() || values.is_some() || glance.contains(&Quick::Never) {
            glance.clear();
        }
        let plan = &mut self.fields[ix.0 as usize];
        plan.program = program;
        plan.calls_type = calls_type;
        plan.keys = keys;
        plan.values = values;
        let active = Active {
            field: ix,
            key: plan.key.clone().filter(|_| !plan.inline && !plan.as_text),
            pointer: slot.pointer,
            glance,
        };
        if let NodeShape::Struct(members) = &mut self.nodes[owner.0 as usize].shape
            && runs
        {
            members.active.push(active);
        }
    }

    fn has_pointer_elements(&self, slot: Slot) -> bool {
        matches!(&self.nodes[slot.node.0 as usize].shape, NodeShape::List(element) if element.pointer)
    }

    /// A check that calls a type's function on each element, if that function does anything.
    fn iteration(&mut self, call: Option<&Call>, at: Slot) -> Option<CheckId> {
        let call = call?;
        let (Body::EachVal { inner, .. } | Body::EachKey(inner)) = &call.body else {
            return None;
        };
        let Body::TypeFunction(ty) = inner.body else {
            return None;
        };
        if !self.has_validations(ty) {
            return None;
        }
        self.check(call, at)
    }

    /// Whether a type's function does anything (VG/validation.go, `hasValidations`).
    fn has_validations(&mut self, ty: TypeId) -> bool {
        if let Some(known) = self.validated.get(&ty) {
            return *known;
        }
        let found = kindsmith_checks::has_validations(self.types, self.lowered, ty);
        self.validated.insert(ty, found);
        found
    }

    fn program(&mut self, calls: &[Call], at: Slot) -> Program {
        let mut steps = Vec::new();
        for (number, cohort) in kindsmith_checks::cohorts(calls).into_iter().enumerate() {
            self.cohort(number as u16, &cohort, at, &mut steps);
        }
        self.append(steps)
    }

    fn cohort(&mut self, number: u16, calls: &[&Call], at: Slot, steps: &mut Vec<Step>) {
        let start = steps.len();
        for call in calls {
            let Some(check) = self.check(call, at) else {
                continue;
            };
            steps.push(Step {
                check,
                short_circuit: call.short_circuit,
                non_error: call.non_error,
                level: call.level,
                cohort: number,
                gate: false,
                quick: self.quick(check),
                rule: call.rule,
            });
        }
        if let Some(last) = steps[start..].iter_mut().rfind(|step| step.short_circuit) {
            last.gate = true;
        }
    }

    fn quick(&self, check: CheckId) -> Quick {
        let Check::Leaf { leaf, slot, .. } = &self.checks[check.0 as usize] else {
            return Quick::Never;
        };
        let shape = &self.nodes[slot.node.0 as usize].shape;
        let short = |limit: i64| u32::try_from(limit).ok();
        let quick = match (leaf, shape) {
            (Leaf::Required | Leaf::Optional, _) if slot.pointer => Some(Quick::NotNil),
            (Leaf::Required | Leaf::Optional, NodeShape::Scalar(Scalar::String)) => Some(Quick::Text),
            (Leaf::Required | Leaf::Optional, NodeShape::Scalar(scalar)) if scalar.is_integer() => {
                Some(Quick::NonZero)
            }
            (Leaf::Required | Leaf::Optional, NodeShape::List(_) | NodeShape::Map { .. }) => {
                Some(Quick::NonEmpty)
            }
            (Leaf::Format(format), _) if format.name == "k8s-short-name" => Some(Quick::Label),
            // A string never has more characters than bytes.
            (Leaf::MaxLength(limit) | Leaf::MaxBytes(limit), _) => short(*limit).map(Quick::AtMostBytes),
            (Leaf::MaxItems(limit), NodeShape::List(_))
            | (Leaf::MaxProperties(limit), NodeShape::Map { .. }) => short(*limit).map(Quick::AtMostItems),
            (
                Leaf::Minimum {
                    limit: Number::Int(limit),
                    exclusive: false,
                },
                _,
            ) => i64::try_from(*limit).ok().map(Quick::AtLeast),
            (
                Leaf::Maximum {
                    limit: Number::Int(limit),
                    exclusive: false,
                },
                _,
            ) => i64::try_from(*limit).ok().map(Quick::AtMost),
            _ => None,
        };
        quick.unwrap_or(Quick::Never)
    }

    fn append(&mut self, steps: Vec<Step>) -> Program {
        let program = Program {
            first: self.steps.len() as u32,
            len: steps.len() as u32,
        };
        self.steps.extend(steps);
        program
    }

    fn inner(&mut self, call: &Call, at: Slot) -> Option<Inner> {
        Some(Inner {
            check: self.check(call, at)?,
            level: call.level.filter(|_| call.has_arguments()),
        })
    }

    /// Lays out one call on a value of the slot's type; `None` when the call does not fit the type.
    fn check(&mut self, call: &Call, at: Slot) -> Option<CheckId> {
        let check = match &call.body {
            Body::Leaf(leaf) => self.leaf(leaf, at),
            Body::TypeFunction(ty) => Check::TypeFunction(self.node(&TypeRef::Named(*ty))),
            Body::EachVal { matching, inner } => self.each_value(matching, inner, at)?,
            Body::EachKey(inner) => self.each_key(inner, at)?,
            Body::Subfield { field, name, inner } => {
                let field = self.field_ix(at.node, *field)?;
                Check::Subfield {
                    field,
                    name: name.clone(),
                    inner: self.inner(inner, self.fields[field.0 as usize].slot)?,
                }
            }
            Body::Item { selector, inner } => self.item(selector, inner, at)?,
            Body::IfOption {
                option,
                enabled,
                inner,
            } => Check::IfOption {
                option: self.option(option),
                enabled: *enabled,
                inner: self.inner(inner, at)?,
            },
            Body::IfSubresource { path, matches, inner } => Check::IfSubresource {
                path: path.clone(),
                matches: *matches,
                inner: self.inner(inner, at)?,
            },
            Body::Unique(matching) => {
                let element = self.element(at)?;
                Check::Unique {
                    element,
                    matching: self.matching(matching, element)?,
                }
            }
            Body::Update {
                constraints,
                matching,
            } => Check::Update {
                slot: at,
                constraints: constraints.clone(),
                matching: self.own_matching(matching, at)?,
            },
            Body::ItemUpdate {
                selector,
                constraints,
            } => {
                let element = self.element(at)?;
                Check::ItemUpdate {
                    element,
                    selector: self.selector(selector, element)?,
                    constraints: constraints.clone(),
                }
            }
            Body::ImmutableItems(matching) => Check::ImmutableItems {
                slot: at,
                matching: self.own_matching(matching, at)?,
            },
            Body::Union(union) => Check::Union(self.union(union, at)?),
            Body::Dependent {
                trigger,
                trigger_name,
                dependent,
                dependent_name,
                required,
            } => Check::Dependent {
                trigger: self.field_ix(at.node, *trigger)?,
                trigger_name: trigger_name.clone(),
                dependent: self.field_ix(at.node, *dependent)?,
                dependent_name: dependent_name.clone(),
                required: *required,
            },
            Body::Mode(mode) => Check::Mode(self.mode(mode, at)?),
            Body::Compare(compare) => Check::Compare(self.compare(compare, at)?),
        };
        let id = CheckId(self.checks.len() as u32);
        self.checks.push(check);
        Some(id)
    }

    fn each_value(&mut self, matching: &kindsmith_checks::Matching, inner: &Call, at: Slot) -> Option<Check> {
        match self.nodes[at.node.0 as usize].shape {
            NodeShape::List(element) => Some(Check::EachElement {
                element,
                matching: self.matching(matching, element)?,
                inner: self.inner(inner, element)?,
            }),
            NodeShape::Map { value, .. } => Some(Check::EachEntry {
                value,
                inner: self.inner(inner, value)?,
            }),
            _ => None,
        }
    }

    fn each_key(&mut self, inner: &Call, at: Slot) -> Option<Check> {
        let NodeShape::Map { key, .. } = self.nodes[at.node.0 as usize].shape else {
            return None;
        };
        let key = Slot {
            node: key,
            pointer: false,
        };
        Some(Check::EachKey(self.inner(inner, key)?))
    }

    fn item(&mut self, selector: &[(FieldId, Literal)], inner: &Call, at: Slot) -> Option<Check> {
        let element = self.element(at)?;
        Some(Check::Item {
            element,
            selector: self.selector(selector, element)?,
            inner: self.inner(inner, element)?,
        })
    }

    fn leaf(&mut self, leaf: &Leaf, slot: Slot) -> Check {
        let options = match leaf {
            Leaf::Enum(set) => set
                .exclusions
                .iter()
                .map(|rule| self.option(&rule.option))
                .collect(),
            _ => Vec::new(),
        };
        Check::Leaf {
            leaf: leaf.clone(),
            slot,
            options,
        }
    }

    fn union(&mut self, union: &kindsmith_checks::Union, at: Slot) -> Option<UnionCheck> {
        let members = match &union.members {
            kindsmith_checks::UnionMembers::Fields(fields) => {
                let fields = fields.iter().map(|field| self.field_ix(at.node, *field));
                UnionMembers::Fields(fields.collect::<Option<_>>()?)
            }
            kindsmith_checks::UnionMembers::Items(items) => {
                let element = self.element(at)?;
                let selectors = items.iter().map(|selector| self.selector(selector, element));
                UnionMembers::Items {
                    element,
                    selectors: selectors.collect::<Option<_>>()?,
                }
            }
            kindsmith_checks::UnionMembers::Routes(routes) => {
                let routes = routes.iter().map(|route| self.route(route, at));
                UnionMembers::Routes(routes.collect::<Option<_>>()?)
            }
        };
        let discriminator = match &union.discriminator {
            Some((name, field)) => Some((name.clone(), self.field_ix(at.node, *field)?)),
            None => None,
        };
        Some(UnionCheck {
            zero_or_one: union.zero_or_one,
            discriminator,
            names: union.names.clone(),
            members,
        })
    }

    fn route(&mut self, steps: &[kindsmith_checks::RouteStep], at: Slot) -> Option<Vec<RouteStep>> {
        let mut at = at;
        let mut route = Vec::new();
        for step in steps {
            let (step, below) = match step {
                kindsmith_checks::RouteStep::Field(id) => {
                    let field = self.field_ix(at.node, *id)?;
                    (RouteStep::Field(field), self.fields[field.0 as usize].slot)
                }
                kindsmith_checks::RouteStep::Item(selector) => {
                    let element = self.element(at)?;
                    let selector = self.selector(selector, element)?;
                    (RouteStep::Item { element, selector }, element)
                }
                kindsmith_checks::RouteStep::Each => {
                    let element = match self.nodes[at.node.0 as usize].shape {
                        NodeShape::Map { value, .. } => value,
                        _ => self.element(at)?,
                    };
                    (RouteStep::Each(element), element)
                }
            };
            route.push(step);
            at = below;
        }
        Some(route)
    }

    fn mode(&mut self, mode: &kindsmith_checks::Mode, at: Slot) -> Option<ModeCheck> {
        let field = self.field_ix(at.node, mode.field)?;
        let slot = self.fields[field.0 as usize].slot;
        let mut rules = Vec::new();
        for (value, calls) in &mode.rules {
            let mut steps = Vec::new();
            self.cohort(0, &calls.iter().collect::<Vec<_>>(), slot, &mut steps);
            rules.push((value.clone(), self.append(steps)));
        }
        Some(ModeCheck {
            discriminator: self.field_ix(at.node, mode.discriminator)?,
            field,
            name: mode.name.clone(),
            rules,
            forbidden_level: mode.forbidden_level,
        })
    }

    fn compare(&mut self, compare: &kindsmith_checks::Compare, at: Slot) -> Option<CompareCheck> {
        let field = self.field_ix(at.node, compare.field)?;
        let below = self.route(&compare.below, self.fields[field.0 as usize].slot)?;
        let mut limit = Vec::new();
        let mut node = at.node;
        for member in &compare.limit {
            let ix = self.field_ix(node, *member)?;
            limit.push(ix);
            node = self.fields[ix.0 as usize].slot.node;
        }
        Some(CompareCheck {
            field,
            below,
            limit,
            at_least: compare.at_least,
            exclusive: compare.exclusive,
        })
    }

    fn element(&self, at: Slot) -> Option<Slot> {
        match self.nodes[at.node.0 as usize].shape {
            NodeShape::List(element) => Some(element),
            _ => None,
        }
    }

    fn own_matching(&self, matching: &kindsmith_checks::Matching, at: Slot) -> Option<Matching> {
        match self.element(at) {
            Some(element) => self.matching(matching, element),
            None => Some(Matching::None),
        }
    }

    fn matching(&self, matching: &kindsmith_checks::Matching, element: Slot) -> Option<Matching> {
        Some(match matching {
            kindsmith_checks::Matching::None => Matching::None,
            kindsmith_checks::Matching::Value => Matching::Value,
            kindsmith_checks::Matching::Keys(keys) => {
                let keys = keys.iter().map(|key| self.field_ix(element.node, *key));
                Matching::Keys(keys.collect::<Option<_>>()?)
            }
        })
    }

    fn selector(&self, selector: &[(FieldId, Literal)], element: Slot) -> Option<Vec<(FieldIx, Literal)>> {
        let fields = selector.iter().map(|(field, value)| {
            let ix = self.field_ix(element.node, *field)?;
            Some((ix, value.clone()))
        });
        fields.collect()
    }

    /// The field's index in a struct's node.
    fn field_ix(&self, node: NodeId, field: FieldId) -> Option<FieldIx> {
        let NodeShape::Struct(members) = &self.nodes[node.0 as usize].shape else {
            return None;
        };
        (field.index < members.len).then_some(FieldIx(members.first + field.index))
    }

    fn option(&mut self, name: &Str) -> OptionIx {
        let known = self.options.iter().position(|known| known == name);
        let ix = known.unwrap_or_else(|| {
            self.options.push(name.clone());
            self.options.len() - 1
        });
        OptionIx(ix as u32)
    }
}
