//! The forms of nvidia-smi beside csv, and npu-smi.

#![allow(clippy::unwrap_used, reason = "a failing sample should stop the test")]

use sixgate_evidence::{
    Card, CardState, Facts, GpuInventory, Kind, NoReading, Source, read, read_auto,
};

fn inventory(text: &str) -> (GpuInventory, Option<String>, Vec<&'static str>) {
    let document = read_auto(text.as_bytes()).unwrap();
    let codes = document.warnings.iter().map(|warning| warning.code).collect();
    let Facts::GpuInventory(facts) = document.facts else { panic!("{}", document.kind) };
    (*facts, document.incomplete_because, codes)
}

fn only_card(text: &str) -> Card {
    let (mut facts, _, _) = inventory(text);
    assert_eq!(facts.cards.len(), 1);
    facts.cards.remove(0)
}

/// Power as drivers up to 530 name it, or as later ones do.
const OLD_POWER: &str = "<power_readings><power_draw>310.25 W</power_draw>\
    <power_limit>400.00 W</power_limit><default_power_limit>400.00 W</default_power_limit>\
    </power_readings><clocks_throttle_reasons><clocks_throttle_reason_gpu_idle>Not Active\
    </clocks_throttle_reason_gpu_idle><clocks_throttle_reason_hw_thermal_slowdown>Active\
    </clocks_throttle_reason_hw_thermal_slowdown></clocks_throttle_reasons>";
const NEW_POWER: &str = "<gpu_power_readings><power_draw>N/A</power_draw>\
    <average_power_draw>310.25 W</average_power_draw><instant_power_draw>310.25 W</instant_power_draw>\
    <current_power_limit>400.00 W</current_power_limit><default_power_limit>400.00 W</default_power_limit>\
    </gpu_power_readings><clocks_event_reasons><clocks_event_reason_gpu_idle>Not Active\
    </clocks_event_reason_gpu_idle><clocks_event_reason_hw_thermal_slowdown>Active\
    </clocks_event_reason_hw_thermal_slowdown></clocks_event_reasons>";

fn xml(power: &str) -> String {
    format!(
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n\
         <nvidia_smi_log>\n<!-- a remark -->\n<timestamp>Fri May  1 09:15:10 2026</timestamp>\n\
         <driver_version>535.104.05</driver_version>\n<cuda_version>12.2</cuda_version>\n\
         <attached_gpus>2</attached_gpus>\n<gpu id=\"00000000:4B:00.0\">\n\
         <product_name>NVIDIA A100-SXM4-80GB</product_name>\n\
         <mig_mode><current_mig>Enabled</current_mig></mig_mode>\n\
         <mig_devices><mig_device><fb_memory_usage><total>9856 MiB</total><used>13 MiB</used>\
         </fb_memory_usage></mig_device></mig_devices>\n\
         <uuid>GPU-11111111-2222-3333-4444-555555555555</uuid>\n\
         <pci><pci_gpu_link_info><pcie_gen><max_link_gen>4</max_link_gen>\
         <current_link_gen>4</current_link_gen></pcie_gen><link_widths><max_link_width>16x\
         </max_link_width><current_link_width>8x</current_link_width></link_widths>\
         </pci_gpu_link_info></pci>\n\
         <fb_memory_usage><total>81920 MiB</total><used>52 MiB</used></fb_memory_usage>\n\
         <utilization><gpu_util>N/A</gpu_util></utilization>\n\
         <ecc_errors><volatile><sram_uncorrectable>1</sram_uncorrectable><dram_uncorrectable>2\
         </dram_uncorrectable></volatile></ecc_errors>\n\
         <remapped_rows><remapped_row_pending>Yes</remapped_row_pending>\
         <remapped_row_failure>No</remapped_row_failure></remapped_rows>\n\
         <temperature><gpu_temp>61 C</gpu_temp></temperature>\n{power}\n\
         <supported_clocks><supported_mem_clock><value>1593 MHz</value>text<x>1</x>\n\
         </supported_clocks>\n</gpu>\n</nvidia_smi_log>\n"
    )
}

#[test]
fn old_and_new_power_elements_of_the_same_dtd_agree() {
    let (old, new) = (only_card(&xml(OLD_POWER)), only_card(&xml(NEW_POWER)));
    assert_eq!(old, new);
    assert_eq!((old.power_w, old.power_limit_w), (Some(310.25), Some(400.0)));
    assert_eq!(old.throttle_mask, Some(0x40));
}

#[test]
fn a_slice_lends_its_memory_to_no_card() {
    let card = only_card(&xml(OLD_POWER));
    assert_eq!((card.memory_total_mib, card.memory_used_mib), (Some(81920.0), Some(52.0)));
    assert_eq!((card.mig, card.utilization_pct), (Some(true), None));
    assert_eq!(card.no_reading["utilization.gpu"], NoReading::NotApplicable);
    assert_eq!((card.pcie_gen, card.pcie_width, card.pcie_width_max), (Some(4), Some(8), Some(16)));
    assert_eq!((card.ecc_uncorrected, card.remap_pending), (Some(3), Some(true)));
    assert_eq!(card.pci.as_deref(), Some("0000:4b:00.0"));
}

#[test]
fn a_count_that_differs_from_the_cards_is_said() {
    let (facts, because, codes) = inventory(&xml(OLD_POWER));
    assert_eq!((facts.cards_attached, facts.cards_described, because), (Some(2), 1, None));
    assert!(codes.contains(&"count_differs") && codes.contains(&"no_zone"));
}

#[test]
fn xml_without_its_closing_tag_is_cut() {
    let whole = xml(OLD_POWER);
    for end in ["</nvidia_smi_log>", "</gpu>", "</temperature>"] {
        let (_, because, _) = inventory(&whole[..whole.rfind(end).unwrap()]);
        assert!(because.is_some(), "{end}");
    }
}

#[test]
fn documents_of_a_loop_are_rounds() {
    let second = xml(OLD_POWER).replace("52 MiB", "60 MiB").replace("09:15:10", "09:15:20");
    let card = only_card(&(xml(OLD_POWER) + &second));
    assert_eq!((card.samples, card.memory_used_max_mib), (2, Some(60.0)));
    assert_ne!(card.first_at, card.last_at);
}

const BANNER: &str = "\
Fri May  1 09:15:10 2026
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
";
const BORDER: &str =
    "+-------------------------------+----------------------+----------------------+\n";
const PROCESSES: &str = "
+-----------------------------------------------------------------------------+
| Processes:                                                                  |
|    0   N/A  N/A      4711      C   python3                          8990MiB |
+-----------------------------------------------------------------------------+
";
const HEALTHY: &str = "\
|   0  NVIDIA GeForce ...  On   | 00000000:19:00.0 Off |                  Off |
| 30%   55C    P2   220W / 350W |   9000MiB / 24576MiB |     98%      Default |
";
const BROKEN: &str = "\
|   1  ERR!                On   | 00000000:1A:00.0 Off |                 ERR! |
|ERR!  ERR! ERR!    ERR! / ERR! |      0MiB / 24576MiB |    ERR!      Default |
|                               |                      |                 ERR! |
";

#[test]
fn tables_of_two_and_of_three_lines_are_read() {
    let (facts, because, _) =
        inventory(&format!("{BANNER}{HEALTHY}{BORDER}{BROKEN}{BORDER}{PROCESSES}"));
    assert_eq!((facts.source, because), (Some(Source::Table), None));
    assert_eq!(
        (facts.driver.as_deref(), facts.cuda.as_deref()),
        (Some("535.104.05"), Some("12.2"))
    );
    let [healthy, broken] = &facts.cards[..] else { panic!("two cards") };
    assert!(healthy.name_truncated);
    assert_eq!((healthy.temperature_c, healthy.power_w), (Some(55.0), Some(220.0)));
    assert_eq!((healthy.power_limit_w, healthy.utilization_pct), (Some(350.0), Some(98.0)));
    assert_eq!((healthy.memory_used_mib, healthy.ecc_uncorrected), (Some(9000.0), None));
    assert_eq!(
        (broken.state, broken.power_w, broken.name.as_deref()),
        (CardState::Unreadable, None, None)
    );
}

#[test]
fn a_new_banner_names_its_versions_otherwise() {
    let banner = BANNER
        .replace("Driver Version: 535.104.05", "KMD Version: 610.43.02")
        .replace("CUDA Version: 12.2", "CUDA UMD Version: 13.3");
    let (facts, _, _) = inventory(&format!("{banner}{HEALTHY}{BORDER}"));
    assert_eq!((facts.driver.as_deref(), facts.cuda.as_deref()), (Some("610.43.02"), Some("13.3")));
}

#[test]
fn lines_that_a_narrow_window_broke_are_joined() {
    let text = format!("{BANNER}{HEALTHY}{BORDER}{PROCESSES}");
    let broken: String = text
        .lines()
        .map(|line| match line.starts_with('|') && line.len() > 60 {
            true => format!("{}\n{}\n", &line[..60], &line[60..]),
            false => format!("{line}\n"),
        })
        .collect();
    assert_eq!(only_card(&broken), only_card(&text));
}

#[test]
fn a_table_that_stops_before_its_end_is_cut() {
    let whole = format!("{BANNER}{HEALTHY}{BORDER}{BROKEN}{BORDER}{PROCESSES}");
    // Also behind the border of the first card: what follows could be another one.
    for end in ["| 30%", BORDER, "|   1  ERR!", "| Processes:"] {
        let cut = &whole[..whole.find(end).unwrap()];
        assert!(inventory(cut).1.is_some(), "{end}");
        assert!(inventory(&format!("{cut}{BORDER}")).1.is_some(), "{end}");
    }
}

#[test]
fn a_list_counts_cards_and_no_slices() {
    let list = "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-aaaaaaaa-0000)\n  \
        MIG 3g.40gb     Device  0: (UUID: MIG-bbbbbbbb-0000)\nGPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-cccccccc-0000)\n";
    let (facts, because, _) = inventory(list);
    assert_eq!((facts.source, facts.cards_described, because), (Some(Source::List), 2, None));
    assert_eq!((facts.cards[0].mig, facts.cards[1].mig), (Some(true), None));
    assert!(inventory(&list[..list.len() - 8]).1.is_some());
}

#[test]
fn the_list_in_a_log_of_gpu_burn_is_no_inventory() {
    let log = "Burning for 10 seconds.\nGPU 0: NVIDIA A10 (UUID: GPU-aaaaaaaa-0000)\n";
    assert!(read(Kind::GpuInventory, log.as_bytes()).is_err());
}

const NPU: &str = "\
+------------------------------------------------------------------------------------------------+
| npu-smi 25.2.0                   Version: 25.2.0                                               |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip  Phy-ID              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 3     Ascend910           | OK            | 171.5       41                0    / 0             |
| 0     6                   | 0000:9D:00.0  | 40          0    / 0          57784/ 65536         |
+------------------------------------------------------------------------------------------------+
| 3     Ascend910           | Alarm         | -           44                0    / 0             |
| 1     7                   | NA            | 20          0    / 0          2874 / 65536         |
+===========================+===============+====================================================+
+---------------------------+---------------+----------------------------------------------------+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| No running processes found in NPU 3                                                            |
+===========================+===============+====================================================+
";

#[test]
fn two_chips_of_one_number_are_one_card() {
    let (facts, because, _) = inventory(NPU);
    assert_eq!((facts.source, facts.vendor.as_str()), (Some(Source::NpuSmi), "huawei"));
    assert_eq!((facts.cards_described, facts.chips, because), (1, Some(2), None));
    let card = &facts.cards[0];
    assert_eq!((card.index, card.health.as_deref()), (Some(3), Some("Alarm")));
    assert_eq!((card.memory_used_mib, card.memory_total_mib), (Some(60658.0), Some(131_072.0)));
    assert_eq!(
        (card.power_w, card.temperature_c, card.utilization_pct),
        (Some(171.5), Some(44.0), Some(30.0))
    );
    assert_eq!((card.chips[1].power_w, card.chips[1].pci.as_deref()), (None, None));
}

#[test]
fn an_npu_table_that_stops_within_a_card_is_cut() {
    let end = NPU.find("| 1     7").unwrap();
    assert!(inventory(&NPU[..end]).1.is_some());
}
