//! What the guard lets through and what it refuses, with properties over arbitrary text.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{Kinds, Limits, check, json_shape, kinds};

fn code(query: &str) -> &'static str {
    check(query, &Limits::default()).map_or_else(|refusal| refusal.code, |()| "let through")
}

fn doubling_fragments(levels: usize) -> String {
    let mut query = String::from("{...f0}");
    for level in 0..levels {
        let next = level + 1;
        write!(query, "fragment f{level} on Query{{...f{next} ...f{next}}}").unwrap();
    }
    write!(query, "fragment f{levels} on Query{{id}}").unwrap();
    query
}

#[test]
fn ordinary_documents_pass() {
    for query in [
        "{ a }",
        "query Named($id: ID! = \"}{\", $list: [Int!]! = [1, 2]) @cached { a(id: $id) { b } }",
        "mutation { open(input: { title: \"x\", cards: [{ name: \"H100\" }] }) { id } }",
        "subscription { events { ... on Opened { id } ... @include(if: true) { at } ...Rest } } \
         fragment Rest on Event { alias: id }",
        "\u{feff}# a comment {{{{\r\n{ a, b, c }",
        "{ a(text: \"\"\"say \\\"\"\" and { [ ( \"\"\") }",
        "{ a(text: \"escaped \\\" quote {\\\\\") }",
        "{ query mutation fragment on }",
    ] {
        assert_eq!(code(query), "let through", "{query}");
    }
}

#[test]
fn brackets_in_strings_and_comments_do_not_count() {
    let brackets = "[{(".repeat(1_000);
    for query in [
        format!("{{ a(text: \"{brackets}\") }}"),
        format!("{{ a(text: \"\"\"{brackets}\n\"quoted\" \\\"\"\" {brackets}\"\"\") }}"),
        format!("{{ a # {brackets}\n }}"),
    ] {
        assert_eq!(code(&query), "let through");
    }
}

#[test]
fn a_string_end_cannot_hide_brackets() {
    let brackets = "[".repeat(2_000);
    for query in [
        format!("{{ a(x: \"\" y: {brackets}"),
        format!("{{ a(x: \"\\\\\" y: {brackets}"),
        format!("{{ a(x: \"\"\"\"\"\" y: {brackets}"),
        format!("{{ a(x: \"\"\"\\\\\"\"\"\"\"\" y: {brackets}"),
        format!("{{ a # comment\r(y: {brackets}"),
    ] {
        assert_eq!(code(&query), "query_too_deep", "{}", &query[..30]);
    }
}

#[test]
fn nesting_is_refused_in_values_and_in_selections() {
    assert_eq!(
        code(&format!("{{a(x:{}{})}}", "[".repeat(2_500), "]".repeat(2_500))),
        "query_too_deep"
    );
    assert_eq!(code(&format!("{}a{}", "{a".repeat(2_500), "}".repeat(2_500))), "query_too_deep");
    assert_eq!(code(&format!("query($x:{}Int", "[".repeat(2_500))), "query_too_deep");
    assert_eq!(code(&format!("{{a(x:{}", "{x:".repeat(2_500))), "query_too_deep");
}

#[test]
fn depth_counts_through_fragments() {
    let mut query = String::from("{...f0}");
    for level in 0..20 {
        write!(query, "fragment f{level} on Query{{a{{...f{}}}}}", level + 1).unwrap();
    }
    query.push_str("fragment f20 on Query{a}");
    assert_eq!(code(&query), "query_too_deep");
}

#[test]
fn fragment_bombs_are_refused() {
    assert_eq!(code(&doubling_fragments(20)), "query_too_large");
    assert_eq!(code(&doubling_fragments(26)), "query_too_large");
    let mut wide = String::from("{...f0}");
    for level in 0..6 {
        let spreads = format!("...f{} ", level + 1).repeat(10);
        write!(wide, "fragment f{level} on Query{{{spreads}}}").unwrap();
    }
    wide.push_str("fragment f6 on Query{id}");
    assert_eq!(code(&wide), "spreads_too_many");
    let spreads = Limits { spreads: 100, ..Limits::default() };
    assert_eq!(check(&wide, &spreads).unwrap_err().code, "query_too_large");
}

#[test]
fn cyclic_fragments_are_refused_even_when_unused() {
    assert_eq!(code("{...a} fragment a on Q{...a}"), "fragment_cycle");
    assert_eq!(code("{...a} fragment a on Q{...b} fragment b on Q{c{...a}}"), "fragment_cycle");
    assert_eq!(code("{x} fragment a on Q{...b} fragment b on Q{...a}"), "fragment_cycle");
}

#[test]
fn every_count_has_a_limit() {
    let fragments: String = (0..31).map(|n| format!("fragment f{n} on Q{{a}}")).collect();
    for (query, expected) in [
        (format!("{{{}}}", "a ".repeat(1_001)), "query_too_wide"),
        (format!("{{{}}}", "a:b ".repeat(101)), "aliases_too_many"),
        (format!("{{a{}}}", "@d".repeat(101)), "directives_too_many"),
        (format!("{{{}}}", "...f ".repeat(61)), "spreads_too_many"),
        (format!("{{a}}{fragments}"), "fragments_too_many"),
        ((0..11).map(|n| format!("query q{n}{{a}}")).collect(), "operations_too_many"),
        (format!("{{a}}#{}", "x".repeat(32 * 1024)), "query_too_long"),
        (
            "{__schema{types{fields{type{fields{type{fields{name}}}}}}}}".to_owned(),
            "introspection_too_deep",
        ),
        (format!("{{__schema{{{}}}}}", "types{name} ".repeat(200)), "query_too_large"),
    ] {
        assert_eq!(code(&query), expected, "{}", &query[..40]);
    }
}

#[test]
fn what_cannot_be_placed_is_malformed() {
    for query in [
        "",
        "#",
        "{",
        "{a",
        "}",
        "{a]",
        "{a(}",
        "{a(x:\"",
        "{a(x:\"\"\"",
        "{a(x:\"\n\")}",
        "queryA{a}",
        "[a]",
        "{[a]}",
        "{a}fragment on on Q{a}",
        "{a}fragment{a}",
        "fragment f on Q{a}",
        "{a $}",
        "\"text\"{a}",
        "{a} fragment f on Q{a} fragment f on Q{b}",
        "query",
        "{a}query",
        "{... on # comment\n Q{a}}",
    ] {
        assert_eq!(code(query), "query_malformed", "{query}");
    }
}

#[test]
fn a_malformed_document_says_where() {
    let refusal = check("{ a\n  ]", &Limits::default()).unwrap_err();
    assert!(refusal.message.ends_with("line 2, column 3"), "{}", refusal.message);
}

#[test]
fn the_kinds_of_operation_are_told() {
    let found = kinds("query a{b} mutation c{d} subscription e{f}", &Limits::default()).unwrap();
    assert_eq!(found, Kinds { queries: 1, mutations: 1, subscriptions: 1 });
    assert!(kinds("subscription{a}", &Limits::default()).unwrap().only_subscriptions());
    assert!(!found.only_subscriptions());
}

#[test]
fn json_is_measured_without_being_decoded() {
    assert_eq!(json_shape(b"{\"a\":\"[[[\\\"[\"}").nesting, 1);
    assert_eq!(json_shape(b"[[[").nesting, 3);
    assert_eq!(json_shape(b" [ ]").items, Some(0));
    assert_eq!(json_shape(b"[{\"a\":[1,2]},{}]").items, Some(2));
    assert_eq!(json_shape(b"{}").items, None);
}

/// A selection set with known nesting, with brackets hidden in strings and comments.
fn selection(depth: u32) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("a".to_owned()),
        Just("b(text: \"{[(\\\"\")".to_owned()),
        Just("c # {{{\n".to_owned()),
        Just("d(text: \"\"\"[[ \\\"\"\" {{\"\"\")".to_owned()),
        Just("e(list: [[1, 2], [{ x: [3] }]])".to_owned()),
    ];
    leaf.prop_recursive(depth, 64, 4, |inner| {
        proptest::collection::vec(inner, 1..4)
            .prop_map(|fields| format!("f @include(if: true) {{ {} }}", fields.join(" ")))
    })
}

/// Counts brackets after deleting every hiding place the strategy uses, by plain replacement.
fn naive_nesting(query: &str) -> usize {
    let bare = query
        .replace("\"\"\"[[ \\\"\"\" {{\"\"\"", "")
        .replace("\"{[(\\\"\"", "")
        .replace("# {{{\n", "");
    let (mut depth, mut most) = (0_usize, 0);
    for character in bare.chars() {
        match character {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Selections written in every way the grammar allows, with separators chosen at random.
fn any_selections() -> impl Strategy<Value = String> {
    let separator = prop_oneof![12 => Just(" "), 12 => Just(","), 12 => Just("\r"), 1 => Just("# {(\"\n"), 12 => Just("\u{feff}\t")];
    let leaf = prop_oneof![
        12 => Just("a".to_owned()),
        12 => Just("on".to_owned()),
        12 => Just("query:fragment@d".to_owned()),
        12 => Just("b:c(x:[{y:\"{\\\\\"}\"\"\"\"\"\"$v 1.5e3 E])".to_owned()),
        12 => Just("...f".to_owned()),
        12 => Just("...onF@include(if:true)".to_owned()),
        1 => Just("...on".to_owned()),
        1 => Just("... on\n".to_owned()),
        1 => Just("... on#\nQ".to_owned()),
    ];
    leaf.prop_recursive(6, 48, 4, move |inner| {
        let head = prop_oneof![
            12 => Just("a"),
            12 => Just("a:b(x:1)@d(y:{})"),
            12 => Just("..."),
            12 => Just("...@d"),
            12 => Just("... on Q"),
            12 => Just("...on\tQ@d"),
            12 => Just("...on,Q"),
            1 => Just("... on#\nQ"),
            12 => Just(""),
        ];
        let items = proptest::collection::vec((inner, separator.clone()), 1..5);
        (head, items).prop_map(|(head, items)| {
            let body: String = items.iter().flat_map(|(item, gap)| [item.as_str(), gap]).collect();
            if head.is_empty() { body } else { format!("{head}{{{body}}}") }
        })
    })
}

proptest! {
    #[test]
    fn the_guard_never_panics(text in any::<String>()) {
        let _ = check(&text, &Limits::default());
        let _ = json_shape(text.as_bytes());
    }

    #[test]
    fn the_guard_never_panics_on_text_made_of_graphql(
        text in "([{}()\\[\\]:@\"\\\\#\n ,$!]|\\.\\.\\.|\"\"\"|on|a|fragment|query|é){0,80}"
    ) {
        let _ = check(&text, &Limits::default());
    }

    #[test]
    fn nesting_agrees_with_a_naive_count(body in selection(12)) {
        let query = format!("{{ {body} }}");
        let depth = naive_nesting(&query);
        let allowing = |nesting| Limits { nesting, ..Limits::default() };
        prop_assert_eq!(check(&query, &allowing(depth)), Ok(()));
        let refusal = check(&query, &allowing(depth - 1)).unwrap_err();
        prop_assert_eq!(refusal.code, "query_too_deep");
    }

    #[test]
    fn the_guard_counts_no_fewer_selections_than_the_parser(body in any_selections()) {
        let query = format!("{{{body}}}");
        let Ok(document) = async_graphql::parser::parse_query(&query) else { return Ok(()) };
        let selections: usize = document
            .operations
            .iter()
            .map(|(_, operation)| count(&operation.node.selection_set.node))
            .sum();
        let tight = Limits { selections: selections - 1, ..Limits::default() };
        prop_assert!(check(&query, &tight).is_err(), "{query} holds {selections}");
    }
}

fn count(set: &async_graphql::parser::types::SelectionSet) -> usize {
    use async_graphql::parser::types::Selection;
    let inside = |selection: &Selection| match selection {
        Selection::Field(field) => count(&field.node.selection_set.node),
        Selection::InlineFragment(inline) => count(&inline.node.selection_set.node),
        Selection::FragmentSpread(_) => 0,
    };
    set.items.iter().map(|item| 1 + inside(&item.node)).sum()
}
