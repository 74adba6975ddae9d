//! `sixgate brief`: templates that can be filled in and read again.

use crate::process::run;

#[test]
fn a_blank_template_is_read_as_a_brief_that_leaves_everything_open() {
    let directory = tempfile::tempdir().unwrap();
    for (locale, heading) in [("zh-CN", "【联系人】"), ("en", "【Contact】")] {
        let text = run(&["brief", "template", "--locale", locale]).succeeded();
        assert!(text.contains(heading), "{text}");
        let file = directory.path().join(format!("brief.{locale}.xlsx"));
        let file = file.to_str().unwrap();
        let words = ["brief", "template", "--locale", locale, "--format", "xlsx", "--output", file];
        run(&words).succeeded();
        let read = run(&["read", "brief", file]).json();
        assert_eq!(read["complete"], true, "{read}");
        assert!(read["facts"]["model"]["parameters_b"]["tbd"].is_string(), "{read}");
    }
    let alone = run(&["brief", "template", "--format", "xlsx"]);
    assert!(alone.code == Some(2) && alone.errors.contains("--output"), "{alone:?}");
}
