//! Checks of one value.

use kindsmith_checks::{EnumSet, Leaf};
use kindsmith_schema::{Literal, TypeRef};

use super::super::text::{deeper, literal, quote};
use super::{At, ERRORS, FORMATS, SETS, Writer};

impl Writer<'_> {
    pub(super) fn leaf(&mut self, leaf: &Leaf, at: &At) -> Option<String> {
        if let Some(function) = self.plain_leaf(leaf, &at.ty) {
            return Some(format!("{function}({})", Self::standard(at)));
        }
        let limit = |limit: i64| vec![limit.to_string()];
        let (function, arguments) = match leaf {
            Leaf::MinLength(n) => ("MinLength", limit(*n)),
            Leaf::MaxLength(n) => ("MaxLength", limit(*n)),
            Leaf::MaxBytes(n) => ("MaxBytes", limit(*n)),
            Leaf::MinItems(n) => ("MinItems", limit(*n)),
            Leaf::MaxItems(n) => ("MaxItems", limit(*n)),
            Leaf::MinProperties(n) => ("MinProperties", limit(*n)),
            Leaf::MaxProperties(n) => ("MaxProperties", limit(*n)),
            Leaf::Minimum { limit, exclusive } => return self.bound(*limit, *exclusive, true, at),
            Leaf::Maximum { limit, exclusive } => return self.bound(*limit, *exclusive, false, at),
            Leaf::Neq(literal) => ("NEQ", vec![self.fitting(literal, &at.ty)?]),
            Leaf::Enum(set) => ("Enum", self.enumeration(set, &at.ty)),
            Leaf::Fixed { fails, message } => ("FixedResult", vec![(!fails).to_string(), quote(message)]),
            Leaf::SetOnce => return self.set_once(at),
            Leaf::NoNils => return Some(self.no_nils(at)),
            Leaf::Required | Leaf::Optional | Leaf::Forbidden => return self.any_presence(leaf, at),
            Leaf::Immutable | Leaf::Monotonic | Leaf::Format(_) | Leaf::Custom(_) => return None,
        };
        Some(self.library(function, at, &arguments))
    }

    /// The function of a check without arguments.
    pub(super) fn plain_leaf(&mut self, leaf: &Leaf, ty: &TypeRef) -> Option<String> {
        let presence = |prefix: &str| Some(format!("{prefix}{}", self.presence(ty)?));
        let function = match leaf {
            Leaf::Required => presence("Required")?,
            Leaf::Optional => presence("Optional")?,
            Leaf::Forbidden => presence("Forbidden")?,
            Leaf::NoNils if self.has_plain_pointers(ty) => "PtrSliceNoNils".to_owned(),
            Leaf::Immutable => "Immutable".to_owned(),
            Leaf::Monotonic => "Monotonic".to_owned(),
            Leaf::Format(format) => match format_function(format.name) {
                Some(function) => function.to_owned(),
                None => return self.proposed_format(format.name, ty),
            },
            Leaf::Custom(function) => {
                self.expect_custom(function);
                return Some(function.to_string());
            }
            _ => return None,
        };
        Some(self.validate(&function))
    }

    /// A function for a format that the library of validations does not have.
    fn proposed_format(&mut self, name: &str, ty: &TypeRef) -> Option<String> {
        let value = self.types().non_pointer(ty);
        let parameter = format!("*{}", self.names.text(&value));
        let errors = self.error_list();
        let origin = quote(&format!("format={name}"));
        let body = match name {
            "dns-label" => {
                let short = self.validate("ShortName");
                format!("return {short}(ctx, op, fldPath, obj, oldObj).WithOrigin({origin})")
            }
            "ip" | "k8s-ip" => {
                let is_valid = self.names.imports.of(FORMATS, "IsValidIP");
                format!(
                    "if obj == nil {{\n\treturn nil\n}}\nreturn {is_valid}(fldPath, string(*obj)).WithOrigin({origin})"
                )
            }
            _ => return None,
        };
        let head = self.head("", &parameter, &errors);
        Some(literal(&head, &body))
    }

    /// A hand-written function must be in the package of the file.
    fn expect_custom(&mut self, function: &str) {
        let package = self.target.package;
        if !package.functions.iter().any(|known| &*known.name == function) {
            self.missing.push(function.to_owned());
        }
    }

    /// The library's presence function for a type.
    fn presence(&self, ty: &TypeRef) -> Option<&'static str> {
        let resolved = self.types().resolved(ty);
        match resolved.base {
            _ if resolved.pointers > 0 => Some("Pointer"),
            TypeRef::List(_) => Some("Slice"),
            TypeRef::Map(..) => Some("Map"),
            TypeRef::Any { .. } | TypeRef::Interface => None,
            _ => Some("Value"),
        }
    }

    /// Presence of values of interface types, for which the library has no function.
    fn any_presence(&mut self, leaf: &Leaf, at: &At) -> Option<String> {
        let (condition, error, detail) = match leaf {
            Leaf::Required => ("==", "Required", ""),
            Leaf::Optional => ("==", "Required", "optional value was not specified"),
            _ => ("!=", "Forbidden", ""),
        };
        let error = self.names.imports.of(ERRORS, error);
        Some(self.inline(&format!(
            "if {} {condition} nil {{\n\terrs = append(errs, {error}(fldPath, {}))\n}}\nreturn errs",
            at.new,
            quote(detail)
        )))
    }

    fn has_plain_pointers(&self, ty: &TypeRef) -> bool {
        let element = self.types().list_element(ty);
        element.is_some_and(|element| matches!(self.types().unalias(&element), TypeRef::Pointer(_)))
    }

    /// Elements of a named pointer type, which the library's function does not accept.
    fn no_nils(&mut self, at: &At) -> String {
        let required = self.names.imports.of(ERRORS, "Required");
        let body = format!("errs = append(errs, {required}(fldPath.Index(i), \"\"))");
        let check = format!("if item == nil {{\n{}\n}}", deeper(&body));
        self.inline(&format!(
            "for i, item := range {} {{\n{}\n}}\nreturn errs",
            at.new,
            deeper(&check)
        ))
    }

    /// A literal that fits the type; one that does not can never be equal.
    fn fitting(&self, literal: &Literal, ty: &TypeRef) -> Option<String> {
        match literal {
            Literal::Str(text) => Some(quote(text)),
            Literal::Bool(truth) => Some(truth.to_string()),
            Literal::Int(number) => {
                let (low, high) = self.types().scalar(ty)?.range()?;
                (low..=high)
                    .contains(&i128::from(*number))
                    .then(|| number.to_string())
            }
        }
    }

    /// The sets of values, declared beside the function.
    fn enumeration(&mut self, set: &EnumSet, ty: &TypeRef) -> Vec<String> {
        let ty = self.types().non_pointer(ty);
        let ty = self.names.text(&ty);
        let values: Vec<String> = set.values.iter().map(|value| quote(value)).collect();
        let new = self.names.imports.of(SETS, "New");
        let name = self.unique(&format!("valuesOf_{}", self.subject));
        self.beside
            .push(format!("var {name} = {new}[{ty}]({})", values.join(", ")));
        if set.exclusions.is_empty() {
            return vec![name, "nil".to_owned()];
        }
        let exclusion = self.validate("EnumExclusion");
        let rules: Vec<String> = set
            .exclusions
            .iter()
            .map(|rule| {
                let (value, option) = (quote(&rule.value), quote(&rule.option));
                format!(
                    "\t{{Value: {value}, ExcludeWhen: {}, Option: {option}}},",
                    rule.when
                )
            })
            .collect();
        let excluded = self.unique(&format!("exclusionsOf_{}", self.subject));
        self.beside.push(format!(
            "var {excluded} = []{exclusion}[{ty}]{{\n{}\n}}",
            rules.join("\n")
        ));
        vec![name, excluded]
    }
}

fn format_function(name: &str) -> Option<&'static str> {
    Some(match name {
        "k8s-short-name" => "ShortName",
        "k8s-long-name" => "LongName",
        "k8s-long-name-caseless" => "LongNameCaseless",
        "k8s-label-key" => "LabelKey",
        "k8s-prefixed-label-key" => "PrefixedLabelKey",
        "k8s-label-value" => "LabelValue",
        "k8s-path-segment-name" => "PathSegmentName",
        "k8s-uuid" => "UUID",
        "k8s-resource-pool-name" => "ResourcePoolName",
        "k8s-extended-resource-name" => "ExtendedResourceName",
        "k8s-resource-fully-qualified-name" => "ResourceFullyQualifiedName",
        _ => return None,
    })
}
