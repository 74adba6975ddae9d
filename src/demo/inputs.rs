//! The files that the demo reads, made by hand in the shape of the real tools' output.

use anyhow::anyhow;

macro_rules! inputs {
    ($($path:literal),+ $(,)?) => {
        const INPUTS: &[(&str, &[u8])] =
            &[$(($path, include_bytes!(concat!("input/", $path)))),+];
    };
}

inputs! {
    "brief.zh.txt",
    "quote.starsea.csv",
    "quote.yunfeng.csv",
    "quote.beichen.csv",
    "poc/starsea/nvidia-smi.csv",
    "poc/starsea/all_reduce_perf.txt",
    "poc/starsea/vllm-serve.json",
    "poc/yunfeng/nvidia-smi.csv",
    "poc/yunfeng/all_reduce_perf.txt",
    "poc/yunfeng/vllm-serve.json",
    "poc/beichen/nvidia-smi.csv",
    "poc/beichen/all_reduce_perf.txt",
    "poc/beichen/vllm-serve.json",
    "contract.starsea.txt",
    "contract.yunfeng.txt",
    "operation/usage.starsea.week12.json",
    "operation/usage.yunfeng.week12.json",
    "operation/usage.starsea.week14.json",
    "operation/usage.yunfeng.week14.json",
    "operation/bill.starsea.csv",
    "operation/bill.yunfeng.csv",
}

pub(super) fn file(path: &str) -> anyhow::Result<&'static [u8]> {
    let found = INPUTS.iter().find(|(known, _)| *known == path);
    found.map(|(_, bytes)| *bytes).ok_or_else(|| anyhow!("the demo has no input file {path}"))
}

pub(super) fn paths() -> Vec<&'static str> {
    INPUTS.iter().map(|(path, _)| *path).collect()
}
