//! A schema compiled for one type: flat arrays that passes walk without looking anything up by name.
//!
//! Knows shapes and programs of checks, not values. `run`, `default` and `go` (the Go view of values) use it.

mod build;
mod defaults;
mod emit;
mod json_fields;

use std::sync::Arc;

use kindsmith_schema::{FieldId, Level, Literal, Place, Scalar, Schema, Str, TypeId, TypeRef, WellKnown};

pub(crate) use build::Builder;
pub(crate) use defaults::{DefaultIx, DefaultNode, DefaultPlan, DefaultValue, ElementDefault, MemberDefault};
pub(crate) use kindsmith_checks::Number;
use kindsmith_checks::Profile;
use kindsmith_checks::{Types, lower};

/// Depth limit of values. Deeper parts are ignored: Go would continue, but our stack would overflow.
pub(crate) const MAX_DEPTH: usize = 256;

/// A type of a schema, compiled: defaults, validates and encodes objects.
///
/// Compiled once, used for any number of objects, from any number of threads.
#[derive(Debug)]
pub struct Plan {
    pub(crate) root: NodeId,
    pub(crate) nodes: Vec<Node>,
    pub(crate) fields: Vec<FieldPlan>,
    pub(crate) steps: Vec<Step>,
    pub(crate) checks: Vec<Check>,
    pub(crate) options: Vec<Str>,
    /// Paths of the subresources that the type supports.
    pub(crate) subresources: Vec<Str>,
    /// The type as Go's `%T` prints it.
    pub(crate) go_name: Str,
    pub(crate) profile: Profile,
    pub(crate) defaults: DefaultPlan,
}

/// Index of a [`Node`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// Index of a [`FieldPlan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FieldIx(pub(crate) u32);

/// Index of a [`Check`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CheckId(pub(crate) u32);

/// Index into the options of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OptionIx(pub(crate) u32);

/// A type without its pointers.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) shape: NodeShape,
    /// Whether it is a predeclared type rather than a named one; Go prints the two differently.
    pub(crate) plain: bool,
    /// As Go names it in decode errors: `v1.Time`, `[]string`.
    pub(crate) go_name: Str,
    /// The checks that the type's own function runs first.
    pub(crate) program: Program,
    /// Runs next, for lists and maps.
    pub(crate) keys: Option<CheckId>,
    pub(crate) values: Option<CheckId>,
    /// Fields run last, unless this is set.
    pub(crate) opaque: bool,
}

/// A type, and whether it is behind a pointer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) node: NodeId,
    pub(crate) pointer: bool,
}

/// The structure of a type.
#[derive(Debug, Clone)]
pub(crate) enum NodeShape {
    Scalar(Scalar),
    /// `[]byte`, encoded as base64.
    Bytes,
    List(Slot),
    /// A list of fixed length, which is never absent.
    Array {
        len: u32,
        element: Slot,
    },
    Map {
        key: NodeId,
        value: Slot,
    },
    Struct(StructPlan),
    /// Any JSON value.
    Any,
    WellKnown(WellKnown),
    /// An unknown type: values pass through unchanged.
    Unknown,
}

/// The members of a struct.
#[derive(Debug, Clone, Default)]
pub(crate) struct StructPlan {
    /// Index of the first field; the rest follow in schema order.
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// All JSON names, those of embedded structs included, sorted.
    pub(crate) keys: Vec<(Str, FieldIx)>,
    /// The JSON names that come from embedded structs, with the Go names of these: `PodSpec` or `Outer.Inner`.
    pub(crate) embedded: Vec<(Str, Str)>,
    /// Fields whose checks run.
    pub(crate) active: Vec<Active>,
    /// Whether `active` covers all checks, and all of them have a quick test.
    pub(crate) glance: bool,
}

/// A field with checks, and how to tell quickly that it passes.
#[derive(Debug, Clone)]
pub(crate) struct Active {
    pub(crate) field: FieldIx,
    /// The field's key, if its value can be read directly from the object.
    pub(crate) key: Option<Str>,
    pub(crate) pointer: bool,
    /// Quick tests of all steps, if they cover the whole field.
    pub(crate) glance: Vec<Quick>,
}

/// A member of a struct.
#[derive(Debug)]
pub(crate) struct FieldPlan {
    /// Where it is declared.
    pub(crate) id: FieldId,
    /// Its key in JSON; `None` when it is never encoded.
    pub(crate) key: Option<Str>,
    /// Its name in paths; may be empty.
    pub(crate) name: Str,
    /// The name that paths show at the root when `name` is empty.
    pub(crate) root_name: Str,
    /// Its members appear among those of the parent.
    pub(crate) inline: bool,
    pub(crate) slot: Slot,
    pub(crate) omit_empty: bool,
    pub(crate) omit_zero: bool,
    /// Scalars are encoded as strings.
    pub(crate) as_text: bool,
    /// Checks on the field itself.
    pub(crate) program: Program,
    /// Whether the function of its type is called.
    pub(crate) calls_type: bool,
    pub(crate) keys: Option<CheckId>,
    pub(crate) values: Option<CheckId>,
}

/// Steps that run one after the other.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Program {
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// One call of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) check: CheckId,
    pub(crate) short_circuit: bool,
    pub(crate) non_error: bool,
    pub(crate) level: Option<Level>,
    /// Zero is the unnamed cohort; a failure in it ends all checks.
    pub(crate) cohort: u16,
    /// The last short circuit of its cohort: failures up to here take effect.
    pub(crate) gate: bool,
    /// A quick test that shows that the check passes, without running it.
    pub(crate) quick: Quick,
    pub(crate) rule: Option<Place>,
}

/// Quick tests that show that a check passes. Most values pass, and most checks have such a test. Without them, the
/// validation of a 9 KB object (`benches/native.rs`) takes 2.7 times the instructions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Quick {
    /// There is no quick test.
    Never,
    /// Anything that is not nil.
    NotNil,
    /// A string that is not empty.
    Text,
    /// An integer that is not zero.
    NonZero,
    /// A list or map that is not empty.
    NonEmpty,
    /// A string that is a DNS label.
    Label,
    /// A string of at most this many bytes.
    AtMostBytes(u32),
    /// A list or map of at most this many entries.
    AtMostItems(u32),
    /// An integer not below the limit.
    AtLeast(i64),
    /// An integer not above the limit.
    AtMost(i64),
}

/// A check inside another, with the level of its errors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inner {
    pub(crate) check: CheckId,
    pub(crate) level: Option<Level>,
}

/// A check with everything it needs at run time.
#[derive(Debug)]
pub(crate) enum Check {
    Leaf {
        leaf: kindsmith_checks::Leaf,
        slot: Slot,
        /// Options of enum exclusions, in their order.
        options: Vec<OptionIx>,
    },
    TypeFunction(NodeId),
    EachElement {
        element: Slot,
        matching: Matching,
        inner: Inner,
    },
    EachEntry {
        value: Slot,
        inner: Inner,
    },
    EachKey(Inner),
    Subfield {
        field: FieldIx,
        name: Str,
        inner: Inner,
    },
    Item {
        element: Slot,
        selector: Vec<(FieldIx, Literal)>,
        inner: Inner,
    },
    IfOption {
        option: OptionIx,
        enabled: bool,
        inner: Inner,
    },
    IfSubresource {
        path: Str,
        matches: bool,
        inner: Inner,
    },
    Unique {
        element: Slot,
        matching: Matching,
    },
    Update {
        slot: Slot,
        constraints: Vec<kindsmith_schema::UpdateConstraint>,
        matching: Matching,
    },
    ItemUpdate {
        element: Slot,
        selector: Vec<(FieldIx, Literal)>,
        constraints: Vec<kindsmith_schema::UpdateConstraint>,
    },
    ImmutableItems {
        slot: Slot,
        matching: Matching,
    },
    Union(UnionCheck),
    Dependent {
        trigger: FieldIx,
        trigger_name: Str,
        dependent: FieldIx,
        dependent_name: Str,
        required: bool,
    },
    Mode(ModeCheck),
    Compare(CompareCheck),
}

/// How an element finds its old value, or its duplicate.
#[derive(Debug, Clone)]
pub(crate) enum Matching {
    None,
    Keys(Vec<FieldIx>),
    Value,
}

/// See [`kindsmith_checks::Union`].
#[derive(Debug)]
pub(crate) struct UnionCheck {
    pub(crate) zero_or_one: bool,
    pub(crate) discriminator: Option<(Str, FieldIx)>,
    pub(crate) names: Vec<(Str, Str)>,
    pub(crate) members: UnionMembers,
}

#[derive(Debug)]
pub(crate) enum UnionMembers {
    Fields(Vec<FieldIx>),
    Items {
        element: Slot,
        selectors: Vec<Vec<(FieldIx, Literal)>>,
    },
    Routes(Vec<Vec<RouteStep>>),
}

/// See [`kindsmith_checks::RouteStep`].
#[derive(Debug)]
pub(crate) enum RouteStep {
    Field(FieldIx),
    Item {
        element: Slot,
        selector: Vec<(FieldIx, Literal)>,
    },
    Each(Slot),
}

/// See [`kindsmith_checks::Mode`].
#[derive(Debug)]
pub(crate) struct ModeCheck {
    pub(crate) discriminator: FieldIx,
    pub(crate) field: FieldIx,
    pub(crate) name: Str,
    /// Steps in written order; flags apply, cohorts do not.
    pub(crate) rules: Vec<(Str, Program)>,
    pub(crate) forbidden_level: Option<Level>,
}

/// See [`kindsmith_checks::Compare`].
#[derive(Debug)]
pub(crate) struct CompareCheck {
    pub(crate) field: FieldIx,
    pub(crate) below: Vec<RouteStep>,
    pub(crate) limit: Vec<FieldIx>,
    pub(crate) at_least: bool,
    pub(crate) exclusive: bool,
}

/// Settings for compiling a plan.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// Whether KEPs or Kubernetes' code decide where they differ.
    pub profile: Profile,
    /// Types with hand-written defaulting functions; see [`Hooks`](crate::Hooks).
    pub hooked: Vec<TypeId>,
    /// Paths of subresources that are written besides those that tags name, as `/status`.
    pub subresources: Vec<Str>,
    /// Whether errors about types leave embedded structs out of the path of a field, as Go's decoder once did.
    pub hides_embedded: bool,
}

impl Plan {
    /// Compiles a type and everything it refers to, reading tags as upstream does.
    #[must_use]
    pub fn compile(schema: &Schema, root: TypeId) -> Self {
        Self::compile_with(schema, root, &CompileOptions::default())
    }

    /// Compiles a type and everything it refers to.
    #[must_use]
    pub fn compile_with(schema: &Schema, root: TypeId, options: &CompileOptions) -> Self {
        let types = Types::new(schema);
        let lowered = lower(schema, root, options.profile);
        let ty = TypeRef::Named(root);
        let mut builder = build::Builder::new(types, &lowered, package_of(schema, root));
        let root_node = builder.node(&ty);
        builder.emit_pending();
        let defaults = defaults::compile(types, &mut builder, root, options);
        if options.hides_embedded {
            builder.hide_embedded();
        }
        Self {
            root: root_node,
            nodes: builder.nodes,
            fields: builder.fields,
            steps: builder.steps,
            checks: builder.checks,
            options: builder.options,
            subresources: subresources(schema, root, &options.subresources),
            go_name: printed(types, schema, root),
            profile: options.profile,
            defaults,
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn field(&self, ix: FieldIx) -> &FieldPlan {
        &self.fields[ix.0 as usize]
    }

    pub(crate) fn check(&self, id: CheckId) -> &Check {
        &self.checks[id.0 as usize]
    }

    pub(crate) fn steps(&self, program: Program) -> &[Step] {
        &self.steps[program.first as usize..(program.first + program.len) as usize]
    }

    pub(crate) fn struct_fields(&self, members: &StructPlan) -> &[FieldPlan] {
        &self.fields[members.first as usize..(members.first + members.len) as usize]
    }
}

fn package_of(schema: &Schema, root: TypeId) -> Arc<str> {
    schema.ty(root).name.package.clone()
}

/// Accepted subresource paths (VG/validation.go, `toResourceList`).
fn subresources(schema: &Schema, root: TypeId, more: &[Str]) -> Vec<Str> {
    let options = &schema.ty(root).options;
    let mut paths = options.supports_subresources.clone();
    paths.extend_from_slice(more);
    paths.push(options.is_subresource.clone().unwrap_or_else(|| "/".into()));
    paths
}

/// The type as `%T` prints the argument of validation: a pointer, unless the type itself can be nil.
fn printed(types: Types<'_>, schema: &Schema, root: TypeId) -> Str {
    let name = &schema.ty(root).name;
    let package = schema.package(&name.package).map_or_else(
        || name.package.rsplit('/').next().unwrap_or_default(),
        |package| &*package.name,
    );
    let nilable = matches!(
        types.resolved(&TypeRef::Named(root)).base,
        TypeRef::List(_) | TypeRef::Map(..) | TypeRef::Any { .. } | TypeRef::Interface
    );
    format!("{}{package}.{}", if nilable { "" } else { "*" }, name.name).into()
}
