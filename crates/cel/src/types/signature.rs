//! Signatures of library functions, written as text: `(list(A), int) -> list(A)`.

use super::Type;

/// The argument and result types of an overload; parameters are variables counted from zero.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The types of the arguments, the target of a method first.
    pub args: Vec<Type>,
    /// The type of the result.
    pub result: Type,
    /// How many type parameters occur.
    pub parameters: u32,
}

impl Signature {
    /// Reads a signature from the library tables. Text that is not in the notation yields error types, which
    /// `every_signature_reads` in the library's tests rules out.
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

    /// The types with parameters moved up by `base`, so that they are fresh variables.
    pub fn instantiate(&self, base: u32) -> (Vec<Type>, Type) {
        (
            self.args.iter().map(|ty| shift(ty, base)).collect(),
            shift(&self.result, base),
        )
    }
}

fn shift(ty: &Type, base: u32) -> Type {
    match ty {
        Type::Var(id) => Type::Var(id + base),
        Type::List(element) => Type::list(shift(element, base)),
        Type::Map(pair) => Type::map(shift(&pair.0, base), shift(&pair.1, base)),
        Type::Opaque(name, parameters) => {
            Type::Opaque(name.clone(), parameters.iter().map(|p| shift(p, base)).collect())
        }
        Type::Type(Some(inner)) => Type::type_of(shift(inner, base)),
        other => other.clone(),
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
