//! A chart, as a picture and in words.

use async_graphql::Object;
use sixgate_engine::chart;

pub(crate) struct Chart(pub chart::Chart);

#[Object]
impl Chart {
    /// One `<svg>` element that stands for itself: no script, nothing from outside, readable in
    /// print.
    async fn svg(&self) -> String {
        self.0.svg()
    }

    /// The same in one paragraph, for mails and for people who do not see the picture.
    async fn text(&self) -> String {
        self.0.told()
    }
}
