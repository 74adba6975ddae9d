//! The brief in its template: what was written is what is read.

#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it as the test itself may")]

use chrono::NaiveDate;
use proptest::{collection::vec, prelude::*};
use rust_decimal::Decimal;
use sixgate_engine::{import, template};
use sixgate_evidence::{Document, Facts, Kind, read};
use sixgate_workflows::{
    estimate::Estimate,
    locale::Locale,
    needs::{
        brief::{
            Brief, Cards, Contact, Environment, Fabric, Interconnect, Load, Model, Precision,
            Storage, Targets, Term, Use,
        },
        difference::changes,
    },
    percent::Percent,
    text::Name,
};

fn given<T>(
    value: impl Strategy<Value = T> + Clone + 'static,
    ranges: bool,
) -> impl Strategy<Value = Estimate<T>>
where
    T: PartialOrd + Clone + std::fmt::Debug + 'static,
{
    let range =
        (value.clone(), value.clone()).prop_map(|(one, other)| match one.partial_cmp(&other) {
            Some(std::cmp::Ordering::Less) => Estimate::Range { low: one, high: other },
            Some(std::cmp::Ordering::Greater) => Estimate::Range { low: other, high: one },
            Some(std::cmp::Ordering::Equal) | None => Estimate::known(one),
        });
    let known = value.prop_map(Estimate::known);
    let open = Just(()).prop_map(|()| Estimate::tbd("TBD"));
    prop_oneof![4 => known, u32::from(ranges) => range, 2 => open]
}

fn figure() -> impl Strategy<Value = Decimal> + Clone {
    (0_i64..4_000_000, 0_u32..3)
        .prop_map(|(digits, places)| Decimal::new(digits, places).normalize())
}

fn count() -> impl Strategy<Value = u32> + Clone {
    0_u32..200_000
}

/// Words without signs, which is what the template has a place for.
fn words() -> impl Strategy<Value = Name> + Clone {
    "(星|云|林|海|川){2,6}|[QZ]{1,3}[0-9]{2,4}( (QZ|80GB))?"
        .prop_map(|text| Name::new(&text).unwrap())
}

fn version() -> impl Strategy<Value = Name> + Clone {
    "[1-9][0-9]{0,2}(\\.[0-9]{1,3})?".prop_map(|text| Name::new(&text).unwrap())
}

fn among<T: Clone + std::fmt::Debug + 'static>(all: Vec<T>) -> impl Strategy<Value = T> + Clone {
    prop::sample::select(all)
}

fn model() -> impl Strategy<Value = Model> {
    use Precision::{Bf16, Fp8, Fp16, Fp32, Int4, Int8};
    let precision = among(vec![Fp32, Bf16, Fp16, Fp8, Int8, Int4]);
    (
        given(figure(), true),
        given(precision, false),
        given(figure(), true),
        given(count(), true),
        given(count(), true),
        given(count(), true),
    )
        .prop_map(|(parameters_b, precision, vram_per_card_gib, tensor, data, pipeline)| {
            Model {
                parameters_b,
                precision,
                vram_per_card_gib,
                tensor_parallel: tensor,
                data_parallel: data,
                pipeline_parallel: pipeline,
            }
        })
}

fn storage() -> impl Strategy<Value = Storage> {
    (
        given(figure(), true),
        given(figure(), true),
        given(figure(), true),
        given(figure(), true),
        given(figure(), true),
        given(any::<bool>(), false),
    )
        .prop_map(|(dataset_gib, read_gib_s, checkpoint_gib, interval, volume_gib, shared)| {
            Storage {
                dataset_gib,
                read_gib_s,
                checkpoint_gib,
                checkpoint_interval_min: interval,
                volume_gib,
                shared,
            }
        })
}

fn term() -> impl Strategy<Value = Term> {
    let day = (0_u64..9_000)
        .prop_map(|days| NaiveDate::from_ymd_opt(2020, 1, 1).unwrap() + chrono::Days::new(days));
    let percent = (0_u32..=100).prop_map(Percent::of);
    (
        given(day, false),
        given(1_u32..120, true),
        given(among(vec![Load::Steady, Load::Bursty]), false),
        given(percent, true),
        given(any::<bool>(), false),
    )
        .prop_map(|(start, months, load, utilisation, phased)| Term {
            start,
            months,
            load,
            utilisation,
            phased,
        })
}

fn brief() -> impl Strategy<Value = Brief> {
    let fabrics = among(vec![Fabric::None, Fabric::Infiniband, Fabric::Roce]);
    let template =
        among(vec!["vLLM", "SGLang", "PyTorch"]).prop_map(|name| Name::new(name).unwrap());
    let cards =
        (given(words(), false), vec(words(), 0..4), given(count(), true), given(count(), true))
            .prop_map(|(model, substitutes, total, per_node)| Cards {
                model,
                substitutes,
                total,
                per_node,
            });
    let interconnect = (given(any::<bool>(), false), given(fabrics, false), given(figure(), true))
        .prop_map(|(nvlink, between_nodes, bandwidth_gbit_s)| Interconnect {
            nvlink,
            between_nodes,
            bandwidth_gbit_s,
        });
    let targets = (given(count(), true), given(count(), true), given(figure(), true)).prop_map(
        |(peak_concurrency, context_tokens, latency_ms)| Targets {
            peak_concurrency,
            context_tokens,
            latency_ms,
        },
    );
    let environment = (
        given(template, false),
        given(words(), false),
        given(version(), false),
        given(version(), false),
    )
        .prop_map(|(template, image, cuda, driver)| Environment {
            template,
            image,
            cuda,
            driver,
        });
    let contact = (given(words(), false), given(words(), false), given(words(), false))
        .prop_map(|(name, team, reachable)| Contact { name, team, reachable });
    let uses = given(among(Use::ALL.to_vec()), false);
    let rest = (term(), given(words(), false), contact);
    (uses, model(), targets, cards, interconnect, storage(), environment, rest).prop_map(
        |(usage, model, targets, cards, interconnect, storage, environment, rest)| {
            let (term, region, contact) = rest;
            Brief {
                usage,
                model,
                targets,
                cards,
                interconnect,
                storage,
                environment,
                term,
                region,
                contact,
            }
        },
    )
}

fn back(document: &Document) -> Brief {
    let Facts::Brief(facts) = &document.facts else { panic!("another kind") };
    import::brief(facts).unwrap()
}

/// All but the notes of what is to be determined, for which the template has no place.
fn differing(one: &Brief, other: &Brief) -> Vec<String> {
    let open = |value: &serde_json::Value| value.get("tbd").is_some();
    let found = changes(one, other).into_iter();
    found
        .filter(|change| !(open(&change.before) && open(&change.after)))
        .map(|change| format!("{}: {} became {}", change.field, change.before, change.after))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_from_what_was_written_is_the_brief_that_was_written(brief in brief()) {
        for locale in Locale::ALL {
            let written = template::text(&brief, locale);
            let read_back = back(&read(Kind::Brief, written.text.as_bytes()).unwrap());
            let lost = differing(&brief, &read_back);
            prop_assert!(lost.is_empty(), "{lost:#?} in\n{}", written.text);
            prop_assert!(written.not_read_back.is_empty());
        }
    }

    #[test]
    fn a_workbook_says_the_same_as_the_text(brief in brief()) {
        for locale in Locale::ALL {
            let text = read(Kind::Brief, template::text(&brief, locale).text.as_bytes()).unwrap();
            let book = read(Kind::Brief, &template::workbook(&brief, locale)).unwrap();
            let differing = differing(&back(&text), &back(&book));
            prop_assert!(differing.is_empty(), "{differing:#?}");
        }
    }
}

#[test]
fn a_blank_template_has_all_nine_groups_and_leaves_all_of_them_open() {
    for locale in Locale::ALL {
        let written = template::text(&Brief::blank(), locale);
        let document = read(Kind::Brief, written.text.as_bytes()).unwrap();
        assert!(document.complete, "{:?}", document.incomplete_because);
        assert_eq!(differing(&Brief::blank(), &back(&document)), [] as [String; 0]);
        assert!(written.not_read_back.is_empty());
    }
    let zh = template::text(&Brief::blank(), Locale::ZhCn).text;
    assert!(
        zh.starts_with("【用途】待定\n") && zh.contains("【卡型与数量】\n期望卡型：待定\n"),
        "{zh}"
    );
    let en = template::text(&Brief::blank(), Locale::En).text;
    assert!(en.contains("【Storage】\nDataset: TBD\n"), "{en}");
}

#[test]
fn what_the_template_cannot_carry_is_named() {
    let mut brief = Brief::blank();
    brief.environment.template = Estimate::known(Name::new("an engine of our own").unwrap());
    brief.contact.team = Estimate::known(Name::new("platform/training").unwrap());
    let written = template::text(&brief, Locale::En);
    assert!(written.not_read_back.contains(&"environment.template".to_owned()));
    assert!(written.not_read_back.contains(&"contact.team".to_owned()));
}

#[test]
fn the_same_brief_is_the_same_workbook() {
    let blank = Brief::blank();
    assert_eq!(template::workbook(&blank, Locale::En), template::workbook(&blank, Locale::En));
}
