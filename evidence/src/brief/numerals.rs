//! Chinese numerals in front of a unit: `三个月`, `八张`, `一年半`, `半年`.
//!
//! Only what a unit follows is a number; `一般` and `统一` are words and stay.

const UNITS: [&str; 14] = [
    "个月",
    "年",
    "个季度",
    "季度",
    "周",
    "天",
    "张",
    "卡",
    "块",
    "台",
    "个节点",
    "节点",
    "小时",
    "分钟",
];
const NUMERALS: &str = "零一二两三四五六七八九十百";

pub(super) fn in_digits(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("半年") {
            plain.push_str("6个月");
            rest = after;
            continue;
        }
        let end = rest.find(|character| !NUMERALS.contains(character)).unwrap_or(rest.len());
        if end == 0 {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (numeral, after) = rest.split_at(end);
        let behind = after.trim_start();
        // 统一 and 同一 are words, whatever follows; 万 before it belongs to the number.
        let in_a_word = plain.ends_with(['统', '同', '唯', '某', '第', '之', '万', '千', '亿']);
        match value(numeral)
            .filter(|_| !in_a_word && UNITS.iter().any(|unit| behind.starts_with(unit)))
        {
            Some(number) => {
                if let Some(after_half) = behind.strip_prefix("年半") {
                    plain.push_str(&format!("{}个月", number * 12 + 6));
                    rest = after_half;
                    continue;
                }
                plain.push_str(&number.to_string());
            }
            None => plain.push_str(numeral),
        }
        rest = after;
    }
    plain
}

/// Up to hundreds; `None` for a row of digits like `二零二六`.
fn value(numeral: &str) -> Option<u32> {
    let (mut sum, mut digit) = (0, None);
    for character in numeral.chars() {
        match character {
            '百' => sum += digit.take().unwrap_or(1) * 100,
            '十' => sum += digit.take().unwrap_or(1) * 10,
            '零' => {}
            other => {
                let place = "一二三四五六七八九".chars().position(|known| known == other);
                let number = if other == '两' { 2 } else { u32::try_from(place?).ok()? + 1 };
                if digit.replace(number).is_some() {
                    return None;
                }
            }
        }
    }
    Some(sum + digit.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::in_digits;

    #[test]
    fn numerals_before_a_unit_become_digits() {
        for (text, plain) in [
            ("三个月", "3个月"),
            ("一年", "1年"),
            ("一年半起", "18个月起"),
            ("预留半年", "预留6个月"),
            ("十六张", "16张"),
            ("一百二十八卡", "128卡"),
            ("两台", "2台"),
        ] {
            assert_eq!(in_digits(text), plain);
        }
    }

    #[test]
    fn words_with_numerals_stay() {
        for text in ["一般负载", "统一调度", "二零二六年", "千卡", "A一B", "统一卡型", "同一台"]
        {
            assert_eq!(in_digits(text), text);
        }
    }
}
