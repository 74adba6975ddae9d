//! The forms and traps of nvidia-smi csv.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use sixgate_evidence::{CardState, Facts, GpuInventory, Kind, NoReading, read, read_auto};

const HEADER: &str = "timestamp, index, pci.bus_id, name, memory.used [MiB], temperature.gpu, \
    clocks_event_reasons.active\n";

fn row(second: u32, index: u32, rest: &str) -> String {
    format!(
        "2026/04/02 08:00:{second:02}.500, {index}, 00000000:{index:x}7:00.0, NVIDIA A40, {rest}\n"
    )
}

fn whole(second: u32, index: u32) -> String {
    row(second, index, "9000 MiB, 55, 0x0000000000000004")
}

fn inventory(bytes: &[u8]) -> (GpuInventory, bool, Vec<&'static str>) {
    let document = read(Kind::GpuInventory, bytes).unwrap();
    let codes = document.warnings.iter().map(|warning| warning.code).collect();
    let Facts::GpuInventory(facts) = document.facts else { panic!("another kind") };
    (*facts, document.complete, codes)
}

#[test]
fn rows_are_grouped_by_card() {
    let text = HEADER.to_owned() + &whole(0, 0) + &whole(0, 1) + &whole(10, 0) + &whole(10, 1);
    let (facts, complete, codes) = inventory(text.as_bytes());
    assert!(complete);
    assert_eq!((facts.cards.len(), facts.rounds, facts.cards[0].samples), (2, 2, 2));
    assert_eq!(facts.cards[1].throttle_mask_seen, Some(4));
    assert_eq!(facts.cards[1].throttle_reasons, ["sw_power_cap"]);
    assert!(codes.contains(&"no_zone"));
    assert!(facts.lost.is_empty());
}

#[test]
fn old_and_new_throttle_names_and_units_in_the_header_agree() {
    let new = HEADER.to_owned() + &whole(0, 0);
    let old = new.replace("clocks_event_reasons", "clocks_throttle_reasons").replace(" [MiB]", "");
    assert_eq!(inventory(new.as_bytes()).0, inventory(old.as_bytes()).0);
}

#[test]
fn powershell_output_with_windows_line_ends_is_read() {
    let text = (HEADER.to_owned() + &whole(0, 0)).replace('\n', "\r\n");
    let bytes: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let document = read_auto(&bytes).unwrap();
    assert_eq!(document.kind, Kind::GpuInventory);
    assert_eq!(inventory(&bytes).0.cards.len(), 1);
}

#[test]
fn a_card_missing_from_a_later_round_is_lost() {
    let text = HEADER.to_owned() + &whole(0, 0) + &whole(0, 1) + &whole(10, 0) + &whole(20, 0);
    let (facts, _, _) = inventory(text.as_bytes());
    assert_eq!(facts.lost.len(), 1);
    assert_eq!(facts.lost[0].index, Some(1));
    assert!(facts.lost[0].at.is_some());
    assert_eq!(facts.cards[1].state, CardState::Lost);
}

#[test]
fn a_last_round_that_stops_early_is_cut_not_lost() {
    let text = HEADER.to_owned() + &whole(0, 0) + &whole(0, 1) + &whole(10, 0);
    let (facts, complete, _) = inventory(text.as_bytes());
    assert!(!complete);
    assert!(facts.lost.is_empty());
}

#[test]
fn a_row_cut_in_the_middle_leaves_the_file_incomplete() {
    let text = HEADER.to_owned() + &whole(0, 0) + "2026/04/02 08:00:10.500, 0, 0000";
    let (facts, complete, _) = inventory(text.as_bytes());
    assert!(!complete);
    assert_eq!(facts.cards[0].samples, 1);
}

#[test]
fn cells_without_a_number_keep_their_reason() {
    let text = HEADER.to_owned()
        + &row(0, 0, "[N/A], [Unknown Error], [Insufficient Permissions]")
        + &row(0, 1, "[GPU is lost], [GPU is lost], [GPU is lost]");
    let (facts, _, codes) = inventory(text.as_bytes());
    let card = &facts.cards[0];
    assert_eq!((card.memory_used_mib, card.temperature_c, card.throttle_mask), (None, None, None));
    assert_eq!(card.no_reading["memory.used"], NoReading::NotApplicable);
    assert_eq!(card.no_reading["temperature.gpu"], NoReading::Unreadable);
    assert_eq!(card.no_reading["clocks_event_reasons.active"], NoReading::NoPermission);
    assert_eq!(card.state, CardState::Unreadable);
    assert_eq!(facts.cards[1].state, CardState::Lost);
    assert_eq!(facts.lost[0].index, Some(1));
    assert!(codes.contains(&"reading_failed"));
}

#[test]
fn a_device_handle_error_names_the_lost_card() {
    let error = "Unable to determine the device handle for GPU0000:D7:00.0: Unknown Error\n";
    let (facts, _, _) = inventory((HEADER.to_owned() + error + &whole(0, 0)).as_bytes());
    assert_eq!(facts.lost[0].pci.as_deref(), Some("0000:d7:00.0"));
    assert_eq!(facts.cards.len(), 1);
}

#[test]
fn rows_without_a_header_are_refused() {
    let refused = read(Kind::GpuInventory, whole(0, 0).as_bytes()).unwrap_err();
    assert_eq!((refused.code(), refused.line()), ("no_header", Some(1)));
    assert!(refused.to_string().contains("noheader"));
}

#[test]
fn a_second_choice_fills_a_gap_and_replaces_nothing_in_any_order() {
    for (header, row, power) in [
        ("index, power.draw [W], power.draw.instant [W]", "0, 210.50 W, 99.00 W", 210.5),
        ("index, power.draw.instant [W], power.draw [W]", "0, 99.00 W, 210.50 W", 210.5),
        ("index, power.draw [W], power.draw.instant [W]", "0, [N/A], 99.00 W", 99.0),
        ("index, power.draw.instant [W], power.draw [W]", "0, 99.00 W, [N/A]", 99.0),
    ] {
        let (facts, _, _) = inventory(format!("{header}\n{row}\n").as_bytes());
        assert_eq!(facts.cards[0].power_w, Some(power), "{header}: {row}");
    }
}
