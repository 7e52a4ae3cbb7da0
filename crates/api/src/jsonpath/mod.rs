//! JSON paths as in client-go (util/jsonpath), used by the columns and selectable fields of custom resources. A path is
//! one expression without its braces; missing members are not an error. Knows values only.

mod compare;
mod find;
mod parse;

pub(crate) use find::Search;
use kindsmith_json::Value;

/// A parsed path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonPath {
    nodes: Vec<Node>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
enum Node {
    /// `.a` or `['a']`.
    Field(String),
    /// `[0]`, `[1:3]`, `[*]`.
    Slice(Slice),
    /// `.*`.
    Wildcard,
    /// `..`.
    Recursive,
    /// `[?(@.a == "b")]`.
    Filter(Box<Filter>),
    /// `[0,2]`.
    Union(Vec<Vec<Node>>),
    /// `"text"`.
    Text(String),
    /// `1`.
    Int(i64),
    /// `1.5`.
    Float(f64),
    /// `true`.
    Bool(bool),
    /// A word that is not supported here and ends the search, such as `range` and `end`.
    Word,
}

/// Start, end and step.
#[derive(Debug, Clone, PartialEq)]
struct Slice {
    start: Option<i64>,
    end: Option<i64>,
    step: Option<i64>,
    /// Whether the end was not written but derived from a single index.
    is_index: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Filter {
    left: Vec<Node>,
    operator: String,
    right: Vec<Node>,
}

impl JsonPath {
    /// The names of the members on the way, if there is nothing else.
    pub(crate) fn members(&self) -> Option<Vec<String>> {
        let name = |node: &Node| match node {
            Node::Field(name) => Some(name.clone()),
            _ => None,
        };
        self.nodes.iter().map(name).collect()
    }

    /// Parses a path; `None` if it is malformed.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        parse::parse(text).map(|nodes| JsonPath { nodes })
    }

    /// The values at the path; `None` if it cannot be followed, for example when an index is out of range.
    pub(crate) fn find<'v>(&'v self, root: Value<'v>) -> Option<Vec<Value<'v>>> {
        self.find_within(root, &mut Search::default())
    }

    /// The same, as a part of a larger search.
    pub(crate) fn find_within<'v>(&'v self, root: Value<'v>, search: &mut Search) -> Option<Vec<Value<'v>>> {
        search.walk(&[root], &self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, parse_str};
    use proptest::prelude::*;

    use super::*;

    const OBJECT: &str = r#"{"spec":{"a":1,"b":null,"c.d":"dot","list":[{"n":"x","v":1},{"n":"y","v":2.5},{"n":"z"}],
        "deep":{"n":"w"}},"s":"text"}"#;

    fn check(path: &str, expected: Option<&str>) {
        let arena = Arena::new();
        let object = parse_str(&arena, OBJECT).expect("the object is JSON");
        let path = JsonPath::parse(path).unwrap_or_else(|| panic!("{path} parses"));
        let found = path.find(object);
        let shown = found.map(|values| {
            values
                .iter()
                .map(|value| format!("{value:?}"))
                .collect::<Vec<_>>()
                .join(" ")
        });
        assert_eq!(shown.as_deref(), expected, "{path:?}");
    }

    #[test]
    fn paths_find_the_same_values_as_client_go() {
        check(".spec.a", Some("1"));
        check("$.spec.a", Some("1"));
        check(".spec.none.deeper", Some(""));
        check(".spec.b", Some("null"));
        check(".spec['c.d']", Some(""));
        check(r".spec['c\.d']", Some(r#""dot""#));
        check(r".spec.c\.d", Some(r#""dot""#));
        check(".spec.list[0].n", Some(r#""x""#));
        check(".spec.list[-1].n", Some(r#""z""#));
        check(".spec.list[5].n", None);
        check(".spec.list[*].n", Some(r#""x" "y" "z""#));
        check(".spec.list[0:2].n", Some(r#""x" "y""#));
        check(".spec.list[::2].n", Some(r#""x" "z""#));
        check(".spec.list[0,2].n", Some(r#""x" "z""#));
        check(".spec.list[9223372036854775807]", None);
        check(".spec.list[-9223372036854775808]", None);
        check(".spec.a[0]", None);
        check(".spec.deep.*", Some(r#""w""#));
    }

    #[test]
    fn a_search_that_multiplies_hits_the_limit() {
        let arena = Arena::new();
        let nested = (0..4).fold("1".to_owned(), |inner, _| {
            format!("[{}]", vec![inner; 9].join(","))
        });
        let value = parse_str(&arena, &nested).expect("it is JSON");
        let everything = format!("[*{}]", ",*".repeat(40));
        let finds = |path: &str| {
            let path = JsonPath::parse(path).unwrap_or_else(|| panic!("{path} parses"));
            path.find(value).map(|found| found.len())
        };
        assert_eq!(finds(&everything), Some(9 * 41));
        assert_eq!(finds(&everything.repeat(4)), None);
    }

    #[test]
    fn filters_compare() {
        check(r#".spec.list[?(@.n=="y")].v"#, Some("2.5"));
        check(".spec.list[?(@.n=='y')].v", Some("2.5"));
        check(r#".spec.list[?(@.n!="y")].n"#, Some(r#""x" "z""#));
        check(".spec.list[?(@.v)].n", Some(r#""x" "y""#));
        // An integer and a float cannot be compared, which ends the search.
        check(".spec.list[?(@.v==1)].n", None);
        check(".spec.a[?(@.v)]", None);
    }

    #[test]
    fn malformed_paths_do_not_parse() {
        for text in [".spec.list[", ".spec.list[a]", "....a", ".a[?(@.b]", "}", ".a %"] {
            assert_eq!(JsonPath::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_path_panics(text in r#"([.$@*?()=<>!'",:\\\[\]{} +_-]|\.\.|\[\?\(@\.|==|list|spec|n|9223372036854775807|-1|0|é){0,12}"#) {
            let arena = Arena::new();
            let object = parse_str(&arena, OBJECT).expect("the object is JSON");
            let found = JsonPath::parse(&text).and_then(|path| Some(path.find(object)?.len()));
            prop_assert!(found.is_none_or(|found| found < 1_000_000));
        }
    }
}
