//! The rules of the house that no compiler knows, checked on the files themselves.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const LINES_MAX: usize = 600;

/// What each room may use of ours; the program itself may use them all.
const MAY_USE: [(&str, &[&str]); 5] = [
    ("workflows", &[]),
    ("evidence", &[]),
    ("storage", &[]),
    ("engine", &["sixgate-evidence", "sixgate-storage", "sixgate-workflows"]),
    ("graphql", &["sixgate-engine", "sixgate-storage", "sixgate-workflows"]),
];

const STAGES: [&str; 6] = ["needs", "budget", "shortlist", "poc", "negotiation", "operation"];

struct Source {
    /// From the top of the repository.
    path: String,
    text: String,
}

impl Source {
    /// Whether it is compiled for tests only.
    fn is_test(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "tests" | "tests.rs"))
    }

    /// What stands before the unit tests at the end of a file.
    fn product(&self) -> &str {
        self.text.split("#[cfg(test)]").next().unwrap_or_default()
    }
}

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for entry in fs::read_dir(top()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() && name != "target" && !name.starts_with('.') {
            collect(&entry.path(), &mut found);
        }
    }
    assert!(found.len() > 200, "{}", found.len());
    found
}

fn manifests() -> Vec<Source> {
    let rooms = MAY_USE.iter().map(|(room, _)| format!("{room}/Cargo.toml"));
    let top_level = ["Cargo.toml", "clippy.toml", "deny.toml", "rustfmt.toml", "schema.graphql"];
    rooms
        .chain(top_level.map(str::to_owned))
        .map(|path| Source { text: fs::read_to_string(top().join(&path)).unwrap(), path })
        .collect()
}

fn collect(directory: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(top()).unwrap().to_str().unwrap().to_owned();
            found.push(Source { path: name, text: fs::read_to_string(path).unwrap() });
        }
    }
}

#[test]
fn files_are_small_and_say_what_they_are() {
    let mut wrong = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > LINES_MAX {
            wrong.push(format!("{} has {lines} lines, more than {LINES_MAX}", source.path));
        }
        if source.path.ends_with("/mod.rs") {
            wrong.push(format!("{} is named after its folder, not after its job", source.path));
        }
        if !source.text.starts_with("//! ") {
            wrong.push(format!("{} does not begin with //! and its job", source.path));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn nothing_is_left_for_later() {
    // Written in two parts, so that this file does not hold them.
    let banned = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("dbg", "!("),
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
        concat!("#[", "ignore"),
        concat!("#[should", "_panic"),
        concat!("allow(", "dead_code"),
        concat!("thread::", "sleep("),
    ];
    let mut wrong = Vec::new();
    for source in sources() {
        for (line, text) in (1..).zip(source.text.lines()) {
            for word in banned.iter().filter(|word| text.contains(**word)) {
                wrong.push(format!("{}:{line} holds {word}", source.path));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    let places = [concat!("/tm", "p/"), concat!("/ho", "me/"), concat!("/wo", "rk/")];
    let mut wrong = Vec::new();
    for source in sources().iter().chain(&manifests()).filter(|source| !source.is_test()) {
        for place in places.iter().filter(|place| source.product().contains(**place)) {
            wrong.push(format!("{} holds {place}", source.path));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn rooms_use_no_more_of_ours_than_they_may() {
    for (room, may) in MAY_USE {
        let manifest = fs::read_to_string(top().join(room).join("Cargo.toml")).unwrap();
        let manifest: toml::Table = toml::from_str(&manifest).unwrap();
        // A room may name itself, to have its own tests see what released programs do not.
        let own = format!("sixgate-{room}");
        let uses: BTreeSet<&str> = manifest
            .iter()
            .filter(|(name, _)| name.ends_with("dependencies"))
            .flat_map(|(_, table)| table.as_table().unwrap().keys())
            .map(String::as_str)
            .filter(|name| name.starts_with("sixgate") && *name != own)
            .collect();
        let may: BTreeSet<&str> = may.iter().copied().collect();
        let more: Vec<&&str> = uses.difference(&may).collect();
        assert!(more.is_empty(), "{room} uses {more:?}");
    }
    let workspace: toml::Table =
        toml::from_str(&fs::read_to_string(top().join("Cargo.toml")).unwrap()).unwrap();
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let members: BTreeSet<&str> = members.iter().map(|member| member.as_str().unwrap()).collect();
    let known: BTreeSet<&str> = MAY_USE.iter().map(|(room, _)| *room).collect();
    assert_eq!(members, known, "every room has its line in the table above");
}

#[test]
fn the_six_stages_have_the_same_headings_in_the_same_order() {
    let headings = [
        "pub enum Command",
        "pub enum Event",
        "pub struct State",
        "pub fn decide(",
        "pub fn evolve(",
    ];
    for stage in STAGES {
        let path = top().join("workflows/src").join(format!("{stage}.rs"));
        let text = fs::read_to_string(path).unwrap();
        let places: Vec<Option<usize>> = headings
            .iter()
            .map(|heading| text.lines().position(|line| line.starts_with(heading)))
            .collect();
        assert!(places.iter().all(Option::is_some), "{stage}: {places:?} of {headings:?}");
        assert!(places.is_sorted(), "{stage}: {places:?} of {headings:?}");
    }
}

#[test]
fn every_file_of_these_tests_is_compiled() {
    let sources = sources();
    let main = sources.iter().find(|source| source.path == "tests/e2e/main.rs").unwrap();
    let declared: BTreeSet<String> = main
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .map(|name| format!("tests/e2e/{name}.rs"))
        .collect();
    for source in sources.iter().filter(|source| source.path.starts_with("tests/e2e/")) {
        assert!(
            source.path == main.path || declared.contains(&source.path),
            "{} belongs to no module",
            source.path
        );
    }
}
