//! Charts and the template of a procurement over the API.

use serde_json::{Value, json};

use crate::{story, world::World};

fn is_one_picture(chart: &Value) -> bool {
    let svg = chart["svg"].as_str().unwrap_or_default();
    svg.starts_with("<svg ") && svg.matches("<svg").count() == 1 && svg.ends_with("</svg>\n")
}

#[tokio::test]
async fn a_sizing_is_drawn_in_the_language_asked_for_and_no_budget_before_it_is_planned() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Drawn").await;
    world.fill_needs("requester", &id).await;
    let asked = format!(
        "{{ procurement(id: \"{id}\") {{
            needs {{ sizing {{ zh: chart(locale: ZH_CN) {{ svg text }} en: chart(locale: EN) {{ svg text }} }} }}
            budget {{ chart(locale: EN) {{ svg text }} }} }} }}"
    );
    let seen = world.ask("finance", &asked).await;
    let sizing = &seen["procurement"]["needs"]["sizing"];
    assert!(is_one_picture(&sizing["zh"]) && is_one_picture(&sizing["en"]), "{sizing}");
    assert!(sizing["zh"]["text"].as_str().unwrap().contains("权重"), "{sizing}");
    assert!(sizing["en"]["text"].as_str().unwrap().contains("weights"), "{sizing}");
    let budget = &seen["procurement"]["budget"]["chart"];
    assert_eq!(budget, &Value::Null, "no budget is planned yet");
}

#[tokio::test]
async fn the_brief_is_given_back_as_a_template_in_both_forms() {
    let world = World::open().await;
    let id = world.open_procurement("requester", "Written").await;
    let template = "template(locale: EN) { text xlsx notReadBack }";
    let asked = format!("{{ procurement(id: \"{id}\") {{ needs {{ {template} }} }} }}");
    let seen = world.ask("requester", &asked).await;
    assert_eq!(seen["procurement"]["needs"]["template"], Value::Null, "there is no brief yet");
    let brief = json!({ "procurementId": id, "brief": story::brief("He Jia") });
    world.command("requester", "recordBrief", brief).await;
    let seen = world.ask("requester", &asked).await;
    let template = &seen["procurement"]["needs"]["template"];
    let text = template["text"].as_str().unwrap();
    assert!(text.contains("Parameters: 8 B") && text.contains("Name: He Jia"), "{text}");
    assert!(template["xlsx"].as_str().unwrap().starts_with("UEsDB"), "a zip archive in base64");
    assert_eq!(template["notReadBack"], json!([]));
}
