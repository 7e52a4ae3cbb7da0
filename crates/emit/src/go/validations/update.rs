//! What an update may not change.

use kindsmith_checks::{Matching, Profile};
use kindsmith_schema::{FieldId, Literal, TypeRef, UpdateConstraint};

use super::super::text::deeper;
use super::{At, ERRORS, OPERATION, Writer};

impl Writer<'_> {
    pub(super) fn update(
        &mut self,
        constraints: &[UpdateConstraint],
        matching: &Matching,
        at: &At,
    ) -> Option<String> {
        if self.profile == Profile::Kep && constraints.contains(&UpdateConstraint::NoAddItem) {
            return self.update_of_set_list(constraints, matching, at);
        }
        self.update_call(constraints, matching, at)
    }

    /// The KEP calls the step from no items to some "set", which `NoAddItem` allows.
    fn update_of_set_list(
        &mut self,
        constraints: &[UpdateConstraint],
        matching: &Matching,
        at: &At,
    ) -> Option<String> {
        let others: Vec<UpdateConstraint> = constraints
            .iter()
            .copied()
            .filter(|constraint| *constraint != UpdateConstraint::NoAddItem)
            .collect();
        let empty = if others.is_empty() {
            "nil".to_owned()
        } else {
            self.update_call(&others, matching, at)?
        };
        let all = self.update_call(constraints, matching, at)?;
        let guard = format!("if len({}) == 0 {{\n\treturn {empty}\n}}", at.old);
        Some(self.inline(&format!("{guard}\nreturn {all}")))
    }

    fn update_call(
        &mut self,
        constraints: &[UpdateConstraint],
        matching: &Matching,
        at: &At,
    ) -> Option<String> {
        let names: Vec<String> = constraints
            .iter()
            .map(|constraint| self.validate(constraint.name()))
            .collect();
        let names = names.join(", ");
        if let Some(list) = self.list(&at.ty) {
            let by_item = constraints.iter().any(|constraint| {
                matches!(
                    constraint,
                    UpdateConstraint::NoAddItem | UpdateConstraint::NoRemoveItem
                )
            });
            let find = if by_item {
                self.matching(matching, &list.element).0
            } else {
                "nil".to_owned()
            };
            let function = Self::for_list(&list, "ValSliceUpdate", "PtrSliceUpdate");
            return Some(self.library(function, at, &[find, names]));
        }
        let resolved = self.types().resolved(&at.ty);
        let function = match resolved.base {
            _ if resolved.pointers > 0 => "UpdatePointer",
            TypeRef::Map(..) => "UpdateMap",
            TypeRef::Any { .. } | TypeRef::Interface => return None,
            TypeRef::Named(_) => "UpdateStruct",
            _ => "UpdateValueByCompare",
        };
        Some(self.library(function, at, &[names]))
    }

    /// The KEP's `immutable` on single values: once set, a value cannot change.
    pub(super) fn set_once(&mut self, at: &At) -> Option<String> {
        let (update, invalid) = self.immutable_names();
        let resolved = self.types().resolved(&at.ty);
        let old = &at.old;
        let was_set = match resolved.base {
            _ if resolved.pointers > 0 => format!("{old} != nil"),
            TypeRef::Scalar(kindsmith_schema::Scalar::String) => format!("{old} != nil && *{old} != \"\""),
            TypeRef::Scalar(kindsmith_schema::Scalar::Bool) => format!("{old} != nil && bool(*{old})"),
            TypeRef::Scalar(_) => format!("{old} != nil && *{old} != 0"),
            _ => format!("{old} != nil"),
        };
        let error = deeper(&format!("errs = append(errs, {invalid})"));
        Some(self.inline(&format!(
            "if op.Type == {update} && {was_set} {{\n{error}\n}}\nreturn errs"
        )))
    }

    fn immutable_names(&mut self) -> (String, String) {
        let update = self.names.imports.of(OPERATION, "Update");
        let invalid = self.names.imports.of(ERRORS, "Invalid");
        let error = format!("{invalid}(fldPath, nil, \"field is immutable\").WithOrigin(\"immutable\")");
        (update, error)
    }

    /// The KEP's `immutable` on lists and maps: once there are items, none is added, removed or changed.
    pub(super) fn immutable_items(&mut self, matching: &Matching, at: &At) -> Option<String> {
        let update = self.names.imports.of(OPERATION, "Update");
        let guard = format!(
            "if op.Type != {update} || len({}) == 0 {{\n\treturn nil\n}}",
            at.old
        );
        let names = format!(
            "{}, {}",
            self.validate("NoAddItem"),
            self.validate("NoRemoveItem")
        );
        let (items, each) = match self.list(&at.ty) {
            Some(list) => {
                let (find, same) = self.matching(matching, &list.element);
                let update = Self::for_list(&list, "ValSliceUpdate", "PtrSliceUpdate");
                let items = self.library(update, at, &[find.clone(), names]);
                let each = Self::for_list(&list, "EachValSliceVal", "EachPtrSliceVal");
                (items, self.changed_items(each, at, &[find, same], &list.element)?)
            }
            None => {
                let (_, value) = self.types().map_parts(&at.ty)?;
                let items = self.library("UpdateMap", at, &[names]);
                let same = self.pointer_equality(&value);
                (items, self.changed_items("EachMapVal", at, &[same], &value)?)
            }
        };
        Some(self.inline(&format!(
            "{guard}\nerrs = append(errs, {items}...)\nreturn append(errs, {each}...)"
        )))
    }

    /// Immutability of the elements that have an old value.
    fn changed_items(
        &mut self,
        each: &'static str,
        at: &At,
        arguments: &[String],
        element: &TypeRef,
    ) -> Option<String> {
        let value = self.types().non_pointer(element);
        let parameter = format!("*{}", self.names.text(&value));
        let (errors, immutable) = (self.error_list(), self.validate("Immutable"));
        let head = self.head("", &parameter, &errors);
        let check = "if oldObj == nil {\n\treturn nil\n}".to_owned();
        let body = format!("{check}\nreturn {immutable}(ctx, op, fldPath, obj, oldObj)");
        let inner = super::super::text::literal(&head, &body);
        let mut arguments = arguments.to_vec();
        arguments.push(inner);
        Some(self.library(each, at, &arguments))
    }

    /// The KEP's constraints on one item that may be added and removed.
    pub(super) fn item_update(
        &mut self,
        selector: &[(FieldId, Literal)],
        constraints: &[UpdateConstraint],
        at: &At,
    ) -> Option<String> {
        let list = self.list(&at.ty)?;
        let element = self.types().non_pointer(&list.element);
        let selects = self.selecting(selector, &element);
        let update = self.names.imports.of(OPERATION, "Update");
        let forbidden = self.names.imports.of(ERRORS, "Forbidden");
        let mut lines = vec![
            format!("if op.Type != {update} {{\n\treturn nil\n}}"),
            format!("selects := {selects}"),
            Self::find_item("was", &at.old, list.pointers),
            Self::find_item("is", &at.new, list.pointers),
        ];
        for constraint in constraints {
            lines.push(match constraint {
                UpdateConstraint::NoAddItem => format!(
                    "if was < 0 && is >= 0 && len({}) > 0 {{\n\terrs = append(errs, {forbidden}(fldPath.Index(is), \"item may not be added\").WithOrigin(\"update\"))\n}}",
                    at.old
                ),
                UpdateConstraint::NoSet => format!(
                    "if was < 0 && is >= 0 {{\n\terrs = append(errs, {forbidden}(fldPath.Index(is), \"item may not be added\").WithOrigin(\"update\"))\n}}"
                ),
                UpdateConstraint::NoUnset | UpdateConstraint::NoRemoveItem => format!(
                    "if was >= 0 && is < 0 {{\n\terrs = append(errs, {forbidden}(fldPath, \"item may not be removed\").WithOrigin(\"update\"))\n}}"
                ),
                UpdateConstraint::NoModify => {
                    let invalid = self.names.imports.of(ERRORS, "Invalid");
                    let equal = self.equality(&element);
                    let address = if list.pointers { "" } else { "&" };
                    let same = format!("{equal}({address}{}[is], {address}{}[was])", at.new, at.old);
                    format!(
                        "if was >= 0 && is >= 0 && !{same} {{\n\terrs = append(errs, {invalid}(fldPath.Index(is), nil, \"field cannot be modified once set\").WithOrigin(\"update\"))\n}}"
                    )
                }
            });
        }
        lines.push("return errs".to_owned());
        Some(self.inline(&lines.join("\n")))
    }

    /// The index of the first matching item.
    fn find_item(name: &str, list: &str, pointers: bool) -> String {
        let condition = if pointers {
            "item != nil && selects(item)"
        } else {
            "selects(&item)"
        };
        let found = deeper(&format!("if {condition} {{\n\t{name} = i\n\tbreak\n}}"));
        format!("{name} := -1\nfor i, item := range {list} {{\n{found}\n}}")
    }
}
