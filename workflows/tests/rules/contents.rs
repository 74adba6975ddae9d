//! What letters of every kind say, in both languages, looked at through the sample.

use std::collections::BTreeSet;

use sixgate_workflows::{
    content::{self, Content, sample::Sample},
    deadline::NoticeKind,
    locale::Locale,
};

fn sample(kind: NoticeKind, locale: Locale) -> Sample {
    Sample::of(kind, locale).unwrap_or_else(|| panic!("the sample has no {}", kind.id()))
}

fn content(kind: NoticeKind, locale: Locale) -> Content {
    let sample = sample(kind, locale);
    content::written(&sample.source(), &sample.reader())
}

fn all() -> impl Iterator<Item = (NoticeKind, Locale, Content)> {
    NoticeKind::ALL.into_iter().flat_map(|kind| {
        Locale::ALL.into_iter().map(move |locale| (kind, locale, content(kind, locale)))
    })
}

/// Everything in it that somebody reads.
fn texts(content: &Content) -> Vec<&str> {
    let Content { subject, lead, body, figures, chart, list, action, footer, by } = content;
    let mut texts: Vec<&str> = vec![subject, lead, body, action, footer, by];
    texts.extend(figures.iter().flat_map(|figure| [figure.label.as_str(), &figure.value]));
    if let Some(chart) = chart {
        texts.push(&chart.title);
        texts.extend(chart.bars.iter().flat_map(|bar| [bar.label.as_str(), &bar.shown]));
    }
    if let Some(list) = list {
        texts.push(&list.title);
        texts.extend(list.items.iter().map(String::as_str));
    }
    texts
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

#[test]
fn no_text_of_any_kind_is_missing_empty_or_unfilled() {
    for (kind, locale, content) in all() {
        for text in texts(&content) {
            let context = format!("{} {}: {text:?}", kind.id(), locale.tag());
            assert!(!text.trim().is_empty(), "{context}");
            assert!(!text.contains(['{', '}']), "{context}");
            assert!(!text.starts_with("mail.") && !text.contains("?"), "{context}");
            assert!(!text.contains("  ") && !text.contains('\n'), "{context}");
        }
        let sentences = [&content.subject, &content.lead, &content.body, &content.action];
        for text in sentences {
            assert_eq!(is_chinese(text), locale == Locale::ZhCn, "{} {text}", kind.id());
        }
    }
}

#[test]
fn subject_and_first_line_say_what_is_wanted_and_by_when() {
    for (kind, locale, content) in all() {
        for text in [&content.subject, &content.lead] {
            assert!(text.contains(&content.by), "{} in {text:?} of {}", content.by, kind.id());
            let title = sample(kind, locale).procurement.title;
            assert!(text.contains(title.as_str()), "{title} in {text:?}");
        }
        assert!(content.subject.chars().count() <= 160, "{}", content.subject);
    }
}

#[test]
fn every_letter_but_a_cancellation_brings_figures_or_a_list() {
    for (kind, locale, content) in all() {
        let brings = content.figures.len() + content.list.iter().len();
        let wants = kind != NoticeKind::ReviewCancelled;
        assert_eq!(brings > 0, wants, "{} {}", kind.id(), locale.tag());
    }
}

#[track_caller]
fn assert_figures(kind: NoticeKind, expected: &[(&str, &str)]) {
    let content = content(kind, Locale::En);
    for (label, value) in expected {
        let shown = content.figures.iter().find(|figure| figure.label == *label);
        assert_eq!(shown.map(|figure| figure.value.as_str()), Some(*value), "{label}");
    }
}

#[test]
fn a_burning_budget_is_told_with_what_is_spent_of_what_and_until_when_it_lasts() {
    // 17 months at 64 × 13 500 + 32 × 16 800, of 24 × 1 005 000 × 1.18.
    assert_figures(
        NoticeKind::BudgetBurn,
        &[
            ("Budget", "CNY 28,461,600.00"),
            ("Spent", "CNY 23,827,200.00"),
            ("Part spent", "83.7 %"),
            ("Left", "CNY 4,634,400.00"),
            ("Billed until", "Mon 31 May 2027"),
        ],
    );
}

#[test]
fn a_missed_promise_is_told_with_minutes_availability_credit_and_the_last_day_to_claim() {
    assert_figures(
        NoticeKind::SlaClaim,
        &[
            ("Minutes down", "96"),
            ("Minutes permitted", "40.3"),
            ("Availability", "99.761 %"),
            ("Promised", "99.9 %"),
            ("Credit", "by the contract's compensation table, § 7.2"),
            ("Claim by", "Mon 30 Mar 2026"),
            ("Days left", "14"),
        ],
    );
    let listed = content(NoticeKind::SlaClaim, Locale::En).list.unwrap();
    assert_eq!(
        listed.items,
        ["Tue 10 Feb 2026 04:20 (Europe/Berlin), 96 minutes: No route to nodes 3 to 8"]
    );
}

#[test]
fn an_expiry_is_told_with_what_number_and_date() {
    assert_figures(
        NoticeKind::QualificationExpiry,
        &[
            ("Supplier", "Boreal Cloud"),
            ("Number", "ICP-2026-004711"),
            ("Valid until", "Tue 30 Jun 2026"),
            ("Days left", "29"),
        ],
    );
}

#[test]
fn a_week_is_told_with_used_idle_and_unmeasured_hours_and_what_the_idle_ones_cost() {
    assert_figures(
        NoticeKind::WeeklyReconciliation,
        &[
            ("Week", "Mon 2 Mar 2026 – Sun 8 Mar 2026"),
            ("Used", "11,934.7"),
            ("Busy", "14,676.5"),
            ("Idle", "1,129"),
            ("Not measured", "322.6"),
            ("Idle ratio", "7.1 %"),
        ],
    );
}

#[test]
fn a_quarter_is_told_with_actual_against_forecast_and_cost_against_budget() {
    assert_figures(
        NoticeKind::ReviewChaser,
        &[
            ("Cost billed", "CNY 4,204,800.00"),
            ("Budget of the quarter", "CNY 3,557,700.00"),
            ("Card-hours under contract", "207,360"),
        ],
    );
}

#[test]
fn a_split_is_drawn_against_its_bands() {
    let chart = content(NoticeKind::SupplierSplit, Locale::En).chart.unwrap();
    let labels: Vec<_> = chart.bars.iter().map(|bar| bar.label.as_str()).collect();
    assert_eq!(labels, ["Aurora Compute", "Boreal Cloud"]);
    assert!(chart.bars.iter().all(|bar| bar.missed.is_some()));
    assert!(chart.bars[0].shown.contains("wanted 60"), "{}", chart.bars[0].shown);
}

#[test]
fn instants_are_in_the_zone_of_the_reader_and_days_are_those_of_the_organisation() {
    let english = content(NoticeKind::ReviewInvitation, Locale::En);
    assert_eq!(english.by, "Tue 31 Mar 2026 08:00 (Europe/Berlin)");
    let chinese = content(NoticeKind::ReviewInvitation, Locale::ZhCn);
    assert_eq!(chinese.by, "2026年3月31日（周二）14:00（Asia/Shanghai）");
}

#[test]
fn nothing_measured_is_not_told_as_zero() {
    let mut sample = sample(NoticeKind::WeeklyReconciliation, Locale::En);
    sample.procurement.operation.usage.clear();
    sample.procurement.operation.bills.clear();
    let content = content::written(&sample.source(), &sample.reader());
    let values: BTreeSet<_> = content.figures.iter().map(|f| f.value.as_str()).collect();
    assert!(values.contains("nothing was measured") && !values.contains("0"), "{values:?}");
    assert!(content.list.unwrap().items[0].ends_with("no bill recorded"));
}

#[test]
fn a_title_with_a_comma_stays_as_it_was_written() {
    let mut sample = sample(NoticeKind::BudgetBurn, Locale::ZhCn);
    sample.procurement.title = sixgate_workflows::text::Name::new("Cluster, phase 2").unwrap();
    sample.deadline.details.insert("title", "Cluster, phase 2".to_owned());
    let content = content::written(&sample.source(), &sample.reader());
    assert!(content.subject.ends_with("Cluster, phase 2"), "{}", content.subject);
}
