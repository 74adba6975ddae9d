//! The folder transport.

use crate::letter;
use sixgate_engine::mail::{Folder, Outcome, Transport, freeze};
use std::fs;

#[tokio::test]
async fn the_same_letter_twice_leaves_one_whole_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("made/when/needed");
    let transport = Transport::Folder(Folder::new(&path));
    let bytes = freeze(&letter()).unwrap();
    for _ in 0..2 {
        let outcome = transport.send(&letter().envelope(), &bytes).await;
        let reply = format!("folder {}.eml", letter().message_id);
        assert_eq!(outcome, Outcome::Sent { reply });
    }
    let files: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files, [path.join(format!("{}.eml", letter().message_id))]);
    assert_eq!(fs::read(&files[0]).unwrap(), bytes);
    assert_eq!(transport.describe(), format!("folder {}", path.display()));
}

#[tokio::test]
async fn a_message_id_cannot_lead_out_of_the_folder() {
    let directory = tempfile::tempdir().unwrap();
    let transport = Transport::Folder(Folder::new(directory.path().join("mail")));
    let bytes = String::from_utf8(freeze(&letter()).unwrap()).unwrap();
    for id in ["../../evil@a.example", "a/b@a.example", "/etc/x@a.example", ".@a"] {
        let changed = bytes.replace(&letter().message_id, id);
        let outcome = transport.send(&letter().envelope(), changed.as_bytes()).await;
        assert!(matches!(outcome, Outcome::Refused { .. }), "{id}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_file_in_place_of_the_folder_asks_for_an_administrator() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let transport = Transport::Folder(Folder::new(file.path()));
    let outcome = transport.send(&letter().envelope(), &freeze(&letter()).unwrap()).await;
    assert!(matches!(outcome, Outcome::Misconfigured { .. }), "{outcome:?}");
}
