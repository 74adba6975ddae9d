//! The shape that bytes must have before they may go over the wire.
//!
//! The rule: lines end in CR LF and nowhere does CR or LF stand alone (that is how one message is
//! smuggled inside another), no line exceeds the 998 octets of RFC 5322, and there is no NUL.
//! `freeze` asserts it of what it made and `send` of what it was given. It deliberately does not
//! parse MIME and judges no content.

const LINE_OCTETS_MAX: usize = 998;

/// The first fault found, or `None` when the bytes may be sent.
pub(super) fn fault(bytes: &[u8]) -> Option<&'static str> {
    if !bytes.ends_with(b"\r\n") {
        return Some("the message does not end with a line end");
    }
    if bytes.starts_with(b"\r\n") || !bytes.windows(4).any(|window| window == b"\r\n\r\n") {
        return Some("the message has no header section");
    }
    bytes.split_inclusive(|&byte| byte == b'\n').find_map(|line| {
        let Some(text) = line.strip_suffix(b"\r\n") else {
            return Some("a line feed stands alone");
        };
        if text.contains(&b'\r') {
            return Some("a carriage return stands alone");
        }
        if text.contains(&0) {
            return Some("the message contains a NUL");
        }
        (text.len() > LINE_OCTETS_MAX).then_some("a line is longer than 998 octets")
    })
}

/// The message id without its angle brackets, read from the header section.
pub(super) fn message_id(bytes: &[u8]) -> Option<&str> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let headers = std::str::from_utf8(&bytes[..end]).ok()?;
    headers.split("\r\n").find_map(|line| {
        let (header_name, value) = line.split_once(':')?;
        let id = value.trim().strip_prefix('<')?.strip_suffix('>')?;
        header_name.eq_ignore_ascii_case("message-id").then_some(id)
    })
}

/// Whether a message id is one that this crate makes: it is safe in a header and as a file name.
pub(super) fn is_plain_message_id(id: &str) -> bool {
    let is_plain = |text: &str| {
        !text.is_empty()
            && !text.starts_with('.')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    id.len() <= 200
        && id.split_once('@').is_some_and(|(word, domain)| is_plain(word) && is_plain(domain))
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn only_whole_line_ends_and_short_lines_pass() {
        assert_eq!(fault(b"A: b\r\n\r\ntext\r\n"), None);
        assert_eq!(fault(b"A: b\r\n\r\n.\r\n\r\n"), None);
        let cases: [(&[u8], &str); 8] = [
            (b"", "does not end"),
            (b"A: b\r\n\r\ntext", "does not end"),
            (b"A: b\r\ntext\r\n", "no header section"),
            (b"\r\n\r\ntext\r\n", "no header section"),
            (b"A: b\r\n\r\na\n.\r\nMAIL\r\n", "line feed"),
            (b"A: b\r\n\r\na\r.\r\n", "carriage return"),
            (b"A: b\r\n\r\na\r\r\n", "carriage return"),
            (b"A: b\r\n\r\na\0\r\n", "NUL"),
        ];
        for (bytes, expected) in cases {
            let found = fault(bytes).unwrap();
            assert!(found.contains(expected), "{found} for {}", bytes.escape_ascii());
        }
        let long = format!("A: b\r\n\r\n{}\r\n", "x".repeat(999));
        assert!(fault(long.as_bytes()).unwrap().contains("998"));
    }
}
