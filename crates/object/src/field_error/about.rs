//! What a field error is about, for code that treats some errors specially. Texts are for people: no code reads them.

/// What an error is about. Set where the error is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum About {
    /// The estimated cost of one CEL rule is over the limit.
    RuleCost,
    /// The estimated cost of all CEL rules of a CRD together is over the limit.
    TotalCost,
    /// A CEL rule of a schema is not fulfilled.
    Rule {
        /// Its number among the rules of its node.
        index: u32,
        /// How many steps of the path lead to its node; a `fieldPath` adds more.
        depth: u32,
    },
    /// A CEL rule of a schema cannot be compiled, or fails while it is evaluated.
    BrokenRule {
        /// Its number among the rules of its node.
        index: u32,
        /// How many steps of the path lead to its node.
        depth: u32,
    },
    /// Rules were not evaluated, because other errors come first.
    RulesNotChecked,
    /// A keyword of a schema, where the kind of the error does not name it.
    Keyword(Keyword),
}

/// A keyword of a schema that a value does not fulfill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "they are named as in schemas")]
pub enum Keyword {
    Type,
    MinLength,
    Pattern,
    Minimum,
    Maximum,
    MultipleOf,
    MinItems,
    MinProperties,
    AllOf,
    AnyOf,
    OneOf,
    Not,
}

impl Keyword {
    /// Its name in schemas, as a list of one.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Type => &["type"],
            Self::MinLength => &["minLength"],
            Self::Pattern => &["pattern"],
            Self::Minimum => &["minimum"],
            Self::Maximum => &["maximum"],
            Self::MultipleOf => &["multipleOf"],
            Self::MinItems => &["minItems"],
            Self::MinProperties => &["minProperties"],
            Self::AllOf => &["allOf"],
            Self::AnyOf => &["anyOf"],
            Self::OneOf => &["oneOf"],
            Self::Not => &["not"],
        }
    }
}

impl About {
    /// Whether it is the estimated cost of CEL rules.
    #[must_use]
    pub fn is_cost(self) -> bool {
        matches!(self, Self::RuleCost | Self::TotalCost)
    }
}
