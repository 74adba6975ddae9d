//! The committed schema, as far as these tests have to read it.

/// What is committed, word by word.
pub(crate) const COMMITTED: &str = include_str!("../../schema.graphql");

/// A mutation, as `name(input: Input!): Payload!`.
pub(crate) struct Mutation {
    pub(crate) input: String,
    pub(crate) payload: String,
}

/// The lines that begin a field of a type.
fn lines(of: &str) -> Vec<&'static str> {
    let mut described = false;
    let body = COMMITTED.lines().skip_while(|line| *line != format!("type {of} {{")).skip(1);
    body.take_while(|line| *line != "}")
        .filter(|line| {
            let mark = line.trim() == "\"\"\"";
            described ^= mark;
            !mark && !described
        })
        .filter_map(|line| line.strip_prefix('\t'))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()))
        .collect()
}

/// The names of all fields of a type.
pub(crate) fn fields(of: &str) -> Vec<&'static str> {
    let names = lines(of).into_iter().map(|line| line.split(['(', ':']).next().unwrap());
    let names: Vec<&str> = names.collect();
    assert!(!names.is_empty(), "the schema has no type {of}");
    names
}

pub(crate) fn mutation(name: &str) -> Mutation {
    let start = format!("{name}(input: ");
    let found = lines("Mutation").into_iter().find_map(|line| line.strip_prefix(&start));
    let (input, payload) = found
        .and_then(|rest| rest.split_once("!): "))
        .unwrap_or_else(|| panic!("the schema has no mutation {name} that takes one input"));
    Mutation { input: input.to_owned(), payload: payload.trim_end_matches('!').to_owned() }
}

#[test]
fn fields_are_found_with_and_without_arguments() {
    let queries = fields("Query");
    for field in ["me", "board", "procurement", "text"] {
        assert!(queries.contains(&field), "{queries:?}");
    }
    assert!(!queries.contains(&"first") && !queries.contains(&"At"), "{queries:?}");
    let advance = mutation("advance");
    assert_eq!(
        (advance.input.as_str(), advance.payload.as_str()),
        ("ProcurementInput", "ProcurementPayload")
    );
}
