//! The committed schema is the one that the program serves.

use crate::process::run;
use crate::sdl::COMMITTED;

#[test]
fn the_committed_schema_is_the_present_one() {
    let present = run(&["schema"]).succeeded();
    assert!(
        present == COMMITTED,
        "schema.graphql is out of date; refresh it with: cargo run -q -- schema > schema.graphql"
    );
}
