//! Letters about letters: a digest, and a reminder that nobody was there to read.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("mail.digest.subject", "{count} notices in one letter", "{count}条提醒汇总"),
    (
        "mail.digest.body",
        "These {count} notices have come together. Each is told in full.",
        "以下{count}条提醒合并发送，内容完整。",
    ),
    ("mail.unaddressed.subject", "Nobody to tell: {subject}", "无人可通知：{subject}"),
    (
        "mail.unaddressed.body",
        "The reminder below is for {function}, but nobody active who may know of it holds such a function. It comes to you as an administrator. Please grant a function to somebody or add a member; until then nobody acts on it.",
        "以下提醒应发给{function}，但没有在职且有权知悉的人员担任该职能，因此发给您（管理员）。请授予职能或添加成员，否则无人处理。",
    ),
];
