//! The signature of the function that `+k8s:customValidation` calls. Whether there is one at all is for the linter to
//! say, which knows what is reached.

use kindsmith_schema::{Function, Owner, Package};

use super::at::At;
use super::cx::Cx;
use super::misuse::Misuse;
use crate::grammar::marker;
use crate::site::BlockKind;

impl<'a> Cx<'a> {
    /// Looks for the function in the package that code is generated into, when that is the package of the type.
    pub(crate) fn check_custom(&mut self, at: &At<'a>) {
        let (owner, field) = match at.owner {
            Owner::Type(id) => (id, None),
            Owner::Field(id) => (id.owner, self.view.ty(id.owner).fields().get(id.index as usize)),
            Owner::Package(_) | Owner::Constant(..) => return,
        };
        let name = &self.view.ty(owner).name;
        let Some(package) = self.generated_package(&name.package) else {
            return;
        };
        let function = match field {
            Some(field) => format!("ValidateCustom_{}_{}", name.name, field.name),
            None => format!("ValidateCustom_{}", name.name),
        };
        let found = package.functions.iter().find(|found| *found.name == *function);
        if found.is_none_or(has_signature) {
            return;
        }
        let text = format!(
            "+k8s:customValidation: {}.{function} must have signature func(ctx context.Context, op \
             operation.Operation, fldPath *field.Path, value, oldValue {}) field.ErrorList",
            package.path,
            self.value_text(at)
        );
        self.report(at, Misuse::new(text));
    }

    /// The package of types, if code is generated into it.
    fn generated_package(&self, path: &str) -> Option<&'a Package> {
        let packages = self.builder.packages();
        let index = packages.iter().position(|package| *package.path == *path)?;
        let site = self.sites.get(&Owner::Package(u32::try_from(index).ok()?))?;
        let markers = site
            .lines(BlockKind::DocFile)
            .filter_map(|line| marker(line.text));
        let mut asked = false;
        for marker in markers {
            match marker.name {
                "k8s:validation-gen" if marker.text != "k8s:validation-gen=false" => asked = true,
                "k8s:validation-gen-input" => return None,
                _ => {}
            }
        }
        packages.get(index).filter(|_| asked)
    }

    /// The type of the value as the function takes it.
    fn value_text(&self, at: &At<'a>) -> String {
        let Some(ty) = at.ty else {
            return String::new();
        };
        let text = crate::go_type::text(self.view, ty);
        if self.native(at).is_nilable(self.view) {
            text
        } else {
            format!("*{text}")
        }
    }
}

fn has_signature(function: &Function) -> bool {
    function.params.len() == 5 && function.params[3] == function.params[4] && function.results.len() == 1
}
