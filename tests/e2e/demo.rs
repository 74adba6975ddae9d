//! `sixgate demo`: three procurements end as they should, twice the same, with every mail sent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process::run;

struct Demo {
    data: TempDir,
    summary: Value,
}

impl Demo {
    fn play() -> Self {
        let data = tempfile::tempdir().unwrap();
        let played = run(&["demo", "--once", "--json", "--data", data.path().to_str().unwrap()]);
        assert_eq!(played.code, Some(0), "{played:?}");
        Self { data, summary: played.json() }
    }

    fn log(&self, command: &str) -> Value {
        let data = self.data.path().to_str().unwrap();
        let ran = run(&["log", command, "--json", "--data", data]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    }

    fn full_case(&self) -> &Value {
        let procurements = self.summary["procurements"].as_array().unwrap();
        procurements.iter().find(|procurement| procurement["phase"] == "closed").unwrap()
    }
}

#[test]
fn the_summary_of_the_demo_has_what_is_promised() {
    let demo = Demo::play();
    let summary = &demo.summary;
    for field in ["procurements", "commits", "events", "mails", "log", "inputs", "seconds"] {
        assert!(!summary[field].is_null(), "{field}: {summary}");
    }
    let procurements = summary["procurements"].as_array().unwrap();
    assert_eq!(procurements.len(), 3);
    for procurement in procurements {
        for field in ["id", "title", "stage", "signoffs"] {
            assert!(!procurement[field].is_null(), "{field}: {procurement}");
        }
        let counts = ["met", "waived", "unmet", "not_yet_due"];
        let items = counts.map(|count| procurement["checklist"][count].as_u64().unwrap());
        assert_eq!(items.iter().sum::<u64>(), 10, "{procurement}");
    }
    let full = demo.full_case();
    assert_eq!((&full["stages_passed"], &full["checklist"]["met"]), (&json!(6), &json!(10)));
    assert!(full["signoffs"].as_u64().unwrap() > 0);
    assert_eq!(summary["log"]["verified"], true);
    assert!(summary["inputs"].as_array().unwrap().iter().all(|path| {
        let path = path.as_str().unwrap();
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/demo/input").join(path).exists()
    }));

    let verified = demo.log("verify");
    assert_eq!(verified["ok"], true);
    assert_eq!(verified["head_hash"], summary["log"]["head"]);
    assert_eq!(verified["high_water"], summary["commits"]);
    let stats = demo.log("stats");
    for figure in ["commits", "events"] {
        assert_eq!(verified[figure], summary[figure], "{figure}");
        assert_eq!(stats[figure], summary[figure], "{figure}");
    }
    // Commits with large letters lie beside the files.
    let inputs = summary["inputs"].as_array().unwrap().len() as u64;
    assert!(stats["blobs"].as_u64().unwrap() >= inputs);

    let again = run(&["demo", "--once", "--data", demo.data.path().to_str().unwrap()]);
    let why = again.refused(2);
    assert!(why.contains("holds a log already") && why.contains("empty directory"), "{why}");
    assert_eq!(demo.log("verify"), verified, "the refused demo changed nothing");
}

#[test]
fn every_mail_of_the_demo_is_one_file_with_an_id_of_its_own() {
    let demo = Demo::play();
    let mails = &demo.summary["mails"];
    assert_eq!((&mails["queued"], &mails["failed"]), (&json!(0), &json!(0)));
    let kinds =
        ["sign_off_wanted", "stage_overdue", "review_invitation", "sla_incident", "supplier_split"];
    for kind in kinds {
        assert!(mails["by_kind"][kind].as_u64().unwrap() > 0, "{kind}: {mails}");
    }
    let letters = letters(&demo.data.path().join("mail"));
    assert_eq!(letters.len() as u64, mails["sent"].as_u64().unwrap());
    let ids: BTreeSet<&str> = letters.values().map(|letter| header(letter, "Message-ID")).collect();
    assert_eq!(ids.len(), letters.len(), "a Message-ID occurs twice");
    for (name, letter) in &letters {
        let id = header(letter, "Message-ID").trim_matches(['<', '>']);
        assert_eq!(*name, format!("{id}.eml"));
        assert!(header(letter, "To").contains("@example.com"), "{name}");
        assert!(!header(letter, "Subject").is_empty(), "{name}");
    }
    let invitations = letters.values().filter(|letter| letter.contains("text/calendar"));
    assert_eq!(invitations.count() as u64, mails["by_kind"]["review_invitation"].as_u64().unwrap());
}

#[test]
fn two_demos_differ_only_in_ids_hashes_and_time() {
    let told = |demo: &Demo| {
        let mut summary = demo.summary.clone();
        summary["seconds"] = json!(0);
        summary["log"]["head"] = json!("");
        for procurement in summary["procurements"].as_array_mut().unwrap() {
            procurement["id"] = json!("");
        }
        summary
    };
    let (first, second) = (Demo::play(), Demo::play());
    assert_eq!(told(&first), told(&second));
    assert_ne!(first.summary["log"]["head"], second.summary["log"]["head"]);
}

#[test]
fn the_text_of_the_demo_says_what_happened() {
    let text = run(&["demo", "--once"]).succeeded();
    for word in ["70B 在线推理服务", "closed", "10/10", "mails", "log verified", "nothing changed"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
}

/// All letters of a folder, by their file name.
fn letters(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    files
        .map(|file| {
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        })
        .collect()
}

fn header<'l>(letter: &'l str, name: &str) -> &'l str {
    let start = format!("{name}: ");
    let line = letter.lines().take_while(|line| !line.is_empty());
    line.filter_map(|line| line.strip_prefix(&start)).next().unwrap_or_default()
}
