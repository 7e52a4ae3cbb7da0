//! Variables with selections and indexes: `self.a[0].?b`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use kindsmith_json::Value as Json;

use crate::types::decl::{Node as Schema, NodeShape};
use crate::types::patch_types;

use crate::eval::context::{Context, Eval, Policy, Stop};
use crate::eval::describe::{describe, go_type};
use crate::eval::exec;
use crate::eval::program::{Attribute, Base, Field, Qualifier, QualifierKind};
use crate::eval::value::{Record, Value, lossless_int};
use crate::eval::{json, list};

/// The value of an attribute, charged as one.
pub(super) fn eval<'a, const EXACT: bool>(cx: &mut Context<'a>, attribute: &'a Attribute) -> Eval<'a> {
    let value = resolve::<EXACT>(cx, attribute)?;
    observe::<EXACT>(cx, attribute)?;
    if EXACT {
        cx.stack.push(attribute.id(), value);
    }
    Ok(value)
}

/// `has(...)`: whether the last qualifier finds something. The test itself is free.
pub(super) fn test<'a, const EXACT: bool>(
    cx: &mut Context<'a>,
    id: u32,
    attribute: &'a Attribute,
) -> Eval<'a> {
    let value = match resolve::<EXACT>(cx, attribute)? {
        Value::Optional(inner) => Value::Bool(inner.is_some()),
        other => other,
    };
    observe::<EXACT>(cx, attribute)?;
    cx.cost = cx.cost.wrapping_sub(1);
    if EXACT {
        cx.stack.push(id, value);
    }
    Ok(value)
}

fn observe<const EXACT: bool>(cx: &mut Context<'_>, attribute: &Attribute) -> Result<(), Stop> {
    if let Base::Conditional(conditional) = &attribute.base {
        if EXACT {
            for id in [
                conditional.otherwise.id(),
                conditional.then.id(),
                conditional.condition.id(),
            ] {
                cx.stack.drop_to(id);
            }
        }
        return Ok(());
    }
    if EXACT {
        cx.stack.drop_to(attribute.id());
    }
    cx.charge(1)
}

/// The value of an attribute without the charge for itself; its qualifiers are charged.
fn resolve<'a, const EXACT: bool>(cx: &mut Context<'a>, attribute: &'a Attribute) -> Eval<'a> {
    let base = match &attribute.base {
        Base::Variable(slot, name) => match (cx.slots[*slot], cx.policy) {
            (Some(value), _) => value,
            (None, Some(policy)) if let Some(data) = policy.data(*slot) => {
                return of_data::<EXACT>(cx, policy, data, attribute);
            }
            (None, Some(policy)) if let Some(value) = policy.value(*slot) => value,
            _ => return Ok(cx.error(&format!("no such attribute(s): {name}"))),
        },
        Base::Accumulator(slot, accumulator) => match cx.slots[*slot] {
            Some(value) => value,
            None => {
                let init = exec::eval::<EXACT>(cx, &accumulator.init)?;
                let value = start(cx, *slot, accumulator.collects, init);
                cx.slots[*slot] = Some(value);
                value
            }
        },
        Base::Value(node) => exec::eval::<EXACT>(cx, node)?,
        Base::Conditional(conditional) => {
            return match exec::eval::<EXACT>(cx, &conditional.condition)? {
                Value::Bool(true) => resolve::<EXACT>(cx, &conditional.then),
                Value::Bool(false) => resolve::<EXACT>(cx, &conditional.otherwise),
                other => Ok(cx.no_overload_for(other)),
            };
        }
    };
    if attribute.qualifiers.is_empty() || base.is_error() {
        return Ok(base);
    }
    qualify_all::<EXACT>(cx, base, &attribute.qualifiers)
}

/// The value of an attribute of data without a schema. Fields are looked up in the data; only what they lead to becomes a value.
fn of_data<'a, const EXACT: bool>(
    cx: &mut Context<'a>,
    policy: &'a dyn Policy<'a>,
    data: &'a Json<'a>,
    attribute: &'a Attribute,
) -> Eval<'a> {
    let (mut json, mut qualifiers) = (data, &attribute.qualifiers[..]);
    // A replay needs the value of every qualifier.
    while !EXACT
        && let Some((qualifier, rest)) = qualifiers.split_first()
        && !qualifier.optional
        && let Json::Object(_) = json
    {
        match &qualifier.kind {
            QualifierKind::Field(field) if let Some(found) = known_entry(json, &field.name, field) => {
                cx.charge(1)?;
                (json, qualifiers) = (found, rest);
            }
            QualifierKind::Test(field) if rest.is_empty() => {
                cx.charge(1)?;
                return Ok(Value::Bool(known_entry(json, &field.name, field).is_some()));
            }
            _ => break,
        }
    }
    let shown = policy.show(json);
    // Without room for it, the evaluation ends.
    cx.pay(0)?;
    qualify_all::<EXACT>(cx, shown, qualifiers)
}

/// The first value of an accumulator: empty containers of collecting loops are extended in place.
fn start<'a>(cx: &mut Context<'a>, slot: usize, collects: bool, init: Value<'a>) -> Value<'a> {
    if init.is_list() && list::len(init) == 0 {
        if cx.lists.len() <= slot {
            cx.lists.resize_with(slot + 1, Vec::new);
        }
        cx.lists[slot].clear();
        return if collects {
            Value::ListAccumulator(slot as u32)
        } else {
            Value::List(&[])
        };
    }
    if init.is_map() && list::len(init) == 0 {
        if cx.maps.len() <= slot {
            cx.maps.resize_with(slot + 1, Default::default);
        }
        cx.maps[slot].entries.clear();
        cx.maps[slot].index.clear();
        return if collects {
            Value::MapAccumulator(slot as u32)
        } else {
            cx.map(&Default::default())
        };
    }
    init
}

/// Applies the qualifiers; from the first optional one on, absence gives an empty optional.
fn qualify_all<'a, const EXACT: bool>(
    cx: &mut Context<'a>,
    base: Value<'a>,
    qualifiers: &'a [Arc<Qualifier>],
) -> Eval<'a> {
    let mut object = base;
    let mut optional = false;
    if let Value::Optional(inner) = base {
        match inner {
            Some(inner) => object = *inner,
            None => return Ok(base),
        }
        optional = true;
    }
    for qualifier in qualifiers {
        optional |= qualifier.optional;
        let found = qualify::<EXACT>(cx, object, qualifier, optional)?;
        match found {
            Found::Present(value) => {
                charge::<EXACT>(cx, qualifier, value)?;
                object = value;
            }
            // Evaluating the qualifier failed, or the key has the wrong type.
            Found::Failed(error) => {
                if !optional {
                    charge::<EXACT>(cx, qualifier, error)?;
                }
                return Ok(error);
            }
            Found::Absent(_) if optional => return Ok(Value::Optional(None)),
            Found::Absent(missing) => {
                let error = missing.error(cx);
                charge::<EXACT>(cx, qualifier, error)?;
                return Ok(error);
            }
        }
    }
    Ok(if optional { cx.some(object) } else { object })
}

fn charge<'a, const EXACT: bool>(
    cx: &mut Context<'a>,
    qualifier: &Qualifier,
    value: Value<'a>,
) -> Result<(), Stop> {
    if EXACT && let QualifierKind::Value(_) = qualifier.kind {
        cx.stack.drop_to(qualifier.id);
    }
    cx.charge(1)?;
    if EXACT {
        cx.stack.push(qualifier.id, value);
    }
    Ok(())
}

/// What a qualifier found.
enum Found<'a> {
    Present(Value<'a>),
    Absent(Missing<'a>),
    Failed(Value<'a>),
}

/// What is missing, for the error text.
enum Missing<'a> {
    Key(Value<'a>),
    Index(Value<'a>),
}

impl<'a> Missing<'a> {
    #[cold]
    fn error(self, cx: &mut Context<'a>) -> Value<'a> {
        let text = match self {
            Missing::Key(key) => format!("no such key: {}", describe(key)),
            Missing::Index(index) => format!("index out of bounds: {}", describe(index)),
        };
        cx.error(&text)
    }
}

fn qualify<'a, const EXACT: bool>(
    cx: &mut Context<'a>,
    object: Value<'a>,
    qualifier: &'a Qualifier,
    optional: bool,
) -> Result<Found<'a>, Stop> {
    let key = match &qualifier.kind {
        QualifierKind::Field(field) => return Ok(select(cx, object, field)),
        QualifierKind::Test(field) => {
            return Ok(match (select(cx, object, field), optional) {
                (failed @ Found::Failed(_), _) => failed,
                // An error value is reported even if only its presence is tested.
                (Found::Present(error @ Value::Error(_)), _) => Found::Failed(error),
                (Found::Present(value), true) => Found::Present(value),
                (absent, true) => absent,
                (found, false) => Found::Present(Value::Bool(matches!(found, Found::Present(_)))),
            });
        }
        QualifierKind::Constant(constant) => list::constant(cx, constant),
        QualifierKind::Attribute(attribute) => resolve::<EXACT>(cx, attribute)?,
        QualifierKind::Value(node) => exec::eval::<EXACT>(cx, node)?,
    };
    if key.is_error() {
        return Ok(Found::Failed(key));
    }
    if !matches!(
        key,
        Value::String(_) | Value::Int(_) | Value::Uint(_) | Value::Bool(_) | Value::Double(_)
    ) {
        let text = format!("invalid qualifier type: {}", go_type(key));
        return Ok(Found::Failed(cx.error(&text)));
    }
    Ok(index(cx, object, key))
}

/// The value under a key or position.
fn index<'a>(cx: &mut Context<'a>, object: Value<'a>, key: Value<'a>) -> Found<'a> {
    if object.is_map() {
        return match list::find(cx, object, key) {
            Ok(Some(error @ Value::Error(_))) | Err(error) => Found::Failed(error),
            Ok(Some(value)) => Found::Present(value),
            Ok(None) => Found::Absent(Missing::Key(key)),
        };
    }
    if !object.is_list() {
        return match object {
            Value::Error(_) => Found::Failed(object),
            Value::Variables => variable(cx, key),
            Value::Record(record) if record.name == patch_types::JSON_PATCH => patch_field(cx, record, key),
            _ => Found::Absent(Missing::Key(key)),
        };
    }
    let position = match position(key) {
        Ok(position) => position,
        Err(text) => return Found::Failed(cx.error(&text)),
    };
    match usize::try_from(position)
        .ok()
        .filter(|at| *at < list::len(object))
    {
        // Lists of the object accept integers only.
        Some(_) if matches!(object, Value::JsonList(..)) && !matches!(key, Value::Int(_)) => {
            let text = format!("unsupported index: {}", describe(key));
            Found::Present(cx.error(&text))
        }
        Some(at) => Found::Present(list::get(cx, object, at)),
        None => Found::Absent(Missing::Index(key)),
    }
}

/// A variable of an admission policy, evaluated now if it was not before.
fn variable<'a>(cx: &mut Context<'a>, key: Value<'a>) -> Found<'a> {
    let Value::String(name) = key else {
        return Found::Failed(cx.no_overload_for(key));
    };
    let found = cx.policy.and_then(|policy| policy.variable(name));
    match found {
        Some(error @ Value::Error(_)) => {
            cx.saw_error = true;
            Found::Present(error)
        }
        Some(value) => Found::Present(value),
        None => Found::Absent(Missing::Key(key)),
    }
}

/// A field of a patch; texts that are not set are empty.
fn patch_field<'a>(cx: &mut Context<'a>, patch: &Record<'a>, key: Value<'a>) -> Found<'a> {
    match key {
        Value::String(name @ ("op" | "path" | "from")) => {
            Found::Present(patch.field(name).unwrap_or(Value::String("")))
        }
        Value::String("value") if let Some(value) = patch.field("value") => Found::Present(value),
        _ => Found::Failed(cx.error(&format!("unsupported indexer: {}", describe(key)))),
    }
}

/// The list position a key means.
fn position(key: Value<'_>) -> Result<i64, String> {
    let found = match key {
        Value::Int(i) => Some(i),
        Value::Double(d) => lossless_int(d),
        Value::Uint(u) => i64::try_from(u).ok(),
        other => return Err(format!("unsupported index type '{}' in list", other.type_name())),
    };
    found.ok_or_else(|| format!("unsupported index value {} in list", describe(key)))
}

/// The value of a field or constant key.
#[inline]
fn select<'a>(cx: &mut Context<'a>, object: Value<'a>, field: &'a Field) -> Found<'a> {
    if let (Value::JsonMap(json, node), Some((parent, child))) = (object, &field.hint)
        && std::ptr::eq(node, &raw const **parent)
    {
        return select_known(cx, json, child, field);
    }
    if let Value::JsonMap(json, node) = object {
        return select_property(cx, json, node, field);
    }
    index(cx, object, Value::String(&field.name))
}

/// A property whose node the type checker found.
#[inline]
fn select_known<'a>(
    cx: &mut Context<'a>,
    json: &'a Json<'a>,
    child: &'a Schema,
    field: &'a Field,
) -> Found<'a> {
    let property = field.property.as_deref().unwrap_or(&field.name);
    match known_entry(json, property, field) {
        Some(value) if !value.is_null() => present(json::wrap(cx, value, child)),
        _ => Found::Absent(Missing::Key(Value::String(&field.name))),
    }
}

/// The value of a property; looks first at the position where it was found last time.
#[inline]
fn known_entry<'a>(json: &'a Json<'a>, property: &str, field: &Field) -> Option<&'a Json<'a>> {
    let object = json.as_object()?;
    let last = field.position.load(Ordering::Relaxed);
    if let Some(entry) = object.entries().get(last).filter(|entry| entry.key == property) {
        return Some(&entry.value);
    }
    let at = object.position(property)?;
    field.position.store(at, Ordering::Relaxed);
    Some(&object.entries()[at].value)
}

fn select_property<'a>(
    cx: &mut Context<'a>,
    json: &'a Json<'a>,
    node: &'a Schema,
    field: &'a Field,
) -> Found<'a> {
    let named = matches!(&node.shape, NodeShape::Object(object) if object.named);
    let property = if named {
        field.property.as_deref()
    } else {
        Some(&*field.name)
    };
    match property.and_then(|property| json::member(cx, json, node, property)) {
        Some(value) => present(value),
        None => Found::Absent(Missing::Key(Value::String(&field.name))),
    }
}

fn present(value: Value<'_>) -> Found<'_> {
    if value.is_error() {
        Found::Failed(value)
    } else {
        Found::Present(value)
    }
}
