//! Colours that stay apart for people who see fewer of them, each with a pattern or a dash that
//! stays apart without any colour at all.

pub(super) const INK: &str = "#1a1a1a";
pub(super) const PALE: &str = "#dddddd";

/// How an area is filled. The order is that in which parts of a chart take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fill {
    Plain,
    Rising,
    Dots,
    Deep,
    Falling,
    Upright,
    Level,
    Crossed,
    /// Of what nobody knows.
    Unknown,
    /// Between the low and the high end of something.
    Band,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) colour: &'static str,
    pub(super) width: f64,
    pub(super) dash: &'static str,
}

pub(super) const PARTS: [Fill; 8] = [
    Fill::Plain,
    Fill::Rising,
    Fill::Dots,
    Fill::Deep,
    Fill::Falling,
    Fill::Upright,
    Fill::Level,
    Fill::Crossed,
];

pub(super) const LINES: [Stroke; 6] = [
    Stroke { colour: "#0072b2", width: 2.2, dash: "" },
    Stroke { colour: "#b34700", width: 2.2, dash: "8 4" },
    Stroke { colour: "#00664b", width: 2.2, dash: "2 3" },
    Stroke { colour: "#8f3f73", width: 2.2, dash: "10 3 2 3" },
    Stroke { colour: "#404040", width: 2.2, dash: "14 5" },
    Stroke { colour: "#806000", width: 2.2, dash: "5 2 1 2 1 2" },
];

/// What a limit, a reserved quantity or a crossing is drawn with.
pub(super) const LIMIT: Stroke = Stroke { colour: "#c00000", width: 1.8, dash: "6 3" };
pub(super) const AXIS: Stroke = Stroke { colour: INK, width: 1.0, dash: "" };

impl Fill {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Rising => "rising",
            Self::Dots => "dots",
            Self::Deep => "deep",
            Self::Falling => "falling",
            Self::Upright => "upright",
            Self::Level => "level",
            Self::Crossed => "crossed",
            Self::Unknown => "unknown",
            Self::Band => "band",
        }
    }

    /// What `fill` is set to.
    pub(super) fn paint(self) -> String {
        match self {
            Self::Plain => "#8ec1e3".to_owned(),
            Self::Deep => "#31688e".to_owned(),
            Self::Rising
            | Self::Dots
            | Self::Falling
            | Self::Upright
            | Self::Level
            | Self::Crossed
            | Self::Unknown
            | Self::Band => format!("url(#sixgate-{})", self.name()),
        }
    }

    /// The pattern behind it. Two charts on one page may both define it, alike.
    pub(super) fn definition(self) -> Option<String> {
        let (ground, drawing) = match self {
            Self::Plain | Self::Deep => return None,
            Self::Rising => ("#fbd48a", r#"<path d="M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4""#),
            Self::Dots => ("#c9ead9", r#"<path d="M2,2 h2 v2 h-2 z M6,6 h2 v2 h-2 z""#),
            Self::Falling => ("#f3c9dd", r#"<path d="M-2,6 l4,4 M0,0 l8,8 M6,-2 l4,4""#),
            Self::Upright => ("#f6ef9d", r#"<path d="M2,0 v8 M6,0 v8""#),
            Self::Level => ("#f2b796", r#"<path d="M0,2 h8 M0,6 h8""#),
            Self::Crossed => ("#d9d9d9", r#"<path d="M0,0 l8,8 M8,0 l-8,8""#),
            Self::Unknown => ("#ffffff", r#"<path d="M0,8 l8,-8" stroke-dasharray="2 2""#),
            Self::Band => ("#eef3f7", r#"<path d="M0,4 h2""#),
        };
        let name = self.name();
        Some(format!(
            concat!(
                r#"<pattern id="sixgate-{name}" width="8" height="8" patternUnits="userSpaceOnUse">"#,
                r#"<rect x="0" y="0" width="8" height="8" fill="{ground}"/>{drawing} "#,
                r#"stroke="{ink}" stroke-width="0.9" fill="none"/></pattern>"#,
                "\n"
            ),
            name = name,
            ground = ground,
            drawing = drawing,
            ink = INK,
        ))
    }
}
