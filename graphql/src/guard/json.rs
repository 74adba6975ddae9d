//! Measures JSON text before it is decoded.
//!
//! The rule: one pass over the bytes, strings skipped, nothing kept; it never fails, because text
//! that is not JSON is the decoder's to report.
//! It deliberately does not decode: a list of 300,000 requests is counted, not built.

/// How deep the brackets go and, when the text is a list, how many items it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonShape {
    pub nesting: usize,
    /// `None` when the outermost value is not a list.
    pub items: Option<usize>,
}

pub fn json_shape(text: &[u8]) -> JsonShape {
    let start = text.trim_ascii_start();
    let mut shape = JsonShape::default();
    let (mut depth, mut commas) = (0_usize, 0_usize);
    let (mut quoted, mut escaped) = (false, false);
    for byte in start {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => {
                depth += 1;
                shape.nesting = shape.nesting.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => commas += 1,
            _ => {}
        }
    }
    if let Some(inside) = start.strip_prefix(b"[") {
        let empty = inside.trim_ascii_start().starts_with(b"]");
        shape.items = Some(if empty { 0 } else { commas + 1 });
    }
    shape
}
