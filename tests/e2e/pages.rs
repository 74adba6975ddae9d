//! Lists in pages: together they are the whole list, and a wrong question is told so.

use serde_json::{Value, json};

use crate::world::World;

/// Every page of a list, joined; `list` has `%` where its arguments go.
async fn walk(world: &World, who: &str, list: &str, path: &[&str], first: usize) -> Vec<Value> {
    let mut all = Vec::new();
    let mut after = String::new();
    for _ in 0..1_000 {
        let query = list.replace('%', &format!("first: {first}{after}"));
        let seen = world.ask(who, &query).await;
        let page = path.iter().fold(&seen, |value, field| &value[field]);
        let edges = page["edges"].as_array().unwrap();
        all.extend(edges.iter().map(|edge| edge["node"].clone()));
        assert_eq!(page["pageInfo"]["hasPreviousPage"], !after.is_empty());
        if page["pageInfo"]["hasNextPage"] == false {
            return all;
        }
        let cursor = &page["pageInfo"]["endCursor"];
        assert_eq!(*cursor, edges.last().unwrap()["cursor"]);
        after = format!(", after: {cursor}");
    }
    panic!("the pages of {list} have no end");
}

const PAGE: &str = "pageInfo { hasNextPage hasPreviousPage endCursor } edges { cursor node";

#[tokio::test]
async fn the_pages_of_a_list_are_the_list() {
    let world = World::open().await;
    for number in 0..7 {
        let id = world.open_procurement("requester", &format!("Case {number}")).await;
        world.register_supplier(&format!("Supplier {number}")).await;
        if number == 3 {
            for _ in 0..5 {
                world.fill_needs("requester", &id).await;
            }
        }
    }
    let board = world.ask("manager", "{ board { nodes { id history { nodes { kind } } } } }").await;
    let nodes = board["board"]["nodes"].as_array().unwrap();
    let longest =
        nodes.iter().max_by_key(|node| node["history"]["nodes"].as_array().unwrap().len());
    let id = longest.unwrap()["id"].as_str().unwrap();
    let event = "{ position index kind data }";
    let lists = [
        (format!("{{ board(%) {{ {PAGE} {{ id title }} }} }} }}"), vec!["board"], 7),
        (format!("{{ suppliers(%) {{ {PAGE} {{ id }} }} }} }}"), vec!["suppliers"], 7),
        (format!("{{ people(%) {{ {PAGE} {{ id }} }} }} }}"), vec!["people"], 9),
        (format!("{{ inbox(%) {{ {PAGE} {{ label }} }} }} }}"), vec!["inbox"], 0),
        (format!("{{ auditTrail(%) {{ {PAGE} {event} }} }} }}"), vec!["auditTrail"], 40),
        (
            format!("{{ procurement(id: \"{id}\") {{ history(%) {{ {PAGE} {event} }} }} }} }}"),
            vec!["procurement", "history"],
            12,
        ),
    ];
    for (list, path, least) in lists {
        let whole = walk(&world, "manager", &list, &path, 100).await;
        assert!(whole.len() >= least, "{list}: {}", whole.len());
        for first in [1, 2, 3, 5, 7] {
            let joined = walk(&world, "manager", &list, &path, first).await;
            assert_eq!(joined, whole, "{list} by {first}");
        }
    }
}

#[tokio::test]
async fn a_page_goes_on_rightly_when_the_list_grows() {
    let world = World::open().await;
    for number in 0..4 {
        world.open_procurement("requester", &format!("Case {number}")).await;
    }
    let first = "{ board(first: 2) { pageInfo { endCursor } nodes { title } } }";
    let first = world.ask("manager", first).await;
    world.open_procurement("requester", "Came meanwhile").await;
    let cursor = &first["board"]["pageInfo"]["endCursor"];
    let query =
        format!("{{ board(first: 2, after: {cursor}) {{ totalCount nodes {{ title }} }} }}");
    let second = world.ask("manager", &query).await;
    assert_eq!(second["board"]["totalCount"], 5);
    let titles: Vec<&Value> = [&first, &second]
        .iter()
        .flat_map(|page| page["board"]["nodes"].as_array().unwrap())
        .map(|node| &node["title"])
        .collect();
    assert_eq!(titles, [&json!("Case 3"), &json!("Case 2"), &json!("Case 1"), &json!("Case 0")]);
}

#[tokio::test]
async fn a_page_that_cannot_be_is_refused() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Pages").await;
    let history = format!("procurement(id: \"{id}\") {{ history(%) {{ nodes {{ kind }} }} }}");
    let lists = [
        ("board(%) { nodes { id } }".to_owned(), true),
        ("suppliers(%) { nodes { id } }".to_owned(), true),
        ("people(%) { nodes { id } }".to_owned(), true),
        ("inbox(%) { nodes { label } }".to_owned(), true),
        ("auditTrail(%) { nodes { kind } }".to_owned(), false),
        (history, false),
    ];
    for (list, keyed) in lists {
        let ask = |arguments: &str| format!("{{ {} }}", list.replace('%', arguments));
        for first in ["first: 0", "first: -1", "first: 101", "first: 2147483647"] {
            assert_eq!(
                world.error("manager", &ask(first)).await,
                "invalid_value",
                "{list} {first}"
            );
        }
        for after in ["after: \"nowhere\"", "after: \"\"", "after: \"-1\""] {
            assert_eq!(
                world.error("manager", &ask(after)).await,
                "invalid_cursor",
                "{list} {after}"
            );
        }
        // A place after the end of a log is a place; a key that never was is none.
        let beyond = ask("after: \"18446744073709551615\"");
        if keyed {
            assert_eq!(world.error("manager", &beyond).await, "invalid_cursor", "{list}");
        } else {
            let seen = world.ask("manager", &beyond).await.to_string();
            assert!(seen.contains("\"nodes\":[]"), "{list}: {seen}");
        }
    }
}
