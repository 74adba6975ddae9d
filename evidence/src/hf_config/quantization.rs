//! How the weights are quantised, as far as the configuration says.
//!
//! Some publishers write it into a file of its own; its absence here proves nothing, and the method of the weights says
//! nothing about the cache.

use super::Quantization;
use super::fields::{Fields, number_in};
use serde_json::{Map, Value};

const UNCONVERTED_MAX: usize = 200;

/// The method in lower case, and its details.
pub(super) fn find(fields: &Fields<'_>) -> Option<(String, Quantization)> {
    let object = ["quantization_config", "compression_config"]
        .iter()
        .find_map(|name| fields.outer(name).or_else(|| fields.value(name)))?
        .as_object()?;
    let method = word(object, "quant_method").or_else(|| word(object, "quant_algo"))?;
    let mut method = method.to_lowercase();
    // The general container of compressed weights names the real format beside it.
    if method == "compressed-tensors"
        && let Some(format) = word(object, "format")
    {
        method = format!("{method} {}", format.to_lowercase());
    }
    let bits = number_in(object, "bits").or_else(|| bits_of(object, &method));
    let unconverted = ["modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"]
        .iter()
        .find_map(|name| object.get(*name)?.as_array())
        .map(|names| names.iter().filter_map(Value::as_str))
        .into_iter()
        .flatten();
    let kv_cache = word(object, "kv_cache_quant_algo").or_else(|| {
        object
            .get("kv_cache_scheme")
            .and_then(Value::as_object)
            .and_then(|scheme| word(scheme, "type"))
    });
    let details = Quantization {
        bits,
        group_size: number_in(object, "group_size"),
        unconverted: unconverted
            .take(UNCONVERTED_MAX)
            .map(|name| name.chars().take(200).collect())
            .collect(),
        kv_cache: kv_cache.map(str::to_lowercase),
    };
    Some((method.chars().take(80).collect(), details))
}

fn word<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str().filter(|word| !word.is_empty())
}

fn bits_of(object: &Map<String, Value>, method: &str) -> Option<u64> {
    if object.get("load_in_4bit").and_then(Value::as_bool) == Some(true) {
        return Some(4);
    }
    if object.get("load_in_8bit").and_then(Value::as_bool) == Some(true) {
        return Some(8);
    }
    match method {
        "fp8" | "fbgemm_fp8" => Some(8),
        "mxfp4" | "nvfp4" => Some(4),
        _ => object
            .get("config_groups")?
            .as_object()?
            .values()
            .find_map(|group| group.get("weights")?.get("num_bits")?.as_u64())
            .filter(|bits| (1..=32).contains(bits)),
    }
}
