//! Schemas compiled into plans that prune, default, validate and ratchet objects as Kubernetes' generated Go code
//! does.
//!
//! A [`Plan`] is compiled once from a type of a schema. Its passes are functions of values: they read no files, no
//! clock and no environment, and no input makes them panic.
//!
//! ```
//! use kindsmith_engine::{Change, Plan};
//! use kindsmith_json::{Arena, parse_str};
//! use kindsmith_schema::*;
//!
//! // type Thing struct {
//! //     // +k8s:required
//! //     // +k8s:maxLength=3
//! //     Name string `json:"name"`
//! // }
//! let mut builder = Builder::default();
//! let name = TypeName::new("example.org/api", "Thing");
//! let id = builder.declare(&name);
//! let mut field = Field::new("Name", JsonTag::parse("name"), TypeRef::Scalar(Scalar::String));
//! field.rules = vec![
//!     Rule::new(Family::Declarative, Facet::Required),
//!     Rule::new(Family::Declarative, Facet::MaxLength(3)),
//! ];
//! builder.define(id, Type::new(name, Shape::Struct(Struct { fields: vec![field] })));
//! let (schema, renumbering) = builder.finish();
//!
//! let plan = Plan::compile(&schema, renumbering.ty(id));
//! let arena = Arena::new();
//! let object = parse_str(&arena, r#"{"name": "abcd"}"#)?;
//! let errors = plan.validate(&Change::create(object));
//! assert_eq!(errors[0].to_string(), "name: Too long: may not be more than 3 characters");
//! # Ok::<(), kindsmith_json::ReadError>(())
//! ```

mod change;
mod default;
mod plan;
mod run;
mod value;

pub use kindsmith_checks::Profile;

pub use change::{Change, CustomChecks, Operation, OptionSet};
pub use default::{Defaulting, Hooks, NoHooks};
pub use plan::{CompileOptions, Plan};
pub use value::{DecodeError, Wanted};
