//! Signatures of library functions, written as text: `(list(A), int) -> list(A)`.

use super::Type;

/// The argument and result types of an overload; parameters are variables counted from zero.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The types of the arguments, the target of a method first.
    pub args: Vec<Type>,
    /// The type of the result.
    pub result: Type,
    /// The number of type parameters.
    pub parameters: u32,
}

impl Signature {
    /// Parses a signature of the library tables. A syntax error yields error types; the library's test
    /// `every_signature_parses` makes sure that there is none.
    pub fn read(text: &str) -> Signature {
        let mut reader = Reader {
            rest: text,
            names: Vec::new(),
        };
        reader.eat("(");
        let mut args = Vec::new();
        while !reader.eat(")") && !reader.rest.is_empty() {
            args.push(reader.ty());
            reader.eat(",");
        }
        reader.eat("->");
        let result = reader.ty();
        Signature {
            args,
            result,
            parameters: reader.names.len() as u32,
        }
    }

    /// The signature with its type parameters renamed to the variables from `base` on.
    pub(crate) fn instantiate(&self, base: u32) -> (Vec<Type>, Type) {
        let shift = |ty: &Type| ty.replace_variables(&|id| Type::Var(id + base));
        if self.parameters == 0 {
            return (self.args.clone(), self.result.clone());
        }
        (self.args.iter().map(shift).collect(), shift(&self.result))
    }
}

struct Reader<'t> {
    rest: &'t str,
    names: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn ty(&mut self) -> Type {
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_')))
            .unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        match name {
            "bool" => Type::Bool,
            "bytes" => Type::Bytes,
            "double" => Type::Double,
            "duration" => Type::Duration,
            "dyn" => Type::Dyn,
            "int" => Type::Int,
            "string" => Type::String,
            "timestamp" => Type::Timestamp,
            "uint" => Type::Uint,
            "list" | "optional" | "type" => {
                self.eat("(");
                let inner = self.ty();
                self.eat(")");
                match name {
                    "list" => Type::list(inner),
                    "optional" => Type::optional(inner),
                    _ => Type::type_of(inner),
                }
            }
            "map" => {
                self.eat("(");
                let key = self.ty();
                self.eat(",");
                let value = self.ty();
                self.eat(")");
                Type::map(key, value)
            }
            "net.IP" | "net.CIDR" => Type::Opaque(name.into(), [].into()),
            _ if name.starts_with("kubernetes.") => Type::object(name),
            _ if name.len() == 1 => Type::Var(self.parameter(name)),
            _ => Type::Error,
        }
    }

    fn parameter(&mut self, name: &'t str) -> u32 {
        match self.names.iter().position(|known| *known == name) {
            Some(at) => at as u32,
            None => {
                self.names.push(name);
                self.names.len() as u32 - 1
            }
        }
    }
}
